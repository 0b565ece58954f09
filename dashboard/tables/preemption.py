"""The table of workloads that would lose pods by preemption."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext_lazy

from clusters.wording import columns
from dashboard.lists.columns import DataColumn, DataTable

if TYPE_CHECKING:
    from dashboard.presenters.pending import RiskRow

RISKS: Final[DataTable[RiskRow]] = DataTable(
    DataColumn("workload", columns.WORKLOAD),
    DataColumn("selected", pgettext_lazy("column", "Pods removed now"), is_number=True, value=lambda row: row.selected),
    DataColumn("pods", pgettext_lazy("column", "Which")),
    DataColumn("preemptors", pgettext_lazy("column", "Removed for")),
    DataColumn(
        "possible",
        pgettext_lazy("column", "Victims on any candidate node"),
        is_number=True,
        value=lambda row: row.possible,
    ),
    key=lambda row: row.title,
)
