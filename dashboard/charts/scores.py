"""The best nodes' totals as stacked bars, one colour and pattern a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.charts.figure import Figure
from dashboard.pictures.tokens import plugin_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.presenters.decisions.scores import ScoreRow, ScoreTable

_ROW_HEIGHT = 30
_FRAME_HEIGHT = 120


def scores(table: ScoreTable) -> Figure:
    """Draw one bar per node, best first; each segment is a plugin's weighted score. The table is the page's own."""
    rows = [*table.rows, *([table.own] if table.own else [])]
    return Figure(
        id="scores",
        title="Weighted scores by node",
        summary=table.sentence,
        data=[_trace(number, column.plugin, rows) for number, column in enumerate(table.columns)],
        layout={
            "barmode": "stack",
            "height": _FRAME_HEIGHT + _ROW_HEIGHT * len(rows),
            "xaxis": {"title": {"text": "weighted score"}, "rangemode": "tozero"},
            "yaxis": {"autorange": "reversed", "type": "category"},
            "legend": {"traceorder": "normal"},
            # Plotly cannot move bars that have a pattern.
            "transition": {"duration": 0},
        },
        columns=(),
        rows=(),
    )


def _trace(number: int, plugin: str, rows: Sequence[ScoreRow]) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": plugin,
        "y": [row.node for row in rows],
        "x": [row.cells[number].weighted for row in rows],
        "customdata": [[row.cells[number].raw, row.cells[number].normalised] for row in rows],
        "marker": plugin_marker(plugin),
        "hovertemplate": "%{y}: %{x}, raw %{customdata[0]}, normalised %{customdata[1]}<extra>%{fullData.name}</extra>",
    }
