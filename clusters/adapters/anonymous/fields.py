"""Which field of the pruned objects holds a name of what. Fields are told by their own name and the one above it."""

from __future__ import annotations

from typing import Final

from clusters.adapters.anonymous.names import Noun

# The name of an object of each kind that scheduling reads. Objects of other kinds are left out.
KINDS: Final = {
    "Namespace": Noun.NAMESPACE,
    "Node": Noun.NODE,
    "Pod": Noun.POD,
    "PodDisruptionBudget": Noun.BUDGET,
    "PriorityClass": Noun.PRIORITY_CLASS,
    "RuntimeClass": Noun.RUNTIME_CLASS,
    "Service": Noun.SERVICE,
    "ReplicationController": Noun.APP,
    "ReplicaSet": Noun.APP,
    "StatefulSet": Noun.APP,
    "PersistentVolume": Noun.VOLUME,
    "PersistentVolumeClaim": Noun.CLAIM,
    "StorageClass": Noun.STORAGE_CLASS,
    "CSINode": Noun.NODE,
    "CSIDriver": Noun.DRIVER,
    "CSIStorageCapacity": Noun.OBJECT,
    "VolumeAttachment": Noun.OBJECT,
    "ResourceSlice": Noun.SLICE,
    "ResourceClaim": Noun.DEVICE_CLAIM,
    "ResourceClaimTemplate": Noun.DEVICE_CLAIM,
    "DeviceClass": Noun.DEVICE_CLASS,
    "DeviceTaintRule": Noun.OBJECT,
    "Workload": Noun.GROUP,
    "PodGroup": Noun.GROUP,
    "CompositePodGroup": Noun.GROUP,
}

# What nothing computes from, and what may quote names.
DROPPED: Final = frozenset(
    {
        "resourceVersion",
        "finalizers",
        "message",
        "description",
        "providerID",
        "volumesAttached",
        "volumesInUse",
        "containerRuntimeVersion",
        "kernelVersion",
        "osImage",
        "extenders",
        "selfLink",
        "generateName",
        "managedFields",
    }
)

# Maps whose keys are labels, resources, or attributes, capacities and counters of devices.
LABEL_MAPS: Final = frozenset({"labels", "matchLabels", "nodeSelector"})
RESOURCE_MAPS: Final = frozenset(
    {
        "requests",
        "limits",
        "capacity",
        "allocatable",
        "overhead",
        "podFixed",
        "hard",
        "used",
        "allocatedResources",
        "default",
        "defaultRequest",
        "max",
        "min",
        "maxLimitRequestRatio",
    }
)
ATTRIBUTE_MAPS: Final = frozenset({"attributes", "consumedCapacity"})
COUNTER_MAPS: Final = frozenset({"counters"})

# A field by its own name, or by the name of the field around it and its own.
NOUNS: Final[dict[str, Noun]] = {
    "namespace": Noun.NAMESPACE,
    "namespaces": Noun.NAMESPACE,
    "nodeName": Noun.NODE,
    "nodeID": Noun.OBJECT,
    "nominatedNodeName": Noun.NODE,
    "uid": Noun.UID,
    "shareID": Noun.UID,
    "ownerReferences.name": Noun.APP,
    "reservedFor.name": Noun.POD,
    "topologyKey": Noun.LABEL,
    "topologyKeys": Noun.LABEL,
    "topology.key": Noun.LABEL,
    "matchLabelKeys": Noun.LABEL,
    "mismatchLabelKeys": Noun.LABEL,
    "schedulerName": Noun.SCHEDULER,
    "priorityClassName": Noun.PRIORITY_CLASS,
    "runtimeClassName": Noun.RUNTIME_CLASS,
    "handler": Noun.RUNTIME_CLASS,
    "claimName": Noun.CLAIM,
    "claimRef.name": Noun.CLAIM,
    "volumeName": Noun.VOLUME,
    "persistentVolumeName": Noun.VOLUME,
    "storageClassName": Noun.STORAGE_CLASS,
    "volumeAttributesClassName": Noun.STORAGE_CLASS,
    "volumes.name": Noun.DISK,
    "containers.name": Noun.CONTAINER,
    "initContainers.name": Noun.CONTAINER,
    "containerStatuses.name": Noun.CONTAINER,
    "initContainerStatuses.name": Noun.CONTAINER,
    "containerName": Noun.CONTAINER,
    "volumeHandle": Noun.VOL,
    "volumeID": Noun.VOL,
    "provisioner": Noun.DRIVER,
    "attacher": Noun.DRIVER,
    "driver": Noun.DRIVER,
    "drivers.name": Noun.DRIVER,
    "image": Noun.IMAGE,
    "reference": Noun.IMAGE,
    "names": Noun.IMAGE,
    "resourceName": Noun.RESOURCE,
    "extendedResourceName": Noun.RESOURCE,
    "resources.name": Noun.RESOURCE,
    "managedResources.name": Noun.RESOURCE,
    "ignoredResources": Noun.RESOURCE,
    "ignoredResourceGroups": Noun.DOMAIN,
    "hostIP": Noun.ADDRESS,
    "pool": Noun.POOL,
    "pool.name": Noun.POOL,
    "device": Noun.DEVICE,
    "devices.name": Noun.DEVICE,
    "resourceClaimName": Noun.DEVICE_CLAIM,
    "resourceClaimTemplateName": Noun.DEVICE_CLAIM,
    "deviceClassName": Noun.DEVICE_CLASS,
    "podGroupName": Noun.GROUP,
    "workloadName": Noun.GROUP,
    "workloadRef.name": Noun.GROUP,
    "parentCompositePodGroupName": Noun.GROUP,
    "controllerRef.name": Noun.APP,
    "attributes.string": Noun.MODEL,
    "capacityKey": Noun.ATTRIBUTE,
    "mapping.name": Noun.RESOURCE,
    "overhead.name": Noun.RESOURCE,
    "matchAttribute": Noun.ATTRIBUTE,
    "distinctAttribute": Noun.ATTRIBUTE,
    "plugins.name": Noun.PLUGIN,
    "enabled.name": Noun.PLUGIN,
    "disabled.name": Noun.PLUGIN,
    "pluginConfig.name": Noun.PLUGIN,
}
