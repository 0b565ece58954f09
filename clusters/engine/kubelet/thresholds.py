"""From which amount on a kubelet evicts: thresholds, what they are of a node's capacity, and how they are written.

Upstream: ``ParseThresholdConfig`` and ``UpdateContainerFsThresholds`` of ``pkg/kubelet/eviction/helpers.go``,
``GetThresholdQuantity`` of ``pkg/kubelet/eviction/api/types.go`` and ``pkg/kubelet/eviction/defaults_*.go``, v1.34.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from clusters.engine.configuration.errors import ConfigurationError
from clusters.engine.configuration.fields import ConfigurationFields
from clusters.engine.kubelet.problems import (
    NegativeGracePeriod,
    NotAPercentage,
    PercentageOutOfRange,
    SoftWithoutGracePeriod,
    ThresholdNotPositive,
    UnknownSignal,
)
from clusters.engine.kubelet.signals import FilesystemLayout, Signal
from clusters.engine.problems import BelowLeast
from clusters.engine.resources.quantity import QuantityError, value
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LINUX_DEFAULTS: Final[Mapping[str, str]] = {
    "memory.available": "100Mi",
    "nodefs.available": "10%",
    "nodefs.inodesFree": "5%",
    "imagefs.available": "15%",
    "imagefs.inodesFree": "5%",
}
WINDOWS_DEFAULTS: Final[Mapping[str, str]] = {
    "memory.available": "500Mi",
    "nodefs.available": "10%",
    "imagefs.available": "15%",
}
# With this among enforceNodeAllocatable the pods' cgroup is limited, and its memory is a signal of its own.
ENFORCED_FOR_PODS: Final = "pods"

_Parsed = TypeVar("_Parsed")
_GREATEST_FLOAT: Final = float(np.finfo(np.float32).max)
_PERCENTAGE: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class SignalAmount:
    """So many ``units`` (bytes, inodes or process ids), or with ``percent`` a share of the capacity, as written."""

    units: int = 0
    percent: str = ""

    @property
    def share(self) -> float:
        """The percentage as the kubelet holds it, a float of 32 bits from 0 to 1."""
        return float(np.float32(self.percent) / np.float32(100))

    def of(self, capacity: int) -> int:
        """The amount for a capacity, in its units; of a percentage truncated as upstream."""
        return int(float(capacity) * self.share) if self.percent else self.units


NOTHING: Final = SignalAmount()


@dataclass(frozen=True, slots=True)
class EvictionThreshold:
    """The kubelet evicts while the signal is below ``amount``, once that has lasted ``grace`` seconds.

    What it reclaims then ends only once ``reclaim`` more than the amount is available. ``is_of_soft``: it is one
    of evictionSoft.
    """

    signal: Signal
    amount: SignalAmount
    grace: Fraction = Fraction(0)
    reclaim: SignalAmount = NOTHING
    is_of_soft: bool = False

    @property
    def is_hard(self) -> bool:
        """Whether pods are evicted at once; so they are by a soft threshold without a grace period, too."""
        return not self.grace

    def target(self, capacity: int) -> int:
        """How much has to be available again before the kubelet stops evicting."""
        return self.amount.of(capacity) + self.reclaim.of(capacity)


def parse_thresholds(
    *,
    hard: Mapping[str, str],
    soft: Mapping[str, str],
    grace_periods: Mapping[str, str],
    minimum_reclaim: Mapping[str, str],
    enforced: Iterable[str],
) -> tuple[EvictionThreshold, ...]:
    """The thresholds of these texts by signal, the hard ones first. Raises ConfigurationError with the field's path."""
    hards = _each(hard, "evictionHard", _threshold_amount)
    softs = _each(soft, "evictionSoft", _threshold_amount)
    periods = _each(grace_periods, "evictionSoftGracePeriod", _grace)
    reclaims = _each(minimum_reclaim, "evictionMinimumReclaim", _reclaim)
    found = [EvictionThreshold(signal, amount) for signal, amount in hards.items() if amount is not None]
    for signal, amount in softs.items():
        if amount is None:
            continue
        if signal not in periods:
            raise ConfigurationError(f"evictionSoft.{signal}", SoftWithoutGracePeriod(signal))
        found.append(EvictionThreshold(signal, amount, periods[signal], is_of_soft=True))
    found = [replace(each, reclaim=reclaims.get(each.signal, NOTHING)) for each in found]
    if ENFORCED_FOR_PODS in enforced:
        found += [
            replace(each, signal=Signal.ALLOCATABLE_MEMORY)
            for each in found
            if each.signal is Signal.MEMORY and each.is_hard
        ]
    return tuple(found)


