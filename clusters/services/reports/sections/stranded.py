"""Capacity that is there and that hardly any pod can use, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.nodes import Amounts, amounts_of, node_health, stranded
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.services.reports import subject as tables
from clusters.services.reports.subject import Row, Subject, untolerated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Snapshot
    from clusters.engine.status import Mask


def stranded_capacity(subject: Subject) -> Row:
    """CPU left without memory and the other way round, taints that no pod tolerates, nodes full of pods."""
    snapshot = subject.snapshot
    amounts = amounts_of(snapshot)
    usable = node_health(snapshot).usable
    found = stranded(amounts, usable)
    names = snapshot.nodes.names
    nodes = [
        {
            "resource": each.resource,
            "unit": tables.unit_of(each.resource),
            "node": names[row],
            "left": int(amounts[each.resource].left[row]),
        }
        for each in found
        for row in each.rows.tolist()
    ]
    rows = [
        {
            "resource": each.resource,
            "unit": tables.unit_of(each.resource),
            "left": each.left,
            "nodes": len(each.rows),
            **{f"without_{name}": dict(each.for_lack).get(name, 0) for name in (CPU, MEMORY, PODS)},
        }
        for each in found
    ]
    taints, full = _taints(subject, amounts), _full_of_pods(snapshot, amounts, usable)
    facts = {
        "resources": {each.resource: {"left": each.left, "nodes": len(each.rows)} for each in found},
        "nodes": len({row for each in found for row in each.rows.tolist()}),
        "taints": len(taints),
        "full_of_pods": len(full),
    }
    kind, left = {"key": "left", "kind": "amount"}, [tables.resource(name, "left") for name in (CPU, MEMORY)]
    head = [tables.name("resource"), tables.text("unit")]
    lacks = [tables.number(f"without_{name}") for name in (CPU, MEMORY, PODS)]
    return tables.section(
        "stranded",
        facts,
        [
            tables.table("stranded", [*head, kind, tables.number("nodes"), *lacks], rows),
            tables.table("stranded_nodes", [*head, tables.name("node"), kind], nodes),
            tables.table(
                "taints",
                [*map(tables.name, ("taint", "value", "effect")), tables.number("nodes"), *left, tables.names("names")],
                taints,
            ),
            tables.table("full_of_pods", [tables.name("node"), tables.number("pods"), *left], full),
        ],
    )


def _taints(subject: Subject, amounts: Mapping[str, Amounts]) -> list[Row]:
    return [
        {
            "taint": taint.key,
            "value": taint.value,
            "effect": taint.effect,
            "nodes": len(rows),
            **{f"{name}_left": int(amounts[name].left[rows].sum()) for name in (CPU, MEMORY)},
            "names": [subject.snapshot.nodes.names[row] for row in rows],
        }
        for taint, rows in untolerated(subject).items()
    ]


def _full_of_pods(snapshot: Snapshot, amounts: Mapping[str, Amounts], usable: Mask) -> list[Row]:
    """Nodes that have CPU and memory left, and at which the pod limit is reached."""
    cpu, memory = amounts[CPU].left, amounts[MEMORY].left
    full = usable & (amounts[PODS].left == 0) & (amounts[PODS].allocatable > 0) & (cpu > 0) & (memory > 0)
    rows = sorted(np.flatnonzero(full).tolist(), key=lambda row: (-int(cpu[row]), row))
    return [
        {
            "node": snapshot.nodes.names[row],
            "pods": int(snapshot.nodes.pod_count[row]),
            "cpu_left": int(cpu[row]),
            "memory_left": int(memory[row]),
        }
        for row in rows
    ]
