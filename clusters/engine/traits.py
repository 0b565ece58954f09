"""What a plugin says of itself, so that nobody has to know it by name: what it reads, and what requeues pods."""

from __future__ import annotations

from enum import Flag, StrEnum, auto


class Reads(Flag):
    """What a plugin looks at when it judges or scores a node for a pod, besides the pod itself."""

    NOTHING = 0
    NODES = auto()
    """What a node is: its name, labels, taints and images. No pod that comes or goes changes it."""
    AMOUNTS = auto()
    """How much the pods on the node request together, and how many they are."""
    PODS = auto()
    """Which pods there are, on the node or elsewhere."""
    VOLUMES = auto()
    """Claims, volumes, storage classes and drivers."""
    DEVICES = auto()
    """Resource claims, device classes and the devices that drivers offer."""


class ClusterEvent(StrEnum):
    """A change for which the scheduler's queue asks plugins whether a pod that they rejected is worth another attempt.

    Upstream: the labels of ``ClusterEvent`` in ``kube-scheduler/framework/events.go`` v1.34.1. From v1.37.2 those of
    pods tell the pod itself from pods on nodes; what happens is the same.
    """

    NODE_ADD = "Node/Add"
    NODE_DELETE = "Node/Delete"
    NODE_ALLOCATABLE = "Node/UpdateNodeAllocatable"
    NODE_DECLARED_FEATURE = "Node/UpdateNodeDeclaredFeature"
    NODE_LABEL = "Node/UpdateNodeLabel"
    NODE_PREEMPTION_POLICY = "Node/UpdateNodePreemptionPolicy"
    NODE_TAINT = "Node/UpdateNodeTaint"
    POD_ADD = "Pod/Add"
    POD_UPDATE = "Pod/Update"
    POD_DELETE = "Pod/Delete"
    POD_LABEL = "Pod/UpdatePodLabel"
    POD_SCALE_DOWN = "Pod/UpdatePodScaleDown"
    POD_SCALE_UP = "Pod/UpdatePodScaleUp"
    POD_TOLERATION = "Pod/UpdatePodToleration"
    POD_GATES_ELIMINATED = "Pod/UpdatePodSchedulingGatesEliminated"
    POD_GENERATED_RESOURCE_CLAIM = "Pod/UpdatePodGeneratedResourceClaim"
    CLAIM_ADD = "PersistentVolumeClaim/Add"
    CLAIM_UPDATE = "PersistentVolumeClaim/Update"
    VOLUME_ADD = "PersistentVolume/Add"
    VOLUME_UPDATE = "PersistentVolume/Update"
    STORAGE_CLASS_ADD = "StorageClass/Add"
    STORAGE_CLASS_UPDATE = "StorageClass/Update"
    STORAGE_CAPACITY_ADD = "CSIStorageCapacity/Add"
    STORAGE_CAPACITY_UPDATE = "CSIStorageCapacity/Update"
    VOLUME_ATTACHMENT_DELETE = "VolumeAttachment/Delete"
    CSI_NODE_ADD = "CSINode/Add"
    CSI_NODE_UPDATE = "CSINode/Update"
    CSI_DRIVER_UPDATE = "CSIDriver/Update"
    RESOURCE_CLAIM_ADD = "ResourceClaim/Add"
    RESOURCE_CLAIM_UPDATE = "ResourceClaim/Update"
    RESOURCE_CLAIM_DELETE = "ResourceClaim/Delete"
    RESOURCE_SLICE_ADD = "ResourceSlice/Add"
    RESOURCE_SLICE_UPDATE = "ResourceSlice/Update"
    DEVICE_CLASS_ADD = "DeviceClass/Add"
    DEVICE_CLASS_UPDATE = "DeviceClass/Update"
    WORKLOAD_ADD = "Workload/Add"
    POD_GROUP_ADD = "PodGroup/Add"
    POD_GROUP_UPDATE = "PodGroup/Update"
    COMPOSITE_POD_GROUP_ADD = "CompositePodGroup/Add"
