"""How a simulated cluster fills and empties over the steps of a run, as figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording import run_figures as wording
from clusters.wording.amounts import grouped
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Series, TrendSpec
from dashboard.presenters.runs.steps import after

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Points = Sequence[Mapping[str, Any]]

# More zones than this cannot be told apart; the table by zone has all.
_MOST_ZONES = 6
_MOST_RESOURCES = 4
_MOST_ROWS = 25


def figures(summary: Mapping[str, Any], address: Callable[[str], str]) -> list[Figure]:
    """Present what is requested, in all and by zone, and how many pods are pending; none of a run without steps.

    `address` says where the figure of a name is as a chart to explore.
    """
    series = summary.get("series") or {}
    points: Points = series.get("points") or []
    if len(points) < 2:
        return []
    found = [_requested(series, points, address)]
    if any(point["pending"] for point in points):
        found.append(_waiting(points, address))
    if 1 < len(series["zones"]) <= _MOST_ZONES:
        found.append(_by_zone(series, points, address))
    return found


def _percents(points: Points, requested: Sequence[int], allocatable: int) -> list[float]:
    return [100 * number / allocatable if allocatable else 0.0 for number in requested]


def _percent(value: float) -> str:
    return f"{value:.0f} %"


def _requested(series: Mapping[str, Any], points: Points, address: Callable[[str], str]) -> Figure:
    shown = [
        name
        for name in series["resources"]
        if series["allocatable"].get(name) and any(point["requested"].get(name) for point in points)
    ][:_MOST_RESOURCES]
    values = {
        wording.resource(name): _percents(
            points, [point["requested"].get(name, 0) for point in points], series["allocatable"][name]
        )
        for name in shown
    }
    courses = [
        wording.course(name=name, first=_percent(each[0]), last=_percent(each[-1]), most=_percent(max(each)))
        for name, each in values.items()
    ]
    return _figure(
        "requested",
        str(wording.REQUESTED_TITLE),
        wording.requested(courses=courses),
        points,
        {name: [round(value) for value in each] for name, each in values.items()},
        "%",
        address,
    )


def _waiting(points: Points, address: Callable[[str], str]) -> Figure:
    numbers = [int(point["pending"]) for point in points]
    return _figure(
        "waiting",
        str(wording.UNSCHEDULABLE_TITLE),
        wording.UNSCHEDULABLE(most=max(numbers), last=numbers[-1]),
        points,
        {wording.unschedulable_line(): numbers},
        str(wording.PODS),
        address,
    )


def _by_zone(series: Mapping[str, Any], points: Points, address: Callable[[str], str]) -> Figure:
    values = {
        zone or str(wording.NO_ZONE): _percents(
            points, [point["zones"][zone].get("cpu", 0) for point in points], allocatable.get("cpu", 0)
        )
        for zone, allocatable in sorted(series["zones"].items())
    }
    last = {zone: each[-1] for zone, each in values.items()}
    fullest, emptiest = max(last, key=lambda zone: last[zone]), min(last, key=lambda zone: last[zone])
    return _figure(
        "zones-over-steps",
        str(wording.ZONES_TITLE),
        wording.zones(fullest=fullest, most=_percent(last[fullest]), emptiest=emptiest, least=_percent(last[emptiest])),
        points,
        {name: [round(value) for value in each] for name, each in values.items()},
        "%",
        address,
    )


def _figure(
    name: str,
    title: str,
    summary: str,
    points: Points,
    values: Mapping[str, Sequence[int]],
    unit: str,
    address: Callable[[str], str],
) -> Figure:
    """Draw lines over time where pods arrive over time, else over steps."""
    is_over_time = bool(points[-1]["at"])
    at = [float(point["at"] if is_over_time else point["step"] + 1) for point in points]
    labels = [after(point["at"]) if is_over_time else grouped(point["step"] + 1) for point in points]
    suffix = "\u00a0%" if unit == "%" else ""
    return Figure(
        id=name,
        title=title,
        summary=summary,
        spec=TrendSpec(
            unit,
            tuple(at),
            tuple(
                Series(label, f"zone-{number}", tuple(map(float, each)), is_dashed=number % 2 == 0)
                for number, (label, each) in enumerate(values.items(), 1)
            ),
            labels=tuple(label if is_over_time else wording.STEP(number=label) for label in labels),
            is_stepped=True,
        ),
        columns=(str(wording.TIME) if is_over_time else str(wording.STEP_COLUMN), *values),
        rows=[
            (labels[row], *(f"{grouped(each[row])}{suffix}" for each in values.values()))
            for row in _some(range(len(points)))
        ],
        address=address(name),
    )


def _some(rows: range) -> list[int]:
    """Return rows for a table that people read: spread evenly, with the first and the last."""
    if len(rows) <= _MOST_ROWS:
        return list(rows)
    return sorted({round(number * (len(rows) - 1) / (_MOST_ROWS - 1)) for number in range(_MOST_ROWS)})
