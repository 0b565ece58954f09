"""In which order a kubelet evicts pods when its node runs out of memory, as far as that is certain without their usage.

Upstream: ``rankMemoryPressure`` of ``pkg/kubelet/eviction/helpers.go``, ``GetResourceRequestQuantity`` of
``pkg/api/v1/resource/helpers.go`` (the gate PodLevelResources on, as it is by default) and ``IsCriticalPod`` of
``pkg/kubelet/types/pod_update.go``, v1.34.1: pods without statistics first, then those that use more than they request,
then by priority, then by how much more they use. Usage is not mirrored, so each pod gets the ranks that it may have.
"""

from __future__ import annotations

import enum
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.disruption.qos import QualityOfService, quality_of_service
from clusters.engine.objects import Pod
from clusters.engine.resources.requests import MEMORY, amount, has_pod_level, pod_amounts
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document

# From this priority on a pod is critical: system-cluster-critical and system-node-critical.
CRITICAL = 2_000_000_000


class KnownMemory(enum.StrEnum):
    """What is known of a pod's memory before anybody measures it, and from what."""

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

    @property
    def is_exempt(self) -> bool:
        """Whether the kubelet passes the pod over."""
        return self in (KnownMemory.STATIC, KnownMemory.CRITICAL)


class _Key(NamedTuple):
    """What pods are compared by before their usage in bytes: lower comes first."""

    group: int
    priority: int


# Groups of the order: no statistics, usage above the request, usage within it.
_UNMEASURED, _OVER, _WITHIN = range(3)
_GROUPS = {
    KnownMemory.STARTING: (_UNMEASURED, _WITHIN),
    KnownMemory.NOTHING_REQUESTED: (_OVER, _OVER),
    KnownMemory.NOTHING_AS_A_WHOLE: (_OVER, _OVER),
    KnownMemory.CAPPED: (_WITHIN, _WITHIN),
}


@dataclass(frozen=True, slots=True)
class PressureRank:
    """A pod's place in the order. ``earliest`` and ``latest`` count from 1 and are 0 for a pod that is passed over.

    ``requested`` and ``limited`` are bytes, as the kubelet counts them; ``limited`` is None where a container has no
    limit.
    """

    key: str
    priority: int
    quality: QualityOfService
    standing: KnownMemory
    requested: int
    limited: int | None
    earliest: int = 0
    latest: int = 0


def pressure_order(pods: Iterable[Document]) -> list[PressureRank]:
    """The pods of one node in the order of the ranks they may have; those that are passed over come last.

    Finished pods are left out. A pod is certainly before another where its worst comparison beats the other's best.
    """
    ranked = [_unranked(pod) for pod in map(Pod, pods) if not pod.finished]
    evictable = [each for each in ranked if not each.standing.is_exempt]
    best, worst = sorted(map(_best, evictable)), sorted(map(_worst, evictable))
    placed = [
        PressureRank(
            each.key,
            each.priority,
            each.quality,
            each.standing,
            each.requested,
            each.limited,
            earliest=1 + bisect_left(worst, _best(each)),
            latest=bisect_right(best, _worst(each)),
        )
        for each in evictable
    ]
    placed.sort(key=lambda each: (each.earliest, each.latest, each.priority, each.key))
    exempt = (each for each in ranked if each.standing.is_exempt)
    return [*placed, *sorted(exempt, key=lambda each: (each.priority, each.key))]


def _best(rank: PressureRank) -> _Key:
    """The comparison that brings the pod to the front."""
    return _Key(_GROUPS.get(rank.standing, (_OVER, _WITHIN))[0], rank.priority)


def _worst(rank: PressureRank) -> _Key:
    """The comparison that brings the pod to the back."""
    return _Key(_GROUPS.get(rank.standing, (_OVER, _WITHIN))[1], rank.priority)


def _unranked(pod: Pod) -> PressureRank:
    requested, limited = memory_requested(pod.document), _limited(pod.spec)
    standing = _standing(pod, requested, limited)
    return PressureRank(pod.key, pod.priority, quality_of_service(pod.document), standing, requested, limited)


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


def memory_requested(pod: Document) -> int:
    """The bytes with which the kubelet compares usage: overhead counts only beside a request.

    A pod that names anything at its own level is measured by that level alone: with a pod-level request for CPU only,
    its containers' memory requests count nothing here, though the scheduler counts them.
    """
    spec = pod.get("spec") or {}
    if has_pod_level(spec):
        requested = _of_pod(spec, "requests")
    else:
        containers = {name: part for name, part in spec.items() if name != "overhead"}
        requested = pod_amounts({"spec": containers}, use_status=False).get(MEMORY, 0)
    return requested + _overhead(spec) if requested else 0


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


def _of_pod(spec: Document, kind: str) -> int:
    """The memory request or limit of the pod as a whole, 0 without one."""
    return amount(MEMORY, ((spec.get("resources") or {}).get(kind) or {}).get(MEMORY) or 0)


def _overhead(spec: Document) -> int:
    return amount(MEMORY, (spec.get("overhead") or {}).get(MEMORY) or 0)


def _has_sidecars(spec: Document) -> bool:
    return any(container.get("restartPolicy") == "Always" for container in spec.get("initContainers") or ())
