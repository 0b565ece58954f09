"""Whom a kubelet evicts when its node runs out of disk, inodes or process ids, what it tries first, how long pods get.

Upstream: ``buildSignalToRankFunc``, ``rankDiskPressureFunc``, ``rankPIDPressure`` and ``buildSignalToNodeReclaimFuncs``
of ``pkg/kubelet/eviction/helpers.go``, ``synchronize`` of ``pkg/kubelet/eviction/eviction_manager.go``,
``calculateEffectiveGracePeriod`` of ``pkg/kubelet/pod_workers.go``, v1.34.1."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

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
from clusters.engine.objects import Document, Pod
from clusters.engine.qos import QualityOfService, quality_of_service
from clusters.engine.resources import EPHEMERAL_STORAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


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


class DiskRank(Struct, frozen=True):
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


class StorageExcess(Struct, frozen=True):
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


# What a node and its pods have on disks, and what its kubelet observes, as the kubelet itself reports it.
#
# Upstream: ``stats/v1alpha1`` of ``k8s.io/kubelet`` v0.34.1; ``makeSignalObservations``, ``podDiskUsage`` and
# ``localVolumeNames`` of ``pkg/kubelet/eviction/helpers.go`` and ``HasDedicatedImageFs`` of
# ``pkg/kubelet/stats/provider.go``, v1.34.1. What a kubelet does not report of a pod counts as 0, as it does for
# itself.

# Volumes that lie on the node's own disks; an emptyDir does unless it is in memory.
_LOCAL_VOLUMES = ("hostPath", "gitRepo", "configMap")


class OnDisk(NamedTuple):
    """Bytes and inodes that something takes."""

    used_bytes: int = 0
    inodes: int = 0

    def plus(self, other: OnDisk) -> OnDisk:
        """Add two amounts."""
        return OnDisk(self.used_bytes + other.used_bytes, self.inodes + other.inodes)


class Observed(NamedTuple):
    """What a signal measures, in its own units: bytes, inodes or process ids."""

    available: int
    capacity: int


class FilesystemSize(NamedTuple):
    """By what one file system is told from another in a report, which names no device."""

    capacity: int
    inodes: int


class PodDisks(Struct, frozen=True):
    """What one pod has on disks: layers and logs by container, volumes by name.

    ``total_bytes``: ephemeral storage as the kubelet sums it up, with files of its own such as ``/etc/hosts``.
    """

    uid: str
    namespace: str
    name: str
    layers: Mapping[str, OnDisk] = field(default_factory=dict)
    logs: Mapping[str, OnDisk] = field(default_factory=dict)
    volumes: Mapping[str, OnDisk] = field(default_factory=dict)
    total_bytes: int = 0
    processes: int = 0

    def counted(self, pod: Document, signal: Signal, layout: FilesystemLayout) -> int:
        """What of it counts while the node is short of what a signal measures, in the units of the signal."""
        if signal.starved is StarvedResource.PIDS:
            return self.processes
        parts, found = counted_parts(signal, layout), OnDisk()
        if DiskPart.LAYERS in parts:
            found = _sum(self.layers.values(), found)
        if DiskPart.LOGS in parts:
            found = _sum(self.logs.values(), found)
        if DiskPart.VOLUMES in parts:
            found = _sum((self.volumes.get(name, OnDisk()) for name in _local_volumes(pod)), found)
        return found.inodes if signal.starved is StarvedResource.INODES else found.used_bytes

    def of_container(self, name: str, layout: FilesystemLayout) -> int:
        """The bytes that count against a container's limit: its layer only where everything is on one file system."""
        logs = self.logs.get(name, OnDisk()).used_bytes
        return logs + self.layers.get(name, OnDisk()).used_bytes if layout is FilesystemLayout.ONE else logs


class NodeDisks(Struct, frozen=True):
    """What a kubelet observes of its node, and what the pods there have on disks.

    ``layout``: how its file systems lie, as far as their sizes tell; None where the report lacks them.
    """

    observed: Mapping[Signal, Observed]
    layout: FilesystemLayout | None
    pods: tuple[PodDisks, ...]

    def of(self, pod: Document) -> PodDisks | None:
        """What a pod has, told by its UID; None where the report does not have it."""
        uid = str((pod.get("metadata") or {}).get("uid") or "")
        return next((each for each in self.pods if uid and each.uid == uid), None)

    def counted(self, pods: Iterable[Document], signal: Signal, layout: FilesystemLayout) -> dict[str, int]:
        """What counts of each pod that the report has, by UID, while the node is short of what a signal measures."""
        by_uid = {each.uid: each for each in self.pods if each.uid}
        found = {}
        for pod in pods:
            uid = str((pod.get("metadata") or {}).get("uid") or "")
            if uid in by_uid:
                found[uid] = by_uid[uid].counted(pod, signal, layout)
        return found

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> NodeDisks:
        """Read what ``as_dict`` wrote."""
        return cls(
            {Signal(name): Observed(*found) for name, found in document["observed"].items()},
            FilesystemLayout(document["layout"]) if document["layout"] else None,
            tuple(
                PodDisks(uid, namespace, name, _read(layers), _read(logs), _read(volumes), total, processes)
                for uid, namespace, name, (layers, logs, volumes), total, processes in document["pods"]
            ),
        )

    def as_dict(self) -> dict[str, Any]:
        """The report in plain values."""
        return {
            "observed": {str(signal): list(found) for signal, found in self.observed.items()},
            "layout": str(self.layout) if self.layout else "",
            "pods": [
                [
                    each.uid,
                    each.namespace,
                    each.name,
                    [{name: list(on) for name, on in part.items()} for part in (each.layers, each.logs, each.volumes)],
                    each.total_bytes,
                    each.processes,
                ]
                for each in self.pods
            ],
        }


def layout_of(
    nodes: FilesystemSize | None, images: FilesystemSize | None, containers: FilesystemSize | None
) -> FilesystemLayout | None:
    """How the file systems of these sizes lie; kubelets before v1.29 report none of containers'.

    Two of one size are taken for one.
    """
    if nodes is None or images is None:
        return None
    if containers is not None and containers != images:
        return FilesystemLayout.IMAGES_SPLIT
    return FilesystemLayout.ONE if nodes == images else FilesystemLayout.IMAGES


def _read(part: Mapping[str, Any]) -> dict[str, OnDisk]:
    return {name: OnDisk(*on) for name, on in part.items()}


def _sum(amounts: Iterable[OnDisk], found: OnDisk) -> OnDisk:
    for each in amounts:
        found = found.plus(each)
    return found


def _local_volumes(pod: Document) -> Iterable[str]:
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        directory = volume.get("emptyDir")
        in_memory = directory is not None and (directory or {}).get("medium")
        if (directory is not None and not in_memory) or any(volume.get(kind) is not None for kind in _LOCAL_VOLUMES):
            yield str(volume.get("name") or "")
