"""A kubelet's configuration, as far as it decides what becomes of the pods on its node.

Upstream: ``loadConfigFile`` and ``parseResourceList`` of ``cmd/kubelet/app/server.go``,
``SetDefaults_KubeletConfiguration`` of ``pkg/kubelet/apis/config/v1beta1/defaults.go`` and
``ValidateKubeletConfiguration`` of ``pkg/kubelet/apis/config/validation``, v1.34.1, with the feature gates at their
defaults.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from clusters.engine.configuration.errors import ConfigurationError
from clusters.engine.configuration.fields import ConfigurationFields
from clusters.engine.disruption.pressure import CRITICAL
from clusters.engine.kubelet.known_fields import KNOWN_FIELDS
from clusters.engine.kubelet.problems import (
    CriticalPeriodTooLong,
    LowNotBelowHigh,
    MaximumAgeTooShort,
    NotAKubeletConfiguration,
    NotReservable,
    ShutdownPeriodsTwice,
    ShutdownPeriodTooShort,
)
from clusters.engine.kubelet.signals import Signal
from clusters.engine.kubelet.thresholds import (
    ENFORCED_FOR_PODS,
    LINUX_DEFAULTS,
    WINDOWS_DEFAULTS,
    EvictionThreshold,
    parse_thresholds,
    units_of,
)
from clusters.engine.problems import BelowLeast, NotAMap, NotAText, OutOfRange
from clusters.engine.resources.quantity import milli_value
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY
from clusters.engine.showing import shown

KIND: Final = "KubeletConfiguration"
API_VERSION: Final = "kubelet.config.k8s.io/v1beta1"
# What a kubelet answers at /configz has the configuration under this name.
ANSWERED: Final = "kubeletconfig"
PIDS: Final = "pid"
_RESERVABLE: Final = (CPU, MEMORY, EPHEMERAL_STORAGE, PIDS)
# PriorityClasses: pods without any have 0, and from this on pods are critical.
NO_PRIORITY, CRITICAL_PRIORITY = 0, CRITICAL


class SettingsOrigin(enum.StrEnum):
    """Whose configuration settings are read from."""

    DEFAULT = "default"
    """Nobody's: what a kubelet does without any."""
    GIVEN = "given"
    """Somebody gave it where it is asked for."""
    NODE = "node"
    """The source of the cluster's state has it for the node."""
    EVERY_NODE = "every-node"
    """The source has it, and names no node."""


class HardThresholds(enum.StrEnum):
    """Where the hard thresholds come from."""

    DEFAULT = "default"
    """evictionHard is not given, and all defaults hold."""
    GIVEN = "given"
    """evictionHard is given, and a default that it does not name is off."""
    MERGED = "merged"
    """evictionHard is given, and mergeDefaultEvictionSettings keeps the defaults that it does not name."""


