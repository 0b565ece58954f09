"""Everything about every disruption budget of a cluster: its arithmetic, its pods, and the drains that it blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.disruption.arithmetic import Computed, compute
from clusters.engine.disruption.budget import disruption_budgets
from clusters.engine.disruption.guarded import Census, Guarded
from clusters.engine.disruption.scale import ControllerScale, scale_of
from clusters.engine.disruption.verdict import Never, ZeroCause, never, zero_cause
from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.disruption.budget import DisruptionBudget
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask


@dataclass(frozen=True, slots=True, eq=False)
class NodeShares:
    """A budget's pods on the M nodes that hold any, in order of the nodes' names; arrays have shape (M,).

    ``refused``: how many of the pods a drain that starts now would not get rid of until something else changes;
    ``shared``: how many of those because another budget selects them too.
    """

    names: tuple[str, ...]
    pods: Ints
    healthy: Ints
    refused: Ints
    shared: Ints

    @property
    def blocked(self) -> tuple[str, ...]:
        """Nodes whose drain the budget blocks."""
        return tuple(self.names[number] for number in np.flatnonzero(self.refused))


@dataclass(frozen=True, slots=True)
class ZoneShare:
    """A budget's pods in one zone; the zone of nodes without one is empty."""

    zone: str
    pods: int
    healthy: int


@dataclass(frozen=True, slots=True, eq=False)
class BudgetState:
    """One budget. Pods are named ``namespace/name``.

    ``pods``: how many it selects, wherever they are. ``unhealthy``: those that are not ready and not being deleted.
    ``shared``: those that other budgets, ``overlapping``, select too, and that can therefore not be evicted.
    ``unmanaged``: those that nothing controls. ``cause``: why it allows nothing now, None when it allows something.
    """

    budget: DisruptionBudget
    computed: Computed
    scale: ControllerScale
    pods: int
    terminating: int
    unhealthy: tuple[str, ...]
    shared: tuple[str, ...]
    overlapping: tuple[str, ...]
    unmanaged: tuple[str, ...]
    nodes: NodeShares
    zones: tuple[ZoneShare, ...]
    never: Never | None
    cause: ZeroCause | None

    @property
    def is_blocker(self) -> bool:
        """Whether the budget blocks until somebody changes something; what is merely under way does not count."""
        return self.cause is not None and self.cause.lasts

    @property
    def differs(self) -> bool:
        """Whether the status that the cluster reports is not the one that follows from its objects."""
        computed, reported = self.computed, self.budget.reported
        if computed.expected is None:
            return computed.allowed is not None and computed.allowed != reported.allowed
        return (computed.expected, computed.healthy, computed.desired, computed.allowed) != (
            reported.expected,
            reported.healthy,
            reported.desired,
            reported.allowed,
        )


def budget_states(snapshot: Snapshot, others: Iterable[Document] = ()) -> tuple[BudgetState, ...]:
    """Every budget of a cluster, blockers first, then those that block the most drains.

    ``others``: the pods that the snapshot does not hold because they wait for a node or have finished; a budget counts
    them too.
    """
    budgets = disruption_budgets(snapshot)
    census = Census(snapshot, budgets, others)
    states = [_state(snapshot, census, number, budget) for number, budget in enumerate(budgets)]
    return tuple(sorted(states, key=_urgency))


def _urgency(state: BudgetState) -> tuple[bool, int, bool, str]:
    return not state.is_blocker, -len(state.nodes.blocked), state.cause is None, state.budget.key


def _state(snapshot: Snapshot, census: Census, number: int, budget: DisruptionBudget) -> BudgetState:
    pods, guarded = snapshot.pods, census.guarded(number)
    slots = guarded.slots
    scale = scale_of(snapshot, budget.namespace, census.controllers(guarded))
    staying = ~pods.terminating[slots]
    unhealthy = [pods.keys[slot] for slot in slots[staying & ~pods.ready[slots]].tolist()]
    unhealthy += [pod.key for pod in guarded.others if not (pod.ready or pod.terminating or pod.finished)]
    terminating = int((~staying).sum()) + sum(pod.terminating for pod in guarded.others)
    shared = census.shared(slots)
    unmanaged = census.unmanaged(guarded)
    computed = compute(budget, len(guarded), healthy_pods(snapshot, budget, guarded), scale)
    why_never = never(budget, len(guarded), len(unmanaged), scale)
    cause = zero_cause(
        budget,
        computed,
        why_never,
        pods=len(guarded),
        leaving=bool(terminating or budget.reported.disrupted),
        unhealthy=bool(unhealthy),
        rolling_out=census.is_rolling_out(guarded),
    )
    return BudgetState(
        budget=budget,
        computed=computed,
        scale=scale,
        pods=len(guarded),
        terminating=terminating,
        unhealthy=tuple(sorted(unhealthy)),
        shared=tuple(sorted(pods.keys[slot] for slot in slots[shared].tolist())),
        overlapping=tuple(census.sharing(number, slots[shared])),
        unmanaged=tuple(f"{budget.namespace}/{name}" for name in unmanaged),
        nodes=_by_node(snapshot, budget, slots, shared),
        zones=_by_zone(snapshot, slots),
        never=why_never,
        cause=cause,
    )


def healthy_pods(snapshot: Snapshot, budget: DisruptionBudget, guarded: Guarded) -> int:
    """Ready pods that are neither being deleted nor granted to an eviction."""
    pods, disrupted = snapshot.pods, budget.reported.disrupted
    slots = guarded.slots[pods.ready[guarded.slots] & ~pods.terminating[guarded.slots]]
    names = [pods.name(slot) for slot in slots.tolist()] if disrupted else []
    granted = sum(name in disrupted for name in names)
    others = sum(pod.ready and not pod.terminating and pod.name not in disrupted for pod in guarded.others)
    return len(slots) - granted + others


def _by_node(snapshot: Snapshot, budget: DisruptionBudget, slots: Index, shared: Mask) -> NodeShares:
    pods = snapshot.pods
    bound = pods.node[slots] >= 0
    slots, shared = slots[bound], shared[bound]
    rows, place = np.unique(pods.node[slots], return_inverse=True)
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    # Pods that start or are being deleted go without a question, and a drain leaves alone what would come back at once.
    asked = ~(pods.starting[slots] | pods.terminating[slots])
    if len(slots):
        asked &= ~pinned[pods.template[slots]]
    charged = asked & ~shared
    if budget.spares_unhealthy:
        charged &= pods.ready[slots]

    def count(mask: Mask) -> Ints:
        return np.bincount(place[mask], minlength=len(rows)).astype(np.int64)

    return NodeShares(
        names=tuple(snapshot.nodes.names[row] for row in rows.tolist()),
        pods=count(np.ones(len(slots), np.bool_)),
        healthy=count(pods.ready[slots] & ~pods.terminating[slots]),
        # A budget that allows some lets a drain evict the others in turns, once their replacements are ready.
        refused=count(asked & shared) + (0 if budget.grants else count(charged)),
        shared=count(asked & shared),
    )


def _by_zone(snapshot: Snapshot, slots: Index) -> tuple[ZoneShare, ...]:
    pods, column = snapshot.pods, snapshot.nodes.label(ZONE)
    slots = slots[pods.node[slots] >= 0]
    values = (*column.values, "")
    codes = column.codes[pods.node[slots]]
    healthy = pods.ready[slots] & ~pods.terminating[slots]
    return tuple(
        ZoneShare(values[code], int((codes == code).sum()), int(healthy[codes == code].sum()))
        for code in sorted(set(codes.tolist()), key=values.__getitem__)
    )
