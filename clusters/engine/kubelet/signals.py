"""What a kubelet measures to find its node short of something, and which condition of the node follows.

Upstream: ``pkg/kubelet/eviction/api/types.go`` and the maps of ``pkg/kubelet/eviction/helpers.go``, v1.34.1.
"""

from __future__ import annotations

import enum


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
