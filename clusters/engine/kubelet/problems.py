"""Why a kubelet would not start with a configuration; what any field can be is with the shared problems."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotAKubeletConfiguration(Problem):
    """A document of another kind, ``found``, or of another apiVersion than ``right``."""

    found: str
    right: str


@dataclass(frozen=True, slots=True)
class UnknownSignal(Problem):
    """A signal that the kubelet does not measure."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotAPercentage(Problem):
    """A text that ends with % and is no number before it."""

    found: str


@dataclass(frozen=True, slots=True)
class PercentageOutOfRange(Problem):
    """A percentage of a threshold below 0 or above 100."""

    found: str


@dataclass(frozen=True, slots=True)
class ThresholdNotPositive(Problem):
    """An amount of 0 or less as a threshold, or as a percentage to reclaim."""

    found: str


@dataclass(frozen=True, slots=True)
class NegativeGracePeriod(Problem):
    """A grace period below 0."""

    found: str


@dataclass(frozen=True, slots=True)
class SoftWithoutGracePeriod(Problem):
    """A soft threshold of a signal that has no grace period."""

    signal: str


@dataclass(frozen=True, slots=True)
class NotReservable(Problem):
    """A resource that cannot be reserved for the system or the kubelet."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LowNotBelowHigh(Problem):
    """Image garbage collection that would stop at no less than where it begins, both in percent."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class MaximumAgeTooShort(Problem):
    """An imageMaximumGCAge below 0, or no longer than imageMinimumGCAge."""

    found: str
    least: str


@dataclass(frozen=True, slots=True)
class ShutdownPeriodTooShort(Problem):
    """A grace period of a shutdown that is neither 0 nor at least a second."""

    found: str


@dataclass(frozen=True, slots=True)
class CriticalPeriodTooLong(Problem):
    """A period for critical pods that is longer than the whole shutdown."""

    found: str
    whole: str


@dataclass(frozen=True, slots=True)
class ShutdownPeriodsTwice(Problem):
    """Periods by priority beside the other two fields."""
