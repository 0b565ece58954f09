"""Nodes as rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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


class NodeRow(NamedTuple):
    """One node of the list, with what its pods request of it."""

    node: Node
    found: ClusterUtilisation

    @property
    def badges(self) -> tuple[tuple[str, str], ...]:
        """In which states it is that is not simply ready and schedulable: pairs of text and kind."""
        return badges(self.node)

    @property
    def row(self) -> int | None:
        """Where it is in the snapshot; None of one that is not there."""
        return self.found.snapshot.nodes.index.get(self.node.name)

    @property
    def cpu(self) -> Meter:
        """How much of its CPU is requested."""
        return self._meter(CPU, columns.CPU_REQUESTED, amounts.cpu)

    @property
    def memory(self) -> Meter:
        """How much of its memory is requested."""
        return self._meter(MEMORY, columns.MEMORY_REQUESTED, amounts.size)

    @property
    def pods(self) -> Meter:
        """How many pods it has of those that it allows."""
        return self._meter(PODS, columns.PODS, amounts.grouped)

    def _meter(self, resource: str, label: _StrOrPromise, write: Callable[[int], str]) -> Meter:
        each, row = self.found.amounts[resource], self.row
        asked, has = (0, 0) if row is None else (int(each.requested[row]), int(each.allocatable[row]))
        return meter(str(label), asked, has, write)
