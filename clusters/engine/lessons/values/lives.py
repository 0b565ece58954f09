"""What becomes of pods and nodes that are in trouble: how long pods stay, who is killed first, how fast nodes go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.disruption.taint_eviction import NO_EXECUTE, driven_out, taint_stay
from clusters.engine.kubelet.oom import OomScore, ScoreGround, oom_scores
from clusters.engine.lessons.problems import NotInSituation, PodHasNoNode, StaysForEver
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.amounts import as_quantity
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.lessons.values.working import Operand, OperandKind, Sign, first, then
from clusters.engine.nodes.lifecycle import SECOND, ZoneDisruption, ZoneState, grace_period, zone_disruptions
from clusters.engine.objects import Pod
from clusters.engine.resources.requests import MEMORY

if TYPE_CHECKING:
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation

# Of a zone in which no node is tainted, and of one in which some are.
_ZONE_KINDS: Final = {
    ZoneState.NORMAL: (OperandKind.NONE_READY, OperandKind.ZONE_NORMAL),
    ZoneState.PARTIAL: (OperandKind.ZONE_SMALL, OperandKind.ZONE_LARGE),
    ZoneState.FULL: (OperandKind.NONE_READY, OperandKind.ZONE_FULL),
}
_OOM_CONSTANTS: Final = {
    ScoreGround.NODE_CRITICAL: OperandKind.NODE_CRITICAL,
    ScoreGround.GUARANTEED: OperandKind.GUARANTEED,
    ScoreGround.BEST_EFFORT: OperandKind.BEST_EFFORT,
}
_OOM_BOUNDS: Final = {
    ScoreGround.LEAST: (Sign.AT_LEAST, OperandKind.LEAST),
    ScoreGround.MOST: (Sign.AT_MOST, OperandKind.MOST),
}


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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        node = situation.snapshot.nodes.nodes[situation.snapshot.nodes.index[_node_of(situation, self.pod)]]
        tolerations = (situation.pod(self.pod).get("spec") or {}).get("tolerations") or ()
        stays = [taint_stay(taint, tolerations) for taint in node.taints if taint.effect == NO_EXECUTE]
        steps = [
            then(
                Sign.AT_MOST,
                OperandKind.TOLERATED if each.is_tolerated else OperandKind.NOT_TOLERATED,
                each.seconds,
                each.taint.key,
            )
            for each in stays
            if each.seconds is not None
        ]
        return tuple(replace(each, sign=Sign.AT_MOST if number else Sign.PLUS) for number, each in enumerate(steps))


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
        found = self.found(situation)
        return Fraction(found.score or 0)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        found, memory = self.found(situation), situation.capacity_of(_node_of(situation, self.pod))
        if (kind := _OOM_CONSTANTS.get(found.ground)) is not None:
            return (first(kind, found.score or 0),)
        requested = as_quantity(MEMORY, found.requested), as_quantity(MEMORY, memory)
        share = then(Sign.MINUS, OperandKind.MEMORY_SHARE, 1000 * found.requested // memory, *requested)
        steps = (first(OperandKind.START, 1000), share)
        if (bound := _OOM_BOUNDS.get(found.ground)) is not None:
            return (*steps, then(bound[0], bound[1], found.score or 0))
        return steps

    def found(self, situation: Situation) -> OomScore:
        """The container that the kernel kills first. Raises UnsolvableError."""
        memory = situation.capacity_of(_node_of(situation, self.pod))
        return max(oom_scores(situation.pod(self.pod), memory), key=lambda each: each.score or 0)


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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        name = (situation.pod_or_subject(self.pod).get("spec") or {}).get("priorityClassName") or ""
        kind = OperandKind.PRIORITY_CLASS if name else OperandKind.NO_PRIORITY_CLASS
        return (first(kind, self.of(situation), *filter(None, (name,))),)


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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        return (first(OperandKind.GRACE_PERIOD, self.of(situation), situation.release.minor),)


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
        pause = self.found(situation).pause
        return Fraction(0) if pause is None else Fraction(SECOND, pause)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        found = self.found(situation)
        paused, going = _ZONE_KINDS[found.state]
        kind = paused if found.pause is None else going
        return (first(kind, self.of(situation), f"{found.not_ready}", f"{found.size}"),)

    def found(self, situation: Situation) -> ZoneDisruption:
        """The zone. Raises UnsolvableError."""
        zones = {found.zone: found for found in zone_disruptions(situation.snapshot).values()}
        if self.zone not in zones:
            raise UnsolvableError(NotInSituation(self.zone, tuple(zones)))
        return zones[self.zone]


def _node_of(situation: Situation, pod: str) -> str:
    """The node that a pod runs on. Raises UnsolvableError."""
    node = Pod(situation.pod(pod)).node_name
    if not node:
        raise UnsolvableError(PodHasNoNode(pod))
    return node
