"""The table of groups of pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext_lazy

from clusters.engine.group_states import GroupPhase
from clusters.wording import batch_groups, columns, states
from dashboard.lists.columns import DataColumn, DataTable, FileColumn

if TYPE_CHECKING:
    from dashboard.presenters.pod_groups import PodGroupRow

_PHASES: Final = list(GroupPhase)
POD_GROUPS: Final[DataTable[PodGroupRow]] = DataTable(
    DataColumn(
        "name",
        pgettext_lazy("column", "Pod group"),
        order=lambda row: (row.state.key.namespace, row.shown),
        file=(
            FileColumn("namespace", lambda row: row.state.key.namespace),
            FileColumn("group", lambda row: row.name),
        ),
    ),
    DataColumn(
        "system",
        batch_groups.SYSTEM,
        order=lambda row: row.system,
        value=lambda row: row.system,
        file=(FileColumn("system", lambda row: row.system),),
    ),
    DataColumn(
        "state",
        columns.STATE,
        order=lambda row: _PHASES.index(row.state.phase),
        file=(FileColumn("state", lambda row: row.badge[0]),),
    ),
    DataColumn(
        "policy",
        pgettext_lazy("column", "Policy"),
        order=lambda row: (row.state.is_gang, row.state.quorum),
        value=lambda row: row.policy,
        file=(
            FileColumn("policy", lambda row: row.policy),
            FileColumn("minCount", lambda row: row.state.quorum or None),
            FileColumn("pods", lambda row: len(row.state.members)),
        ),
    ),
    DataColumn(
        "scheduled",
        states.SCHEDULED,
        order=lambda row: row.state.scheduled,
        is_number=True,
        starts_descending=True,
        value=lambda row: row.state.scheduled,
        file=(FileColumn("scheduled", lambda row: row.state.scheduled),),
    ),
    DataColumn(
        "pending",
        states.PENDING,
        order=lambda row: row.state.pending,
        is_number=True,
        starts_descending=True,
        value=lambda row: row.state.pending,
        file=(FileColumn("pending", lambda row: row.state.pending),),
    ),
    DataColumn(
        "missing",
        pgettext_lazy("column", "Missing"),
        order=lambda row: row.state.missing,
        is_number=True,
        starts_descending=True,
        value=lambda row: row.state.missing,
        file=(FileColumn("missing", lambda row: row.state.missing),),
    ),
    DataColumn(
        "owner",
        pgettext_lazy("column", "Belongs to"),
        file=(
            FileColumn("workload", lambda row: row.workload),
            FileColumn("controller", lambda row: "/".join(row.state.controller or ())),
        ),
    ),
    key=lambda row: str(row.state.key),
)
