"""How many nodes the scheduler looks for before it stops searching.

Upstream: ``numFeasibleNodesToFind`` in ``pkg/scheduler/schedule_one.go`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass

_ALL_BELOW = 100
_LEAST_PERCENTAGE = 5


@dataclass(frozen=True, slots=True)
class Sampling:
    """``wanted`` feasible nodes end the search among ``nodes``; from which node it starts cannot be known."""

    nodes: int
    wanted: int

    @classmethod
    def of(cls, percentage: int, nodes: int) -> Sampling:
        """``percentage`` 0 lets the size of the cluster decide: 50 % of 100 nodes down to 5 %."""
        if nodes < _ALL_BELOW:
            return cls(nodes, nodes)
        share = percentage or max(50 - nodes // 125, _LEAST_PERCENTAGE)
        return cls(nodes, max(nodes * share // 100, _ALL_BELOW))

    @property
    def complete(self) -> bool:
        """Whether every node is looked at, whatever is found."""
        return self.wanted >= self.nodes
