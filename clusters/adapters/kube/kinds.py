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

    def path(self, version: str) -> str:
        """Return the address of all objects of the kind, in all namespaces."""
        return f"{api_path(self.group, version)}/{self.plural}"

    def api_version(self, version: str) -> str:
        """Return what objects carry as apiVersion."""
        return f"{self.group}/{version}" if self.group else version


def api_path(group: str, version: str) -> str:
    """Return the address under which a group's version lists what it serves."""
    return f"/apis/{group}/{version}" if group else f"/api/{version}"


_DEVICE_VERSIONS = ("v1", "v1beta2", "v1beta1")


def _kind(name: str, plural: str, group: str, versions: tuple[str, ...] = ("v1",)) -> ApiKind:
    return ApiKind(name, plural, group, versions, KINDS[name].is_namespaced)


API_KINDS: dict[str, ApiKind] = {
    kind.name: kind
    for kind in (
        _kind("Namespace", "namespaces", ""),
        _kind("Node", "nodes", ""),
        _kind("Pod", "pods", ""),
        _kind("Event", "events", ""),
        _kind("PodDisruptionBudget", "poddisruptionbudgets", "policy"),
        _kind("PriorityClass", "priorityclasses", "scheduling.k8s.io"),
        _kind("RuntimeClass", "runtimeclasses", "node.k8s.io"),
        _kind("Service", "services", ""),
        _kind("ReplicationController", "replicationcontrollers", ""),
        _kind("ReplicaSet", "replicasets", "apps"),
        _kind("StatefulSet", "statefulsets", "apps"),
        _kind("Deployment", "deployments", "apps"),
        _kind("DaemonSet", "daemonsets", "apps"),
        _kind("Job", "jobs", "batch"),
        _kind("CronJob", "cronjobs", "batch"),
        _kind("LimitRange", "limitranges", ""),
        _kind("ResourceQuota", "resourcequotas", ""),
        _kind("PersistentVolume", "persistentvolumes", ""),
        _kind("PersistentVolumeClaim", "persistentvolumeclaims", ""),
        _kind("StorageClass", "storageclasses", "storage.k8s.io"),
        _kind("CSINode", "csinodes", "storage.k8s.io"),
        _kind("CSIDriver", "csidrivers", "storage.k8s.io"),
        _kind("CSIStorageCapacity", "csistoragecapacities", "storage.k8s.io"),
        _kind("VolumeAttachment", "volumeattachments", "storage.k8s.io"),
        _kind("ResourceSlice", "resourceslices", "resource.k8s.io", _DEVICE_VERSIONS),
        _kind("ResourceClaim", "resourceclaims", "resource.k8s.io", _DEVICE_VERSIONS),
        _kind("ResourceClaimTemplate", "resourceclaimtemplates", "resource.k8s.io", _DEVICE_VERSIONS),
        _kind("DeviceClass", "deviceclasses", "resource.k8s.io", _DEVICE_VERSIONS),
        _kind("DeviceTaintRule", "devicetaintrules", "resource.k8s.io", ("v1", "v1beta2", "v1alpha3")),
        _kind("Workload", "workloads", "scheduling.k8s.io", ("v1beta1", "v1alpha3", "v1alpha2", "v1alpha1")),
        _kind("PodGroup", "podgroups", "scheduling.k8s.io", ("v1beta1", "v1alpha3", "v1alpha2")),
        _kind("CompositePodGroup", "compositepodgroups", "scheduling.k8s.io", ("v1alpha3",)),
    )
}
