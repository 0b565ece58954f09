"""Nodes as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording import amounts, columns, counts
from clusters.wording.nodes import states
from dashboard.pictures.meter import Meter, meter

if TYPE_CHECKING:
    from clusters.models import Node

COLUMNS = (
    "name",
    "zone",
    "region",
    "instance_type",
    "ready",
    "unschedulable",
    "cpu_milli",
    "memory_bytes",
    "pods_allocatable",
    "taint_count",
    "kubelet_version",
    "created_at",
)


@dataclass(frozen=True, slots=True)
class Requested:
    """What the unfinished pods of a node request: milli-CPU, bytes, number of pods."""

    cpu_milli: int = 0
    memory_bytes: int = 0
    pods: int = 0


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node of a list; `badges` are pairs of text and kind."""

    name: str
    zone: str
    instance_type: str
    badges: tuple[tuple[str, str], ...]
    cpu: Meter
    memory: Meter
    pods: Meter


def badges(node: Node) -> tuple[tuple[str, str], ...]:
    """Return in which states a node is that is not simply ready and schedulable."""
    found = []
    if not node.ready:
        found.append((str(states.READINESS[node.ready]), "bad" if node.ready is False else "warn"))
    if node.unschedulable:
        found.append((str(states.CORDONED), "warn"))
    if node.taint_count:
        found.append((counts.taints(node.taint_count), ""))
    return tuple(found)


def node_row(node: Node, requested: Requested) -> NodeRow:
    """Present a node with what its pods request of it."""
    return NodeRow(
        name=node.name,
        zone=node.zone,
        instance_type=node.instance_type,
        badges=badges(node),
        cpu=meter(str(columns.CPU_REQUESTED), requested.cpu_milli, node.cpu_milli, amounts.cpu),
        memory=meter(str(columns.MEMORY_REQUESTED), requested.memory_bytes, node.memory_bytes, amounts.size),
        pods=meter(str(columns.PODS), requested.pods, node.pods_allocatable, amounts.grouped),
    )
