"""What is listed and watched of a live cluster: every kind of the mirror, all of which API servers serve.

deploy/clusterrole.yaml allows exactly this; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

from clusters.adapters.prune import KINDS


@dataclass(frozen=True, slots=True)
class ApiKind:
    """A kind as the API server serves it: `versions` without the group, the preferred one first."""

    name: str
    plural: str
    group: str
    versions: tuple[str, ...]
    is_namespaced: bool
    needed_for: str

    def path(self, version: str) -> str:
        """Return the address of all objects of the kind, in all namespaces."""
        return f"{api_path(self.group, version)}/{self.plural}"

    def api_version(self, version: str) -> str:
        """Return what objects carry as apiVersion."""
        return f"{self.group}/{version}" if self.group else version


def api_path(group: str, version: str) -> str:
    """Return the address under which a group's version lists what it serves."""
    return f"/apis/{group}/{version}" if group else f"/api/{version}"


_SPREADING = "spreading pods that have no constraints of their own"
_OWNERS = "grouping pods by what made them"
_VOLUMES = "placing pods with volumes"
_DEVICES = "placing pods with devices"
_DEVICE_VERSIONS = ("v1", "v1beta2", "v1beta1")


def _kind(name: str, plural: str, group: str, needed_for: str, versions: tuple[str, ...] = ("v1",)) -> ApiKind:
    return ApiKind(name, plural, group, versions, KINDS[name].is_namespaced, needed_for)


API_KINDS: dict[str, ApiKind] = {
    kind.name: kind
    for kind in (
        _kind("Namespace", "namespaces", "", "affinity to pods of namespaces that are selected by label"),
        _kind("Node", "nodes", "", "every answer"),
        _kind("Pod", "pods", "", "every answer"),
        _kind("Event", "events", "", "what the scheduler and others reported"),
        _kind("PodDisruptionBudget", "poddisruptionbudgets", "policy", "preemption, evictions and drains"),
        _kind("PriorityClass", "priorityclasses", "scheduling.k8s.io", "preemption"),
        _kind("RuntimeClass", "runtimeclasses", "node.k8s.io", "overhead and node selectors of pods"),
        _kind("Service", "services", "", _SPREADING),
        _kind("ReplicationController", "replicationcontrollers", "", _SPREADING),
        _kind("ReplicaSet", "replicasets", "apps", _SPREADING),
        _kind("StatefulSet", "statefulsets", "apps", _SPREADING),
        _kind("Deployment", "deployments", "apps", _OWNERS),
        _kind("DaemonSet", "daemonsets", "apps", _OWNERS),
        _kind("Job", "jobs", "batch", _OWNERS),
        _kind("CronJob", "cronjobs", "batch", _OWNERS),
        _kind("LimitRange", "limitranges", "", "requests that pods get by default"),
        _kind("ResourceQuota", "resourcequotas", "", "quotas against use in capacity reviews"),
        _kind("PersistentVolume", "persistentvolumes", "", _VOLUMES),
        _kind("PersistentVolumeClaim", "persistentvolumeclaims", "", _VOLUMES),
        _kind("StorageClass", "storageclasses", "storage.k8s.io", _VOLUMES),
        _kind("CSINode", "csinodes", "storage.k8s.io", _VOLUMES),
        _kind("CSIDriver", "csidrivers", "storage.k8s.io", _VOLUMES),
        _kind("CSIStorageCapacity", "csistoragecapacities", "storage.k8s.io", _VOLUMES),
        _kind("VolumeAttachment", "volumeattachments", "storage.k8s.io", _VOLUMES),
        _kind("ResourceSlice", "resourceslices", "resource.k8s.io", _DEVICES, _DEVICE_VERSIONS),
        _kind("ResourceClaim", "resourceclaims", "resource.k8s.io", _DEVICES, _DEVICE_VERSIONS),
        _kind("ResourceClaimTemplate", "resourceclaimtemplates", "resource.k8s.io", _DEVICES, _DEVICE_VERSIONS),
        _kind("DeviceClass", "deviceclasses", "resource.k8s.io", _DEVICES, _DEVICE_VERSIONS),
        _kind("DeviceTaintRule", "devicetaintrules", "resource.k8s.io", _DEVICES, ("v1beta1", "v1alpha3")),
    )
}
