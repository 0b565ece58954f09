"""Preemption for a whole group: all pods of lower priority go, the group is tried, and as many as can come back.

Upstream: ``framework/preemption/podgrouppreemption.go`` of v1.37.2. The pods of a group that is disrupted as a whole
are one victim, and a pod of a group has the priority of its group. Of equally important victims the one that was placed
first counts as more important, where the scheduler's order is not defined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine import group_messages as said
from clusters.engine.cycle import run_cycle
from clusters.engine.disruption.preemption_budgets import Protection
from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.objects import DisruptionMode
from clusters.engine.registry import PLUGINS
from clusters.engine.traits import Reads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot

    # The message of a group that is not scheduled, or its pods with their nodes; None where that is uncertain.
    Retried = str | Sequence[tuple[Pod, str]] | None
    Retry = Callable[[Snapshot], Retried]

# Each victim that may come back is a trial with every pod of the group, and each of these costs a cycle.
MOST_CYCLES: Final = 200


@dataclass(frozen=True, slots=True)
class GroupPreemption:
    """What preemption does for a group: ``message`` is what it adds to the scheduler's.

    ``victims`` have to go, the most important first, as ``namespace/name``; none where it does not help.
    """

    message: str
    victims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Victim:
    """Pods that go together, by their slots."""

    slots: tuple[int, ...]
    priority: int
    is_group: bool
    start: int

    @property
    def rank(self) -> tuple[int, bool, int, int, int]:
        """Sorts by importance, the most important first."""
        return (-self.priority, not self.is_group, -len(self.slots), self.start, self.slots[0])


def preempt_for_group(snapshot: Snapshot, profile: Profile, priority: int, retry: Retry) -> GroupPreemption | None:
    """Find out which pods make room for a group; None where that cannot be told or costs too much.

    ``retry`` tries the group on another state of the cluster: its message, or its pods with the nodes that they take.
    """
    victims = _potential(snapshot, priority)
    if not victims:
        return GroupPreemption(said.NO_VICTIMS)
    everybody = victims
    found = retry(_without(snapshot, victims))
    if found is None:
        return None
    if isinstance(found, str):
        return GroupPreemption(said.preempts_in_vain(found))
    if _reads_nodes_alone(snapshot, profile, found):
        # Whoever is on no node that the group takes comes back, whatever the order.
        rows = {snapshot.nodes.index[node] for _, node in found}
        victims = [each for each in victims if not rows.isdisjoint(snapshot.pods.node[list(each.slots)].tolist())]
    if len(victims) * len(found) > MOST_CYCLES:
        return None
    order = sorted(everybody, key=lambda each: each.rank)
    breaking = Protection(snapshot).violating(slot for victim in order for slot in victim.slots)
    order.sort(key=lambda each: breaking.isdisjoint(each.slots))
    tried = set(victims)
    gone = [each for each in order if each in tried]
    for victim in list(gone):
        rest = [each for each in gone if each is not victim]
        if _holds(_without(snapshot, rest), profile, found):
            gone = rest
    gone.sort(key=lambda each: each.rank)
    names = tuple(snapshot.pods.keys[slot] for victim in gone for slot in victim.slots)
    return GroupPreemption(said.preempts(len(names)), names)


def _reads_nodes_alone(snapshot: Snapshot, profile: Profile, placed: Sequence[tuple[Pod, str]]) -> bool:
    """Whether no filter of a pod of the group looks at pods of other nodes, now or with the group placed."""
    there = snapshot.copy()
    for pod, node in placed:
        there.assume(pod.document, node)
    cycles = [run_cycle(state, pod, profile) for state in (snapshot, there) for pod, _ in placed]
    return not any(PLUGINS[name].reads & Reads.PODS for cycle in cycles for name in cycle.filters)


def _potential(snapshot: Snapshot, priority: int) -> list[_Victim]:
    """The pods, alone or together, that a group of a priority may have removed."""
    pods, held = snapshot.pods, held_groups(snapshot)
    found: list[_Victim] = []
    lower = (pods.node >= 0) & (pods.priority < priority)
    for key in snapshot.groups.known():
        terms = held.terms_of(key)
        placed = [slot for name in snapshot.groups.of(key) if (slot := pods.slot_of.get(name)) is not None]
        slots = [slot for slot in placed if pods.node[slot] >= 0]
        if terms is None or key.workload or not slots:
            continue
        lower[slots] = False
        is_whole = terms.disruption is DisruptionMode.ALL
        for together in [slots] if is_whole else [[slot] for slot in slots]:
            start = min(int(pods.start[slot]) for slot in together)
            found.append(_Victim(tuple(together), terms.priority or 0, is_group=is_whole, start=start))
    alone = np.flatnonzero(lower).tolist()
    found += [_Victim((slot,), int(pods.priority[slot]), is_group=False, start=int(pods.start[slot])) for slot in alone]
    return [each for each in found if each.priority < priority]


def _without(snapshot: Snapshot, victims: Iterable[_Victim]) -> Snapshot:
    left = snapshot.copy()
    for victim in victims:
        for slot in victim.slots:
            namespace, _, name = snapshot.pods.keys[slot].partition("/")
            left.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
    return left


def _holds(snapshot: Snapshot, profile: Profile, placed: Sequence[tuple[Pod, str]]) -> bool:
    """Whether every pod of the group still fits on its node, one after another."""
    for pod, node in placed:
        if run_cycle(snapshot, pod, profile).rejected_by[snapshot.nodes.index[node]] >= 0:
            return False
        snapshot.assume(pod.document, node)
    return True
