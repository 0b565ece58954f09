"""Whom a kubelet evicts when its node runs out of disk, inodes or process ids, what it tries first, how long pods get.

Upstream: ``buildSignalToRankFunc``, ``rankDiskPressureFunc``, ``rankPIDPressure`` and ``buildSignalToNodeReclaimFuncs``
of ``pkg/kubelet/eviction/helpers.go``, ``synchronize`` of ``pkg/kubelet/eviction/eviction_manager.go``,
``calculateEffectiveGracePeriod`` of ``pkg/kubelet/pod_workers.go``, v1.34.1."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.engine.kubelet.containers import (
    OVER,
    UNMEASURED,
    WITHIN,
    ContainerRole,
    RankKeys,
    containers_of,
    is_critical,
    is_static,
    pod_storage_limit,
    possible_ranks,
    pressure_request,
    volume_limits,
)
from clusters.engine.kubelet.settings import FilesystemLayout, Signal, StarvedResource
from clusters.engine.objects import Pod
from clusters.engine.qos import QualityOfService, quality_of_service
from clusters.engine.resources import EPHEMERAL_STORAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.usage import NodeDisks, PodDisks

# What a pod gets that is evicted at once.
HARD_GRACE_SECONDS = 1


class DiskPart(enum.StrEnum):
    """A part of what a pod has on disks."""

    LAYERS = "writable-layers"
    LOGS = "logs"
    VOLUMES = "local-volumes"


class ReclaimStep(enum.StrEnum):
    """What the kubelet tries before it evicts a pod."""

    CONTAINERS = "dead-containers"
    IMAGES = "unused-images"


class RankGround(enum.StrEnum):
    """What decides the rank of a pod."""

    STATIC = "static"
    CRITICAL = "critical"
    STARTING = "starting"
    """Nothing of it may run yet, so that it may have no statistics."""
    NOTHING_REQUESTED = "nothing-requested"
    """It requests none of it: whatever it uses is above its request."""
    USAGE = "usage"
    """Whether it uses more than it requests decides."""
    PRIORITY = "priority"
    """Its priority decides, and among equals the usage."""
    UNCOUNTED = "uncounted"
    """The kubelet counts nothing of it on this file system: priority decides, and among equals the smaller request."""
    ABOVE = "above"
    """It uses more than it requests."""
    WITHIN = "within"
    """It uses no more than it requests."""

    @property
    def is_exempt(self) -> bool:
        """Whether the kubelet passes the pod over."""
        return self in (RankGround.STATIC, RankGround.CRITICAL)


@dataclass(frozen=True, slots=True)
class DiskRank:
    """A pod's place in the order; ``earliest`` and ``latest`` count from 1 and are 0 for a pod that is passed over.

    ``requested``: bytes of ephemeral storage. ``used``: bytes, inodes or processes of the parts that count, None where
    nobody measured them.
    """

    key: str
    priority: int
    quality: QualityOfService
    requested: int
    ground: RankGround
    used: int | None = None
    earliest: int = 0
    latest: int = 0


def counted_parts(signal: Signal, layout: FilesystemLayout) -> frozenset[DiskPart]:
    """What of a pod's usage counts while a file system is full; nothing where it holds images alone."""
    if signal.starved not in (StarvedResource.DISK, StarvedResource.INODES):
        return frozenset()
    of_images = signal in (Signal.IMAGE_FS, Signal.IMAGE_FS_INODES)
    match layout:
        case FilesystemLayout.ONE:
            return frozenset(DiskPart)
        case FilesystemLayout.IMAGES:
            with_images = of_images or signal.is_of_containers
            return frozenset({DiskPart.LAYERS} if with_images else {DiskPart.LOGS, DiskPart.VOLUMES})
        case FilesystemLayout.IMAGES_SPLIT:
            return frozenset() if of_images else frozenset(DiskPart)


def reclaim_steps(signal: Signal, layout: FilesystemLayout) -> tuple[ReclaimStep, ...]:
    """What the kubelet tries before it evicts, in its order; nothing where memory or process ids run out."""
    if signal.starved not in (StarvedResource.DISK, StarvedResource.INODES):
        return ()
    both = (ReclaimStep.CONTAINERS, ReclaimStep.IMAGES)
    of_images = signal in (Signal.IMAGE_FS, Signal.IMAGE_FS_INODES)
    match layout:
        case FilesystemLayout.ONE:
            return both
        case FilesystemLayout.IMAGES:
            return both if of_images or signal.is_of_containers else ()
        case FilesystemLayout.IMAGES_SPLIT:
            return both[1:] if of_images else both[:1]


def soft_grace(most: int, pod: Document) -> int:
    """The seconds that a pod gets at a soft threshold: its own, and at most evictionMaxPodGracePeriod (``most``)."""
    own = (pod.get("spec") or {}).get("terminationGracePeriodSeconds")
    return max(most if own is None else min(most, int(own)), HARD_GRACE_SECONDS)


