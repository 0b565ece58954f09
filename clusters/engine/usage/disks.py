"""What a node and its pods have on disks, and what its kubelet observes, as the kubelet itself reports it.

Upstream: ``stats/v1alpha1`` of ``k8s.io/kubelet`` v0.34.1; ``makeSignalObservations``, ``podDiskUsage`` and
``localVolumeNames`` of ``pkg/kubelet/eviction/helpers.go`` and ``HasDedicatedImageFs`` of
``pkg/kubelet/stats/provider.go``, v1.34.1. What a kubelet does not report of a pod counts as 0, as it does for itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.engine.kubelet.pressure import DiskPart, counted_parts
from clusters.engine.kubelet.signals import FilesystemLayout, Signal, StarvedResource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document

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


@dataclass(frozen=True, slots=True)
class PodDisks:
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


@dataclass(frozen=True, slots=True)
class NodeDisks:
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
