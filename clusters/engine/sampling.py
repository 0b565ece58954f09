"""How many nodes the scheduler looks for before it stops searching.

Upstream: ``numFeasibleNodesToFind``, ``hasScoring`` and ``hasExtenderFilters`` in ``pkg/scheduler/schedule_one.go``
v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration.plugin_sets import MULTI_POINT
from clusters.engine.versions import ExtensionPoint

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile

_SCORES: Final = frozenset({MULTI_POINT, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE})
LEAST_WANTED: Final = 100
LEAST_PERCENTAGE: Final = 5
MOST_PERCENTAGE: Final = 50
NODES_PER_PERCENT: Final = 125


@dataclass(frozen=True, slots=True)
class Sampling:
    """``wanted`` feasible nodes end the search among ``nodes``; from which node it starts cannot be known."""

    nodes: int
    wanted: int

    @classmethod
    def of(cls, percentage: int, nodes: int) -> Sampling:
        """``percentage`` 0 lets the size of the cluster decide: 50 % of 100 nodes down to 5 %."""
        if nodes < LEAST_WANTED:
            return cls(nodes, nodes)
        return cls(nodes, max(nodes * searched_percentage(percentage, nodes) // 100, LEAST_WANTED))

    @property
    def complete(self) -> bool:
        """Whether every node is looked at, whatever is found."""
        return self.wanted >= self.nodes


def searched_percentage(percentage: int, nodes: int) -> int:
    """The percentage of so many nodes that is looked for, before the least number of nodes is taken into account."""
    return percentage or max(MOST_PERCENTAGE - nodes // NODES_PER_PERCENT, LEAST_PERCENTAGE)


def foreign_scorers(profile: Profile) -> tuple[str, ...]:
    """The foreign plugins that score nodes, so that another node than the computed one may be best."""
    return tuple(name for name, points in profile.unknown_plugins.items() if not _SCORES.isdisjoint(points))


def sampling_of(profile: Profile, nodes: int) -> Sampling:
    """How many nodes a profile looks for among so many.

    Where nothing scores, and no extender filters, any node is as good as another, and one is enough.
    """
    chooses = any(each.filter_verb or each.prioritize_verb for each in profile.extenders)
    if profile.score or foreign_scorers(profile) or chooses:
        return Sampling.of(profile.percentage_of_nodes_to_score, nodes)
    return Sampling(nodes, min(1, nodes))
