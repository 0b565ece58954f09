"""What is known of the workloads of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BudgetState
    from clusters.engine.objects import Document
    from clusters.engine.spreading.groups import SpreadGroup
    from clusters.engine.status import Index, Ints
    from clusters.engine.workloads.failures import Failures
    from clusters.engine.workloads.pod_template import Workload


class PendingPod(NamedTuple):
    """A pod without a node."""

    namespace: str
    name: str
    document: Document
    cpu_milli: int
    memory_bytes: int
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class WorkloadState:
    """One workload. ``desired`` is None where nothing says how many pods it should have.

    ``placed``: pods on nodes, those being deleted included; ``zones``: of these in every zone of the
    cluster, the last one for nodes without; ``nodes``: on how many nodes. ``cpu_milli`` and ``memory_bytes``: what
    placed and pending pods request. ``priorities``: the lowest and the highest. ``groups``: the short names of its
    spread groups, the most violated first; ``budgets``: those that select any of its pods.
    """

    workload: Workload
    desired: int | None
    placed: int
    ready: int
    terminating: int
    pending: int
    zones: tuple[int, ...]
    nodes: int
    cpu_milli: int
    memory_bytes: int
    priorities: tuple[int, int] | None
    groups: tuple[str, ...]
    budgets: tuple[str, ...]


class Summary(NamedTuple):
    """What is said of all workloads together. ``worst``: the one with the worst skew, None where none is spread."""

    placed: int
    pending: int
    with_pending: int
    worst: WorkloadState | None
    namespaces: tuple[str, ...]
    kinds: tuple[str, ...]


class ClusterWorkloads(NamedTuple):
    """Every workload: failing ones first, then those with most pending pods, the most uneven ones, and the largest.

    ``zones`` are those of the cluster in order of name, the last one, "", that of nodes without one. ``slots_of``
    numbers the workload of every pod slot of the snapshot, -1 for none. ``inferred``: how many ReplicaSets the mirror
    lacks. ``owners`` are the objects that snapshots leave out, by kind, namespace and name. ``failures``: what
    controllers report.
    """

    snapshot: Snapshot
    zones: tuple[str, ...]
    states: Mapping[Workload, WorkloadState]
    numbers: Mapping[Workload, int]
    of_slot: Ints
    pending: Mapping[Workload, tuple[PendingPod, ...]]
    groups: Mapping[str, SpreadGroup]
    budgets: Mapping[str, BudgetState]
    owners: Mapping[tuple[str, str, str], Document]
    failures: Failures
    inferred: int
    summary: Summary

    def slots(self, workload: Workload) -> Index:
        """Slots of the placed pods of a workload."""
        return np.flatnonzero(self.of_slot == self.numbers.get(workload, -2))

    def document(self, workload: Workload) -> Document | None:
        """Return the object that stands behind a workload, as far as it is mirrored."""
        kind, namespace, name = workload.kind, workload.namespace, workload.name
        return self.owners.get((kind, namespace, name)) or self.snapshot.object(kind, name, namespace)

    def unevenness(self, state: WorkloadState) -> tuple[int, int]:
        """Return what orders workloads by their worst skew: how far it is over maxSkew, then the skew itself."""
        return unevenness_of(self.groups, state)

    def worst_group(self, state: WorkloadState) -> SpreadGroup | None:
        """Return the spread group of a workload with the worst skew."""
        return self.groups[state.groups[0]] if state.groups else None


def unevenness_of(groups: Mapping[str, SpreadGroup], state: WorkloadState) -> tuple[int, int]:
    """Return how far a workload is over maxSkew, then the skew itself; -1 for one that is not spread."""
    if not state.groups:
        return -1, -1
    return groups[state.groups[0]].unevenness
