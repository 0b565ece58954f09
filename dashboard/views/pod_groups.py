"""The groups of pods of a cluster that are scheduled together, and one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.engine.batch_systems import BATCH_KINDS
from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.services.mirror.state import ClusterPodGroups, pod_groups_of
from clusters.services.pending.pods import outlook_of
from clusters.wording import absent, counts
from clusters.wording.pod_groups import SET_GATE
from dashboard.filters.pending import PodGroupFilter
from dashboard.lists.columns import COLUMNS_PARAMETER, SORT_PARAMETER, address_of_choice
from dashboard.live.parts import live_part
from dashboard.presenters import pod_groups as presenter
from dashboard.presenters.dump_command import group_command
from dashboard.presenters.group_placements import placements_context
from dashboard.presenters.shared.page import count_line
from dashboard.tables.pod_groups import POD_GROUPS
from dashboard.views.of_cluster import in_scope, of_cluster, render_parts

if TYPE_CHECKING:
    from clusters.models import Cluster
    from dashboard.http import PageRequest

GROUPS_PER_PAGE = 50
MEMBERS_PER_PAGE = 50
# What the list depends on; the page of a group also on whatever its pending pods do.
KINDS = ("Pod", "PodGroup", "Workload", "CompositePodGroup", *BATCH_KINDS)


@live_part("pod-groups.answer", template="pod_groups/_answer.html", pages=["pod-groups"], kinds=KINDS)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how many groups need somebody, whether the scheduler reads groups at all, and what the source lacks."""
    found = pod_groups_of(cluster=cluster)
    states = found.states.values()
    phases = [state.phase for state in states]
    own = [state for state in states if isinstance(state, PodGroupState)]
    lacking = phases.count(GroupPhase.NOT_FOUND) + sum(
        state.terms is None for state in own if state.phase is GroupPhase.GATE_OFF
    )
    return {
        "cluster": cluster,
        "total": len(phases),
        "waiting": phases.count(GroupPhase.WAITING_FOR_PODS) + phases.count(GroupPhase.NOT_FOUND),
        "pending": phases.count(GroupPhase.PENDING) + phases.count(GroupPhase.PARTLY_SCHEDULED),
        # Whether kube-scheduler reads groups means nothing to those of other systems.
        "gate": presenter.gate_sentence(found.snapshot.release) if own or not phases else "",
        "set_gate": SET_GATE if own else "",
        "lacking": lacking,
        "command": group_command() if lacking and not cluster.is_live else "",
    }


@live_part(
    "pod-groups.list",
    template="pod_groups/_results.html",
    pages=["pod-groups"],
    kinds=KINDS,
    parameters=[*PodGroupFilter.base_fields, "page", SORT_PARAMETER, COLUMNS_PARAMETER],
)
def list_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose, sort and present the groups that the filter lets through, those that need somebody first."""
    found = pod_groups_of(cluster=cluster)
    form = PodGroupFilter(query, found=found)
    passing = _passing(cluster, query, form, found)
    page = Paginator(passing, GROUPS_PER_PAGE).get_page(query.get("page"))
    total = len(found.states)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "table": POD_GROUPS.of(page, POD_GROUPS.sorting(query), POD_GROUPS.choice(query)),
        "total": total,
        "add_command": "" if total or cluster.is_live else group_command(),
        "counted": count_line(shown=len(passing), total=total, noun=counts.POD_GROUPS, conditions=form.conditions()),
    }


def _passing(
    cluster: Cluster, query: QueryDict, form: PodGroupFilter, found: ClusterPodGroups
) -> list[presenter.PodGroupRow]:
    """Return the groups that the filter lets through, in the order that is asked for."""
    rows = (presenter.PodGroupRow(cluster, state) for state in found.states.values() if form.passes(state))
    return POD_GROUPS.sorting(query).sort(rows, lambda row: str(row.state.key))


@require_safe
@of_cluster
@in_scope
def pod_groups(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the groups that the filter lets through."""
    if (chosen := address_of_choice(request, POD_GROUPS.columns)) is not None:
        return chosen
    parts = (list_context, answer_context)
    return render_parts(request, cluster, "pod_groups/list.html", "pod_groups/_results.html", *parts)


@require_safe
@of_cluster
def pod_groups_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the groups that the filter lets through as a file."""
    found = pod_groups_of(cluster=cluster)
    form = PodGroupFilter(request.GET, found=found)
    return POD_GROUPS.file(f"{cluster.name}-pod-groups", _passing(cluster, request.GET, form, found))


@live_part("pod-groups.detail", template="pod_groups/_detail.html", pages=["pod-group"], parameters=["page"])
def group_context(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present one group: how it is, its pods, what keeps those pending, and what it belongs to. Raises Http404."""
    found = pod_groups_of(cluster=cluster)
    key = f"{namespace}/{name}"
    state = found.states.get(key)
    if state is None:
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="pod group", name=key))
    outlook = outlook_of(cluster=cluster, found=found, state=state)
    page = Paginator(presenter.member_order(state, outlook), MEMBERS_PER_PAGE).get_page(query.get("page"))
    attempt = outlook.attempt
    address = reverse("map-node", kwargs={"cluster": cluster.name})
    is_absent = state.phase is GroupPhase.NOT_FOUND and not cluster.is_live
    return {
        "cluster": cluster,
        "row": presenter.PodGroupRow(cluster, state),
        "answer": presenter.answer(cluster, state, outlook, found.snapshot.release),
        "command": group_command() if is_absent else "",
        "is_gate_off": state.phase is GroupPhase.GATE_OFF,
        "figure": presenter.members_figure(state, attempt),
        "refusals": presenter.refusals(attempt),
        **placements_context(state, attempt, found.snapshot, f"{address}?node="),
        "causes": presenter.member_causes(outlook),
        "page": page,
        "rows": presenter.member_rows(state, outlook, page),
    }


@require_safe
@of_cluster
def pod_group(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show one group."""
    place = {"namespace": namespace, "name": name}
    return render_parts(request, cluster, "pod_groups/detail.html", "pod_groups/_members.html", group_context, **place)
