"""In which order a kubelet evicts pods when its node runs out of memory, as far as that is certain.

Upstream: ``rankMemoryPressure`` of ``pkg/kubelet/eviction/helpers.go``, ``GetResourceRequestQuantity`` of
``pkg/api/v1/resource/helpers.go`` (the gate PodLevelResources on, as it is by default) and ``IsCriticalPod`` of
``pkg/kubelet/types/pod_update.go``, v1.34.1: pods without statistics first, then those that use more than they request,
then by priority, then by how much more they use. A pod whose usage is not known gets the ranks that it may have.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.engine.disruption.qos import QualityOfService, quality_of_service
from clusters.engine.disruption.ranking import OVER, UNMEASURED, WITHIN, RankKeys, possible_ranks
from clusters.engine.objects import Pod
from clusters.engine.resources.requests import MEMORY, amount, has_pod_level, is_pod_level, pod_amounts
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document

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


@dataclass(frozen=True, slots=True)
class PressureRank:
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
    if _has_sidecars(pod.spec) and not _of_pod(pod.spec, "requests"):
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
            if not amount(MEMORY, limits.get(MEMORY) or 0):
                return None
            limited[kind].append({**container, "resources": {"requests": limits}})
    # What an ephemeral container uses has no limit.
    if spec.get("ephemeralContainers"):
        return None
    return pod_amounts({"spec": limited}, use_status=False).get(MEMORY, 0) + _overhead(spec)


def _of_pod(spec: Document, kind: str, resource: str = MEMORY) -> int:
    """The request or limit of the pod as a whole, 0 without one."""
    return amount(resource, ((spec.get("resources") or {}).get(kind) or {}).get(resource) or 0)


def _overhead(spec: Document, resource: str = MEMORY) -> int:
    return amount(resource, (spec.get("overhead") or {}).get(resource) or 0)


def _has_sidecars(spec: Document) -> bool:
    return any(container.get("restartPolicy") == "Always" for container in spec.get("initContainers") or ())