@dataclass(frozen=True, slots=True)
class ImageCollection:
    """When the kubelet removes unused images: percentages of the file system with images, ages in seconds.

    A ``maximum_age`` of 0 is none.
    """

    high: int = 85
    low: int = 80
    minimum_age: Fraction = Fraction(120)
    maximum_age: Fraction = Fraction(0)

    @property
    def is_off(self) -> bool:
        """Whether images are removed by evictions alone."""
        return self.high == 100 and not self.maximum_age

    def starts_below(self, capacity: int) -> int:
        """Collection begins once fewer bytes than this are available: the share that is available is truncated."""
        return -(-capacity * (101 - self.high) // 100)

    def frees_to(self, capacity: int) -> int:
        """It removes images until so many bytes are available."""
        return capacity * (100 - self.low) // 100


@dataclass(frozen=True, slots=True)
class ShutdownPeriod:
    """Pods from this priority on get at most so many seconds when the node shuts down."""

    priority: int
    seconds: int


@dataclass(frozen=True, slots=True)
class KubeletSettings:
    """What a configuration comes to: times in seconds, reserved amounts in milli-CPU, bytes and process ids.

    ``off`` are signals that have a default threshold and none here; ``ignored`` fields that the kubelet does not know.
    """

    thresholds: tuple[EvictionThreshold, ...]
    hard: HardThresholds
    off: tuple[Signal, ...]
    pressure_transition: Fraction
    most_pod_grace: int
    system_reserved: Mapping[str, int]
    kube_reserved: Mapping[str, int]
    images: ImageCollection
    shutdown: tuple[ShutdownPeriod, ...]
    enforces_quota: bool
    ignored: tuple[str, ...]

    @classmethod
    def default(cls, *, is_windows: bool = False) -> KubeletSettings:
        """What a kubelet without any configuration does."""
        return cls.from_dict({"apiVersion": API_VERSION, "kind": KIND}, is_windows=is_windows)

    @classmethod
    def from_dict(cls, document: object, *, is_windows: bool = False) -> KubeletSettings:
        """Read a KubeletConfiguration, or a kubelet's answer at /configz, as the kubelet does.

        Raises ConfigurationError with the field's path where a kubelet would not start.
        """
        given = _body(document)
        ignored = tuple(sorted(name for name in given if name not in KNOWN_FIELDS))
        fields = ConfigurationFields({name: given[name] for name in given if name in KNOWN_FIELDS}, "", KNOWN_FIELDS)
        defaults = WINDOWS_DEFAULTS if is_windows else LINUX_DEFAULTS
        origin = _origin(fields)
        hard = _texts(fields, "evictionHard")
        if origin is not HardThresholds.GIVEN:
            hard = {**defaults, **hard}
        thresholds = parse_thresholds(
            hard=hard,
            soft=_texts(fields, "evictionSoft"),
            grace_periods=_texts(fields, "evictionSoftGracePeriod"),
            minimum_reclaim=_texts(fields, "evictionMinimumReclaim"),
            enforced=fields.texts("enforceNodeAllocatable") if fields.has("enforceNodeAllocatable") else _ENFORCED,
        )
        in_force = {each.signal for each in thresholds if each.is_hard}
        quota = fields.boolean("cpuCFSQuota") if fields.has("cpuCFSQuota") else True
        return cls(
            thresholds=thresholds,
            hard=origin,
            off=tuple(Signal(name) for name in defaults if Signal(name) not in in_force),
            # 0 is read as the default.
            pressure_transition=fields.seconds("evictionPressureTransitionPeriod") or Fraction(300),
            most_pod_grace=fields.number("evictionMaxPodGracePeriod", 0),
            system_reserved=_reserved(fields, "systemReserved"),
            kube_reserved=_reserved(fields, "kubeReserved"),
            images=_images(fields),
            shutdown=_shutdown(fields),
            enforces_quota=quota,
            ignored=ignored,
        )


_ENFORCED: Final = (ENFORCED_FOR_PODS,)


def _body(document: object) -> Mapping[str, Any]:
    """The fields of the configuration itself."""
    if not isinstance(document, Mapping):
        raise ConfigurationError("", NotAMap(shown(document)))
    answered = document.get(ANSWERED)
    if isinstance(answered, Mapping):
        return answered
    for name, right in (("apiVersion", API_VERSION), ("kind", KIND)):
        if document.get(name) != right:
            raise ConfigurationError(name, NotAKubeletConfiguration(shown(document.get(name)), right))
    return document


def _origin(fields: ConfigurationFields) -> HardThresholds:
    if not fields.has("evictionHard"):
        return HardThresholds.DEFAULT
    return HardThresholds.MERGED if fields.boolean("mergeDefaultEvictionSettings") else HardThresholds.GIVEN


def _texts(fields: ConfigurationFields, name: str) -> dict[str, str]:
    """A map of texts; absent means empty."""
    given = fields.raw(name)
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigurationError(name, NotAMap(shown(given)))
    for key, text in given.items():
        if not isinstance(text, str):
            raise ConfigurationError(f"{name}.{key}", NotAText(shown(text)))
    return {str(key): text for key, text in given.items()}


def _reserved(fields: ConfigurationFields, name: str) -> dict[str, int]:
    found = {}
    for resource, text in _texts(fields, name).items():
        path = f"{name}.{resource}"
        if resource not in _RESERVABLE:
            raise ConfigurationError(path, NotReservable(shown(resource), _RESERVABLE))
        if units_of(text, path) < 0:
            raise ConfigurationError(path, BelowLeast(shown(text), 0))
        found[resource] = milli_value(text) if resource == CPU else units_of(text, path)
    return found


def _images(fields: ConfigurationFields) -> ImageCollection:
    usual = ImageCollection()
    percents = {}
    for name, default in (("imageGCHighThresholdPercent", usual.high), ("imageGCLowThresholdPercent", usual.low)):
        percents[name] = fields.number(name, default)
        if not 0 <= percents[name] <= 100:
            raise ConfigurationError(name, OutOfRange(str(percents[name]), 0, 100))
    high, low = percents.values()
    if low >= high:
        raise ConfigurationError("imageGCLowThresholdPercent", LowNotBelowHigh(low, high))
    minimum = fields.seconds("imageMinimumGCAge") or usual.minimum_age
    maximum = fields.seconds("imageMaximumGCAge") or usual.maximum_age
    if maximum < 0 or 0 < maximum <= minimum:
        found = shown(fields.text("imageMaximumGCAge"))
        raise ConfigurationError("imageMaximumGCAge", MaximumAgeTooShort(found, fields.text("imageMinimumGCAge", "2m")))
    return ImageCollection(high, low, minimum, maximum)


def _shutdown(fields: ConfigurationFields) -> tuple[ShutdownPeriod, ...]:
    """The periods, the lowest priority first; none where a shutdown is not graceful."""
    whole, critical = (_period(fields, name) for name in ("shutdownGracePeriod", "shutdownGracePeriodCriticalPods"))
    if critical > whole:
        found = shown(fields.text("shutdownGracePeriodCriticalPods"))
        problem = CriticalPeriodTooLong(found, fields.text("shutdownGracePeriod", "0s"))
        raise ConfigurationError("shutdownGracePeriodCriticalPods", problem)
    by_priority = [
        ShutdownPeriod(each.number("priority", 0), each.integer("shutdownGracePeriodSeconds", 0, bits=64) or 0)
        for each in fields.each("shutdownGracePeriodByPodPriority", ("priority", "shutdownGracePeriodSeconds"))
    ]
    if by_priority and whole:
        raise ConfigurationError("shutdownGracePeriodByPodPriority", ShutdownPeriodsTwice())
    if whole and not by_priority:
        by_priority = [
            ShutdownPeriod(NO_PRIORITY, int(whole - critical)),
            ShutdownPeriod(CRITICAL_PRIORITY, int(critical)),
        ]
    return tuple(sorted(by_priority, key=lambda each: each.priority))


def _period(fields: ConfigurationFields, name: str) -> Fraction:
    seconds = fields.seconds(name) or Fraction(0)
    if seconds and seconds < 1:
        raise ConfigurationError(name, ShutdownPeriodTooShort(shown(fields.text(name))))
    return seconds
