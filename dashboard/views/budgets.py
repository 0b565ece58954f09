"""The disruption budgets of a cluster, one budget, and the nodes that they keep from being drained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from clusters.models import Cluster
from clusters.services.disruption import budgets_of
from clusters.wording import absent, budgets as words, counts
from dashboard.filters.workloads import BudgetFilter
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import budgets as presenter
from dashboard.presenters.budgets import remedy_view
from dashboard.presenters.clusters import budget_gaps
from dashboard.presenters.shared.page import count_line
from dashboard.views.of_cluster import at_any_moment, in_scope, render_parts

if TYPE_CHECKING:
    from clusters.models import Cluster
    from dashboard.http import PageRequest

BUDGETS_PER_PAGE = 20
DRAINS_PER_PAGE = 50
DRAINS_AT_A_GLANCE = 6
NODES_PER_PAGE = 25
NAMES_SHOWN = 20

# What the pages show depends on these.
KINDS = (
    "PodDisruptionBudget",
    "Pod",
    "Node",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "StatefulSet",
)
# Seconds after which it is looked again what the source lacks, which is no change of the cluster.
_GAPS_AGE = 15.0


@live_part("budgets.alerts", template="budgets/_alerts.html", pages=["budgets"], kinds=KINDS, ages=_GAPS_AGE)
def alerts_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say what the budgets are uncertain for."""
    found = budgets_of(cluster=cluster)
    return {"gaps": budget_gaps(cluster), "headline": presenter.headline(found)}


@live_part(
    "budgets.list",
    template="budgets/_results.html",
    pages=["budgets"],
    kinds=KINDS,
    parameters=[*BudgetFilter.base_fields, "page"],
)
def budgets_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the budgets that the filter lets through."""
    found = budgets_of(cluster=cluster)
    form = BudgetFilter(query, states=found.states.values())
    passing = [state for state in found.states.values() if form.passes(state)]
    page = Paginator(passing, BUDGETS_PER_PAGE).get_page(query.get("page"))
    total = len(found.states)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": [
            (presenter.budget_row(state, found.snapshot), presenter.pods_figure(state, name=f"budget-{number}"))
            for number, state in enumerate(page)
        ],
        "total": total,
        "are_unread": any(gap["kind"] == "PodDisruptionBudget" for gap in cluster.gaps),
        "counted": count_line(shown=len(passing), total=total, noun=counts.BUDGETS, conditions=form.conditions()),
    }


@live_part("budgets.glance", template="budgets/_glance.html", pages=["budgets"], kinds=KINDS)
def glance_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present some of the nodes whose drain budgets block."""
    found = budgets_of(cluster=cluster)
    return {
        "cluster": cluster,
        "total": len(found.states),
        "drains_sentence": presenter.drains_sentence(found.drains, len(found.snapshot.nodes)),
        "show_all": words.SHOW_BLOCKED(nodes=len(found.drains)),
        "drains": presenter.drain_rows(found.drains[:DRAINS_AT_A_GLANCE], found.snapshot),
    }


@require_safe
@at_any_moment
@in_scope
def budgets(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the budgets that the filter lets through, the most urgent first, and some nodes that they block."""
    parts = (budgets_context, glance_context, alerts_context)
    return render_parts(request, cluster, "budgets/list.html", "budgets/_results.html", *parts)


@require_safe
@at_any_moment
def budgets_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the budgets that the filter lets through as a file."""
    found = budgets_of(cluster=cluster)
    form = BudgetFilter(request.GET, states=found.states.values())
    cells = presenter.budget_cells(filter(form.passes, found.states.values()), found.snapshot)
    return csv_file(f"{cluster.name}-budgets", presenter.BUDGET_COLUMNS, cells)


@live_part("budgets.detail", template="budgets/_detail.html", pages=["budget"], kinds=KINDS, parameters=["page"])
def budget_context(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present one budget: what it demands, what is reported and computed, its pods by zone and node. Raises Http404."""
    found = budgets_of(cluster=cluster)
    state = found.states.get(f"{namespace}/{name}")
    if state is None:
        raise Http404(
            absent.HAS_NO(cluster=cluster.name, object_kind="PodDisruptionBudget", name=f"{namespace}/{name}")
        )
    page = Paginator(presenter.node_order(state), NODES_PER_PAGE).get_page(query.get("page"))
    return {
        "cluster": cluster,
        "row": presenter.budget_row(state, found.snapshot),
        "figure": presenter.pods_figure(state, name="budget"),
        "of_nodes": presenter.nodes_figure(state),
        "remedy": remedy_view(state, found.snapshot),
        "facts": presenter.facts(state),
        "remarks": presenter.remarks(state),
        "page": page,
        "rows": presenter.node_rows(state, list(page), found.snapshot),
        "pod_lists": [
            presenter.pod_list(str(title), keys, most=NAMES_SHOWN)
            for title, keys in (
                (words.NOT_READY, state.unhealthy),
                (words.UNDER_SEVERAL, state.shared),
                (words.WITHOUT_CONTROLLER, state.unmanaged),
            )
            if keys
        ],
    }


@require_safe
@at_any_moment
def budget(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show one budget."""
    place = {"namespace": namespace, "name": name}
    return render_parts(request, cluster, "budgets/detail.html", "budgets/_nodes.html", budget_context, **place)


@live_part(
    "budgets.drains", template="budgets/_drains.html", pages=["blocked-drains"], kinds=KINDS, parameters=["page"]
)
def drains_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the nodes whose drain budgets block."""
    found = budgets_of(cluster=cluster)
    page = Paginator(found.drains, DRAINS_PER_PAGE).get_page(query.get("page"))
    return {
        "cluster": cluster,
        "page": page,
        "drains": presenter.drain_rows(list(page), found.snapshot),
        "drains_sentence": presenter.drains_sentence(found.drains, len(found.snapshot.nodes)),
    }


@require_safe
@at_any_moment
def drains(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List every node whose drain budgets block."""
    return render_parts(request, cluster, "budgets/drains.html", "budgets/_drains.html", drains_context)


@require_safe
@at_any_moment
def drains_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return every node whose drain budgets block as a file."""
    cells = presenter.drain_cells(budgets_of(cluster=cluster).drains)
    return csv_file(f"{cluster.name}-blocked-drains", presenter.DRAIN_COLUMNS, cells)
