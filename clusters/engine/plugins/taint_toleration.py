"""TaintToleration: untolerated NoSchedule and NoExecute taints reject, untolerated PreferNoSchedule taints cost.

Upstream: ``pkg/scheduler/framework/plugins/tainttoleration`` v1.34.1 to v1.37.2. Where it is not known whether the
scheduler compares numbers (TaintTolerationComparisonOperators), tolerations that do count, and the answer is open.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from clusters.engine.edits import Tolerate, TolerateEverything
from clusters.engine.evidence import ByMaximum, Comparison, ScorePart, Subject
from clusters.engine.matching import untolerated
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    ClusterEvent,
    Constraint,
    Effort,
    Plugin,
    Reads,
    by_maximum,
    normalise_by_maximum,
)
from clusters.engine.status import SUCCESS, FilterAnswer, Index, Ints, Mask, Reason, Status, unresolvable
from clusters.engine.taints import Taint, TaintMeaning, is_fixed, meaning_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.world import World


CORDON_TAINT = "node.kubernetes.io/unschedulable"
# What it takes until a taint that a component sets no longer stands.
_EFFORTS = {
    TaintMeaning.STARTING: Effort.HEALTH,
    TaintMeaning.LEAVING: Effort.HEALTH,
    TaintMeaning.VIRTUAL: Effort.HEALTH,
    TaintMeaning.UNHEALTHY: Effort.HEALTH,
    TaintMeaning.CORDONED: Effort.NODE,
    TaintMeaning.SYSTEM: Effort.SYSTEM,
}


class TaintSubject(Subject, frozen=True):
    """A taint that keeps out pods which do not tolerate it."""

    kind: ClassVar[str] = "taint"

    taint: Taint


TOLERATIONS = "spec.tolerations"


class Untolerated(Reason, frozen=True):
    """The first taint of a node that the pod does not tolerate; ``key`` is empty where the scheduler names none."""

    kind = "untolerated"
    plugin = "TaintToleration"

    key: str = ""
    value: str = ""

    def __str__(self) -> str:
        if not self.key:
            return "node(s) had untolerated taint(s)"
        return f"node(s) had untolerated taint {{{self.key}: {self.value}}}"


class TaintComparison(Comparison, frozen=True):
    """A NoSchedule or NoExecute taint of the node, and whether the pod tolerates it."""

    kind = "taint"

    taint: Taint
    tolerated: bool

    @property
    def holds(self) -> bool:
        return self.tolerated


class UntoleratedTaints(ScorePart, frozen=True):
    """The PreferNoSchedule taints of the node that the pod does not tolerate; their number is the raw score."""

    kind = "prefer-no-schedule-taints"

    taints: tuple[Taint, ...]


class TaintToleration(Plugin):
    """Filters by taints that forbid; scores by taints that dissuade."""

    name = "TaintToleration"
    reads = Reads.NODES
    requeue_on = (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT, ClusterEvent.POD_TOLERATION)
    colour = "ochre"
    is_lifted_by_adding = True
    has_reasons_by_node = True
    whole = (TolerateEverything(),)

    @property
    def unprepared_score(self) -> str:
        return 'failed to read "PreScoreTaintToleration" from cycleState: not found'

    @cached_property
    def _untolerated(self) -> tuple[Taint, ...]:
        """Distinct scheduling taints of the cluster that the pod does not tolerate."""
        return tuple(taint for taint in self._left if taint.forbids_scheduling)

    @cached_property
    def _left(self) -> dict[Taint, None]:
        """Distinct taints of the cluster, of any effect, that the pod does not tolerate."""
        return untolerated(self.snapshot.nodes.taint_sets, self.context.tolerations)

    @property
    def uncomputed(self) -> str:
        if not self.context.is_comparison_open:
            return ""
        plain = [each for each in self.pod.tolerations if not each.compares_numbers]
        return TOLERATIONS if untolerated(self.snapshot.nodes.taint_sets, plain).keys() != self._left.keys() else ""

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if lifted:
            return self._without(lifted)
        asked = self.name, self.context.tolerations, self.release.rules.names_taints
        return self.snapshot.nodes.kept.by_nodes(asked, lambda: self._without(NOTHING_LIFTED))

    def _without(self, lifted: frozenset[int]) -> FilterAnswer:
        """The answer without some constraints."""
        forbidding = {taint for number, taint in enumerate(self._untolerated) if number not in lifted}
        statuses = [
            next((self._reason(taint) for taint in taints if taint in forbidding), SUCCESS)
            for taints in self.snapshot.nodes.taint_sets
        ]
        return FilterAnswer.by_table(statuses, self.snapshot.nodes.taint_set)

    def _reason(self, taint: Taint) -> Status:
        if self.release.rules.names_taints:
            return unresolvable(Untolerated(taint.key, taint.value))
        return unresolvable(Untolerated())

    @classmethod
    def effort_of(cls, subject: Subject | None) -> Effort:
        meaning = meaning_of(subject.taint.key, subject.taint.value) if isinstance(subject, TaintSubject) else None
        return Effort.REQUIREMENT if meaning is None else _EFFORTS[meaning]

    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(
            Constraint(self.name, TaintSubject(taint), Tolerate(taint), is_fixed=is_fixed(taint.key, taint.value))
            for taint in self._untolerated
        )

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """Clusters can have as many taints as nodes, so they are looked up by set instead of judged one by one."""
        nodes = self.snapshot.nodes
        having: dict[Taint, list[int]] = {taint: [] for taint in self._untolerated}
        for number, taints in enumerate(nodes.taint_sets):
            for taint in taints:
                if taint in having:
                    having[taint].append(number)
        for numbers in having.values():
            standing = np.zeros(len(nodes.taint_sets), np.bool_)
            standing[numbers] = True
            yield standing[nodes.taint_set]

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        nodes = self.snapshot.nodes
        return tuple(
            TaintComparison(taint, taint not in self._untolerated)
            for taint in nodes.taint_sets[nodes.taint_set[row]]
            if taint.forbids_scheduling
        )

    # -- scoring -----------------------------------------------------------------------------------------

    def _disliked(self, taints: tuple[Taint, ...]) -> list[Taint]:
        return [taint for taint in taints if taint.effect == "PreferNoSchedule" and taint in self._left]

    def score(self, feasible: Index) -> Ints:
        return self.snapshot.nodes.kept.by_nodes((self.name, self.context.tolerations), self._counted).take(feasible)

    def _counted(self) -> Ints:
        """Shape (N,): raw scores."""
        nodes = self.snapshot.nodes
        counts = np.array([len(self._disliked(taints)) for taints in nodes.taint_sets], np.int64)
        return counts[nodes.taint_set]

    def normalise(self, scores: Ints) -> Ints:
        return normalise_by_maximum(scores, reverse=True)

    def normalisation(self, scores: Ints, number: int) -> ByMaximum:
        return by_maximum(scores, number, reverse=True)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        nodes = self.snapshot.nodes
        return (UntoleratedTaints(tuple(self._disliked(nodes.taint_sets[nodes.taint_set[row]]))),)
