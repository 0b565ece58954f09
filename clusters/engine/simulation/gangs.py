"""How many more gangs of a pod fit whole, and what keeps the next one out."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.group_states import held_groups
from clusters.engine.objects import Document, Pod, PodShape, key_of, name_of, namespace_of
from clusters.engine.podgroups import POD_GROUP, group_key_of, schedules_groups
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.scheduling.groups import GroupAttempt, GroupVerdict, attempt_group, domains_of
from clusters.engine.simulation.measures import (
    MOST_PODS,
    Headroom,
    Portion,
    Stop,
    further_copies,
    headroom,
    is_plain,
    rooms_of,
)
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.snapshot import Snapshot

# What of the group that a pod names holds for more groups like it.
_KEPT = ("schedulingConstraints", "priority", "priorityClassName")
_NAMES_GROUP = ("schedulingGroup", "workloadRef")


class GangHeadroom(Struct, frozen=True):
    """So many more gangs of ``size`` pods fit whole; of the next one ``found`` pods find a node.

    ``pods``: how many fit one by one. ``topology_key``: the label of nodes of which all pods of a gang get one value,
    empty where the group names none; ``domains``: gangs by that value, most first. ``stop``: what keeps the next gang
    out, None where counting ended before one did not fit; ``refusal``: the scheduler's message about the first of its
    pods that finds no node in a domain. ``is_open``: something that is not computed could reject one.
    """

    size: int
    count: int
    found: int
    pods: Headroom
    topology_key: str
    domains: Mapping[str, int]
    stop: Stop | None
    refusal: str = ""
    is_open: bool = False


def gang_headroom(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    pod: Document,
    size: int,
    *,
    most: int = MOST_PODS,
    seed: int = 0,
    samples: bool = False,
    admits: bool = False,
) -> GangHeadroom:
    """Place gangs of ``size`` pods like one until a gang lacks a node for one of them; the snapshot stays.

    Pods of a gang without a topology find nodes as pods without a group do, one after another. The rest as of headroom.
    Raises UnknownScheduler.
    """
    alone = ungrouped(pod)
    pods = headroom(snapshot, configuration, [Portion(alone)], most=most, seed=seed, samples=samples, admits=admits)
    whole, rest = divmod(pods.count, size)
    group = _group_of(snapshot, pod)
    key = _topology_key(group)
    if group is None or not key:
        return GangHeadroom(size, whole, rest, pods, "", {}, pods.stop)
    gangs = _Gangs(snapshot.copy(), configuration, alone, group, size)
    # A quota bounds gangs as it bounds pods; the limit bounds what has to be placed.
    is_bound = pods.stop is not None and pods.stop.is_forbidden
    refused = gangs.place(key, whole if is_bound else max(whole, most // size))
    domains = dict(gangs.domains.most_common())
    placed = gangs.domains.total()
    if refused is None:
        return GangHeadroom(size, placed, rest, pods, key, domains, pods.stop)
    is_open = refused.is_open or refused.verdict is GroupVerdict.UNCERTAIN
    best = max((each.found for each in refused.placements), default=refused.found)
    refusal = next((each.refusal for each in refused.refused if each.refusal), "")
    return GangHeadroom(size, placed, best, pods, key, domains, Stop(0, refused.message, ()), refusal, is_open)


def ungrouped(pod: Document) -> Document:
    """A pod that names no group and is otherwise the same."""
    spec = {field: value for field, value in (pod.get("spec") or {}).items() if field not in _NAMES_GROUP}
    return {**pod, "spec": spec}


def _group_of(snapshot: Snapshot, pod: Document) -> Document | None:
    """The PodGroup that a pod names, where the scheduler reads it and its topology."""
    release = snapshot.release
    key = group_key_of(Pod(pod), release)
    if (
        key is None
        or key.workload
        or not (schedules_groups(release) and release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS))
    ):
        return None
    terms = held_groups(snapshot).terms_of(key)
    return None if terms is None else snapshot.object(POD_GROUP, key.name, key.namespace)


def _topology_key(group: Document | None) -> str:
    constraints = ((group or {}).get("spec") or {}).get("schedulingConstraints") or {}
    return next((str(each.get("key") or "") for each in constraints.get("topology") or ()), "")


class _Gangs:
    """Gangs that are placed one after another in a snapshot of their own; ``domains``: how many by domain."""

    def __init__(
        self, state: Snapshot, configuration: SchedulerConfiguration, pod: Document, group: Document, size: int
    ) -> None:
        self._state, self._group, self._size = state, group, size
        self._profile = configuration.profile_for(pod)
        self._supply = further_copies(state, pod, 0)
        self.domains: Counter[str] = Counter()

    def place(self, key: str, most: int) -> GroupAttempt | None:
        """Place at most so many; the attempt for the first that does not fit, None where none is left or tried."""
        explanation = explain(self._state, next(self._supply), self._profile)
        if is_plain(explanation):
            self._fill(explanation, key, most)
        while self.domains.total() < most:
            found, pods = self._attempt()
            if found is None or found.verdict is not GroupVerdict.SCHEDULED:
                return found
            self.domains[found.domain] += 1
            for member in found.members:
                self._state.assume(pods[member.pod], member.node)
        return None

    def _attempt(self) -> tuple[GroupAttempt | None, Mapping[str, Document]]:
        """What becomes of one more gang, and its pods by key."""
        name = f"{name_of(self._group)}-headroom-{self.domains.total()}"
        kept = {field: value for field, value in (self._group.get("spec") or {}).items() if field in _KEPT}
        policy = {"schedulingPolicy": {"gang": {"minCount": self._size}}, "preemptionPolicy": "Never"}
        place = {"name": name, "namespace": namespace_of(self._group)}
        self._state.upsert({"kind": POD_GROUP, "metadata": place, "spec": {**kept, **policy}})
        pods = {}
        for pod in islice(self._supply, self._size):
            member = {**pod, "spec": {**pod["spec"], "schedulingGroup": {"podGroupName": name}}}
            pods[key_of(member)] = member
            self._state.upsert(member)
        return attempt_group(self._state, Pod(next(iter(pods.values()))), self._profile, settles=True), pods

    def _fill(self, explanation: Explanation, key: str, most: int) -> None:
        """Fill up the domains, each by itself, whichever is taken first."""
        rooms, nodes = rooms_of(explanation), self._state.nodes
        asked = PodShape.of(explanation.pod)
        vector, non_zero = nodes.vector(asked.requests), np.array((asked.non_zero_cpu, asked.non_zero_memory))
        for domain, rows in domains_of(self._state, key).items():
            room = rooms[rows]
            gangs = min(int(room.sum()) // self._size, most - self.domains.total())
            taken = np.clip(gangs * self._size - (np.cumsum(room) - room), 0, room)
            nodes.book(rows, taken[:, None] * vector, taken[:, None] * non_zero, taken)
            if gangs:
                self.domains[domain] = gangs
