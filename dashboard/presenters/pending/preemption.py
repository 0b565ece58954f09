"""Preemption in a cluster: which workloads would lose pods now, and to which pending ones."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.analysis import PreemptionOutcome
from clusters.wording import pods as words
from clusters.wording.evaluation import counted

if TYPE_CHECKING:
    from clusters.engine.scheduling import Candidate
    from clusters.services.pending.preemptors import ClusterPreemptors, PendingPreemptor, WorkloadRisk

# So many of a workload's pods, and of those that preempt them, have a link.
_NAMED = 5


class RiskRow(NamedTuple):
    """A workload that would lose pods; at least so many, unless ``is_whole``."""

    risk: WorkloadRisk
    is_whole: bool

    @property
    def title(self) -> str:
        """The workload's name."""
        return words.workload(self.risk.workload)

    @property
    def selected(self) -> str:
        """How many pods would be removed now."""
        return counted(len(self.risk.selected), is_whole=self.is_whole)

    @property
    def possible(self) -> str:
        """How many pods are victims on any candidate node."""
        return counted(self.risk.possible, is_whole=self.is_whole)

    @property
    def pods(self) -> list[tuple[str, str]]:
        """Namespace and name of the pods that are named."""
        return [(namespace, name) for namespace, _, name in (key.partition("/") for key in self.risk.selected[:_NAMED])]

    @property
    def more_pods(self) -> int:
        """How many pods are not named."""
        return len(self.risk.selected[_NAMED:])

    @property
    def preemptors(self) -> list[tuple[PendingPreemptor, Candidate]]:
        """Pending pods that would remove them, each with the node that the scheduler would select."""
        return [(each, each.found.candidates[each.found.selected]) for each in self.risk.preemptors[:_NAMED]]

    @property
    def more_preemptors(self) -> int:
        """How many pending pods are not named."""
        return sum(each.number for each in self.risk.preemptors[_NAMED:])


def others(found: ClusterPreemptors) -> list[tuple[str, int]]:
    """Count the pending pods that preempt none, by why."""
    counts = Counter[PreemptionOutcome]()
    for each in found.preemptors:
        if each.found.outcome is not PreemptionOutcome.MAKES_ROOM:
            counts[each.found.outcome] += each.number
    return [(str(words.OTHERS[outcome]), number) for outcome, number in counts.most_common()]
