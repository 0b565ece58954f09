"""Nodes as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.wording import amounts, columns, counts
from clusters.wording.nodes import states
from dashboard.pictures.meter import Meter, meter

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrOrPromise

    from clusters.models import Node
    from clusters.services.mirror.state import ClusterUtilisation

COLUMNS = (
    "name",
    "zone",
    "region",
    "instance_type",
    "ready",
    "unschedulable",
    "taint_count",
    "kubelet_version",
    "created_at",
)


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
        found.append((counts.TAINTS(number=node.taint_count), ""))
    return tuple(found)


def node_row(node: Node, found: ClusterUtilisation) -> NodeRow:
    """Present a node with what its pods request of it."""
    row = found.snapshot.nodes.index.get(node.name)

    def of(resource: str, label: _StrOrPromise, write: Callable[[int], str]) -> Meter:
        each = found.amounts[resource]
        asked, has = (0, 0) if row is None else (int(each.requested[row]), int(each.allocatable[row]))
        return meter(str(label), asked, has, write)

    return NodeRow(
        name=node.name,
        zone=node.zone,
        instance_type=node.instance_type,
        badges=badges(node),
        cpu=of(CPU, columns.CPU_REQUESTED, amounts.cpu),
        memory=of(MEMORY, columns.MEMORY_REQUESTED, amounts.size),
        pods=of(PODS, columns.PODS, amounts.grouped),
    )
