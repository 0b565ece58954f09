"""How a number comes about: steps with the cluster's own numbers, each applied to what the steps before it come to."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.lessons.values.value import NumberUnit

# Of more alike operands than so many the rest are one.
_MOST_ALIKE: Final = 8
_PERCENT: Final = 100


class Sign(enum.StrEnum):
    """What a step does with what came before it; ROUNDED states the outcome of a rounding."""

    PLUS = "+"
    MINUS = "−"
    TIMES = "×"
    OVER = "÷"
    AT_LEAST = "≥"
    AT_MOST = "≤"
    ROUNDED = "≈"


class OperandKind(enum.StrEnum):
    """What an operand is; ``of`` of the operand names whose, or says what it was made of."""

    ALLOCATABLE = "allocatable"
    CAPACITY = "capacity"
    CONTAINER = "container"
    INIT_CONTAINER = "init-container"
    INIT_BESIDE_SIDECARS = "init-beside-sidecars"
    POD_LEVEL = "pod-level"
    OVERHEAD = "overhead"
    POD = "pod"
    NODE = "node"
    FREE_BY_REQUEST = "free-by-request"
    OTHERS = "others"
    REQUESTED = "requested"
    PODS_ON = "pods-on"
    HARD = "hard"
    USED = "used"
    ZERO = "zero"
    NODES = "nodes"
    FEW_NODES = "few-nodes"
    REJECTED_BY = "rejected-by"
    PERCENTAGE = "percentage"
    NODES_DIVIDED = "nodes-divided"
    HEALTHY = "healthy"
    REQUIRED = "required"
    EXPECTED = "expected"
    MIN_AVAILABLE = "min-available"
    MIN_AVAILABLE_SHARE = "min-available-share"
    MAX_UNAVAILABLE = "max-unavailable"
    MAX_UNAVAILABLE_SHARE = "max-unavailable-share"
    MATCHING = "matching"
    ITSELF = "itself"
    MINIMUM = "minimum"
    SYSTEM_RESERVED = "system-reserved"
    KUBE_RESERVED = "kube-reserved"
    EVICTION_HARD = "eviction-hard"
    HUGE_PAGES = "huge-pages"
    MINIMUM_RECLAIM = "minimum-reclaim"
    TOLERATED = "tolerated"
    NOT_TOLERATED = "not-tolerated"
    NODE_CRITICAL = "node-critical"
    GUARANTEED = "guaranteed"
    BEST_EFFORT = "best-effort"
    MEMORY_SHARE = "memory-share"
    LEAST = "least"
    MOST = "most"
    START = "start"
    PRIORITY_CLASS = "priority-class"
    NO_PRIORITY_CLASS = "no-priority-class"
    GRACE_PERIOD = "grace-period"
    ZONE_NORMAL = "zone-normal"
    ZONE_FULL = "zone-full"
    ZONE_LARGE = "zone-large"
    ZONE_SMALL = "zone-small"
    NONE_READY = "none-ready"
    PLUGIN = "plugin"
    RESOURCE_SCORE = "resource-score"
    WEIGHTS = "weights"
    ROUNDED = "rounded"


@dataclass(frozen=True, slots=True)
class Operand:
    """A step of the arithmetic. ``unit``: in what it counts where that is not the unit of the result."""

    sign: Sign
    kind: OperandKind
    number: Fraction
    of: tuple[str, ...] = ()
    unit: NumberUnit | None = None

    @property
    def factor(self) -> Fraction:
        """The number that is calculated with: a percentage is a part of a hundred."""
        return self.number / _PERCENT if self.unit == "percent" else self.number


def first(kind: OperandKind, number: Fraction | int, *of: str, unit: NumberUnit | None = None) -> Operand:
    """Return what an arithmetic starts with."""
    return Operand(Sign.PLUS, kind, Fraction(number), of, unit)


def then(sign: Sign, kind: OperandKind, number: Fraction | int, *of: str, unit: NumberUnit | None = None) -> Operand:
    """Return a step."""
    return Operand(sign, kind, Fraction(number), of, unit)


def summed(kind: OperandKind, amounts: Sequence[tuple[str, Fraction]]) -> tuple[Operand, ...]:
    """Return the sum of what several of one kind have, by name; of many the last ones are one operand."""
    shown = len(amounts) if len(amounts) <= _MOST_ALIKE + 1 else _MOST_ALIKE
    named = [Operand(Sign.PLUS, kind, number, (name,)) for name, number in amounts[:shown]]
    if rest := amounts[shown:]:
        whole = sum((number for _, number in rest), Fraction(0))
        named.append(Operand(Sign.PLUS, OperandKind.OTHERS, whole, (str(len(rest)),)))
    return tuple(named)


def outcome(steps: Iterable[Operand]) -> Fraction:
    """Return what steps come to."""
    found = Fraction(0)
    for step in steps:
        match step.sign:
            case Sign.PLUS:
                found += step.number
            case Sign.MINUS:
                found -= step.number
            case Sign.TIMES:
                found *= step.factor
            case Sign.OVER:
                found /= step.number
            case Sign.AT_LEAST:
                found = max(found, step.number)
            case Sign.AT_MOST:
                found = min(found, step.number)
            case Sign.ROUNDED:
                found = step.number
    return found
