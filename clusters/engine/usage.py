"""What pods use, as against what they request: histories of samples, percentiles, and requests that follow from them.

The scheduler itself reads requests alone. Nothing here changes a verdict."""

from __future__ import annotations

import enum
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.owners import Workload
from clusters.engine.qos import QualityOfService, quality_of_service
from clusters.engine.quantity import NANO, QuantityFormat, canonical_text
from clusters.engine.resources import CPU, MEMORY, base_amount, has_pod_level, pod_amounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.status import Ints

# Counts of amounts by size, from which percentiles of any number of samples are read without keeping the samples.
#
# An amount counts in the bucket of the least bound that is not below it. Bounds grow by a twentieth, so that a
# percentile is never below the true one, and at most 5 % above it; amounts up to 20 are exact.

_GREATEST: Final = 2**62


def _bounds() -> Ints:
    bounds = [0]
    while bounds[-1] < _GREATEST:
        last = bounds[-1]
        bounds.append(min(max(last + 1, last * 21 // 20), _GREATEST))
    return np.array(bounds, np.int64)


# The greatest amount of each bucket, shape (B,).
BOUNDS: Final = _bounds()


def buckets_of(amounts: Ints) -> Ints:
    """The bucket of each amount, shape (N,); negative amounts count as 0, and those beyond 2**62 as that."""
    return np.searchsorted(BOUNDS, np.clip(amounts, 0, _GREATEST)).astype(np.int64)


class BucketCounts:
    """How often each of K keys was seen in each bucket; ``key``, ``bucket`` and ``count`` have shape (E,), by key."""

    def __init__(self, size: int, key: Ints, bucket: Ints, count: Ints) -> None:
        codes, place = np.unique(key * len(BOUNDS) + bucket, return_inverse=True)
        counted = np.zeros(len(codes), np.int64)
        np.add.at(counted, place.ravel(), count)
        self.key, self.bucket, self.count = codes // len(BOUNDS), codes % len(BOUNDS), counted
        self.totals = np.zeros(size, np.int64)
        np.add.at(self.totals, self.key, counted)

    def percentiles(self, percents: Sequence[int]) -> list[Ints]:
        """For each percentage the bound that so many percent of a key's amounts do not exceed, shape (K,).

        By nearest rank: of N amounts in order the one at place ⌈percent × N / 100⌉. 0 for a key without amounts.
        """
        running = np.cumsum(self.count)
        before = np.cumsum(self.totals) - self.totals
        found = []
        for percent in percents:
            rank = np.maximum(1, -(-self.totals * percent // 100))
            place = np.searchsorted(running, before + rank)
            bounds = np.zeros(len(self.totals), np.int64)
            seen = self.totals > 0
            bounds[seen] = BOUNDS[self.bucket[place[seen]]]
            found.append(bounds)
        return found


# Many hours of samples as one: mean, percentiles and maximum of what the containers of each workload use.

MEDIAN: Final = 50
HIGH: Final = 95


class ResourceUsage(Struct, frozen=True):
    """What one container uses of a resource, in milli-CPU or bytes: the mean (rounded up), p50, p95 and the maximum.

    The percentiles are over all samples of all pods, by nearest rank and at most 5 % too high.
    """

    mean: int
    median: int
    high: int
    maximum: int


class UsageStatistics(Struct, frozen=True):
    """What a container of a workload's pods uses. ``hours`` that have a sample; ``samples``: pods × hours."""

    hours: int
    samples: int
    cpu: ResourceUsage
    memory: ResourceUsage


def statistics_of(hours: Iterable[HourlyUsage]) -> dict[UsageKey, UsageStatistics]:
    """Put samples together, in any order; the work grows with the samples only where NumPy does it."""
    read = list(hours)
    numbers: dict[UsageKey, int] = {}
    places = [np.array([numbers.setdefault(key, len(numbers)) for key in hour.keys], np.int64) for hour in read]
    size = len(numbers)
    seen, pods = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for place, hour in zip(places, read, strict=True):
        seen[place] += 1
        pods[place] += hour.pods
    cpu = _usages(places, [hour.cpu for hour in read], pods)
    memory = _usages(places, [hour.memory for hour in read], pods)
    return {
        key: UsageStatistics(int(seen[number]), int(pods[number]), cpu[number], memory[number])
        for key, number in numbers.items()
    }


def _usages(places: Sequence[Ints], hours: Sequence[UsageColumns], pods: Ints) -> list[ResourceUsage]:
    size = len(pods)
    total, maximum = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for place, hour in zip(places, hours, strict=True):
        total[place] += hour.total
        np.maximum.at(maximum, place, hour.maximum)
    nothing = [np.zeros(0, np.int64)]
    counts = BucketCounts(
        size,
        np.concatenate(nothing + [place[hour.key] for place, hour in zip(places, hours, strict=True)]),
        np.concatenate(nothing + [hour.bucket for hour in hours]),
        np.concatenate(nothing + [hour.count for hour in hours]),
    )
    median, high = (np.minimum(found, maximum) for found in counts.percentiles((MEDIAN, HIGH)))
    mean = -(-total // np.maximum(pods, 1))
    columns = (mean.tolist(), median.tolist(), high.tolist(), maximum.tolist())
    return [ResourceUsage(*row) for row in zip(*columns, strict=True)]


def percentile(amounts: Sequence[int], percent: int) -> int:
    """The percentile of plain numbers by nearest rank, 0 of none."""
    ordered = sorted(amounts)
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)] if ordered else 0


# One sample as a history keeps it: what the containers of each workload used, without naming pods.

# Written down: what may be many bytes, and what numbers something.
_WIDE, _NARROW = "<i8", "<i4"
_WIDTHS = {"total": _WIDE, "maximum": _WIDE, "key": _NARROW, "bucket": _NARROW, "count": _NARROW}


class UsageKey(NamedTuple):
    """A container of the pods of a workload; ``container`` is ``WHOLE_POD`` where only their sums are known."""

    namespace: str
    kind: str
    name: str
    container: str

    @classmethod
    def of(cls, workload: Workload, container: str) -> UsageKey:
        """Name a container of a workload."""
        return cls(workload.namespace, workload.kind, workload.name, container)

    @property
    def workload(self) -> Workload:
        """The workload."""
        return Workload(self.namespace, self.kind, self.name)


class UsageColumns(Struct, frozen=True):
    """Amounts of one resource: ``total`` and ``maximum`` by key, shape (K,), and counts by bucket, shape (E,)."""

    total: Ints
    maximum: Ints
    key: Ints
    bucket: Ints
    count: Ints

    @classmethod
    def of(cls, size: int, keys: Ints, amounts: Ints) -> UsageColumns:
        """Count amounts, shape (N,), of which each belongs to the key with that number."""
        total, maximum = np.zeros(size, np.int64), np.zeros(size, np.int64)
        np.add.at(total, keys, amounts)
        np.maximum.at(maximum, keys, amounts)
        counts = BucketCounts(size, keys, buckets_of(amounts), np.ones(len(keys), np.int64))
        return cls(total, maximum, counts.key, counts.bucket, counts.count)

    @classmethod
    def from_dict(cls, columns: Mapping[str, str]) -> UsageColumns:
        """Read what ``as_dict`` wrote."""
        read = (np.frombuffer(b64decode(columns[name]), width) for name, width in _WIDTHS.items())
        return cls(*(column.astype(np.int64) for column in read))

    def as_dict(self) -> dict[str, str]:
        """The columns as texts, which are read a hundred times as fast as lists of numbers."""
        return {
            name: b64encode(getattr(self, name).astype(width).tobytes()).decode() for name, width in _WIDTHS.items()
        }


class HourlyUsage(Struct, frozen=True):
    """What was used in one hour. ``pods``: how many pods of each key were seen, shape (K,)."""

    keys: tuple[UsageKey, ...]
    pods: Ints
    cpu: UsageColumns
    memory: UsageColumns

    @classmethod
    def of(cls, seen: Iterable[tuple[UsageKey, UsedAmounts]]) -> HourlyUsage:
        """Count what containers use, of each pod once."""
        numbers: dict[UsageKey, int] = {}
        rows = [(numbers.setdefault(key, len(numbers)), *used) for key, used in seen]
        table = np.array(rows, np.int64).reshape(len(rows), 3)
        size = len(numbers)
        return cls(
            tuple(numbers),
            np.bincount(table[:, 0], minlength=size).astype(np.int64),
            UsageColumns.of(size, table[:, 0], table[:, 1]),
            UsageColumns.of(size, table[:, 0], table[:, 2]),
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> HourlyUsage:
        """Read what ``as_dict`` wrote."""
        keys = tuple(UsageKey(*key) for key in document["keys"])
        columns = (UsageColumns.from_dict(document[name]) for name in ("cpu", "memory"))
        return cls(keys, np.array(document["pods"], np.int64), *columns)

    def as_dict(self) -> dict[str, Any]:
        """The sample in plain values."""
        return {
            "keys": [list(each) for each in self.keys],
            "pods": self.pods.tolist(),
            "cpu": self.cpu.as_dict(),
            "memory": self.memory.as_dict(),
        }


# What was used at one moment: by each container of each pod, and by each node.
#
# As ``PodMetrics`` and ``NodeMetrics`` have it (``metrics.k8s.io/v1beta1`` of ``k8s.io/metrics`` v0.34.1): CPU is
# averaged over a window, memory is the working set.

# The container's name of a pod of which only the sum is known.
WHOLE_POD = ""


class UsedAmounts(NamedTuple):
    """Milli-CPU and bytes of memory; milli-CPU are rounded up."""

    cpu_milli: int = 0
    memory_bytes: int = 0

    def plus(self, other: UsedAmounts) -> UsedAmounts:
        """Add two amounts."""
        return UsedAmounts(self.cpu_milli + other.cpu_milli, self.memory_bytes + other.memory_bytes)


class PodUsage(Struct, frozen=True):
    """What the containers of a pod use, by name; all together under ``WHOLE_POD`` where nothing tells them apart."""

    namespace: str
    name: str
    containers: Mapping[str, UsedAmounts]

    @property
    def key(self) -> str:
        """``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def total(self) -> UsedAmounts:
        """What all containers use together."""
        total = UsedAmounts()
        for used in self.containers.values():
            total = total.plus(used)
        return total


# Which request follows from what is used, and whether the present one is too high or too low.

_MIB: Final = 1024 * 1024
# A day of hourly samples: fewer cannot know of every hour of a day.
FEW_HOURS: Final = 24


class Sizing(enum.StrEnum):
    """How a request compares with what is used."""

    OVER = "over-requested"
    UNDER = "under-requested"
    NOT_REQUESTED = "not-requested"
    FITTING = "fitting"


class SizingRule(Struct, frozen=True):
    """The request that is recommended for one resource, and when the present one counts as wrong.

    Recommended are so many percent (``margin``) of what is used, rounded up to a multiple of ``step`` and never below
    ``least``, in milli-CPU or bytes. Over-requested is a request of more than ``over`` percent of that, if it is
    higher by at least ``slack``; under-requested one below what is used.
    """

    margin: int
    step: int
    least: int
    over: int
    slack: int

    def recommended(self, used: int) -> int:
        """The request for an amount that is used."""
        wanted = -(-used * self.margin // 100)
        return max(self.least, -(-wanted // self.step) * self.step)

    def sizing(self, requested: int | None, used: int, recommended: int) -> Sizing:
        """How a request compares; 0 counts as none."""
        if not requested:
            return Sizing.NOT_REQUESTED
        if requested < used:
            return Sizing.UNDER
        too_much = requested * 100 > recommended * self.over and requested - recommended >= self.slack
        return Sizing.OVER if too_much else Sizing.FITTING


# Of CPU a pod that needs more for a moment is throttled: p95 counts. Of memory it is killed: the maximum counts.
RULES: Final = {
    CPU: SizingRule(margin=115, step=5, least=10, over=150, slack=50),
    MEMORY: SizingRule(margin=115, step=_MIB, least=16 * _MIB, over=150, slack=64 * _MIB),
}


class ResourceSizing(Struct, frozen=True):
    """One resource of a container, in milli-CPU or bytes.

    ``used``: p95 of CPU, the maximum of memory. ``is_capped``: the limit is below what the rule recommends, so that the
    recommendation is the limit.
    """

    resource: str
    requested: int | None
    limit: int | None
    used: int
    recommended: int
    sizing: Sizing
    is_capped: bool


def resource_sizing(
    resource: str, requested: int | None, limit: int | None, statistics: UsageStatistics
) -> ResourceSizing:
    """Compare the request for CPU or memory with what is used."""
    rule = RULES[resource]
    used = statistics.cpu.high if resource == CPU else statistics.memory.maximum
    wanted = rule.recommended(used)
    recommended = min(wanted, limit) if limit else wanted
    sizing = rule.sizing(requested, used, recommended)
    return ResourceSizing(resource, requested, limit, used, recommended, sizing, recommended < wanted)


# Recommended requests of a workload's containers, and what its pods request once they have them.

# Requests by container, then by resource, in milli-CPU and bytes.
Requests = dict[str, dict[str, int]]


class ContainerSizing(Struct, frozen=True):
    """One container: what it uses, and how its requests compare. The name is empty where only pods' sums are known."""

    name: str
    is_sidecar: bool
    statistics: UsageStatistics
    cpu: ResourceSizing
    memory: ResourceSizing

    @property
    def is_from_few(self) -> bool:
        """Whether there is less than a day of samples."""
        return self.statistics.hours < FEW_HOURS

    @property
    def changes(self) -> dict[str, int]:
        """The requests that should be others, by resource."""
        return {
            each.resource: each.recommended
            for each in (self.cpu, self.memory)
            if each.sizing is not Sizing.FITTING and each.recommended != each.requested
        }


class WorkloadSizing(Struct, frozen=True):
    """A workload: its containers, and what all its pods request now and would with the recommended requests.

    ``measures_pod_level``: the pods request at their own level, which the scheduler counts instead of their containers'
    requests, so that nothing is recommended. ``quality`` and ``quality_after``: the pods' class of service.
    """

    workload: Workload
    pods: int
    containers: tuple[ContainerSizing, ...]
    requested: UsedAmounts
    after: UsedAmounts
    measures_pod_level: bool
    quality: QualityOfService
    quality_after: QualityOfService

    @property
    def freed(self) -> UsedAmounts:
        """How much less is requested; negative where more is."""
        return UsedAmounts(
            self.requested.cpu_milli - self.after.cpu_milli, self.requested.memory_bytes - self.after.memory_bytes
        )

    @property
    def changes(self) -> Requests:
        """The requests that should be others, by container."""
        if self.measures_pod_level:
            return {}
        return {each.name: changes for each in self.containers if each.name and (changes := each.changes)}

    def has(self, sizing: Sizing) -> bool:
        """Whether any request of any container compares so."""
        return any(sizing in (each.cpu.sizing, each.memory.sizing) for each in self.containers)


def workload_sizing(
    workload: Workload,
    pod: Document,
    pods: int,
    requested: UsedAmounts,
    statistics: Mapping[str, UsageStatistics],
) -> WorkloadSizing:
    """Compare what is requested with what is used.

    ``pod``: one of the present template; ``requested``: by all pods, of which there are ``pods``; ``statistics``: by
    container. What is known of containers that the template does not have any more is left out.
    """
    sized = tuple(_containers(pod, statistics))
    found = WorkloadSizing(
        workload,
        pods,
        sized,
        requested,
        requested,
        has_pod_level(pod.get("spec") or {}),
        quality_of_service(_unreported(pod)),
        quality_of_service(_unreported(pod)),
    )
    if not found.changes:
        return found
    resized = with_requests(pod, found.changes)
    amounts = pod_amounts(resized)
    after = UsedAmounts(amounts.get(CPU, 0) * pods, amounts.get(MEMORY, 0) * pods)
    quality = quality_of_service(resized)
    return WorkloadSizing(workload, pods, sized, requested, after, False, found.quality, quality)


def needed_by_usage(workload: Workload, pod: Document, statistics: Mapping[str, UsageStatistics]) -> dict[str, int]:
    """How much of CPU and memory a pod would request by what its workload's pods use; empty where that is not known.

    Not known is it where a container has no usage, or less than a day of it, and where the pod requests at its own
    level.
    """
    amounts = pod_amounts(pod)
    sizing = workload_sizing(workload, pod, 1, UsedAmounts(amounts.get(CPU, 0), amounts.get(MEMORY, 0)), statistics)
    sized = {each.name for each in sizing.containers}
    names = {str(each.get("name") or "") for each in running_containers(pod)}
    if sizing.measures_pod_level or not names <= sized or any(each.is_from_few for each in sizing.containers):
        return {}
    return {CPU: sizing.after.cpu_milli, MEMORY: sizing.after.memory_bytes}


def _containers(pod: Document, statistics: Mapping[str, UsageStatistics]) -> Iterator[ContainerSizing]:
    running = list(running_containers(pod))
    for container in running:
        name = str(container.get("name") or "")
        if name in statistics:
            is_sidecar = container.get("restartPolicy") == "Always"
            yield _container(name, [container], statistics[name], is_sidecar=is_sidecar)
    if WHOLE_POD in statistics:
        yield _container(WHOLE_POD, running, statistics[WHOLE_POD], is_sidecar=False)


def running_containers(pod: Document) -> Iterator[Document]:
    """The containers that run as long as their pod: sidecars among them, other init containers not."""
    spec = pod.get("spec") or {}
    yield from (each for each in spec.get("initContainers") or () if each.get("restartPolicy") == "Always")
    yield from spec.get("containers") or ()


def _container(
    name: str, containers: list[Document], statistics: UsageStatistics, *, is_sidecar: bool
) -> ContainerSizing:
    def total(kind: str, resource: str) -> int | None:
        given = [((each.get("resources") or {}).get(kind) or {}).get(resource) for each in containers]
        # A sum of limits bounds something only where each container has one.
        if not any(given) or (kind == "limits" and not all(given)):
            return None
        return sum(base_amount(resource, each) for each in given if each)

    cpu, memory = (
        resource_sizing(resource, total("requests", resource), total("limits", resource), statistics)
        for resource in (CPU, MEMORY)
    )
    return ContainerSizing(name, is_sidecar, statistics, cpu, memory)


def with_requests(pod: Document, requests: Mapping[str, Mapping[str, int]]) -> Document:
    """The pod as its controller would make it with these requests by container; none is above the container's limit.

    What the kubelet reports of the present pod's resources is left out: the new one has another.
    """
    spec = dict(pod.get("spec") or {})
    for kind in ("initContainers", "containers"):
        if spec.get(kind):
            spec[kind] = [_with_requests(each, requests.get(str(each.get("name")), {})) for each in spec[kind]]
    return {**_unreported(pod), "spec": spec}


def _with_requests(container: Document, requests: Mapping[str, int]) -> Document:
    if not requests:
        return container
    resources = container.get("resources") or {}
    limits = resources.get("limits") or {}
    given: dict[str, Any] = dict(resources.get("requests") or {})
    for resource, number in requests.items():
        limit = base_amount(resource, limits[resource]) if limits.get(resource) else number
        given[resource] = quantity_text(resource, min(number, limit))
    return {**container, "resources": {**resources, "requests": given}}


def quantity_text(resource: str, number: int) -> str:
    """Write milli-CPU or bytes as manifests do: ``150m``, ``128Mi``."""
    if resource == CPU:
        return canonical_text(number * 10 ** (NANO - 3), QuantityFormat.DECIMAL_SI)
    return canonical_text(number * 10**NANO, QuantityFormat.BINARY_SI)


def _unreported(pod: Document) -> Document:
    """The pod without what the kubelet and the API server say of its resources and class."""
    status = dict(pod.get("status") or {})
    for name in ("qosClass", "containerStatuses", "initContainerStatuses"):
        status.pop(name, None)
    if status.get("conditions"):
        status["conditions"] = [each for each in status["conditions"] if each.get("type") != "PodResizePending"]
    return {**pod, "status": status}
