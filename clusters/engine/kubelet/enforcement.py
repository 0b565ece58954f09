"""What the kubelet has the runtime and the kernel enforce: shares and quota of CPU, memory, disk.

Upstream: ``MilliCPUToShares``, ``MilliCPUToQuota`` and ``ResourceConfigForPod`` of ``pkg/kubelet/cm/helpers_linux.go``,
``cpuSharesToCPUWeight`` of ``pkg/kubelet/cm/cgroup_v2_manager_linux.go`` and ``calculateLinuxResources`` of
``pkg/kubelet/kuberuntime/kuberuntime_container_linux.go``, ``localStorageEviction`` of
``pkg/kubelet/eviction/eviction_manager.go``, v1.34.1, with the feature gates at their defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2
from typing import TYPE_CHECKING

from clusters.engine.disruption.qos import QualityOfService, quality_of_service
from clusters.engine.kubelet.containers import ContainerRole, containers_of, written_amounts
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.resources.requests import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    amount,
    has_pod_level,
    pod_amounts,
    pod_quantities,
)

if TYPE_CHECKING:
    from clusters.engine.objects import Document

LEAST_SHARES, MOST_SHARES = 2, 262_144
PERIOD_MICROS = 100_000
_LEAST_QUOTA_MICROS = 1_000


@dataclass(frozen=True, slots=True)
class EnforcedLimits:
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
    found = [_of_pod(pod)]
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
        if limit is not None and (number := amount(EPHEMERAL_STORAGE, limit)) > 0:
            found[str(volume.get("name") or "")] = number
    return found


def pod_storage_limit(pod: Document) -> int | None:
    """The bytes of ephemeral storage above which the kubelet evicts a whole pod: what limits of containers come to.

    None where no container has one; a limit of 0 holds.
    """
    return _limit(pod, EPHEMERAL_STORAGE)


def _of_pod(pod: Document) -> EnforcedLimits:
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
