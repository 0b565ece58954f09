"""NodeResourcesBalancedAllocation: prefers nodes whose resources would be used to like degrees.

Upstream: ``pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go`` v1.34.1, and of
v1.36.3 for what the balance without the pod has to do with it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from msgspec import Struct

from clusters.engine.configuration import NodeResourcesBalancedAllocationArgs
from clusters.engine.devices.states import ClassTotals, totals_of
from clusters.engine.evidence import ScorePart
from clusters.engine.plugin import Plugin, Reads
from clusters.engine.resources import Amounts, pod_amounts
from clusters.engine.scoring import asked_and_allocatable, balanced, improved_balance
from clusters.engine.status import SKIP, SUCCESS, Index, Ints, Status


class BalanceChange(Struct, frozen=True):
    """What the pod changes: how much of a resource is requested without it, and the node's balance with and without it.

    Balances go from 50 to 100; they are the node's, and the same for all of its resources.
    """

    used: int
    balance: int
    balance_before: int


class ResourceFraction(ScorePart, frozen=True):
    """How much of a resource would be requested with the pod, in base units and as a ``fraction`` of at most 1.

    ``change`` is None where the release looks only at what would be requested with the pod.
    """

    kind = "resource-fraction"

    resource: str
    requested: int
    allocatable: int
    fraction: float
    change: BalanceChange | None = None


class NodeResourcesBalancedAllocation(Plugin):
    """Scores only; every node passes."""

    name = "NodeResourcesBalancedAllocation"
    reads = Reads.AMOUNTS
    colour = "sky"

    @cached_property
    def _resources(self) -> list[str]:
        arguments = self.context.arguments_of(self.name, NodeResourcesBalancedAllocationArgs)
        return [resource.name for resource in arguments.resources]

    @cached_property
    def _counted(self) -> Amounts:
        return pod_amounts(self.pod.document, counting=self.snapshot.pods.counting)

    def pre_score(self, feasible: Index) -> Status:
        """Pods that ask for none of the resources are left out, lest they all go to one node."""
        return SUCCESS if self._asks else SKIP

    @cached_property
    def _asks(self) -> bool:
        """Whether the pod requests any of the resources."""
        return any(self._counted.get(resource) for resource in self._resources)

    @cached_property
    def _given(self) -> dict[str, ClassTotals]:
        return totals_of(self.snapshot, self._resources, self._counted)

    def _amounts(self, rows: Index) -> tuple[Ints, Ints, Ints]:
        scored, counted = self._resources, self._counted
        return asked_and_allocatable(self.snapshot, rows, scored, counted, non_zero=False, given=self._given)

    def score(self, feasible: Index) -> Ints:
        if not self._asks:
            # A profile without this PreScore scores such pods too.
            return np.zeros(len(feasible), np.int64)
        if self._given:
            return self._balances(feasible)
        by_improvement = self.release.rules.balances_by_improvement
        asked = self.name, by_improvement, tuple(self._resources), tuple(self._counted.items())
        return self.snapshot.nodes.kept.by_amounts(asked, self._balances).take(feasible)

    def _balances(self, rows: Index) -> Ints:
        asked, booked, allocatable = self._amounts(rows)
        if self.release.rules.balances_by_improvement:
            return improved_balance(asked, booked, allocatable)
        return balanced(asked, allocatable)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        asked, booked, allocatable = self._amounts(np.array([row]))
        return tuple(
            ResourceFraction(
                resource=resource,
                requested=int(asked[number, 0]),
                allocatable=int(allocatable[number, 0]),
                fraction=min(1.0, float(asked[number, 0] / allocatable[number, 0])),
                change=self._change(number, asked, booked, allocatable),
            )
            for number, resource in enumerate(self._resources)
            if allocatable[number, 0]
        )

    def _change(self, number: int, asked: Ints, booked: Ints, allocatable: Ints) -> BalanceChange | None:
        """What the pod changes on one node; the amounts have shape (K, 1)."""
        if not self.release.rules.balances_by_improvement:
            return None
        with_it, without = balanced(asked, allocatable)[0], balanced(booked, allocatable)[0]
        return BalanceChange(int(booked[number, 0]), int(with_it), int(without))
