"""CPU requested and free, zone by zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.charts.figure import Figure
from dashboard.charts.theme import zone_colour
from dashboard.presenters import amounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.presenters.clusters import ZoneCapacity

_ROW_HEIGHT = 44
_FRAME_HEIGHT = 90


def zones(capacities: Sequence[ZoneCapacity]) -> Figure:
    """Draw one bar per zone: requested CPU filled, free CPU as an outline."""
    names = [capacity.zone for capacity in capacities]
    requested = [capacity.requested / 1000 for capacity in capacities]
    free = [max(0, capacity.allocatable - capacity.requested) / 1000 for capacity in capacities]
    colours = [zone_colour(position) for position in range(len(capacities))]
    total = sum(capacity.allocatable for capacity in capacities)
    taken = sum(capacity.requested for capacity in capacities)
    return Figure(
        id="cpu-by-zone",
        title="CPU requested and allocatable by zone",
        summary=(
            f"Pods request {amounts.cpu(taken)} of {amounts.cpu(total)} ({amounts.percent(taken, total)}) "
            f"in {amounts.counted(len(capacities), 'zone', 'zones')}."
        ),
        data=[
            {
                "type": "bar",
                "orientation": "h",
                "name": "requested",
                "y": names,
                "x": requested,
                "marker": {"color": colours},
                "hovertemplate": "%{y}: %{x} CPU requested<extra></extra>",
            },
            {
                "type": "bar",
                "orientation": "h",
                "name": "free",
                "y": names,
                "x": free,
                "marker": {"color": "rgba(0,0,0,0)", "line": {"color": colours, "width": 1.5}},
                "hovertemplate": "%{y}: %{x} CPU free<extra></extra>",
            },
        ],
        layout={
            "barmode": "stack",
            "showlegend": False,
            "height": _FRAME_HEIGHT + _ROW_HEIGHT * len(capacities),
            "xaxis": {"title": {"text": "CPU (filled: requested, outlined: free)"}, "rangemode": "tozero"},
            "yaxis": {"autorange": "reversed", "type": "category"},
        },
        columns=("Zone", "Requested", "Allocatable", "Share"),
        rows=[
            (
                capacity.zone,
                amounts.cpu(capacity.requested),
                amounts.cpu(capacity.allocatable),
                amounts.percent(capacity.requested, capacity.allocatable),
            )
            for capacity in capacities
        ],
    )
