"""Whom of those that sleep an event may help.

Upstream: the queueing hints of ``noderesources``, ``interpodaffinity`` and ``podtopologyspread``, v1.34.1. Those that
look at nothing but the node where something happened are held against that node exactly: elsewhere nothing changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.plugin import Context
from clusters.engine.registry import PLUGINS, requeue_events
from clusters.engine.resources.requests import PODS
from clusters.engine.traits import ClusterEvent

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.simulation.kinds import PodKind
    from clusters.engine.simulation.kinds_on_nodes import KindsOnNodes
    from clusters.engine.simulation.waiting import Asleep
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints


def _may_gain(plugin: str) -> bool:
    """Whether a node that is closed may let a pod in elsewhere; to plugins that judge each node by itself it cannot."""
    return ClusterEvent.NODE_TAINT in requeue_events(plugin) and not PLUGINS[plugin].is_fixed()


class Requeueing:
    """Decides which kinds of sleeping pods are worth another attempt; the same state always gives the same answer."""

    def __init__(self, snapshot: Snapshot, kinds_on_nodes: KindsOnNodes) -> None:
        self._snapshot, self._on_nodes = snapshot, kinds_on_nodes
        self._asked: dict[int, Ints] = {}
        # A lower bound: those that leave are not taken out of it.
        self._lowest = int(snapshot.pods.priority[snapshot.pods.label_set >= 0].min(initial=2**62))

    def by_departure(self, row: int, asleep: Asleep) -> list[PodKind]:
        """The kinds that a departure from a row may help: room is what they lack there, or pods they may preempt."""
        local: list[PodKind] = []
        found: list[PodKind] = []
        for kind in asleep.kinds_woken_by(ClusterEvent.POD_DELETE):
            (local if self.is_local(kind) else found).append(kind)
        if local:
            free = self._free(row)
            asked = np.stack([self._asked_by(kind) for kind in local])
            has_room = ((asked <= free) | (asked == 0)).all(axis=1)
            found += [
                kind
                for kind, fits in zip(local, has_room.tolist(), strict=True)
                if self._on_nodes.peek(kind).fixed[row] and (fits or self._could_preempt(kind, row, free))
            ]
        return found

    def may_fit_on(self, kind: PodKind, row: int) -> bool:
        """Whether there still is what ``by_departure`` found on a row for a kind."""
        free, asked = self._free(row), self._asked_by(kind)
        return bool(((asked <= free) | (asked == 0)).all()) or self._could_preempt(kind, row, free)

    def by_arrival(self, placed: PodKind, asleep: Asleep) -> list[PodKind]:
        """The kinds that a pod that was just placed may help: those that want its like near, or spread out."""
        return [
            kind
            for kind in asleep.kinds_woken_by(ClusterEvent.POD_ADD)
            if kind.profile is not None and self._is_helped(kind, kind.profile, placed)
        ]

    def _is_helped(self, kind: PodKind, profile: Profile, placed: PodKind) -> bool:
        """Whether any filter of a kind says that the pod that was placed may let it in."""
        context = Context(self._snapshot, kind.pod, profile.args)
        asked = (name for name in profile.filter if ClusterEvent.POD_ADD in requeue_events(name))
        return any(PLUGINS[name](context).is_helped_by(placed.pod) for name in asked)

    def by_taint(self, asleep: Asleep) -> list[PodKind]:
        """The kinds that may be helped when a node is closed: its domain may no longer count when pods are spread."""
        return [
            kind
            for kind in asleep.kinds_woken_by(ClusterEvent.NODE_TAINT)
            if any(_may_gain(plugin) for plugin in asleep.plugins_of(kind))
        ]

    def may_fit(self, kind: PodKind) -> bool:
        """Whether another pod of a kind may fit now; exactly known where only what is on a node counts."""
        if not self.is_local(kind):
            return True
        on_nodes = self._on_nodes.of(kind)
        return on_nodes is None or on_nodes.feasible > 0

    def note(self, placed: PodKind) -> None:
        """Take in that a pod was placed."""
        self._lowest = min(self._lowest, placed.priority)

    # -- by node -----------------------------------------------------------------------------------------

    def is_local(self, kind: PodKind) -> bool:
        """Whether a pod of this kind is rejected by nothing but nodes themselves and what is on each of them."""
        if kind.pod.volumes:
            return False
        on_nodes = self._on_nodes.peek(kind)
        return on_nodes.is_usable and not on_nodes.is_filtered_around

    def _free(self, row: int) -> Ints:
        """What is free on a row, shape (R + 1,): the resources, then pods."""
        nodes = self._snapshot.nodes
        return np.append(nodes.allocatable[row] - nodes.requested[row], nodes.allowed_pods[row] - nodes.pod_count[row])

    def _asked_by(self, kind: PodKind) -> Ints:
        """What a kind asks of a row, shape (R + 1,), as far as it is checked."""
        resources = self._snapshot.nodes.resources
        known = self._asked.get(kind.number)
        if known is None or len(known) != len(resources) + 1:
            assert kind.profile is not None  # noqa: S101 - nobody else sleeps
            known = np.zeros(len(resources) + 1, np.int64)
            context = Context(self._snapshot, kind.pod, kind.profile.args)
            for name in kind.profile.filter:
                for resource, amount in PLUGINS[name](context).checked_amounts():
                    if resource == PODS:
                        known[-1] = amount
                    elif resource in resources:
                        known[resources.index(resource)] = amount
            self._asked[kind.number] = known
        return known

    def _could_preempt(self, kind: PodKind, row: int, free: Ints) -> bool:
        """Whether a row would have room if every pod of lower priority left it."""
        if kind.profile is None or not any(PLUGINS[name].preempts for name in kind.profile.post_filter):
            return False
        if not kind.pod.preempts or kind.priority <= self._lowest:
            return False
        pods, nodes = self._snapshot.pods, self._snapshot.nodes
        slots = pods.on_node(row)
        lower = slots[pods.priority[slots] < kind.priority]
        if not len(lower):
            return False
        given = free.copy()
        given[-1] += len(lower)
        for slot in lower.tolist():
            given[:-1] += nodes.vector(pods.shapes[pods.shape[slot]].requests)
        asked = self._asked_by(kind)
        return bool(((asked <= given) | (asked == 0)).all())