def disk_pressure_order(
    pods: Iterable[Document],
    signal: Signal,
    layout: FilesystemLayout,
    usage: Mapping[str, int | None] | None = None,
) -> list[DiskRank]:
    """The pods of a node in the order of the ranks that they may have while disk, inodes or process ids run out.

    ``usage``: by the UID of the pod, as far as it is known, bytes, inodes or processes of the parts that count. Those
    that are passed over come last, finished pods are left out.
    """
    known = usage or {}
    counts_nothing = signal.starved is not StarvedResource.PIDS and not counted_parts(signal, layout)
    ranked = []
    for pod in map(Pod, pods):
        if pod.finished:
            continue
        used = 0 if counts_nothing else known.get(pod.uid)
        requested = pressure_request(pod.document, EPHEMERAL_STORAGE)
        ground = RankGround.UNCOUNTED if counts_nothing and not _exempt(pod) else _ground(pod, signal, requested, used)
        rank = DiskRank(pod.key, pod.priority, quality_of_service(pod.document), requested, ground, used)
        ranked.append((rank, used))
    evictable = [(rank, used) for rank, used in ranked if not rank.ground.is_exempt]
    ranks = possible_ranks([_keys(rank, signal, used) for rank, used in evictable])
    placed = [
        replace(rank, earliest=earliest, latest=latest)
        for (rank, _), (earliest, latest) in zip(evictable, ranks, strict=True)
    ]
    placed.sort(key=lambda each: (each.earliest, each.latest, each.priority, each.key))
    exempt = (rank for rank, _ in ranked if rank.ground.is_exempt)
    return [*placed, *sorted(exempt, key=lambda each: (each.priority, each.key))]


def _exempt(pod: Pod) -> RankGround | None:
    if is_static(pod):
        return RankGround.STATIC
    return RankGround.CRITICAL if is_critical(pod) else None


def _ground(pod: Pod, signal: Signal, requested: int, used: int | None) -> RankGround:
    exempt = _exempt(pod)
    if exempt is not None:
        return exempt
    if signal.starved is StarvedResource.PIDS:
        return RankGround.PRIORITY
    # Nobody requests inodes.
    threshold = requested if signal.starved is StarvedResource.DISK else 0
    if used is not None:
        return RankGround.ABOVE if used > threshold else RankGround.WITHIN
    if pod.starting:
        return RankGround.STARTING
    return RankGround.USAGE if threshold else RankGround.NOTHING_REQUESTED


_GROUPS = {
    RankGround.STARTING: (UNMEASURED, WITHIN),
    RankGround.NOTHING_REQUESTED: (OVER, OVER),
    RankGround.USAGE: (OVER, WITHIN),
    RankGround.PRIORITY: (WITHIN, WITHIN),
}


def _keys(rank: DiskRank, signal: Signal, used: int | None) -> RankKeys:
    if used is None:
        return RankKeys.between(*_GROUPS[rank.ground], rank.priority)
    # Of inodes, too, upstream subtracts the request for ephemeral storage.
    requested = 0 if signal.starved is StarvedResource.PIDS else rank.requested
    group = OVER if rank.ground is RankGround.ABOVE else WITHIN
    return RankKeys.exactly(group, rank.priority, requested - used)


# Which pods a kubelet evicts because they have more on disks than their limits allow, however full the node is.
#
# Upstream: ``localStorageEviction`` of ``pkg/kubelet/eviction/eviction_manager.go``, v1.34.1: of each pod that the
# kubelet has statistics of first its emptyDirs, then the whole pod, then its containers; critical pods are spared.


class ExceededLimit(enum.StrEnum):
    """Whose limit is exceeded."""

    EMPTY_DIR = "empty-dir"
    POD = "pod"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class StorageExcess:
    """The limit for which a kubelet evicts a pod, in bytes, and what is used of it.

    ``name``: of the volume or the container, empty for the whole pod. ``is_spared``: the pod is critical, so that the
    kubelet does not evict it.
    """

    pod: str
    kind: ExceededLimit
    name: str
    used: int
    limit: int
    is_spared: bool = False


def storage_excesses(pods: Iterable[Document], disks: NodeDisks, layout: FilesystemLayout) -> list[StorageExcess]:
    """The pods of a node that exceed a limit, by namespace and name; of each the limit that the kubelet finds first."""
    found = []
    for pod in pods:
        has = disks.of(pod)
        excess = None if has is None or Pod(pod).finished else storage_excess(pod, has, layout)
        if excess is not None:
            found.append(excess)
    return sorted(found, key=lambda each: each.pod)


def storage_excess(pod: Document, disks: PodDisks, layout: FilesystemLayout) -> StorageExcess | None:
    """The limit for which the kubelet evicts a pod; None where it exceeds none."""
    return next(_excesses(pod, disks, layout), None)


def _excesses(document: Document, disks: PodDisks, layout: FilesystemLayout) -> Iterator[StorageExcess]:
    pod = Pod(document)
    spared = is_critical(pod)
    for name, limit in volume_limits(document).items():
        used = disks.volumes[name].used_bytes if name in disks.volumes else 0
        if used > limit:
            yield StorageExcess(pod.key, ExceededLimit.EMPTY_DIR, name, used, limit, spared)
    whole = pod_storage_limit(document)
    if whole is not None and disks.total_bytes > whole:
        yield StorageExcess(pod.key, ExceededLimit.POD, "", disks.total_bytes, whole, spared)
    for container in containers_of(pod.spec):
        limit = container.limits.get(EPHEMERAL_STORAGE, 0)
        used = disks.of_container(container.name, layout)
        if container.role is ContainerRole.MAIN and limit and used > limit:
            yield StorageExcess(pod.key, ExceededLimit.CONTAINER, container.name, used, limit, spared)
