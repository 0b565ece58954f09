"""Which charts a review has, from the data of its sections, each with the same in words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import counted, cpu, grouped, percent, size
from dashboard.pictures.specs import HeadroomRow, HeadroomSpec, Part, Series, StackRow, StackSpec, TrendSpec
from dashboard.presenters.wording import listed, resource_name
from dashboard.reports.blocks import Chart, KeyFigure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dashboard.pictures.specs import Fill

    Data = Mapping[str, Any]

# More bars or shapes than these are no picture any more; the tables have them all.
MOST_BARS = 8
MOST_SHAPES = 6
_MAIN = ("cpu", "memory", "pods")
_BYTES = frozenset({"memory", "ephemeral-storage"})
_GIB = 1024**3
_TIB = 1024**4


def amount(resource: str, value: int) -> str:
    """Write an amount of a resource in base units, with its unit."""
    if resource == "cpu":
        return cpu(value)
    return size(value) if resource in _BYTES or resource.startswith("hugepages-") else grouped(value)


def figures_of(section: Data) -> tuple[KeyFigure, ...]:
    """Return the numbers that stand large at the head of a section; of most sections there are none."""
    if section["key"] != "utilisation":
        return ()
    facts = section["facts"]
    nodes, pods, resources = facts["nodes"], facts["pods"], facts["resources"]
    shares = [
        KeyFigure(
            f"{_label(name)} requested",
            percent(found["requested"], found["allocatable"]),
            f"of {amount(name, found['allocatable'])}",
        )
        for name in ("cpu", "memory")
        if (found := resources.get(name))
    ]
    return (
        *shares,
        KeyFigure("Nodes", grouped(nodes["total"]), f"{grouped(nodes['usable'])} take new pods"),
        KeyFigure("Pods placed", grouped(pods["placed"]), f"{grouped(pods['pending'])} waiting"),
    )


def charts_of(section: Data) -> list[Chart]:
    """Return the charts of a section; of most sections there are none."""
    drawn = {"utilisation": _utilisation, "trend": _trend, "headroom": _headroom}.get(section["key"])
    return drawn(section) if drawn else []


def _rows(section: Data, name: str) -> Sequence[Data]:
    return next((table["rows"] for table in section["tables"] if table["name"] == name), ())


def _label(resource: str) -> str:
    """Write a resource as the first word of a label."""
    name = resource_name(resource)
    return f"{name[:1].upper()}{name[1:]}"


def _in_words(rows: Sequence[StackRow]) -> str:
    return " ".join(
        f"{row.label}: {listed([f'{part.text} {part.label}' for part in row.parts])} of {row.whole_text}."
        for row in rows
    )


def _utilisation(section: Data) -> list[Chart]:
    found = section["facts"]["resources"]
    whole = tuple(_whole(name, found[name]) for name in _MAIN if name in found and found[name]["capacity"] > 0)
    charts = []
    if whole:
        charts.append(Chart("utilisation-whole", "The cluster's capacity", _in_words(whole), StackSpec(whole)))
    for kind, key, noun in (("zones", "zone", "zone"), ("pools", "pool", "node pool")):
        places = _rows(section, kind)
        if len(places) > 1:
            charts += [_places(kind, key, noun, places, resource) for resource in ("cpu", "memory")]
    return charts


def _whole(resource: str, found: Data) -> StackRow:
    capacity, allocatable, requested = (found[key] for key in ("capacity", "allocatable", "requested"))
    parts = [
        _part("requested", resource, requested, "verdict-chosen-solid"),
        _part("free", resource, allocatable - requested, "verdict-chosen-solid", "light"),
        _part("kept for the system", resource, capacity - allocatable, "verdict-unknown-solid", "hatch"),
    ]
    return StackRow(
        _label(resource),
        tuple(part for part in parts if part.value > 0 or part.label == "requested"),
        float(capacity),
        f"{percent(requested, allocatable)} of {amount(resource, allocatable)}",
    )


def _part(label: str, resource: str, value: int, colour: str, fill: Fill = "solid") -> Part:
    return Part(label, colour, value, amount(resource, value), fill)


def _places(kind: str, key: str, noun: str, places: Sequence[Data], resource: str) -> Chart:
    """Draw what is requested by place; zones have their own colours, which follow the order of their names."""
    names = sorted(place[key] for place in places if place[key])
    shown = sorted(places, key=lambda place: -_share(place, resource))[:MOST_BARS]
    rows = []
    for place in shown:
        name, requested, allocatable = place[key], *_used(place, resource)
        colour = f"zone-{names.index(name) % 8 + 1}" if kind == "zones" and name else "verdict-chosen-solid"
        parts = (
            _part("requested", resource, requested, colour),
            _part("free", resource, max(allocatable - requested, 0), colour, "light"),
        )
        text = f"{percent(requested, allocatable)} of {amount(resource, allocatable)}"
        rows.append(StackRow(name or f"no {noun}", parts, float(allocatable), text))
    rest = f", the {len(shown)} fullest of {grouped(len(places))}" if len(shown) < len(places) else ""
    caption = f"{_label(resource)} by {noun}{rest}"
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
        _lines(f"trend-{name}", _label(name), unit, times, [
            ("allocatable", "verdict-unknown-solid", _values(series[name]["allocatable"], divisor), True),
            ("requested", "verdict-chosen-solid", _values(series[name]["requested"], divisor), False),
        ])
        for name, unit, divisor in (("cpu", "CPU", 1000), ("memory", memory_unit, memory_divisor))
        if name in series
    ]  # fmt: skip
    if "pods" in series:
        placed = ("placed", "verdict-chosen-solid", _values(series["pods"]["requested"], 1), False)
        waiting = ("waiting", "verdict-rejected-solid", _values(facts["pending"], 1), True)
        charts.append(_lines("trend-pods", "Pods", "pods", times, [placed, waiting]))
    return charts


def _values(values: Sequence[int | None], divisor: int) -> tuple[float | None, ...]:
    return tuple(None if value is None else value / divisor for value in values)


def _lines(
    anchor: str,
    caption: str,
    unit: str,
    times: tuple[float, ...],
    lines: Sequence[tuple[str, str, tuple[float | None, ...], bool]],
) -> Chart:
    series = tuple(Series(label, colour, values, dashed) for label, colour, values, dashed in lines)
    said = []
    for each in series:
        known = [value for value in each.values if value is not None]
        if known:
            said.append(f"{each.label} from {known[0]:.4g} to {known[-1]:.4g}")
    return Chart(anchor, caption, f"{caption}, in {unit}: {listed(said)}.", TrendSpec(unit, times, series))


def _headroom(section: Data) -> list[Chart]:
    rows = tuple(
        HeadroomRow(shape["shape"], shape["now"], shape.get("after_node"), shape.get("after_zone"))
        for shape in _rows(section, "shapes")[:MOST_SHAPES]
        if shape["now"] is not None
    )
    if not rows:
        return []
    said = " ".join(
        f"{row.label}: {counted(row.now, 'more pod fits', 'more pods fit')} now"
        + (f", {grouped(row.after_node)} after losing a node" if row.after_node is not None else "")
        + (f", {grouped(row.after_zone)} after losing a zone" if row.after_zone is not None else "")
        + "."
        for row in rows
    )
    return [Chart("headroom-shapes", "How many more pods of each shape fit", said, HeadroomSpec(rows))]
