"""Preemption for a whole group: all pods of lower priority go, the group is tried, and as many as can come back.

Upstream: ``framework/preemption/podgrouppreemption.go``, ``types.go`` and ``util.go`` of v1.37.2, ``victims.go`` of
v1.38.0-beta.0. The pods of a group that is disrupted as a whole are one victim, and until 1.37 a pod of a group has the
priority of its group. Whoever comes back is held against what the plugins found out while all victims were gone: a
filter that had nothing to check then is not asked again, so that a victim which keeps others away may stay beside them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.group_states import held_groups
from clusters.engine.objects import NOT_STARTED
from clusters.engine.podgroups import (
    CompositePodGroup,
    DisruptionMode,
    PodGroup,
    PodGroupKey,
)
from clusters.engine.scheduling.preemption import Protection
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index


def has_lower(snapshot: Snapshot, priority: int) -> bool:
    """Whether pods of a lower priority are on nodes."""
    return bool(((snapshot.pods.node >= 0) & (snapshot.pods.priority < priority)).any())


class Victim(Struct, frozen=True):
    """Pods that go together, by their slots.

    ``standing``: 0 for a pod of no group, 1 for what belongs to one, 2 for all pods of a CompositePodGroup.
    """

    slots: tuple[int, ...]
    priority: int
    standing: int
    start: int
    uid: str = ""

    @property
    def rank(self) -> tuple[int, int, int, int, str]:
        """Sorts by importance, the most important first."""
        return (-self.priority, -self.standing, -len(self.slots), self.start, self.uid)


class Grouped(NamedTuple):
    """The groups of pods by the pods' keys, and each held group with the composites that it is part of, upwards."""

    snapshot: Snapshot
    keys: Mapping[str, PodGroupKey]
    lineages: Mapping[PodGroupKey, tuple[PodGroup | CompositePodGroup, ...]]

    @classmethod
    def of(cls, snapshot: Snapshot) -> Grouped:
        held, known = held_groups(snapshot), [key for key in snapshot.groups.known() if not key.workload]
        keys = {name: key for key in known for name in snapshot.groups.of(key)}
        is_nested = snapshot.release.enables(Gate.COMPOSITE_POD_GROUP)
        return cls(snapshot, keys, {key: held.lineage(key, is_nested=is_nested) for key in known})

    @property
    def _ranks(self) -> bool:
        return self.snapshot.release.rules.ranks_nodes_by_victims

    def priority(self, slot: int) -> int:
        """The priority of a pod in preemption for a group: that of the topmost group above it (1.37), or its own."""
        if self._ranks:
            return int(self.snapshot.pods.priority[slot])
        key = self.keys.get(self.snapshot.pods.keys[slot])
        lineage = () if key is None else self.lineages[key]
        return (lineage[-1].terms.priority or 0) if lineage else int(self.snapshot.pods.priority[slot])

    def together(self, slot: int) -> tuple[tuple[int, ...], int]:
        """The slots of the pods that go with one, it among them, and their standing."""
        key = self.keys.get(self.snapshot.pods.keys[slot])
        lineage = () if key is None else self.lineages[key]
        whole = [each for each in lineage if each.terms.disruption is DisruptionMode.ALL]
        if key is None or not whole:
            return (slot,), int(key is not None and not self._ranks)
        slot_of, nodes = self.snapshot.pods.slot_of, self.snapshot.pods.node
        is_composite = isinstance(whole[-1], CompositePodGroup)
        groups = [each for each, above in self.lineages.items() if whole[-1] in above] if is_composite else [key]
        members = (slot_of.get(name) for each in groups for name in self.snapshot.groups.of(each))
        slots = tuple(sorted(each for each in members if each is not None and nodes[each] >= 0))
        return slots, 2 if is_composite else 1


def victims_below(snapshot: Snapshot, priority: int) -> list[Victim]:
    """The pods, alone or together, that a group of a priority may have removed, in the order of their nodes."""
    pods, grouped = snapshot.pods, Grouped.of(snapshot)
    found: dict[tuple[int, ...], Victim] = {}
    by_uid = snapshot.release.rules.orders_victims_by_uid
    placed = np.flatnonzero(pods.node >= 0)
    places = snapshot.nodes.search_places.take(pods.node[placed])
    for slot in placed[np.lexsort((pods.arrival[placed], places))].tolist():
        own = grouped.priority(slot)
        if own >= priority:
            continue
        slots, standing = grouped.together(slot)
        if slots not in found:
            starts = (int(pods.start[each]) for each in slots)
            turn = 0 if by_uid else len(found)
            start = min(NOT_STARTED + turn if each == NOT_STARTED else each for each in starts)
            uid = min(map(pods.uid, slots)) if by_uid else ""
            found[slots] = Victim(slots, own, standing, start, uid)
    return list(found.values())


class Ranking:
    """Victims by the rows that they are on: nodes whose victims cost least come first (from 1.38).

    Upstream: ``RankNodes`` of ``plugins/defaultpreemption``, and ``CompareVictimSets`` in ``framework/preemption``
    v1.38.0-beta.0.
    """

    def __init__(self, snapshot: Snapshot, victims: Iterable[Victim]) -> None:
        self._victims: dict[int, list[Victim]] = defaultdict(list)
        ordered = sorted(victims, key=lambda each: each.rank)
        self._breaking = Protection(snapshot).violating(slot for victim in ordered for slot in victim.slots)
        for victim in ordered:
            for row in sorted(set(snapshot.pods.node[list(victim.slots)].tolist())):
                self._victims[row].append(victim)

    def on(self, row: int) -> frozenset[tuple[int, ...]]:
        """The victims on a node, by their slots."""
        return frozenset(each.slots for each in self._victims.get(row, ()))

    def cheapest(self, rows: Index, condemned: frozenset[tuple[int, ...]]) -> Index:
        """Those of the rows whose victims cost least, besides those who are condemned already."""
        costs = [self._cost(row, condemned) for row in rows.tolist()]
        least = min(costs)
        return rows[[cost == least for cost in costs]]

    def _cost(self, row: int, condemned: frozenset[tuple[int, ...]]) -> tuple[Any, ...]:
        left = [each for each in self._victims.get(row, ()) if each.slots not in condemned]
        pods = Counter({each.priority: 0 for each in left})
        for each in left:
            pods[each.priority] += len(each.slots)
        broken = sum(len(self._breaking.intersection(each.slots)) for each in left)
        by_priority = tuple(sorted(pods.items(), reverse=True))
        standings = tuple((each.standing, len(each.slots)) for each in left)
        return bool(left), broken, by_priority, pods.total(), standings, len(left)


def without(snapshot: Snapshot, victims: Iterable[Victim]) -> Snapshot:
    """The cluster once these pods are gone."""
    left = snapshot.copy()
    for victim in victims:
        for slot in victim.slots:
            namespace, _, name = snapshot.pods.keys[slot].partition("/")
            left.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
    return left
