"""The containers of a pod as the kubelet reads them: what it enforces, and which of them go first for memory."""

from __future__ import annotations

import enum
from bisect import bisect_left, bisect_right
from math import ceil, log2
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.objects import Document, Pod
from clusters.engine.owners import Controller
from clusters.engine.qos import QualityOfService, quality_of_service
from clusters.engine.quantity import QuantityError
from clusters.engine.resources import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    base_amount,
    has_pod_level,
    is_pod_level,
    pod_amounts,
    pod_quantities,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


# Which ranks pods may have where what they are compared by is known in part alone.

# The containers of a pod, with what the kubelet reads of each.
#
# Upstream: ``pkg/kubelet/qos/policy.go`` and ``pkg/kubelet/kuberuntime/kuberuntime_container_linux.go``, v1.34.1.

# Pods are evicted group by group: without statistics, usage above the request, usage within it.
UNMEASURED, OVER, WITHIN = range(3)
_FIRST, _LAST = float("-inf"), float("inf")


class RankKey(NamedTuple):
    """What pods are compared by, lower first; ``unused`` is the request less the usage."""

    group: int
    priority: int
    unused: float


class RankKeys(NamedTuple):
    """The comparison that brings a pod to the front, and the one that brings it to the back."""

    best: RankKey
    worst: RankKey

    @classmethod
    def exactly(cls, group: int, priority: int, unused: int) -> RankKeys:
        """A pod of which everything is known."""
        key = RankKey(group, priority, unused)
        return cls(key, key)

    @classmethod
    def between(cls, first: int, last: int, priority: int) -> RankKeys:
        """A pod of whose usage no more is known than that it is in one of these groups."""
        return cls(RankKey(first, priority, _FIRST), RankKey(last, priority, _LAST))


def possible_ranks(keys: Sequence[RankKeys]) -> list[tuple[int, int]]:
    """For each pod the earliest and the latest rank that it may have, from 1.

    A pod is certainly before another where its worst comparison beats the other's best; equals share their ranks.
    """
    bests, worsts = sorted(each.best for each in keys), sorted(each.worst for each in keys)
    return [(1 + bisect_left(worsts, each.best), bisect_right(bests, each.worst)) for each in keys]


# In which order a kubelet evicts pods when its node runs out of memory, as far as that is certain.
#
# Upstream: ``rankMemoryPressure`` of ``pkg/kubelet/eviction/helpers.go``, ``GetResourceRequestQuantity`` of
# ``pkg/api/v1/resource/helpers.go`` (the gate PodLevelResources on, as it is by default) and ``IsCriticalPod`` of
# ``pkg/kubelet/types/pod_update.go``, v1.34.1: pods without statistics first, then those that use more than they
# request, then by priority, then by how much more they use. A pod whose usage is not known gets the ranks that it may
# have.

# From this priority on a pod is critical: system-cluster-critical and system-node-critical.
CRITICAL = 2_000_000_000


class KnownMemory(enum.StrEnum):
    """What is known of a pod's memory, and from what."""

    STATIC = "static"
    """The kubelet itself runs the pod."""
    CRITICAL = "critical"
    """The pod's priority is critical."""
    STARTING = "starting"
    """Nothing of the pod may run yet."""
    NOTHING_REQUESTED = "nothing-requested"
    """The pod requests no memory."""
    NOTHING_AS_A_WHOLE = "nothing-requested-at-pod-level"
    """The pod has resources at its own level, and requests no memory there."""
    CAPPED = "capped"
    """The pod's memory limits are no more than its request."""
    ABOVE_REQUEST = "above-request"
    """The pod's memory limits are more than its request."""
    UNLIMITED = "unlimited"
    """A container of the pod has no memory limit."""
    SIDECARS = "sidecars"
    """The releases of the kubelet do not count the requests of sidecars alike."""
    MEASURED_ABOVE = "measured-above"
    """The pod uses more memory than it requests."""
    MEASURED_WITHIN = "measured-within"
    """The pod uses no more memory than it requests."""

    @property
    def is_exempt(self) -> bool:
        """Whether the kubelet passes the pod over."""
        return self in (KnownMemory.STATIC, KnownMemory.CRITICAL)


_GROUPS = {
    KnownMemory.STARTING: (UNMEASURED, WITHIN),
    KnownMemory.NOTHING_REQUESTED: (OVER, OVER),
    KnownMemory.NOTHING_AS_A_WHOLE: (OVER, OVER),
    KnownMemory.CAPPED: (WITHIN, WITHIN),
}


