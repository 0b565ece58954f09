"""Preemption in a cluster: which workloads would lose pods now, and to whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.analysis import PreemptionOutcome
from clusters.wording.evaluation import counted
from clusters.wording.pods import preemption as words

if TYPE_CHECKING:
    from clusters.services.pending.preemptors import ClusterPreemptors, PendingPreemptor, WorkloadRisk

# So many of a workload's pods, and of those that preempt them, have a link.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class PreemptingView:
    """Pending pods of one making: the first of them, how many there are, and what the scheduler would select."""

    namespace: str
    name: str
    more: str
    priority: str
    node: str
    budgets: str


@dataclass(frozen=True, slots=True)
class RiskView:
    """A workload that would lose pods; `page` holds what its address needs."""

    kind: str
    namespace: str
    name: str
    title: str
    selected: str
    pods: tuple[tuple[str, str], ...]
    more: str
    possible: str
    preemptors: tuple[PreemptingView, ...]
    more_preemptors: str


def sentence(found: ClusterPreemptors) -> str:
    """Say how many pods would go, and for how many."""
    return words.cluster_headline(**found.counts._asdict(), evaluating=found.evaluating)


def others(found: ClusterPreemptors) -> list[tuple[str, int]]:
    """Count the pending pods that preempt none, by why."""
    counts = Counter[PreemptionOutcome]()
    for each in found.preemptors:
        if each.found.outcome is not PreemptionOutcome.MAKES_ROOM:
            counts[each.found.outcome] += each.number
    return [(str(words.OTHERS[outcome]), number) for outcome, number in counts.most_common()]


def risk_view(risk: WorkloadRisk, *, is_whole: bool) -> RiskView:
    """Present what one workload would lose, or at least."""
    named, workload = risk.selected[:_NAMED], risk.workload
    hidden, unnamed = len(risk.selected) - len(named), len(risk.preemptors) - _NAMED
    return RiskView(
        kind=workload.kind,
        namespace=workload.namespace,
        name=workload.name,
        title=words.workload(workload),
        selected=counted(len(risk.selected), is_whole=is_whole),
        pods=tuple((namespace, name) for namespace, _, name in (key.partition("/") for key in named)),
        more=words.MORE_PODS(pods=hidden) if hidden else "",
        possible=counted(risk.possible, is_whole=is_whole),
        preemptors=tuple(map(_preempting, risk.preemptors[:_NAMED])),
        more_preemptors=words.MORE_PODS(pods=sum(each.number for each in risk.preemptors[_NAMED:]))
        if unnamed > 0
        else "",
    )


def _preempting(each: PendingPreemptor) -> PreemptingView:
    (namespace, name), candidate = each.names[0], each.found.candidates[each.found.selected]
    return PreemptingView(
        namespace=namespace,
        name=name,
        more=words.MORE_ALIKE(pods=each.number - 1) if each.number > 1 else "",
        priority=words.priority(each.found.priority, each.priority_class),
        node=candidate.node,
        budgets=words.BUDGETS_VIOLATED(victims=candidate.pdb_violations) if candidate.pdb_violations else "",
    )
