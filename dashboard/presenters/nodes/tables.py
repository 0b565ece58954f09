"""Nodes as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit, resource_unit
from clusters.engine.resources.requests import PODS
from clusters.wording.amounts import moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine import Snapshot
    from clusters.models import Node

_FIXED = ("node", "zone", "region", "instance type", "kubelet", "ready", "cordoned", "taints", "created")
_READY = {True: "yes", False: "no", None: "unknown"}
_UNITS = {Unit.MILLI_CPU: " (milli-CPU)", Unit.BYTES: " (bytes)"}


def columns(snapshot: Snapshot) -> list[str]:
    """Return the heads: facts, then three for each resource that a node or a pod of the cluster mentions."""
    named = [f"{name}{_UNITS.get(resource_unit(name), '')}" for name in [PODS, *snapshot.nodes.resources]]
    return [*_FIXED, *(f"{name} {what}" for name in named for what in ("allocatable", "requested", "left"))]


def cells(nodes: Iterable[Node], snapshot: Snapshot) -> Iterator[list[str | int]]:
    """Yield one row for each node that the snapshot holds, with exact amounts."""
    table = snapshot.nodes
    for node in nodes:
        row = table.index.get(node.name)
        if row is None:
            continue
        pairs = [(int(table.allowed_pods[row]), int(table.pod_count[row]))]
        pairs += zip(table.allocatable[row].tolist(), table.requested[row].tolist(), strict=True)
        yield [
            node.name,
            node.zone,
            node.region,
            node.instance_type,
            node.kubelet_version,
            _READY[node.ready],
            "yes" if node.unschedulable else "no",
            " ".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in table.nodes[row].taints),
            moment(node.created_at),
            *(number for has, asked in pairs for number in (has, asked, has - asked)),
        ]
