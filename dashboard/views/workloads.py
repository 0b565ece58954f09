"""The workloads of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.workloads import ClusterWorkloads, WorkloadState, workloads_of
from clusters.wording import columns, counts
from clusters.wording.workloads import summary as words
from clusters.wording.workloads.file import WORKLOADS
from dashboard.filters.workloads import WorkloadsFilter
from dashboard.http import render_page
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters.shared.failures import unanswered
from dashboard.presenters.shared.filters import count_line
from dashboard.presenters.spread.groups import worst_sentence
from dashboard.presenters.workloads import listing as presenter
from dashboard.presenters.workloads import summary
from dashboard.tables.choice import PARAMETER as COLUMNS_PARAMETER
from dashboard.tables.choice import ColumnChoice, address_of_choice
from dashboard.tables.columns import DataColumn
from dashboard.tables.sorting import PARAMETER, Sorting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from django.http import HttpResponse, QueryDict

    from dashboard.http import PageRequest

ROWS_PER_PAGE = 50

# What the pages show depends on these.
KINDS = (
    "Pod", "Node", "PodDisruptionBudget", "Service", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job",
    "CronJob", "ReplicationController", "Event",
)  # fmt: skip

TABLE: tuple[DataColumn[Any], ...] = (
    DataColumn("name", words.COLUMN_WORKLOAD, ("name",)),
    DataColumn("pods", words.COLUMN_ON_NODES, ("pods",), starts_descending=True),
    DataColumn("zones", words.COLUMN_BY_ZONE),
    DataColumn("skew", words.COLUMN_SKEW, ("skew",), starts_descending=True),
    DataColumn("budget", words.COLUMN_BUDGET, ("budget",)),
    DataColumn("cpu", words.COLUMN_CPU, ("cpu",), is_number=True, starts_descending=True),
    DataColumn("memory", words.COLUMN_MEMORY, ("memory",), is_number=True, starts_descending=True),
    DataColumn("priority", columns.PRIORITY, ("priority",), is_number=True, starts_descending=True),
)


def _allowed(found: ClusterWorkloads, state: WorkloadState) -> tuple[int, int]:
    """Order by what budgets let go: nothing first, then little, then pods without a budget."""
    budgets = presenter.budgets_of(found, state)
    if not budgets:
        return 1, 0
    return 0, budgets[0].budget.grants if len(budgets) == 1 else 0


_ORDERS: Mapping[str, Callable[[ClusterWorkloads, WorkloadState], Any]] = {
    "name": lambda found, state: (state.workload.name, state.workload.namespace),
    "pods": lambda found, state: state.placed + state.pending,
    "skew": lambda found, state: found.unevenness(state),
    "budget": _allowed,
    "cpu": lambda found, state: state.cpu_milli,
    "memory": lambda found, state: state.memory_bytes,
    "priority": lambda found, state: state.priorities or (-(2**63), 0),
}


def unknown(request: PageRequest, cluster: Cluster, error: Exception) -> HttpResponse:
    """Say why nothing can be shown, and what to do."""
    status = 503 if isinstance(error, ChangingTooFastError) else 200
    return render(request, "workloads/unknown.html", {"cluster": cluster, "problem": unanswered(error)}, status=status)


def _ordered(found: ClusterWorkloads, states: list[WorkloadState], order: str) -> list[WorkloadState]:
    """Sort by a column; without one they stay in their usual order."""
    name = order.removeprefix("-")
    if name in _ORDERS:
        states.sort(key=lambda state: state.workload)
        states.sort(key=lambda state: _ORDERS[name](found, state), reverse=order.startswith("-"))
    return states


@live_part(
    "workloads.list",
    template="workloads/_results.html",
    pages=["workloads"],
    kinds=KINDS,
    parameters=[*WorkloadsFilter.base_fields, "page", PARAMETER, COLUMNS_PARAMETER],
)
def workloads_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose, sort and present the workloads that the filter lets through."""
    found = workloads_of(cluster=cluster)
    form = WorkloadsFilter(query, found=found)
    sorting = Sorting(query, TABLE, usual=())
    choice = ColumnChoice(query, TABLE)
    passing = _ordered(found, form.apply(), sorting.value)
    page = Paginator(passing, ROWS_PER_PAGE).get_page(query.get("page"))
    total = len(found.states)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": [presenter.workload_row(found, state) for state in page],
        "zone_keys": presenter.zone_keys(found),
        "headings": sorting.headings(choice.shown),
        "column_choice": choice,
        "sort": sorting.value,
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
        "sentence": summary.cluster_sentence(found),
        "worst": worst.workload if worst is not None and group is not None else None,
        "worst_sentence": worst_sentence(group) if worst is not None and group is not None else "",
        "inferred": words.NOT_MIRRORED(number=found.inferred) if found.inferred else "",
    }


@require_safe
def workloads(request: PageRequest, cluster: str) -> HttpResponse:
    """List the workloads that the filter lets through."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    if (chosen := address_of_choice(request, TABLE)) is not None:
        return chosen
    try:
        context = {**workloads_context(mirrored, request.GET), **answer_context(mirrored, request.GET)}
    except (ConfigurationError, ChangingTooFastError) as error:
        return unknown(request, mirrored, error)
    return render_page(request, "workloads/list.html", "workloads/_results.html", context)


@require_safe
def workloads_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return the workloads that the filter lets through as a file."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        found = workloads_of(cluster=mirrored)
    except (ConfigurationError, ChangingTooFastError) as error:
        raise Http404(unanswered(error)) from None
    sorting = Sorting(request.GET, TABLE, usual=())
    states = _ordered(found, WorkloadsFilter(request.GET, found=found).apply(), sorting.value)
    return csv_file(f"{mirrored.name}-workloads", list(map(str, WORKLOADS)), presenter.cells(found, states))
