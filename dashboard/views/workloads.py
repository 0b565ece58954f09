"""The workloads of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.views.decorators.http import require_safe

from clusters.services.workloads import ClusterWorkloads, workloads_of
from clusters.wording import counts
from dashboard.filters.workloads import WorkloadsFilter
from dashboard.lists.columns import COLUMNS_PARAMETER, SORT_PARAMETER, Sorting, address_of_choice
from dashboard.live.parts import live_part
from dashboard.presenters.shared.page import count_line
from dashboard.presenters.spread import worst_sentence
from dashboard.presenters.workloads import detail
from dashboard.tables.workloads import WORKLOADS
from dashboard.views.of_cluster import of_cluster, render_parts

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest

ROWS_PER_PAGE = 50

# What the pages show depends on these.
KINDS = (
    "Pod", "Node", "PodDisruptionBudget", "Service", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job",
    "CronJob", "ReplicationController", "Event",
)  # fmt: skip


def _sorted(found: ClusterWorkloads, form: WorkloadsFilter, sorting: Sorting) -> list[detail.WorkloadRow]:
    """Return the workloads that the filter lets through, as the address sorts them."""
    rows = [detail.WorkloadRow(found, state) for state in form.apply()]
    return sorting.sort(rows, ties=lambda row: row.workload)


@live_part(
    "workloads.list",
    template="workloads/_results.html",
    pages=["workloads"],
    kinds=KINDS,
    parameters=[*WorkloadsFilter.base_fields, "page", SORT_PARAMETER, COLUMNS_PARAMETER],
)
def workloads_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose, sort and present the workloads that the filter lets through."""
    found = workloads_of(cluster=cluster)
    form = WorkloadsFilter(query, found=found)
    sorting = WORKLOADS.sorting(query)
    passing = _sorted(found, form, sorting)
    page = Paginator(passing, ROWS_PER_PAGE).get_page(query.get("page"))
    total = len(found.states)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "workloads": WORKLOADS.of(page, sorting, WORKLOADS.choice(query)),
        "zone_keys": detail.zone_keys(found),
        "total": total,
        "counted": count_line(shown=len(passing), total=total, noun=counts.workloads, conditions=form.conditions()),
    }


@live_part("workloads.answer", template="workloads/_answer.html", pages=["workloads"], kinds=KINDS)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how the workloads are, and which has the worst skew."""
    found = workloads_of(cluster=cluster)
    worst = found.summary.worst
    group = None if worst is None else found.worst_group(worst)
    return {
        "cluster": cluster,
        "sentence": detail.cluster_sentence(found),
        "worst": worst.workload if worst is not None and group is not None else None,
        "worst_sentence": worst_sentence(group) if worst is not None and group is not None else "",
        "inferred": found.inferred,
    }


@require_safe
@of_cluster
def workloads(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the workloads that the filter lets through."""
    if (chosen := address_of_choice(request, WORKLOADS.columns)) is not None:
        return chosen
    parts = (workloads_context, answer_context)
    return render_parts(request, cluster, "workloads/list.html", "workloads/_results.html", *parts)


@require_safe
@of_cluster
def workloads_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the workloads that the filter lets through as a file."""
    found = workloads_of(cluster=cluster)
    rows = _sorted(found, WorkloadsFilter(request.GET, found=found), WORKLOADS.sorting(request.GET))
    return WORKLOADS.file(f"{cluster.name}-workloads", rows)