class PressureRank(Struct, frozen=True):
    """A pod's place in the order. ``earliest`` and ``latest`` count from 1 and are 0 for a pod that is passed over.

    ``requested``, ``limited`` and ``used`` are bytes, as the kubelet counts them; ``limited`` is None where a container
    has no limit, ``used`` where nobody measured it.
    """

    key: str
    priority: int
    quality: QualityOfService
    standing: KnownMemory
    requested: int
    limited: int | None
    used: int | None = None
    earliest: int = 0
    latest: int = 0


def pressure_order(pods: Iterable[Document], usage: Mapping[str, int | None] | None = None) -> list[PressureRank]:
    """The pods of one node in the order of the ranks they may have; those that are passed over come last.

    ``usage``: the working set in bytes by the UID of the pod, as far as it is known. Finished pods are left out.
    """
    known = usage or {}
    used = [(pod, known.get(pod.uid)) for pod in map(Pod, pods) if not pod.finished]
    ranked = [(_unranked(pod, bytes_used), bytes_used) for pod, bytes_used in used]
    evictable = [pair for pair in ranked if not pair[0].standing.is_exempt]
    ranks = possible_ranks([_keys(*pair) for pair in evictable])
    placed = [
        replace(each, earliest=earliest, latest=latest)
        for (each, _), (earliest, latest) in zip(evictable, ranks, strict=True)
    ]
    placed.sort(key=lambda each: (each.earliest, each.latest, each.priority, each.key))
    exempt = (each for each, _ in ranked if each.standing.is_exempt)
    return [*placed, *sorted(exempt, key=lambda each: (each.priority, each.key))]


def _keys(rank: PressureRank, used: int | None) -> RankKeys:
    if used is None:
        return RankKeys.between(*_GROUPS.get(rank.standing, (OVER, WITHIN)), rank.priority)
    group = OVER if rank.standing is KnownMemory.MEASURED_ABOVE else WITHIN
    return RankKeys.exactly(group, rank.priority, rank.requested - used)


def _unranked(pod: Pod, used: int | None) -> PressureRank:
    requested, limited = pressure_request(pod.document, MEMORY), _limited(pod.spec)
    standing = _standing(pod, requested, limited)
    if used is not None and not standing.is_exempt:
        standing = KnownMemory.MEASURED_ABOVE if used > requested else KnownMemory.MEASURED_WITHIN
    return PressureRank(pod.key, pod.priority, quality_of_service(pod.document), standing, requested, limited, used)


def is_static(pod: Pod) -> bool:
    """Whether the kubelet itself runs the pod, whose object in the API is a mirror."""
    controller = Controller.of(pod.document)
    return controller is not None and controller.kind == "Node"


def is_critical(pod: Pod) -> bool:
    """Whether the kubelet spares the pod."""
    return pod.priority >= CRITICAL or is_static(pod)


def _standing(pod: Pod, requested: int, limited: int | None) -> KnownMemory:
    if is_static(pod):
        return KnownMemory.STATIC
    if is_critical(pod):
        return KnownMemory.CRITICAL
    if pod.starting:
        return KnownMemory.STARTING
    if not requested:
        return KnownMemory.NOTHING_AS_A_WHOLE if has_pod_level(pod.spec) else KnownMemory.NOTHING_REQUESTED
    if limited is None:
        return KnownMemory.UNLIMITED
    if any(
        container.get("restartPolicy") == "Always" for container in pod.spec.get("initContainers") or ()
    ) and not _of_pod(pod.spec, "requests"):
        return KnownMemory.SIDECARS
    return KnownMemory.CAPPED if limited <= requested else KnownMemory.ABOVE_REQUEST


def pressure_request(pod: Document, resource: str) -> int:
    """The bytes with which the kubelet compares a pod's usage: overhead counts only beside a request.

    A pod that names anything at its own level is measured by that level alone: with a pod-level request for CPU only,
    its containers' requests count nothing here, though the scheduler counts them.
    """
    spec = pod.get("spec") or {}
    if has_pod_level(spec):
        requested = _of_pod(spec, "requests", resource) if is_pod_level(resource) else 0
    else:
        containers = {name: part for name, part in spec.items() if name != "overhead"}
        requested = pod_amounts({"spec": containers}, use_status=False).get(resource, 0)
    return requested + _overhead(spec, resource) if requested else 0


