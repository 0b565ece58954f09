"""What becomes of pods and nodes that are in trouble: how long pods stay, who is killed first, how fast nodes go."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.disruption.taint_eviction import driven_out
from clusters.engine.kubelet.oom import oom_scores
from clusters.engine.lessons.problems import NotInSituation, PodHasNoNode, StaysForEver
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.nodes.lifecycle import SECOND, grace_period, zone_disruptions
from clusters.engine.objects import Pod

if TYPE_CHECKING:
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation


@dataclass(frozen=True, slots=True)
class StayValue(NumberValue):
    """``stays {pod}``: how many seconds a pod stays on its node after the NoExecute taints of the node came."""

    pod: str

    name: ClassVar[str] = "stays"
    arguments: ClassVar[tuple[str, ...]] = ("pod",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.key("pod"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.SECONDS

    def of(self, situation: Situation) -> Fraction:
        going = dict(driven_out(situation.snapshot, _node_of(situation, self.pod)))
        if self.pod not in going:
            raise UnsolvableError(StaysForEver(self.pod))
        return Fraction(going[self.pod])


@dataclass(frozen=True, slots=True)
class OomScoreValue(NumberValue):
    """``oomScore {pod}``: the oom_score_adj of a pod's container on its node, the highest where it has several."""

    pod: str

    name: ClassVar[str] = "oomScore"
    arguments: ClassVar[tuple[str, ...]] = ("pod",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.key("pod"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.POINTS

    def of(self, situation: Situation) -> Fraction:
        memory = situation.capacity_of(_node_of(situation, self.pod))
        return Fraction(max(each.score or 0 for each in oom_scores(situation.pod(self.pod), memory)))


@dataclass(frozen=True, slots=True)
class PriorityValue(NumberValue):
    """``priority {pod}``: the priority of a pod as admission has set it; without ``pod`` of the pod in question."""

    pod: str

    name: ClassVar[str] = "priority"
    arguments: ClassVar[tuple[str, ...]] = ("pod",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.key("pod") if fields.has("pod") else "")

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.POINTS

    def of(self, situation: Situation) -> Fraction:
        return Fraction(Pod(situation.pod_or_subject(self.pod)).priority)


@dataclass(frozen=True, slots=True)
class NodeGracePeriodValue(NumberValue):
    """``nodeMonitorGracePeriod``: after how many seconds without a word from its kubelet a node's Ready is Unknown."""

    name: ClassVar[str] = "nodeMonitorGracePeriod"

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls()

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.SECONDS

    def of(self, situation: Situation) -> Fraction:
        return Fraction(grace_period(situation.release.minor), SECOND)


@dataclass(frozen=True, slots=True)
class EvictionRateValue(NumberValue):
    """``evictionRate {zone}``: how many nodes of a zone that are not ready are tainted NoExecute in a second.

    ``zone`` is the value of the zone's label; left out, it means the nodes without one.
    """

    zone: str

    name: ClassVar[str] = "evictionRate"
    arguments: ClassVar[tuple[str, ...]] = ("zone",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.text_or_none("zone") or "")

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.NODES_PER_SECOND

    def of(self, situation: Situation) -> Fraction:
        zones = {found.zone: found for found in zone_disruptions(situation.snapshot).values()}
        if self.zone not in zones:
            raise UnsolvableError(NotInSituation(self.zone, tuple(zones)))
        pause = zones[self.zone].pause
        return Fraction(0) if pause is None else Fraction(SECOND, pause)


def _node_of(situation: Situation, pod: str) -> str:
    """The node that a pod runs on. Raises UnsolvableError."""
    node = Pod(situation.pod(pod)).node_name
    if not node:
        raise UnsolvableError(PodHasNoNode(pod))
    return node
