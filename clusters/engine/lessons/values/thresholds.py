"""From which amount on a kubelet evicts, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.kubelet.signals import Signal
from clusters.engine.lessons.problems import CapacityUnknown, NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.lessons.values.working import Operand, OperandKind, Sign, first, outcome, then
from clusters.engine.resources.requests import EPHEMERAL_STORAGE, MEMORY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.kubelet.thresholds import EvictionThreshold
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation

# What a node reports of the capacity that a signal is measured against; of other file systems it reports nothing.
_CAPACITIES: Final[Mapping[Signal, str]] = {Signal.MEMORY: MEMORY, Signal.NODE_FS: EPHEMERAL_STORAGE}
_OF_BYTES: Final = (Signal.MEMORY, Signal.NODE_FS, Signal.IMAGE_FS)


@dataclass(frozen=True, slots=True)
class EvictionThresholdValue(NumberValue):
    """``evictionThreshold {node, signal}``: below which amount the kubelet of a node evicts at once.

    ``signal`` is one of evictionHard, such as ``memory.available``. A percentage is of what the node has.
    """

    node: str
    signal: Signal

    name: ClassVar[str] = "evictionThreshold"
    arguments: ClassVar[tuple[str, ...]] = ("node", "signal")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.name("node"), Signal(fields.choice("signal", tuple(map(str, Signal)))))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.BYTES if self.signal in _OF_BYTES else NumberUnit.COUNT

    def of(self, situation: Situation) -> Fraction:
        threshold, capacity = self.found(situation)
        return Fraction(threshold.amount.of(capacity))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        threshold, capacity = self.found(situation)
        if not threshold.amount.percent:
            return (first(OperandKind.EVICTION_HARD, threshold.amount.units),)
        percentage = Fraction(threshold.amount.percent)
        steps = (
            first(OperandKind.CAPACITY, capacity, self.node),
            then(Sign.TIMES, OperandKind.EVICTION_HARD, percentage, unit=NumberUnit.PERCENT),
        )
        amount = threshold.amount.of(capacity)
        return steps if outcome(steps) == amount else (*steps, then(Sign.ROUNDED, OperandKind.ROUNDED, amount))

    def found(self, situation: Situation) -> tuple[EvictionThreshold, int]:
        """The hard threshold, and the capacity that it is of. Raises UnsolvableError."""
        situation.chosen_nodes(self.node)
        hard = {each.signal: each for each in situation.kubelet.thresholds if each.is_hard}
        if self.signal not in hard:
            raise UnsolvableError(NotInSituation(str(self.signal), tuple(map(str, hard))))
        threshold = hard[self.signal]
        resource = _CAPACITIES.get(self.signal)
        capacity = situation.capacity_of(self.node, resource) if resource else 0
        if not capacity and (threshold.amount.percent or threshold.reclaim.percent):
            raise UnsolvableError(CapacityUnknown(self.node, str(self.signal)))
        return threshold, capacity


@dataclass(frozen=True, slots=True)
class ReclaimTargetValue(EvictionThresholdValue):
    """``reclaimTarget {node, signal}``: how much has to be available again before the kubelet stops evicting."""

    name: ClassVar[str] = "reclaimTarget"

    def of(self, situation: Situation) -> Fraction:
        threshold, capacity = self.found(situation)
        return Fraction(threshold.target(capacity))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        threshold, capacity = self.found(situation)
        reclaim = then(Sign.PLUS, OperandKind.MINIMUM_RECLAIM, threshold.reclaim.of(capacity))
        return (first(OperandKind.EVICTION_HARD, threshold.amount.of(capacity)), reclaim)
