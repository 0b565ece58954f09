"""How the cluster grew over the period, from its hourly samples."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.services.reports import subject as tables
from clusters.services.reports.capacity_samples import MOST_NAMESPACES, samples_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.services.reports.subject import Row, Subject

# So many points are drawn and listed; what changed is computed from all samples.
MOST_POINTS = 400
_USUAL = (CPU, MEMORY, PODS)
_WEEK = timedelta(weeks=1)
# A growth that fills the cluster later than this is no forecast.
_FARTHEST = timedelta(days=730)


def trend(subject: Subject, start: datetime, end: datetime) -> Row:
    """Samples over the period, thinned out evenly, and what changed from the first to the last."""
    samples = samples_between(subject.cluster, start, end)
    step = -(-len(samples) // MOST_POINTS) or 1
    # Counted from the last one, which is what the review is about.
    points = samples[::-1][::step][::-1]
    amounts = [each for _, each in points]
    facts = {
        "taken": len(samples),
        "times": [tables.moment(at) for at, _ in points],
        "series": {
            resource: {
                "requested": [each["resources"].get(resource, (0, 0))[0] for each in amounts],
                "allocatable": [each["resources"].get(resource, (0, 0))[1] for each in amounts],
            }
            for resource in _USUAL
        },
        "nodes": [each["nodes"] for each in amounts],
        "pending": [each["pending"] for each in amounts],
    }
    found = []
    if len(samples) > 1:
        found = [
            _changes(samples),
            _places("trend_zones", "zone", samples),
            _places("trend_namespaces", "namespace", samples),
        ]
    return tables.section("trend", facts, [*found, _listed(points)])


def _changes(samples: Sequence[tuple[datetime, dict[str, Any]]]) -> Row:
    (first_at, first), (last_at, last) = samples[0], samples[-1]
    rows = []
    for resource in tables.in_order({*first["resources"], *last["resources"]}):
        before, after = first["resources"].get(resource, (0, 0)), last["resources"].get(resource, (0, 0))
        growth = after[0] - before[0]
        rows.append(
            {
                "resource": resource,
                "unit": tables.unit_of(resource),
                "requested_first": before[0],
                "requested_last": after[0],
                "a_week": round(growth * (_WEEK / (last_at - first_at))),
                "allocatable_first": before[1],
                "allocatable_last": after[1],
                "full_at": _full_at(last_at, last_at - first_at, growth, after[1] - after[0]),
            }
        )
    keys = ("requested_first", "requested_last", "a_week", "allocatable_first", "allocatable_last")
    columns = [tables.name("resource"), tables.text("unit"), *({"key": key, "kind": "amount"} for key in keys)]
    return tables.table("changes", [*columns, tables.time("full_at")], rows)


def _full_at(now: datetime, period: timedelta, growth: int, left: int) -> str | None:
    """When what is left is requested, if that grows on as over the period; None of what lies too far away."""
    # A few bytes more of many terabytes are more days than a time can have: compared before there is a time.
    if growth <= 0 or left <= 0 or left / growth >= _FARTHEST / period:
        return None
    return tables.moment(now + period * (left / growth))


def _places(table: str, key: str, samples: Sequence[tuple[datetime, dict[str, Any]]]) -> Row:
    """What is requested in each zone or namespace at first and at last, what changed most first.

    Of a namespace that is not among the largest ones of a sample nothing is known; it comes last.
    """
    first, last = (_requested(sample[f"{key}s"]) for _, sample in (samples[0], samples[-1]))
    unknown = [
        (None if key == "namespace" and len(each) >= MOST_NAMESPACES else 0,) * len(_USUAL) for each in (first, last)
    ]
    rows = []
    for name in {**first, **last}:
        before, after = first.get(name, unknown[0]), last.get(name, unknown[1])
        row: Row = {key: name}
        for resource, old, new in zip(_USUAL, before, after, strict=True):
            row[f"{resource}_first"], row[f"{resource}_last"] = old, new
        rows.append(row)
    rows.sort(key=lambda row: (*_by_change(row["cpu_first"], row["cpu_last"]), row[key]))
    columns = [tables.name(key)]
    columns += [tables.resource(resource, measure) for resource in _USUAL for measure in ("first", "last")]
    return tables.table(table, columns, rows)


def _by_change(first: int | None, last: int | None) -> tuple[bool, int]:
    return (True, 0) if first is None or last is None else (False, -abs(last - first))


def _requested(places: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {
        name: tuple(each[resource][0] for resource in _USUAL) if isinstance(each, dict) else tuple(each)
        for name, each in places.items()
    }


def _listed(points: Sequence[tuple[datetime, dict[str, Any]]]) -> Row:
    columns = [tables.time("at"), *map(tables.number, ("nodes", "pods", "pending"))]
    columns += [
        tables.resource(resource, measure) for resource in (CPU, MEMORY) for measure in ("requested", "allocatable")
    ]
    rows = []
    for at, each in points:
        row = {"at": tables.moment(at), **{key: each[key] for key in ("nodes", "pods", "pending")}}
        for resource in (CPU, MEMORY):
            row[f"{resource}_requested"], row[f"{resource}_allocatable"] = each["resources"].get(resource, (0, 0))
        rows.append(row)
    return tables.table("samples", columns, rows)
