"""Which pods a kubelet evicts because they have more on disks than their limits allow, however full the node is.

Upstream: ``localStorageEviction`` of ``pkg/kubelet/eviction/eviction_manager.go``, v1.34.1: of each pod that the
kubelet has statistics of first its emptyDirs, then the whole pod, then its containers; critical pods are spared.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.pressure import is_critical
from clusters.engine.kubelet.containers import ContainerRole, containers_of
from clusters.engine.kubelet.enforcement import pod_storage_limit, volume_limits
from clusters.engine.objects import Pod
from clusters.engine.resources.requests import EPHEMERAL_STORAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.kubelet.signals import FilesystemLayout
    from clusters.engine.objects import Document
    from clusters.engine.usage.disks import NodeDisks, PodDisks


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
