"""The best nodes' totals as stacked bars, one colour and pattern a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording import figures as wording
from clusters.wording.amounts import grouped
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec
from dashboard.pictures.tokens import plugin_key

if TYPE_CHECKING:
    from dashboard.presenters.decisions.scores import ScoreTable


def scores(table: ScoreTable) -> Figure:
    """Draw one bar per node, best first; each part is a plugin's weighted score. The table is the page's own."""
    rows = [*table.rows, *([table.own] if table.own else [])]
    return Figure(
        id="scores",
        title=wording.weighted_scores(),
        summary=table.sentence,
        spec=BarsSpec(
            keys=tuple(plugin_key(column.plugin) for column in table.columns),
            rows=tuple(
                BarRow(row.node, tuple(cell.weighted for cell in row.cells), grouped(row.total)) for row in rows
            ),
        ),
    )
