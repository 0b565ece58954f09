"""Whom of those that sleep an event may help.

Upstream: the queueing hints of ``noderesources``, ``interpodaffinity`` and ``podtopologyspread``, v1.34.1. Those that
look at nothing but the node where something happened are held against that node exactly: elsewhere nothing changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.matching.selectors import SelectorError
from clusters.engine.plugin import Context
from clusters.engine.plugins.node_resources_fit import PODS, NodeResourcesFit
from clusters.engine.spreading.constraints import DO_NOT_SCHEDULE, constraints_of

if TYPE_CHECKING:
    from clusters.engine.simulation.kinds import Kind
    from clusters.engine.simulation.standings import Standings
    from clusters.engine.simulation.waiting import Asleep
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

POD_ADDED: Final = "Pod/Add"
POD_DELETED: Final = "Pod/Delete"
CLAIM_UPDATED: Final = "PersistentVolumeClaim/Update"
NODE_TAINTED: Final = "Node/UpdateNodeTaint"
_SPREAD: Final = "PodTopologySpread"
_FIT: Final = "NodeResourcesFit"


class Requeueing:
    """Decides which kinds of sleeping pods are worth another attempt; the same state always gives the same answer."""

    def __init__(self, snapshot: Snapshot, standings: Standings) -> None:
        self._snapshot, self._standings = snapshot, standings
        self._asked: dict[int, Ints] = {}
        # A lower bound: those that leave are not taken out of it.
        self._lowest = int(snapshot.pods.priority[snapshot.pods.label_set >= 0].min(initial=2**62))

    def by_departure(self, row: int, asleep: Asleep) -> list[Kind]:
        """The kinds that a departure from a row may help: room is what they lack there, or pods they may preempt."""
        local: list[Kind] = []
        found: list[Kind] = []
        for kind in asleep.kinds_woken_by(POD_DELETED):
            (local if self.is_local(kind) else found).append(kind)
        if local:
            free = self._free(row)
            asked = np.stack([self._asked_by(kind) for kind in local])
            has_room = ((asked <= free) | (asked == 0)).all(axis=1)
            found += [
                kind
                for kind, fits in zip(local, has_room.tolist(), strict=True)
                if self._standings.peek(kind).fixed[row] and (fits or self._could_preempt(kind, row, free))
            ]
        return found

    def may_fit_on(self, kind: Kind, row: int) -> bool:
        """Whether there still is what ``by_departure`` found on a row for a kind."""
        free, asked = self._free(row), self._asked_by(kind)
        return bool(((asked <= free) | (asked == 0)).all()) or self._could_preempt(kind, row, free)

    def by_arrival(self, placed: Kind, asleep: Asleep) -> list[Kind]:
        """The kinds that a pod that was just placed may help: those that want its like near, or spread out."""
        return [
            kind
            for kind in asleep.kinds_woken_by(POD_ADDED)
            if self._is_near(kind, placed) or self._is_spread_with(kind, placed)
        ]

    def by_taint(self, asleep: Asleep) -> list[Kind]:
        """The kinds that may be helped when a node is closed: its domain may no longer count when pods are spread."""
        return [kind for kind in asleep.kinds_woken_by(NODE_TAINTED) if _SPREAD in asleep.plugins_of(kind)]

    def may_fit(self, kind: Kind) -> bool:
        """Whether another pod of a kind may fit now; exactly known where only what lies on a node counts."""
        if not self.is_local(kind):
            return True
        standing = self._standings.of(kind)
        return standing is None or standing.feasible > 0

    def note(self, placed: Kind) -> None:
        """Take in that a pod was placed."""
        self._lowest = min(self._lowest, placed.priority)

    # -- by node -----------------------------------------------------------------------------------------

    def is_local(self, kind: Kind) -> bool:
        """Whether a pod of this kind is rejected by nothing but nodes themselves and what lies on each of them."""
        if kind.pod.volumes:
            return False
        standing = self._standings.peek(kind)
        return standing.is_usable and not standing.is_filtered_around

    def _free(self, row: int) -> Ints:
        """What is free on a row, shape (R + 1,): the resources, then pods."""
        nodes = self._snapshot.nodes
        return np.append(nodes.allocatable[row] - nodes.requested[row], nodes.allowed_pods[row] - nodes.pod_count[row])

    def _asked_by(self, kind: Kind) -> Ints:
        """What a kind asks of a row, shape (R + 1,), as far as it is checked."""
        resources = self._snapshot.nodes.resources
        known = self._asked.get(kind.number)
        if known is None or len(known) != len(resources) + 1:
            assert kind.profile is not None  # noqa: S101 - nobody else sleeps
            known = np.zeros(len(resources) + 1, np.int64)
            if _FIT in kind.profile.filter:
                fit = NodeResourcesFit(Context(self._snapshot, kind.pod, kind.profile.args))
                for resource, amount in fit.checked:
                    if resource == PODS:
                        known[-1] = amount
                    elif resource in resources:
                        known[resources.index(resource)] = amount
            self._asked[kind.number] = known
        return known

    def _could_preempt(self, kind: Kind, row: int, free: Ints) -> bool:
        """Whether a row would have room if every pod of lower priority left it."""
        if kind.profile is None or "DefaultPreemption" not in kind.profile.post_filter:
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

    # -- by labels ---------------------------------------------------------------------------------------

    def _is_near(self, kind: Kind, placed: Kind) -> bool:
        pod = placed.pod
        labels = self._snapshot.namespace_labels(pod.namespace)
        return any(term.matches(pod.namespace, pod.labels, labels) for term in kind.pod.affinity.required)

    def _is_spread_with(self, kind: Kind, placed: Kind) -> bool:
        if kind.profile is None or kind.pod.namespace != placed.pod.namespace or _SPREAD not in kind.profile.filter:
            return False
        arguments = kind.profile.args[_SPREAD]
        assert isinstance(arguments, PodTopologySpreadArgs)  # noqa: S101 - that is what the plugin is given
        try:
            constraints = constraints_of(self._snapshot, kind.pod, arguments, DO_NOT_SCHEDULE)
        except SelectorError:
            return False
        return any(constraint.selector.matches(placed.pod.labels) for constraint in constraints)
