"""A kubelet's configuration, as far as it decides what becomes of the pods on its node.

Upstream: ``loadConfigFile`` and ``parseResourceList`` of ``cmd/kubelet/app/server.go``,
``SetDefaults_KubeletConfiguration`` of ``pkg/kubelet/apis/config/v1beta1/defaults.go`` and
``ValidateKubeletConfiguration`` of ``pkg/kubelet/apis/config/validation``, v1.34.1, with the feature gates at their
defaults."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration.reading import ConfigurationError, ConfigurationFields
from clusters.engine.kubelet.containers import CRITICAL
from clusters.engine.problems import (
    BelowLeast,
    BeyondOther,
    InvalidValue,
    MissingField,
    MustBe,
    NotAMap,
    NotAText,
    NotOneOf,
    NotTogether,
    OutOfRange,
    shown,
)
from clusters.engine.quantity import QuantityError, milli_value, whole_value
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY, base_amount

if TYPE_CHECKING:
    from clusters.engine.objects import Document

# The fields of a KubeletConfiguration; a kubelet logs a warning about any other one, and ignores it.
#
# Upstream: ``KubeletConfiguration`` of ``k8s.io/kubelet`` v0.34.1, package ``config/v1beta1``.

KNOWN_FIELDS: Final = frozenset(
    """
    address allowedUnsafeSysctls apiVersion authentication authorization cgroupDriver cgroupRoot cgroupsPerQOS
    clusterDNS clusterDomain configMapAndSecretChangeDetectionStrategy containerLogMaxFiles containerLogMaxSize
    containerLogMaxWorkers containerLogMonitorInterval containerRuntimeEndpoint contentType cpuCFSQuota
    cpuCFSQuotaPeriod cpuManagerPolicy cpuManagerPolicyOptions cpuManagerReconcilePeriod crashLoopBackOff
    enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler enableDebuggingHandlers
    enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery enforceNodeAllocatable
    eventBurst eventRecordQPS evictionHard evictionMaxPodGracePeriod evictionMinimumReclaim
    evictionPressureTransitionPeriod evictionSoft evictionSoftGracePeriod failCgroupV1 failSwapOn featureGates
    fileCheckFrequency hairpinMode healthzBindAddress healthzPort httpCheckFrequency imageGCHighThresholdPercent
    imageGCLowThresholdPercent imageMaximumGCAge imageMinimumGCAge imagePullCredentialsVerificationPolicy
    imageServiceEndpoint iptablesDropBit iptablesMasqueradeBit kernelMemcgNotification kind kubeAPIBurst kubeAPIQPS
    kubeReserved kubeReservedCgroup kubeletCgroups localStorageCapacityIsolation logging makeIPTablesUtilChains
    maxOpenFiles maxParallelImagePulls maxPods memoryManagerPolicy memorySwap memoryThrottlingFactor
    mergeDefaultEvictionSettings nodeLeaseDurationSeconds nodeStatusMaxImages nodeStatusReportFrequency
    nodeStatusUpdateFrequency oomScoreAdj podCIDR podLogsDir podPidsLimit podsPerCore port
    preloadedImagesVerificationAllowlist protectKernelDefaults providerID qosReserved readOnlyPort registerNode
    registerWithTaints registryBurst registryPullQPS reservedMemory reservedSystemCPUs resolvConf rotateCertificates
    runOnce runtimeRequestTimeout seccompDefault serializeImagePulls serverTLSBootstrap showHiddenMetricsForVersion
    shutdownGracePeriod shutdownGracePeriodByPodPriority shutdownGracePeriodCriticalPods singleProcessOOMKill
    staticPodPath staticPodURL staticPodURLHeader streamingConnectionIdleTimeout syncFrequency systemCgroups
    systemReserved systemReservedCgroup tlsCertFile tlsCipherSuites tlsMinVersion tlsPrivateKeyFile
    topologyManagerPolicy topologyManagerPolicyOptions topologyManagerScope tracing userNamespaces volumePluginDir
    volumeStatsAggPeriod
    """.split()  # noqa: SIM905 - names, one after the other
)

# Why a kubelet would not start with a configuration; what any field can be is with the shared problems.


# What a kubelet measures to find its node short of something, and which condition of the node follows.
#
# Upstream: ``pkg/kubelet/eviction/api/types.go`` and the maps of ``pkg/kubelet/eviction/helpers.go``, v1.34.1.


class Signal(enum.StrEnum):
    """A measurement that falls as the node fills up; bytes, inodes or process ids."""

    MEMORY = "memory.available"
    """Capacity less the working set of the whole node."""
    ALLOCATABLE_MEMORY = "allocatableMemory.available"
    """What the cgroup of all pods may use less the working set of the pods."""
    NODE_FS = "nodefs.available"
    NODE_FS_INODES = "nodefs.inodesFree"
    IMAGE_FS = "imagefs.available"
    IMAGE_FS_INODES = "imagefs.inodesFree"
    CONTAINER_FS = "containerfs.available"
    CONTAINER_FS_INODES = "containerfs.inodesFree"
    PIDS = "pid.available"

    @property
    def condition(self) -> PressureCondition:
        """The condition that the node reports while a threshold of the signal is met."""
        return _CONDITIONS[self.starved]

    @property
    def starved(self) -> StarvedResource:
        """What the node is short of."""
        return _STARVED[self]

    @property
    def is_of_containers(self) -> bool:
        """Whether the kubelet takes the thresholds from those of another file system, whatever is configured."""
        return self in (Signal.CONTAINER_FS, Signal.CONTAINER_FS_INODES)


class StarvedResource(enum.StrEnum):
    """What pods are ranked by while the node is short of it; ``disk`` and ``inodes`` of a file system."""

    MEMORY = "memory"
    DISK = "disk"
    INODES = "inodes"
    PIDS = "pids"


class PressureCondition(enum.StrEnum):
    """A condition by which a node says that it is short of something."""

    MEMORY = "MemoryPressure"
    DISK = "DiskPressure"
    PIDS = "PIDPressure"


class FilesystemLayout(enum.StrEnum):
    """Which file systems a node has for images, for containers' writable layers, and for all else.

    A node does not report it: the kubelet asks the container runtime.
    """

    ONE = "one"
    """Everything is on nodefs."""
    IMAGES = "images"
    """Images and writable layers are on imagefs, logs and local volumes on nodefs."""
    IMAGES_SPLIT = "images-split"
    """Images alone are on imagefs; writable layers are on nodefs with logs and local volumes."""


_STARVED = {
    Signal.MEMORY: StarvedResource.MEMORY,
    Signal.ALLOCATABLE_MEMORY: StarvedResource.MEMORY,
    Signal.NODE_FS: StarvedResource.DISK,
    Signal.IMAGE_FS: StarvedResource.DISK,
    Signal.CONTAINER_FS: StarvedResource.DISK,
    Signal.NODE_FS_INODES: StarvedResource.INODES,
    Signal.IMAGE_FS_INODES: StarvedResource.INODES,
    Signal.CONTAINER_FS_INODES: StarvedResource.INODES,
    Signal.PIDS: StarvedResource.PIDS,
}
_CONDITIONS = {
    StarvedResource.MEMORY: PressureCondition.MEMORY,
    StarvedResource.DISK: PressureCondition.DISK,
    StarvedResource.INODES: PressureCondition.DISK,
    StarvedResource.PIDS: PressureCondition.PIDS,
}

# From which amount on a kubelet evicts: thresholds, what they are of a node's capacity, and how they are written.
#
# Upstream: ``ParseThresholdConfig`` and ``UpdateContainerFsThresholds`` of ``pkg/kubelet/eviction/helpers.go``,
# ``GetThresholdQuantity`` of ``pkg/kubelet/eviction/api/types.go`` and ``pkg/kubelet/eviction/defaults_*.go``,
# v1.34.1.

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


class SignalAmount(Struct, frozen=True):
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


class EvictionThreshold(Struct, frozen=True):
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
            raise ConfigurationError(
                f"evictionSoft.{signal}", MissingField(f"evictionSoftGracePeriod.{signal}", "1m30s")
            )
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
            raise ConfigurationError(path, NotOneOf(shown(name), tuple(Signal)))
        found[Signal(name)] = parse(text, path)
    return found


def _threshold_amount(text: str, path: str) -> SignalAmount | None:
    """An amount below which pods are evicted; None for what the kubelet reads as no threshold at all."""
    if text in ("0%", "100%"):
        return None
    if text.endswith("%"):
        amount = _percentage(text, path)
        if not 0 <= amount.share <= 1:
            raise ConfigurationError(path, InvalidValue(shown(text), ("10%",)))
        return amount
    units = units_of(text, path)
    if units <= 0:
        raise ConfigurationError(path, BelowLeast(shown(text), 1))
    return SignalAmount(units)


def _reclaim(text: str, path: str) -> SignalAmount:
    if text.endswith("%"):
        amount = _percentage(text, path)
        if amount.share <= 0:
            raise ConfigurationError(path, BelowLeast(shown(text), 1))
        return amount
    units = units_of(text, path)
    if units < 0:
        raise ConfigurationError(path, BelowLeast(shown(text), 0))
    return SignalAmount(units)


def _percentage(text: str, path: str) -> SignalAmount:
    number = text.rstrip("%")
    # What a float of 32 bits cannot hold is none for the kubelet.
    if not _PERCENTAGE.fullmatch(number) or abs(float(number)) > _GREATEST_FLOAT:
        raise ConfigurationError(path, InvalidValue(shown(text), ("10%",)))
    return SignalAmount(percent=number)


def _grace(text: str, path: str) -> Fraction:
    field, _, name = path.partition(".")
    seconds = ConfigurationFields({name: text}, field, (name,)).seconds(name) or Fraction(0)
    if seconds < 0:
        raise ConfigurationError(path, BelowLeast(shown(text), 0))
    return seconds


def units_of(text: str, path: str) -> int:
    """The whole units of a quantity, rounded up. Raises ConfigurationError."""
    try:
        return whole_value(text)
    except QuantityError as error:
        raise ConfigurationError(path, error.problem) from None


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


class ImageCollection(Struct, frozen=True):
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


class ShutdownPeriod(Struct, frozen=True):
    """Pods from this priority on get at most so many seconds when the node shuts down."""

    priority: int
    seconds: int


class KubeletSettings(Struct, frozen=True):
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
            raise ConfigurationError(name, MustBe(shown(document.get(name)), right))
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
            raise ConfigurationError(path, NotOneOf(shown(resource), _RESERVABLE))
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
        raise ConfigurationError(
            "imageGCLowThresholdPercent", BeyondOther(str(low), "<", "imageGCHighThresholdPercent", str(high))
        )
    minimum = fields.seconds("imageMinimumGCAge") or usual.minimum_age
    maximum = fields.seconds("imageMaximumGCAge") or usual.maximum_age
    if maximum < 0 or 0 < maximum <= minimum:
        found = shown(fields.text("imageMaximumGCAge"))
        raise ConfigurationError(
            "imageMaximumGCAge", BeyondOther(found, ">", "imageMinimumGCAge", fields.text("imageMinimumGCAge", "2m"))
        )
    return ImageCollection(high, low, minimum, maximum)


def _shutdown(fields: ConfigurationFields) -> tuple[ShutdownPeriod, ...]:
    """The periods, the lowest priority first; none where a shutdown is not graceful."""
    whole, critical = (_period(fields, name) for name in ("shutdownGracePeriod", "shutdownGracePeriodCriticalPods"))
    if critical > whole:
        found = shown(fields.text("shutdownGracePeriodCriticalPods"))
        problem = BeyondOther(found, "≤", "shutdownGracePeriod", fields.text("shutdownGracePeriod", "0s"))
        raise ConfigurationError("shutdownGracePeriodCriticalPods", problem)
    by_priority = [
        ShutdownPeriod(each.number("priority", 0), each.integer("shutdownGracePeriodSeconds", 0, bits=64) or 0)
        for each in fields.each("shutdownGracePeriodByPodPriority", ("priority", "shutdownGracePeriodSeconds"))
    ]
    if by_priority and whole:
        raise ConfigurationError(
            "shutdownGracePeriodByPodPriority", NotTogether(("shutdownGracePeriod", "shutdownGracePeriodByPodPriority"))
        )
    if whole and not by_priority:
        by_priority = [
            ShutdownPeriod(NO_PRIORITY, int(whole - critical)),
            ShutdownPeriod(CRITICAL_PRIORITY, int(critical)),
        ]
    return tuple(sorted(by_priority, key=lambda each: each.priority))


def _period(fields: ConfigurationFields, name: str) -> Fraction:
    seconds = fields.seconds(name) or Fraction(0)
    if seconds and seconds < 1:
        raise ConfigurationError(name, InvalidValue(shown(fields.text(name)), ("0s", "1s")))
    return seconds


# What a node keeps from pods: its capacity less what is allocatable, and whether a configuration explains it.
#
# Upstream: ``GetNodeAllocatableReservation`` of ``pkg/kubelet/cm/node_container_manager_linux.go``,
# ``hardEvictionReservation`` of ``pkg/kubelet/cm/helpers.go`` and ``MachineInfo`` of
# ``pkg/kubelet/nodestatus/setters.go``, v1.34.1.

# Of a float of 32 bits, between 0 and 1.
_ROUNDING = 24
_THRESHOLDS = {MEMORY: Signal.MEMORY, EPHEMERAL_STORAGE: Signal.NODE_FS}


class Reservation(Struct, frozen=True):
    """What of one resource is kept from pods, in base units.

    ``threshold``: the hard eviction threshold of the settings; ``reserved``: systemReserved and kubeReserved of them;
    ``huge_pages``: memory in preallocated huge pages.
    """

    resource: str
    capacity: int
    allocatable: int
    threshold: int
    reserved: int
    huge_pages: int

    @property
    def kept(self) -> int:
        """What pods cannot have."""
        return self.capacity - self.allocatable

    @property
    def expected(self) -> int:
        """What a kubelet with the settings has allocatable."""
        return max(0, max(0, self.capacity - self.reserved - self.threshold) - self.huge_pages)

    @property
    def beyond(self) -> int:
        """By how much more is kept than the settings explain; below 0 less than they demand.

        Less than the rounding of a percentage to 32 bits is nothing: manifests that people write have none.
        """
        beyond = self.expected - self.allocatable
        return beyond if abs(beyond) > self.capacity >> _ROUNDING else 0


def reservations(node: Document, settings: KubeletSettings) -> list[Reservation]:
    """What a node keeps of CPU, memory and ephemeral storage, as far as it reports its capacity."""
    found = []
    for resource in (CPU, MEMORY, EPHEMERAL_STORAGE):
        capacity, allocatable = (reported(node, kind, resource) for kind in ("capacity", "allocatable"))
        if capacity is None or allocatable is None:
            continue
        # A soft threshold keeps nothing, whatever its grace period.
        amounts = (
            each.amount.of(capacity)
            for each in settings.thresholds
            if not each.is_of_soft and each.signal is _THRESHOLDS.get(resource)
        )
        found.append(
            Reservation(
                resource,
                capacity,
                allocatable,
                threshold=next(amounts, 0),
                reserved=settings.system_reserved.get(resource, 0) + settings.kube_reserved.get(resource, 0),
                huge_pages=_huge_pages(node) if resource == MEMORY else 0,
            )
        )
    return found


def _huge_pages(node: Document) -> int:
    capacity = (node.get("status") or {}).get("capacity") or {}
    return sum(reported(node, "capacity", name) or 0 for name in capacity if name.startswith(HUGE_PAGES))


def reported(node: Document, kind: str, resource: str) -> int | None:
    """The ``capacity`` or what is ``allocatable`` of a resource, in base units; None where the node reports none."""
    quantity = ((node.get("status") or {}).get(kind) or {}).get(resource)
    if quantity is None:
        return None
    try:
        return base_amount(resource, quantity)
    except QuantityError:
        return None
