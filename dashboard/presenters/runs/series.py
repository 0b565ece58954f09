"""How a simulated cluster fills and empties over the steps of a run, as charts."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import counted, grouped
from dashboard.presenters.line_chart import LineChart, line_chart
from dashboard.presenters.runs.steps import after

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Points = Sequence[Mapping[str, Any]]

# More zones than this cannot be told apart; the table by zone has all.
_MOST_ZONES = 6
_MOST_RESOURCES = 4
_NAMES = {"cpu": "CPU", "memory": "Memory", "pods": "Places for pods"}
_NO_ZONE = "No zone"


def charts(summary: Mapping[str, Any]) -> list[LineChart]:
    """Present what is requested, in all and by zone, and how many pods wait; none of a run without steps."""
    series = summary.get("series") or {}
    points: Points = series.get("points") or []
    if len(points) < 2:
        return []
    found = [_requested(series, points)]
    if any(point["waiting"] for point in points):
        found.append(_waiting(points))
    if 1 < len(series["zones"]) <= _MOST_ZONES:
        found.append(_by_zone(series, points))
    return found


def _axis(points: Points) -> tuple[list[float], list[str], str]:
    """Return where points stand, in words too: over time where pods arrive over time, else over steps."""
    if points[-1]["at"]:
        return [float(point["at"]) for point in points], [after(point["at"]) for point in points], "time"
    numbers = [point["step"] + 1 for point in points]
    return [float(number) for number in numbers], [grouped(number) for number in numbers], "step"


def _percents(points: Points, requested: Sequence[int], allocatable: int) -> list[float]:
    return [100 * number / allocatable if allocatable else 0.0 for number in requested]


def _percent(value: float) -> str:
    return f"{value:.0f} %"


def _course(shares: Sequence[float]) -> str:
    """Say from where to where something goes, and its peak where that lies between."""
    first, last, most = (_percent(share) for share in (shares[0], shares[-1], max(shares)))
    peak = f" with a peak of {most}" if most not in (first, last) else ""
    return f"from {first} to {last}{peak}"


def _top(values: Mapping[str, Sequence[float]]) -> float:
    """Return the end of an axis of percents: the next ten over the highest share."""
    return 10.0 * max(1, ceil(max((max(each) for each in values.values()), default=0.0) / 10))


def _requested(series: Mapping[str, Any], points: Points) -> LineChart:
    at, words, axis = _axis(points)
    shown = [
        name
        for name in series["resources"]
        if series["allocatable"].get(name) and any(point["requested"].get(name) for point in points)
    ][:_MOST_RESOURCES]
    values = {
        _NAMES.get(name, name): _percents(
            points, [point["requested"].get(name, 0) for point in points], series["allocatable"][name]
        )
        for name in shown
    }
    ends = ", ".join(f"{name} {_course(each)}" for name, each in values.items())
    return line_chart(
        name="requested",
        title="Requested of allocatable",
        sentence=f"Requested: {ends}.",
        at=at,
        at_words=words,
        values=values,
        write=_percent,
        axis=axis,
        most=_top(values),
    )


def _waiting(points: Points) -> LineChart:
    at, words, axis = _axis(points)
    numbers = [float(point["waiting"]) for point in points]
    most = int(max(numbers))
    vain = counted(most, "pod has", "pods have")
    return line_chart(
        name="waiting",
        title="Pods tried in vain",
        sentence=f"At most {vain} been tried in vain at once; {grouped(int(numbers[-1]))} at the end.",
        at=at,
        at_words=words,
        values={"Tried in vain": numbers},
        write=lambda value: grouped(round(value)),
        axis=axis,
    )


def _by_zone(series: Mapping[str, Any], points: Points) -> LineChart:
    at, words, axis = _axis(points)
    values = {
        zone or _NO_ZONE: _percents(
            points, [point["zones"][zone].get("cpu", 0) for point in points], allocatable.get("cpu", 0)
        )
        for zone, allocatable in sorted(series["zones"].items())
    }
    last = {zone: each[-1] for zone, each in values.items()}
    fullest, emptiest = max(last, key=lambda zone: last[zone]), min(last, key=lambda zone: last[zone])
    ends = f"{_percent(last[fullest])} in {fullest}, {_percent(last[emptiest])} in {emptiest}"
    if _percent(last[fullest]) == _percent(last[emptiest]):
        ends = f"{_percent(last[fullest])} in every zone"
    return line_chart(
        name="zones-over-steps",
        title="CPU requested by zone",
        sentence=f"CPU at the end: {ends}.",
        at=at,
        at_words=words,
        values=values,
        write=_percent,
        axis=axis,
        most=_top(values),
    )
