"""How much there is, how much of it is requested, and by whom."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.nodes import node_health
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.simulation import Amount, MeasuredNodes, Measures, measures_of, resource_amounts
from clusters.services.reports import subject as tables
from clusters.services.reports.capacity_samples import bound_slots, by_name, namespaces, requested_by
from clusters.services.reports.sections.other_capacity import other_capacity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.services.reports.subject import Column, Row, Subject

_MAIN = (CPU, MEMORY)


def utilisation(subject: Subject) -> Row:
    """Totals by resource; by zone, pool, namespace, priority class and QoS class."""
    snapshot = subject.snapshot
    found = measures_of(snapshot, subject.waiting)
    capacity = _capacity(subject, found)
    resources = tables.in_order(found.amounts)
    # What one node lacks takes nothing from what others have free.
    amounts = resource_amounts(snapshot)
    free = {name: int(amounts[name].left.sum()) for name in resources}
    health = node_health(snapshot)
    facts = {
        "nodes": {
            "total": found.nodes,
            "usable": found.usable,
            "cordoned": int(health.cordoned.sum()),
            "not_ready": int(health.not_ready.sum()),
            "pressure": int(health.pressure.sum()),
        },
        "pods": {"placed": found.pods, "pending": found.pending},
        "resources": {
            name: {
                "capacity": capacity[name],
                "allocatable": found.amounts[name].allocatable,
                "requested": found.amounts[name].requested,
            }
            for name in resources
        },
    }
    return tables.section(
        "utilisation",
        facts,
        [
            _resources(found, capacity, free),
            *_parts("zones", "zone", found.zones, found.amounts),
            *_parts("pools", "pool", found.pools, found.amounts),
            *_by_pods(subject),
            *other_capacity(snapshot),
        ],
    )


def _capacity(subject: Subject, found: Measures) -> dict[str, int]:
    sums = dict.fromkeys(found.amounts, 0)
    for node in subject.snapshot.nodes.nodes:
        whole = subject.capacity.get(node.name, node.allocatable)
        for name in sums:
            sums[name] += whole.get(name, 0)
    return sums


def _resources(found: Measures, capacity: Mapping[str, int], free: Mapping[str, int]) -> Row:
    """Amounts of resources of several kinds in one column have the kind of their row's unit."""
    rows = [
        {
            "resource": name,
            "unit": tables.unit_of(name),
            "capacity": capacity[name],
            "allocatable": found.amounts[name].allocatable,
            "requested": found.amounts[name].requested,
            "left": left,
            "share": tables.ratio(found.amounts[name].requested, found.amounts[name].allocatable),
        }
        for name, left in free.items()
    ]
    columns = [tables.name("resource"), tables.text("unit")]
    columns += [{"key": key, "kind": "amount"} for key in ("capacity", "allocatable", "requested", "left")]
    return tables.table("resources", [*columns, {"key": "share", "kind": "share"}], rows)


def _parts(table: str, key: str, parts: Sequence[MeasuredNodes], whole: Mapping[str, Amount]) -> list[Row]:
    """CPU and memory of each part in one table, its other resources in another one, as there may be many."""
    columns = [tables.name(key), tables.number("nodes")]
    for resource in _MAIN:
        columns += [
            tables.resource(resource, "allocatable"),
            tables.resource(resource, "requested"),
            tables.share(resource),
        ]
    rows = [{key: part.name, "nodes": part.nodes, **_amounts(part.amounts)} for part in parts]
    total = {key: "", "nodes": sum(part.nodes for part in parts), **_amounts(whole)}
    others = [
        {
            key: part.name,
            "resource": name,
            "unit": tables.unit_of(name),
            "allocatable": part.amounts[name].allocatable,
            "requested": part.amounts[name].requested,
            "share": tables.ratio(part.amounts[name].requested, part.amounts[name].allocatable),
        }
        for part in parts
        for name in tables.in_order(part.amounts)
        if name not in _MAIN and (part.amounts[name].allocatable or part.amounts[name].requested)
    ]
    amounts = [{"key": measure, "kind": "amount"} for measure in ("allocatable", "requested")]
    head = [tables.name(key), tables.name("resource"), tables.text("unit")]
    return [
        tables.table(table, columns, rows, total),
        tables.table(f"{table}_other", [*head, *amounts, {"key": "share", "kind": "share"}], others),
    ]


def _amounts(amounts: Mapping[str, Amount]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _MAIN:
        each = amounts[name]
        found[f"{name}_allocatable"], found[f"{name}_requested"] = each.allocatable, each.requested
        found[f"{name}_share"] = tables.ratio(each.requested, each.allocatable)
    return found


def _by_pods(subject: Subject) -> list[Row]:
    """By namespace, priority class and QoS class: what belongs to pods and not to nodes."""
    snapshot = subject.snapshot
    pods, slots = snapshot.pods, bound_slots(snapshot)
    classes = [subject.classes.get(pods.keys[slot], ("", "")) for slot in slots.tolist()]
    by_namespace = namespaces(snapshot, slots)
    by_qos = by_name(snapshot, slots, (qos for _, qos in classes))
    others = [
        {"namespace": name, "resource": resource, "unit": tables.unit_of(resource), "requested": asked[resource]}
        for name, asked in by_namespace.items()
        for resource in tables.in_order(asked)
        if resource not in (*_MAIN, PODS)
    ]
    head = [tables.name("namespace"), tables.name("resource"), tables.text("unit")]
    return [
        _table(
            "namespaces",
            [tables.name("namespace")],
            [_row(each, namespace=name) for name, each in by_namespace.items()],
        ),
        tables.table("namespaces_other", [*head, {"key": "requested", "kind": "amount"}], others),
        _table("priorities", [tables.name("priority_class"), tables.number("priority")], _priorities(subject, classes)),
        _table("qos", [tables.text("qos")], [_row(each, qos=name) for name, each in by_qos.items()]),
    ]


def _row(requested: Mapping[str, int], **named: Any) -> Row:
    amounts = {f"{name}_requested": requested.get(name, 0) for name in _MAIN}
    return {**named, "pods": requested.get(PODS, 0), **amounts}


def _table(name: str, columns: list[Column], rows: list[Row]) -> Row:
    asked = [tables.resource(resource, "requested") for resource in _MAIN]
    return tables.table(name, [*columns, tables.number("pods"), *asked], rows)


def _priorities(subject: Subject, classes: list[tuple[str, str]]) -> list[Row]:
    """Return a row for each priority class and value in use, the highest first."""
    snapshot = subject.snapshot
    slots = bound_slots(snapshot)
    members: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, (slot, (name, _)) in enumerate(zip(slots.tolist(), classes, strict=True)):
        members[-int(snapshot.pods.priority[slot]), name].append(number)
    codes = np.zeros(len(slots), np.int64)
    ordered = sorted(members)
    for code, key in enumerate(ordered):
        codes[members[key]] = code
    sums = requested_by(snapshot, slots, codes, len(ordered))
    return [
        _row(requested, priority_class=name, priority=-value)
        for (value, name), requested in zip(ordered, sums, strict=True)
    ]
