"""Which charts a review has, from the data of its sections, each with the same in words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import grouped, percent, quantity
from clusters.wording.evaluation import counted
from clusters.wording.lists import OF, listed
from clusters.wording.reviews import sections as words
from dashboard.pictures.specs import (
    BarPart,
    Fill,
    FittingPods,
    HeadroomRow,
    HeadroomSpec,
    Series,
    StackRow,
    StackSpec,
    TrendSpec,
)
from dashboard.reports import upgrade
from dashboard.reports.blocks import Chart, KeyFigure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Data = Mapping[str, Any]

# More bars or shapes than these are no picture any more; the tables have them all.
MOST_BARS = 8
MOST_SHAPES = 6
_MAIN = ("cpu", "memory", "pods")
_GIB = 1024**3
_TIB = 1024**4


def figures_of(section: Data) -> tuple[KeyFigure, ...]:
    """Return the numbers that stand large at the head of a section; of most sections there are none."""
    if section["key"] != "utilisation":
        return ()
    facts = section["facts"]
    nodes, pods, resources = facts["nodes"], facts["pods"], facts["resources"]
    shares = [
        KeyFigure(
            words.FIGURE(resource=words.resource_label(name)),
            percent(found["requested"], found["allocatable"]),
            words.OF_AMOUNT(amount=quantity(name, found["allocatable"])),
        )
        for name in ("cpu", "memory")
        if (found := resources.get(name))
    ]
    return (
        *shares,
        KeyFigure(str(words.NODES), grouped(nodes["total"]), words.ACCEPTING(nodes=nodes["usable"])),
        KeyFigure(str(words.SCHEDULED_PODS), grouped(pods["placed"]), words.PENDING_NOTE(pods=pods["pending"])),
    )


def charts_of(section: Data) -> list[Chart]:
    """Return the charts of a section; of most sections there are none."""
    drawn = {
        "utilisation": _utilisation,
        "trend": _trend,
        "headroom": _headroom,
        "usage": _usage,
        "upgrade": upgrade.charts,
    }.get(section["key"])
    return drawn(section) if drawn else []


def _rows(section: Data, name: str) -> Sequence[Data]:
    return next((table["rows"] for table in section["tables"] if table["name"] == name), ())


def _in_words(rows: Sequence[StackRow]) -> str:
    return " ".join(
        words.BAR(
            label=row.label,
            parts=listed(f"{part.text} {part.label}" for part in row.parts),
            share=row.whole_text,
        )
        for row in rows
    )


def _utilisation(section: Data) -> list[Chart]:
    found = section["facts"]["resources"]
    free = {row["resource"]: row["left"] for row in _rows(section, "resources")}
    whole = tuple(
        _whole(name, found[name], free[name]) for name in _MAIN if name in found and found[name]["capacity"] > 0
    )
    charts = []
    if whole:
        charts.append(Chart("utilisation-whole", str(words.CAPACITY), _in_words(whole), StackSpec(whole)))
    for kind, key in (("zones", "zone"), ("pools", "pool")):
        places = _rows(section, kind)
        if len(places) > 1:
            # They stand beside each other: one order for both, the fullest of either resource first.
            ordered = sorted(places, key=lambda place: -max(_share(place, "cpu"), _share(place, "memory")))
            charts += [_places(kind, key, ordered, resource) for resource in ("cpu", "memory")]
    return charts


def _whole(resource: str, found: Data, free: int) -> StackRow:
    """Draw a resource; where nodes are overcommitted, what is requested and ``free`` is more than is allocatable."""
    capacity, allocatable, requested = (found[key] for key in ("capacity", "allocatable", "requested"))
    parts = [
        _part(words.REQUESTED, resource, requested, "verdict-chosen-solid"),
        _part(words.FREE, resource, free, "verdict-chosen-solid", "light"),
        _part(words.RESERVED, resource, capacity - allocatable, "verdict-unknown-solid", "hatch"),
    ]
    return StackRow(
        words.resource_label(resource),
        # What is requested is shown even where that is nothing.
        tuple(part for at, part in enumerate(parts) if part.value > 0 or at == 0),
        float(max(capacity, sum(part.value for part in parts))),
        OF(part=percent(requested, allocatable), whole=quantity(resource, allocatable)),
    )


def _usage(section: Data) -> list[Chart]:
    found = section["facts"]["usage"]
    if found is None:
        return []
    rows = tuple(_usage_row(name, found) for name in ("cpu", "memory") if found["allocatable"][name] > 0)
    return [Chart("usage-whole", str(words.USAGE_CHART), _in_words(rows), StackSpec(rows))] if rows else []


def _usage_row(resource: str, found: Data) -> StackRow:
    used, requested, allocatable = (found[key][resource] for key in ("used", "requested", "allocatable"))
    taken = max(used, requested)
    parts = [
        _part(words.USED, resource, used, "verdict-chosen-solid"),
        _part(words.UNUSED, resource, taken - used, "verdict-preemptible-solid", "hatch"),
        _part(words.NOT_REQUESTED_LABEL, resource, max(0, allocatable - taken), "verdict-chosen-solid", "light"),
    ]
    return StackRow(
        words.resource_label(resource),
        tuple(part for at, part in enumerate(parts) if part.value > 0 or at == 0),
        float(max(taken, allocatable)),
        OF(part=percent(used, allocatable), whole=quantity(resource, allocatable)),
    )


def _part(label: object, resource: str, value: int, colour: str, fill: Fill = "solid") -> BarPart:
    return BarPart(str(label), colour, value, quantity(resource, value), fill)


def _places(kind: str, key: str, places: Sequence[Data], resource: str) -> Chart:
    """Draw what is requested by place; zones have their own colours, which follow the order of their names."""
    names = sorted(place[key] for place in places if place[key])
    shown = places[:MOST_BARS]
    rows = []
    for place in shown:
        name, requested, allocatable = place[key], *_used(place, resource)
        colour = f"zone-{names.index(name) % 8 + 1}" if kind == "zones" and name else "verdict-chosen-solid"
        parts = (
            _part(words.REQUESTED, resource, requested, colour),
            _part(words.FREE, resource, max(allocatable - requested, 0), colour, "light"),
        )
        text = OF(part=percent(requested, allocatable), whole=quantity(resource, allocatable))
        label = name or str(words.NO_ZONE if kind == "zones" else words.NO_POOL)
        rows.append(StackRow(label, parts, float(allocatable), text))
    caption = (words.BY_ZONE if kind == "zones" else words.BY_POOL)(resource=words.resource_label(resource))
    if len(shown) < len(places):
        caption = words.FULLEST(caption=caption, shown=len(shown), total=len(places))
    return Chart(f"utilisation-{kind}-{resource}", caption, _in_words(rows), StackSpec(tuple(rows)), is_half=True)


def _used(place: Data, resource: str) -> tuple[int, int]:
    return place.get(f"{resource}_requested") or 0, place.get(f"{resource}_allocatable") or 0


def _share(place: Data, resource: str) -> float:
    requested, allocatable = _used(place, resource)
    return requested / allocatable if allocatable else 0.0


def _trend(section: Data) -> list[Chart]:
    facts = section["facts"]
    times = tuple(datetime.fromisoformat(at).timestamp() for at in facts["times"])
    if len(times) < 2:
        return []
    series = facts["series"]
    most = max((value for value in series.get("memory", {}).get("allocatable", ()) if value is not None), default=0)
    memory_unit, memory_divisor = ("TiB", _TIB) if most >= 10 * _TIB else ("GiB", _GIB)
    charts = [
        _lines(f"trend-{name}", words.resource_label(name), unit, times, [
            (words.ALLOCATABLE, "verdict-unknown-solid", _values(series[name]["allocatable"], divisor), True),
            (words.TREND_REQUESTED, "verdict-chosen-solid", _values(series[name]["requested"], divisor), False),
        ])
        for name, unit, divisor in (("cpu", "CPU", 1000), ("memory", memory_unit, memory_divisor))
        if name in series
    ]  # fmt: skip
    if "pods" in series:
        placed = (words.TREND_SCHEDULED, "verdict-chosen-solid", _values(series["pods"]["requested"], 1), False)
        pending = (words.TREND_PENDING, "verdict-rejected-solid", _values(facts["pending"], 1), True)
        charts.append(_lines("trend-pods", str(words.PODS), str(words.UNIT_PODS), times, [placed, pending]))
    return charts


def _values(values: Sequence[int | None], divisor: int) -> tuple[float | None, ...]:
    return tuple(None if value is None else value / divisor for value in values)


def _lines(
    anchor: str,
    caption: str,
    unit: str,
    times: tuple[float, ...],
    lines: Sequence[tuple[object, str, tuple[float | None, ...], bool]],
) -> Chart:
    series = tuple(Series(str(label), colour, values, dashed) for label, colour, values, dashed in lines)
    said = []
    for each in series:
        known = [value for value in each.values if value is not None]
        if known:
            said.append(words.LINE(line=each.label, first=f"{known[0]:.4g}", last=f"{known[-1]:.4g}"))
    return Chart(
        anchor, caption, words.LINES(caption=caption, unit=unit, lines=listed(said)), TrendSpec(unit, times, series)
    )


def _headroom(section: Data) -> list[Chart]:
    rows = tuple(
        HeadroomRow(
            shape["shape"],
            FittingPods(shape["now"], not shape["is_capped"]),
            _after(shape, "node"),
            _after(shape, "zone"),
        )
        for shape in _rows(section, "shapes")[:MOST_SHAPES]
        if shape["now"] is not None
    )
    if not rows:
        return []
    said = " ".join(text for row in rows for text in _fits(row))
    return [Chart("headroom-shapes", str(words.SHAPES), said, HeadroomSpec(rows))]


def _after(shape: Data, lost: str) -> FittingPods | None:
    number = shape[f"after_{lost}"]
    return None if number is None else FittingPods(number, not shape[f"after_{lost}_is_capped"])


def _fits(row: HeadroomRow) -> Iterator[str]:
    yield words.FIT_NOW(shape=row.label, pods=counted(row.now.pods, is_whole=row.now.is_whole))
    if row.after_node is not None:
        yield words.FIT_WITHOUT_NODE(pods=counted(row.after_node.pods, is_whole=row.after_node.is_whole))
    if row.after_zone is not None:
        yield words.FIT_WITHOUT_ZONE(pods=counted(row.after_zone.pods, is_whole=row.after_zone.is_whole))
