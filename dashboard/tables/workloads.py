"""The table of workloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext_lazy

from clusters.wording import columns, workloads
from dashboard.lists.columns import DataColumn, DataTable, FileColumn
from dashboard.presenters.workloads.detail import priority_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrOrPromise

    from clusters.engine.spreading import SpreadGroup
    from dashboard.presenters.workloads.detail import WorkloadRow


def _of_group(
    value: Callable[[SpreadGroup], _StrOrPromise | int],
) -> Callable[[WorkloadRow], _StrOrPromise | int | None]:
    """Return the value of the pods that are spread least evenly, where a workload has any."""
    return lambda row: None if row.group is None else value(row.group)


WORKLOADS: Final[DataTable[WorkloadRow]] = DataTable(
    DataColumn(
        "name",
        columns.WORKLOAD,
        order=lambda row: (row.workload.name, row.workload.namespace),
        file=(
            FileColumn("namespace", lambda row: row.workload.namespace),
            FileColumn("kind", lambda row: row.workload.kind),
            FileColumn("workload", lambda row: row.workload.name),
        ),
    ),
    DataColumn(
        "pods",
        pgettext_lazy("column", "On nodes"),
        order=lambda row: row.state.placed + row.state.pending,
        starts_descending=True,
        file=(
            FileColumn("desired", lambda row: row.state.desired),
            FileColumn("on nodes", lambda row: row.state.placed),
            FileColumn("ready", lambda row: row.state.ready),
            FileColumn("pending", lambda row: row.state.pending),
            FileColumn("terminating", lambda row: row.state.terminating),
            FileColumn("nodes", lambda row: row.state.nodes),
        ),
    ),
    DataColumn("zones", pgettext_lazy("column", "By zone")),
    DataColumn(
        "skew",
        pgettext_lazy("column", "Worst skew"),
        order=lambda row: row.found.unevenness(row.state),
        starts_descending=True,
        file=(
            FileColumn(
                "worst skew",
                _of_group(lambda group: group.largest_skew),
            ),
            FileColumn(
                "max skew",
                _of_group(lambda group: group.constraint.max_skew),
            ),
            FileColumn(
                "topology key",
                _of_group(lambda group: group.constraint.topology_key),
            ),
            FileColumn(
                "over max skew",
                _of_group(lambda group: group.violation),
            ),
        ),
    ),
    DataColumn(
        "budget",
        pgettext_lazy("column", "Budget"),
        order=lambda row: row.allowed,
        file=(
            FileColumn(
                "budgets",
                lambda row: " ".join(budget.budget.key for budget in row.budgets),
            ),
            FileColumn(
                "disruptions allowed",
                lambda row: row.budgets[0].grants if len(row.budgets) == 1 else None,
            ),
        ),
    ),
    DataColumn(
        "cpu",
        workloads.COLUMN_CPU,
        order=lambda row: row.state.cpu_milli,
        is_number=True,
        starts_descending=True,
        file=(FileColumn("CPU requested (milli-CPU)", lambda row: row.state.cpu_milli),),
    ),
    DataColumn(
        "memory",
        workloads.COLUMN_MEMORY,
        order=lambda row: row.state.memory_bytes,
        is_number=True,
        starts_descending=True,
        file=(FileColumn("memory requested (bytes)", lambda row: row.state.memory_bytes),),
    ),
    DataColumn(
        "priority",
        columns.PRIORITY,
        order=lambda row: row.state.priorities or (-(2**63), 0),
        is_number=True,
        starts_descending=True,
        value=lambda row: priority_text(row.state),
        file=(
            FileColumn(
                "lowest priority",
                lambda row: row.state.priorities[0] if row.state.priorities else None,
            ),
            FileColumn(
                "highest priority",
                lambda row: row.state.priorities[1] if row.state.priorities else None,
            ),
        ),
    ),
    DataColumn("failures", file=(FileColumn("failures", lambda row: row.failures),)),
    key=lambda row: f"{row.workload.kind}/{row.workload.namespace}/{row.workload.name}",
)