def _limited(spec: Document) -> int | None:
    """The bytes above which something of the pod is killed by the kernel; None where nothing keeps it below any."""
    of_pod = _of_pod(spec, "limits")
    if of_pod:
        return of_pod + _overhead(spec)
    limited: dict[str, list[Document]] = {}
    for kind in ("containers", "initContainers"):
        limited[kind] = []
        for container in spec.get(kind) or ():
            limits = (container.get("resources") or {}).get("limits") or {}
            if not base_amount(MEMORY, limits.get(MEMORY) or 0):
                return None
            limited[kind].append({**container, "resources": {"requests": limits}})
    # What an ephemeral container uses has no limit.
    if spec.get("ephemeralContainers"):
        return None
    return pod_amounts({"spec": limited}, use_status=False).get(MEMORY, 0) + _overhead(spec)


def _of_pod(spec: Document, kind: str, resource: str = MEMORY) -> int:
    """The request or limit of the pod as a whole, 0 without one."""
    return base_amount(resource, ((spec.get("resources") or {}).get(kind) or {}).get(resource) or 0)


def _overhead(spec: Document, resource: str = MEMORY) -> int:
    return base_amount(resource, (spec.get("overhead") or {}).get(resource) or 0)


_READ = (CPU, MEMORY, EPHEMERAL_STORAGE)


class ContainerRole(enum.StrEnum):
    """What a container of a pod is for."""

    MAIN = "main"
    SIDECAR = "sidecar"
    INIT = "init"
    EPHEMERAL = "ephemeral"


class ContainerAmounts(Struct, frozen=True):
    """A container's requests and limits of CPU (milli-CPU), memory and ephemeral storage (bytes), as far as written."""

    name: str
    role: ContainerRole
    requests: Mapping[str, int]
    limits: Mapping[str, int]


def containers_of(spec: Document) -> Iterator[ContainerAmounts]:
    """Yield the containers of a pod: main ones, init containers and sidecars, ephemeral ones."""
    for kind, role in (
        ("containers", ContainerRole.MAIN),
        ("initContainers", ContainerRole.INIT),
        ("ephemeralContainers", ContainerRole.EPHEMERAL),
    ):
        for container in spec.get(kind) or ():
            is_sidecar = role is ContainerRole.INIT and container.get("restartPolicy") == "Always"
            yield ContainerAmounts(
                str(container.get("name") or ""),
                ContainerRole.SIDECAR if is_sidecar else role,
                written_amounts(container, "requests"),
                written_amounts(container, "limits"),
            )


def written_amounts(holder: Document, kind: str) -> dict[str, int]:
    """What a container, or a pod as a whole, requests or is limited to of these resources, as far as it is written."""
    quantities = (holder.get("resources") or {}).get(kind) or {}
    return {name: base_amount(name, quantities[name]) for name in _READ if quantities.get(name) is not None}


# What the kubelet has the runtime and the kernel enforce: shares and quota of CPU, memory, disk.
#
# Upstream: ``MilliCPUToShares``, ``MilliCPUToQuota`` and ``ResourceConfigForPod`` of
# ``pkg/kubelet/cm/helpers_linux.go``,
# ``cpuSharesToCPUWeight`` of ``pkg/kubelet/cm/cgroup_v2_manager_linux.go`` and ``calculateLinuxResources`` of
# ``pkg/kubelet/kuberuntime/kuberuntime_container_linux.go``, ``localStorageEviction`` of
# ``pkg/kubelet/eviction/eviction_manager.go``, v1.34.1, with the feature gates at their defaults.

LEAST_SHARES, MOST_SHARES = 2, 262_144
PERIOD_MICROS = 100_000
_LEAST_QUOTA_MICROS = 1_000


class EnforcedLimits(Struct, frozen=True):
    """What holds for a container, or without a name for the cgroup of the whole pod; None where nothing is limited.

    ``weight`` is what cgroup v2 has in place of shares by the kubelet's formula, ``newer_weight`` by that of runtimes
    since runc 1.3.2 and crun 1.23, which only containers get. ``quota_micros`` holds for each 100 ms.
    ``storage_bytes``: the ephemeral storage above which the kubelet evicts the pod, of a pod the sum of its limits.
    """

    container: str
    role: ContainerRole | None
    shares: int
    weight: int
    newer_weight: int | None
    quota_micros: int | None
    memory_bytes: int | None
    storage_bytes: int | None