def thresholds_on(thresholds: Iterable[EvictionThreshold], layout: FilesystemLayout) -> tuple[EvictionThreshold, ...]:
    """The thresholds in force on a node whose file systems lie so.

    Those of containerfs are always copies: of imagefs where images and writable layers are together on one of their
    own, else of nodefs; what is configured for containerfs itself is ignored.
    """
    own = [each for each in thresholds if not each.signal.is_of_containers]
    together = layout is FilesystemLayout.IMAGES
    copied = {
        Signal.IMAGE_FS if together else Signal.NODE_FS: Signal.CONTAINER_FS,
        Signal.IMAGE_FS_INODES if together else Signal.NODE_FS_INODES: Signal.CONTAINER_FS_INODES,
    }
    return (*own, *(replace(each, signal=copied[each.signal]) for each in own if each.signal in copied))


def _each(texts: Mapping[str, str], field: str, parse: Callable[[str, str], _Parsed]) -> dict[Signal, _Parsed]:
    """Parse the texts by signal; each parser gets a text and its path."""
    found = {}
    for name, text in texts.items():
        path = f"{field}.{name}"
        if name not in set(Signal):
            raise ConfigurationError(path, UnknownSignal(shown(name), tuple(Signal)))
        found[Signal(name)] = parse(text, path)
    return found


def _threshold_amount(text: str, path: str) -> SignalAmount | None:
    """An amount below which pods are evicted; None for what the kubelet reads as no threshold at all."""
    if text in ("0%", "100%"):
        return None
    if text.endswith("%"):
        amount = _percentage(text, path)
        if not 0 <= amount.share <= 1:
            raise ConfigurationError(path, PercentageOutOfRange(shown(text)))
        return amount
    units = units_of(text, path)
    if units <= 0:
        raise ConfigurationError(path, ThresholdNotPositive(shown(text)))
    return SignalAmount(units)


def _reclaim(text: str, path: str) -> SignalAmount:
    if text.endswith("%"):
        amount = _percentage(text, path)
        if amount.share <= 0:
            raise ConfigurationError(path, ThresholdNotPositive(shown(text)))
        return amount
    units = units_of(text, path)
    if units < 0:
        raise ConfigurationError(path, BelowLeast(shown(text), 0))
    return SignalAmount(units)


def _percentage(text: str, path: str) -> SignalAmount:
    number = text.rstrip("%")
    # What a float of 32 bits cannot hold is none for the kubelet.
    if not _PERCENTAGE.fullmatch(number) or abs(float(number)) > _GREATEST_FLOAT:
        raise ConfigurationError(path, NotAPercentage(shown(text)))
    return SignalAmount(percent=number)


def _grace(text: str, path: str) -> Fraction:
    field, _, name = path.partition(".")
    seconds = ConfigurationFields({name: text}, field, (name,)).seconds(name) or Fraction(0)
    if seconds < 0:
        raise ConfigurationError(path, NegativeGracePeriod(shown(text)))
    return seconds


def units_of(text: str, path: str) -> int:
    """The whole units of a quantity, rounded up. Raises ConfigurationError."""
    try:
        return value(text)
    except QuantityError as error:
        raise ConfigurationError(path, error.problem) from None
