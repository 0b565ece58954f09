"""Counting pods that inter-pod affinity terms mean, per topology domain.

Upstream: ``pkg/scheduler/framework/plugins/interpodaffinity/filtering.go`` v1.34.1 (topologyToMatchedTermCount).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.objects import AffinityTerm, labels_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints, Mask
    from clusters.engine.world import World


class PairCounts:
    """Counts by (topology key, value): terms with the same key share their counts.

    In a world, ``changes`` holds per node what its own domain gains.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._counts: dict[str, Ints] = {}
        self._changes: dict[str, Ints] = {}

    def add(self, topology_key: str, per_node: Ints, changes: Ints | None = None) -> None:
        """Count pods of every node towards its domain of a key."""
        column = self._snapshot.nodes.label(topology_key)
        sums = column.sum_by_value(per_node)
        known = self._counts.get(topology_key)
        self._counts[topology_key] = sums if known is None else known + sums
        if changes is not None:
            gained = np.where(column.present, changes, 0)
            known = self._changes.get(topology_key)
            self._changes[topology_key] = gained if known is None else known + gained

    def at(self, topology_key: str) -> Ints:
        """Shape (N,): the count in each node's own domain; 0 where it has none."""
        counts = self._counts.get(topology_key)
        if counts is None:
            return np.zeros(len(self._snapshot.nodes), np.int64)
        here = self._snapshot.nodes.label(topology_key).spread(counts)
        changes = self._changes.get(topology_key)
        return here if changes is None else here + changes

    def any_at(self) -> Mask:
        """Shape (N,): nodes in whose domains anything was counted, whatever the key."""
        mask = np.zeros(len(self._snapshot.nodes), np.bool_)
        for key in self._counts:
            mask |= self.at(key) > 0
        return mask

    def total(self) -> Ints:
        """Shape (N,): everything counted anywhere, as each node's world has it."""
        total = np.full(len(self._snapshot.nodes), sum(int(sums.sum()) for sums in self._counts.values()), np.int64)
        for changes in self._changes.values():
            total += changes
        return total

    @property
    def empty(self) -> bool:
        return not any(sums.any() for sums in self._counts.values())


def namespaces_of(snapshot: Snapshot, term: AffinityTerm) -> frozenset[str] | None:
    """The namespaces that a term of the incoming pod reaches; None stands for all.

    Placed pods are compared with the term as if their namespaces had no labels, after the namespaces that the selector
    finds have been added by name. So a selector that only excludes (NotIn, DoesNotExist) reaches every namespace.
    """
    if term.namespace_selector is None:
        return term.namespaces
    if term.namespace_selector.matches({}):
        return None
    matched = (
        name_of(namespace)
        for namespace in snapshot.objects("Namespace")
        if term.namespace_selector.matches(labels_of(namespace))
    )
    return term.namespaces | frozenset(matched)


def meant_by(snapshot: Snapshot, term: AffinityTerm) -> list[int]:
    """Ids of the label sets that a term of the incoming pod means."""
    return snapshot.pods.select(term.selector, namespaces_of(snapshot, term))


def meant_by_all(snapshot: Snapshot, terms: Iterable[AffinityTerm]) -> list[int]:
    """Ids of the label sets that every one of the terms means; none without terms."""
    common: set[int] | None = None
    for term in terms:
        meant = set(meant_by(snapshot, term))
        common = meant if common is None else common & meant
    return sorted(common or ())


def count_by_node(snapshot: Snapshot, label_sets: Iterable[int]) -> Ints:
    """Shape (N,): bound pods with these label sets on each node."""
    slots = snapshot.pods.bound_slots(label_sets)
    return np.bincount(snapshot.pods.node[slots], minlength=len(snapshot.nodes)).astype(np.int64)


def group_by_node(snapshot: Snapshot, group: int) -> Ints:
    """Shape (N,): bound pods of one affinity group on each node."""
    slots = snapshot.pods.by_affinity.slots(group)
    return np.bincount(snapshot.pods.node[slots], minlength=len(snapshot.nodes)).astype(np.int64)


def group_changes(snapshot: Snapshot, group: int, world: World) -> Ints:
    """Shape (N,): how many more pods of one affinity group each node has in its world."""
    members = (snapshot.pods.affinity[world.slots] == group).astype(np.int64)
    return world.per_node(members, len(snapshot.nodes))
