"""Which nodes cannot be drained now, and which budgets are in the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.disruption.budget import DisruptionBudget
    from clusters.engine.disruption.state import BudgetState


@dataclass(frozen=True, slots=True)
class BudgetRefusal:
    """What one budget does to the drain of one node: so many of its pods there are refused.

    ``shared``: how many of them because another budget selects them too. ``lasts``: whether waiting does not help.
    """

    budget: DisruptionBudget
    pods: int
    refused: int
    shared: int
    lasts: bool


@dataclass(frozen=True, slots=True)
class BlockedDrain:
    """A node whose drain budgets block."""

    node: str
    refusals: tuple[BudgetRefusal, ...]

    @property
    def lasts(self) -> bool:
        """Whether the drain stays blocked until somebody changes a budget."""
        return any(refusal.lasts for refusal in self.refusals)

    @property
    def most(self) -> int:
        """The most pods that one budget refuses; a pod of two budgets is refused once, so sums would count it twice."""
        return max(refusal.refused for refusal in self.refusals)


def blocked_drains(states: Iterable[BudgetState]) -> list[BlockedDrain]:
    """Every node whose drain some budget blocks: the lasting ones first, then those with the most refused pods."""
    found: dict[str, list[BudgetRefusal]] = {}
    for state in states:
        nodes = state.nodes
        for number in np.flatnonzero(nodes.refused).tolist():
            shared = int(nodes.shared[number])
            refusal = BudgetRefusal(
                budget=state.budget,
                pods=int(nodes.pods[number]),
                refused=int(nodes.refused[number]),
                shared=shared,
                lasts=state.is_blocker or shared > 0,
            )
            found.setdefault(nodes.names[number], []).append(refusal)
    drains = [BlockedDrain(node, tuple(refusals)) for node, refusals in found.items()]
    return sorted(drains, key=lambda drain: (not drain.lasts, -drain.most, drain.node))
