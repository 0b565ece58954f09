"""What the journal says of the test world, held against the chronicle: rates, and everything about each exception."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusters.models import Cluster, Decision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.controlplane.chronicle import Chronicle, Fate

Kind, Verdict = Decision.Kind, Decision.Verdict
DEFAULT_SCHEDULER = "default-scheduler"
_HOLDS = frozenset({Verdict.AGREES, Verdict.SAMPLED})
_NOT_JUDGED = frozenset({Verdict.UNJUDGED, Verdict.WAITING})
_PREEMPTION = "PreemptionByScheduler"


@dataclass(slots=True)
class Findings:
    """All decisions of a cluster, by the pods that they are about, beside what became of these pods."""

    cluster: Cluster
    chronicle: Chronicle
    decisions: list[Decision] = field(init=False)
    _of_pod: dict[tuple[str, str], list[Decision]] = field(init=False)

    def __post_init__(self) -> None:
        self.decisions = list(Decision.objects.filter(cluster=self.cluster).order_by("pk"))
        self._of_pod = defaultdict(list)
        for decision in self.decisions:
            self._of_pod[decision.pod_uid, decision.kind].append(decision)

    def of(self, fate: Fate, kind: Decision.Kind) -> list[Decision]:
        return self._of_pod.get((fate.uid, kind), [])

    def counts(self) -> dict[str, int]:
        """Return how many decisions there are of each kind and verdict."""
        found = Counter(" ".join(filter(None, (each.kind, each.verdict, each.reason))) for each in self.decisions)
        return dict(sorted(found.items()))

    def judged(self) -> list[Decision]:
        return [each for each in self.decisions if each.verdict not in _NOT_JUDGED]

    def unjudged(self) -> list[Decision]:
        """Return what could have been judged, and was not."""
        computed = {Kind.BOUND, Kind.UNSCHEDULABLE, Kind.NOMINATED}
        return [
            each
            for each in self.decisions
            if each.kind in computed and each.scheduler_name == DEFAULT_SCHEDULER and each.verdict in _NOT_JUDGED
        ]

    def disagreements(self) -> list[Decision]:
        """Return the decisions that disagree in a state that is known."""
        return [each for each in self._exceptions() if each.reason != Decision.Reason.LAG]

    def uncertain_states(self) -> list[Decision]:
        """Return the decisions that disagree where more happened around them than the states nearby cover."""
        return [each for each in self._exceptions() if each.reason == Decision.Reason.LAG]

    def agreement(self) -> float:
        """Return which part of what was judged agrees, 1 where nothing was."""
        return 1 - len(self._exceptions()) / max(1, len(self.judged()))

    def sampled(self) -> float:
        """Return which part of what was judged agrees within sampling, 0 where nothing was."""
        judged = self.judged()
        return sum(each.verdict == Verdict.SAMPLED for each in judged) / max(1, len(judged))

    def _exceptions(self) -> list[Decision]:
        return [each for each in self.judged() if each.verdict not in _HOLDS]

    def contradictions(self) -> Iterator[str]:
        """Yield what the journal says otherwise than the chronicle: decisions that lack, are doubled or wrong."""
        for fate in self.chronicle.placed():
            bound = self.of(fate, Kind.BOUND)
            if [each.node_name for each in bound] != [fate.node]:
                yield f"{fate} was placed on {fate.node}, the journal says {[each.node_name for each in bound]}"
        for fate in list(self.chronicle.fates.values()):
            yield from self._contradictions_of(fate)

    def _contradictions_of(self, fate: Fate) -> Iterator[str]:
        gated = len(self.of(fate, Kind.GATED))
        if gated != fate.was_gated:
            yield f"{fate} was gated: {fate.was_gated}, the journal says so {gated} times"
        written = [each.message for each in self.of(fate, Kind.UNSCHEDULABLE)]
        # Messages that followed each other within one batch are one; the last one of each wait is never lost.
        if not set(written) <= set(fate.messages) or (fate.messages[-1:] and fate.messages[-1] not in written):
            yield f"{fate} heard {fate.messages}, the journal says {written}"
        preempted = self.of(fate, Kind.PREEMPTED)
        if len(preempted) != (_PREEMPTION in fate.disruptions):
            yield f"{fate} was disrupted by {fate.disruptions}, the journal says preempted {len(preempted)} times"
        for decision in preempted:
            preemptor = self.chronicle.fates.get(decision.preemptor_uid)
            if preemptor is None or preemptor.name != decision.preemptor_name:
                yield f"{fate} was preempted by {decision.preemptor_uid or 'nobody'} {decision.preemptor_name}"
        if len(self.of(fate, Kind.EVICTED)) != bool(fate.disruptions - {_PREEMPTION}):
            yield f"{fate} was disrupted by {fate.disruptions}, the journal says evicted otherwise"

    def texts_that_differ(self) -> list[Decision]:
        """Return refusals that agree although Berth's words are not the scheduler's to the letter."""
        refused = [each for each in self.judged() if each.kind == Kind.UNSCHEDULABLE and each.verdict == Verdict.AGREES]
        return [each for each in refused if (each.explanation and each.explanation.message) != each.message]

    def describe(self, decision: Decision) -> str:
        """Return all that is known about a decision, and what happened around it."""
        ours = decision.explanation
        lines = [
            (
                f"{decision.kind} {decision.namespace}/{decision.name} {decision.node_name or 'nowhere'}: "
                f"{decision.verdict} {decision.reason}, basis {decision.basis}, version {decision.resource_version}"
            ),
            f"  theirs: {decision.message}",
        ]
        if ours is not None:
            lines += [
                f"  ours:   {ours.message}",
                f"  chosen: {ours.nodes}",
                f"  choice: {ours.choice}, feasible {ours.feasible_count}, sampling {ours.sampling}",
                f"  preemption: {ours.preemption}",
            ]
        around = self.chronicle.around(int(decision.resource_version)) if decision.resource_version else []
        return "\n".join([*lines, *(f"    {entry}" for entry in around)])