def cpu_shares(milli: int) -> int:
    """The shares of CPU for a request in milli-CPU."""
    return min(max(milli * 1024 // 1000, LEAST_SHARES), MOST_SHARES)


def cpu_weight(shares: int) -> int:
    """The weight of cgroup v2 for shares, as kubelets and older runtimes convert them: linear from 1 to 10,000."""
    return (shares - LEAST_SHARES) * 9_999 // 262_142 + 1


def newer_cpu_weight(shares: int) -> int:
    """The weight for shares as runc 1.3.2 and crun 1.23 convert them: 1,024 shares have the usual weight of 100."""
    if shares <= LEAST_SHARES:
        return 1
    if shares >= MOST_SHARES:
        return 10_000
    power = log2(shares)
    return ceil(10 ** ((power * power + 125 * power) / 612 - 7 / 34))


def cpu_quota(milli: int) -> int | None:
    """The microseconds of CPU time in each 100 ms for a limit in milli-CPU; None without a limit."""
    return max(milli * PERIOD_MICROS // 1000, _LEAST_QUOTA_MICROS) if milli else None


def enforced_limits(pod: Document) -> list[EnforcedLimits]:
    """What is enforced for the pod as a whole, and then for each of its containers."""
    spec = pod.get("spec") or {}
    whole = written_amounts(spec, "limits") if has_pod_level(spec) else {}
    found = [_enforcement_of_pod(pod)]
    for container in containers_of(spec):
        limits = {name: container.limits.get(name) or whole.get(name, 0) for name in (CPU, MEMORY)}
        shares = cpu_shares(container.requests.get(CPU, limits[CPU]))
        found.append(
            EnforcedLimits(
                container.name,
                container.role,
                shares,
                cpu_weight(shares),
                newer_cpu_weight(shares),
                cpu_quota(limits[CPU]),
                limits[MEMORY] or None,
                # Limits of init containers count in the pod's sum alone.
                container.limits.get(EPHEMERAL_STORAGE) or None if container.role is ContainerRole.MAIN else None,
            )
        )
    return found


def volume_limits(pod: Document) -> dict[str, int]:
    """The bytes above which the kubelet evicts a pod for one of its emptyDirs, by the name of the volume."""
    found = {}
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        limit = (volume.get("emptyDir") or {}).get("sizeLimit")
        if limit is not None and (number := base_amount(EPHEMERAL_STORAGE, limit)) > 0:
            found[str(volume.get("name") or "")] = number
    return found


def pod_storage_limit(pod: Document) -> int | None:
    """The bytes of ephemeral storage above which the kubelet evicts a whole pod: what limits of containers come to.

    None where no container has one; a limit of 0 holds.
    """
    return _limit(pod, EPHEMERAL_STORAGE)


def _enforcement_of_pod(pod: Document) -> EnforcedLimits:
    spec, quality = pod.get("spec") or {}, quality_of_service(pod)
    requests = pod_amounts(pod, use_status=False)
    limits = {CPU: 0, MEMORY: 0}
    if quality is not QualityOfService.BEST_EFFORT:
        limits = {name: _limit(pod, name) or 0 for name in limits}
    if quality is QualityOfService.BURSTABLE:
        limits = {name: number if _is_limited(spec, name) else 0 for name, number in limits.items()}
    shares = LEAST_SHARES if quality is QualityOfService.BEST_EFFORT else cpu_shares(requests.get(CPU, 0))
    quota, memory = cpu_quota(limits[CPU]), limits[MEMORY] or None
    return EnforcedLimits("", None, shares, cpu_weight(shares), None, quota, memory, pod_storage_limit(pod))


def _limit(pod: Document, resource: str) -> int | None:
    """The limit of a whole pod, by its spec alone; None without one."""
    try:
        quantity = pod_quantities({"spec": pod.get("spec") or {}}, "limits").get(resource)
    except QuantityError:
        return None
    return None if quantity is None else quantity.scaled(3 if resource == CPU else 0)


def _is_limited(spec: Document, resource: str) -> bool:
    """Whether every container has a limit of the resource, or the pod as a whole has one."""
    if has_pod_level(spec) and written_amounts(spec, "limits").get(resource):
        return True
    return all(each.limits.get(resource) for each in containers_of(spec) if each.role is not ContainerRole.EPHEMERAL)


# Which container the kernel kills first when a node's memory runs out: oom_score_adj.
#
# Upstream: ``GetContainerOOMScoreAdjust`` of ``pkg/kubelet/qos/policy.go`` and ``pkg/kubelet/qos/helpers.go``,
# v1.34.1 (the gate PodLevelResources on, as it is by default).

NODE_CRITICAL = "system-node-critical"
_GUARANTEED, _BEST_EFFORT = -997, 1000
_LEAST, _MOST = 1000 + _GUARANTEED, _BEST_EFFORT - 1


class ScoreGround(enum.StrEnum):
    """What a container's score follows from."""

    NODE_CRITICAL = "node-critical"
    GUARANTEED = "guaranteed"
    BEST_EFFORT = "best-effort"
    REQUEST = "request"
    """1000 less what it requests in thousandths of the node's memory."""
    OF_MAIN = "of-main-containers"
    """A sidecar's: that of the main container which requests least."""
    LEAST = "least"
    """It requests so much that the lowest score of Burstable pods holds."""
    MOST = "most"
    """It requests so little that it would have the score of BestEffort pods."""


class OomScore(Struct, frozen=True):
    """A container's score, None where it depends on the memory of a node that does not report it.

    ``requested``: the bytes that count for it, with its share of what is requested at pod level.
    """

    pod: str
    container: str
    role: ContainerRole
    quality: QualityOfService
    requested: int
    score: int | None
    ground: ScoreGround


def oom_scores(document: Document, capacity: int | None) -> list[OomScore]:
    """The scores of a pod's containers on a node of so many bytes of memory."""
    pod, quality = Pod(document), quality_of_service(document)
    share = _share_of_pod_level(pod.spec)
    main = [each.requests.get(MEMORY, 0) for each in containers_of(pod.spec) if each.role is ContainerRole.MAIN]
    found = []
    for container in containers_of(pod.spec):
        requested = container.requests.get(MEMORY, 0) + share
        score: int | None
        if is_critical(pod) and pod.spec.get("priorityClassName") == NODE_CRITICAL:
            score, ground = _GUARANTEED, ScoreGround.NODE_CRITICAL
        elif quality is QualityOfService.GUARANTEED:
            score, ground = _GUARANTEED, ScoreGround.GUARANTEED
        elif quality is QualityOfService.BEST_EFFORT:
            score, ground = _BEST_EFFORT, ScoreGround.BEST_EFFORT
        else:
            least = min(main, default=0) + share if container.role is ContainerRole.SIDECAR else 0
            score, ground = _of_burstable(requested, least, capacity)
        found.append(OomScore(pod.key, container.name, container.role, quality, requested, score, ground))
    return found


def oom_order(pods: Iterable[Document], capacity: int | None) -> list[OomScore]:
    """The containers of a node's pods, the one first that the kernel kills first if all use alike shares of memory."""
    found = [score for pod in pods if not Pod(pod).finished for score in oom_scores(pod, capacity)]
    return sorted(found, key=lambda each: (each.score is None, -(each.score or 0), each.pod, each.container))


def _of_burstable(requested: int, least: int, capacity: int | None) -> tuple[int | None, ScoreGround]:
    """The score by what a container requests; a sidecar's is no higher than that of the ``least`` main container."""
    ground = ScoreGround.REQUEST
    if least > requested:
        requested, ground = least, ScoreGround.OF_MAIN
    if not capacity:
        return None, ground
    score = 1000 - 1000 * requested // capacity
    if score < _LEAST:
        return _LEAST, ScoreGround.LEAST
    if score == _BEST_EFFORT:
        return _MOST, ScoreGround.MOST
    return score, ground


def _share_of_pod_level(spec: Document) -> int:
    """The bytes that each container gets of what is requested at pod level and by none of them."""
    wanted = (spec.get("resources") or {}).get("requests") or {}
    whole = written_amounts(spec, "requests").get(MEMORY, 0)
    if not whole or not any(map(is_pod_level, wanted)):
        return 0
    kinds = ("containers", "initContainers")
    alone = {kind: spec.get(kind) for kind in kinds}
    number = sum(len(each or ()) for each in alone.values())
    return (whole - pod_amounts({"spec": alone}, use_status=False).get(MEMORY, 0)) // number if number else 0
