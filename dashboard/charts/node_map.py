"""Nodes as cells, zone by zone, shaded by how much of a resource is requested."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import grouped
from dashboard.charts.figure import Figure

if TYPE_CHECKING:
    from dashboard.presenters.node_map import Cell, NodeMap

# Shares are drawn up to this one; what lies above looks alike.
_TOP = 1.1
_FEWEST, _MOST = 12, 80
_LEAST_HEIGHT, _FRAME = 120, 70
# Colours as those of a meter: a ramp up to 90 %, then nearly full, then beyond.
_COLOURS = (
    (0.0, "var(--surface-muted)"),
    (0.9 / _TOP, "var(--verdict-chosen-solid)"),
    (0.9 / _TOP, "var(--verdict-preemptible-solid)"),
    (1.0005 / _TOP, "var(--verdict-preemptible-solid)"),
    (1.0005 / _TOP, "var(--verdict-rejected-solid)"),
    (1.0, "var(--verdict-rejected-solid)"),
)


def node_map(found: NodeMap) -> Figure:
    """Draw one row of cells after another for each zone, with a gap between zones."""
    width = min(_MOST, max(_FEWEST, math.isqrt(4 * found.count)))
    rows: list[list[Cell | None]] = []
    labels: list[tuple[int, str]] = []
    for block in found.blocks:
        if rows:
            rows.append([None] * width)
        labels.append((len(rows), block.zone))
        for start in range(0, len(block.cells), width):
            line = block.cells[start : start + width]
            rows.append([*line, *[None] * (width - len(line))])
    cell_height = 26 if len(rows) <= 12 else 16 if len(rows) <= 40 else 10
    return Figure(
        id="node-map",
        title=f"{found.resource} requested of the nodes of each zone",
        summary=found.sentence,
        data=[_cells(rows), *_marks(rows)],
        layout={
            "height": max(_LEAST_HEIGHT, _FRAME + cell_height * len(rows)),
            "xaxis": {"visible": False, "fixedrange": True, "range": [-0.5, width - 0.5]},
            "yaxis": {
                "range": [len(rows) - 0.5, -0.5],
                "fixedrange": True,
                "showgrid": False,
                "zeroline": False,
                "showline": False,
                "tickvals": [row for row, _ in labels],
                "ticktext": [zone for _, zone in labels],
            },
            "showlegend": False,
            "hovermode": "closest",
        },
        columns=("Zone", "Nodes", "Requested", "Allocatable", "Share", "At 90 % or more"),
        rows=[
            (
                block.zone,
                grouped(len(block.cells)),
                block.requested,
                block.allocatable,
                block.percent,
                grouped(block.full),
            )
            for block in found.blocks
        ],
    )


def _cells(rows: list[list[Cell | None]]) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "z": [[None if cell is None else round(min(cell.share, _TOP), 3) for cell in row] for row in rows],
        "text": [["" if cell is None else cell.text for cell in row] for row in rows],
        "customdata": [[None if cell is None else [cell.name, cell.state] for cell in row] for row in rows],
        "hovertemplate": "%{customdata[0]}<br>%{text}<br>%{customdata[1]}<extra></extra>",
        "hoverongaps": False,
        "zmin": 0,
        "zmax": _TOP,
        "colorscale": [list(stop) for stop in _COLOURS],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
    }


def _marks(rows: list[list[Cell | None]]) -> list[dict[str, Any]]:
    """Cross out the nodes that take no pods, so that no state is told by colour."""
    places = [(column, row) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell and cell.state]
    if not places:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [column for column, _ in places],
            "y": [row for _, row in places],
            "marker": {"symbol": "x-thin", "size": 8, "line": {"width": 2, "color": "var(--ink)"}},
            "hoverinfo": "skip",
        }
    ]
