"""The allow-list: what is kept of each kind. A field that is not named here never reaches the database."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from clusters.adapters.prune import kinds
from clusters.adapters.prune.shapes import Pruner, WrongField, driver_metadata, fields, read_as, token
from clusters.engine.configuration import ConfigurationError, translated
from clusters.engine.kubelet import ANSWERED, API_VERSION, KIND as KUBELET_CONFIGURATION
from clusters.engine.quotas import CONFIGURATION as QUOTA_CONFIGURATION

__all__ = ["EVERY_NODE", "KINDS", "SCHEDULER_CONFIGURATION", "Kind", "Pruner", "WrongField", "decoder_of", "kind_of"]


class Kind(Struct, frozen=True):
    """A kind that the mirror keeps; one that has a name which Kubernetes' own has too is named with its API group."""

    name: str
    # Accepted API versions, the one that objects without any get first.
    versions: tuple[str, ...]
    prune: Pruner
    is_namespaced: bool = True

    @property
    def object_kind(self) -> str:
        """What its objects say as their kind."""
        return self.name.partition(".")[0]

    @property
    def group(self) -> str:
        """The API group of the preferred version, empty for the core one."""
        return self.versions[0].rpartition("/")[0]

    @property
    def plural(self) -> str:
        """Its resource in addresses: ``PriorityClass`` is ``priorityclasses``."""
        name = self.object_kind.lower()
        if name.endswith("s"):
            return f"{name}es"
        return f"{name.removesuffix('y')}ies" if name.endswith("y") else f"{name}s"


_WORKLOADS_IN = tuple(f"scheduling.k8s.io/{version}" for version in ("v1beta1", "v1alpha3", "v1alpha2", "v1alpha1"))
_BETAS_OF_DEVICES = ("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1")

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("Namespace", ("v1",), kinds.namespace, is_namespaced=False),
        Kind("Node", ("v1",), kinds.node, is_namespaced=False),
        Kind("Pod", ("v1",), kinds.pod),
        Kind("Event", ("v1", "events.k8s.io/v1", "events.k8s.io/v1beta1"), kinds.event),
        Kind("PodDisruptionBudget", ("policy/v1", "policy/v1beta1"), kinds.pod_disruption_budget),
        Kind("PriorityClass", ("scheduling.k8s.io/v1",), kinds.priority_class, is_namespaced=False),
        Kind("RuntimeClass", ("node.k8s.io/v1",), kinds.runtime_class, is_namespaced=False),
        Kind("Service", ("v1",), kinds.service),
        Kind("ReplicationController", ("v1",), kinds.replication_controller),
        Kind("ReplicaSet", ("apps/v1",), kinds.replica_set),
        Kind("StatefulSet", ("apps/v1",), kinds.stateful_set),
        Kind("Deployment", ("apps/v1",), kinds.deployment),
        Kind("DaemonSet", ("apps/v1",), kinds.daemon_set),
        Kind("Job", ("batch/v1",), kinds.job),
        Kind("CronJob", ("batch/v1",), kinds.cron_job),
        Kind("LimitRange", ("v1",), kinds.limit_range),
        Kind("ResourceQuota", ("v1",), kinds.resource_quota),
        Kind("PersistentVolume", ("v1",), kinds.persistent_volume, is_namespaced=False),
        Kind("PersistentVolumeClaim", ("v1",), kinds.persistent_volume_claim),
        Kind("StorageClass", ("storage.k8s.io/v1",), kinds.storage_class, is_namespaced=False),
        Kind("CSINode", ("storage.k8s.io/v1",), kinds.csi_node, is_namespaced=False),
        Kind(
            "CSIDriver",
            ("storage.k8s.io/v1",),
            fields({"metadata": driver_metadata, "spec": kinds.csi_driver_spec}),
            is_namespaced=False,
        ),
        Kind(
            "CSIStorageCapacity",
            ("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
            kinds.csi_storage_capacity,
        ),
        Kind("VolumeAttachment", ("storage.k8s.io/v1",), kinds.volume_attachment, is_namespaced=False),
        Kind("ResourceSlice", _BETAS_OF_DEVICES, kinds.resource_slice, is_namespaced=False),
        Kind("ResourceClaim", _BETAS_OF_DEVICES, kinds.resource_claim),
        Kind("ResourceClaimTemplate", _BETAS_OF_DEVICES, kinds.resource_claim_template),
        Kind("DeviceClass", _BETAS_OF_DEVICES, kinds.device_class, is_namespaced=False),
        Kind(
            "DeviceTaintRule",
            ("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1alpha3"),
            kinds.device_taint_rule,
            is_namespaced=False,
        ),
        Kind("Workload", _WORKLOADS_IN, kinds.workload),
        Kind("PodGroup", _WORKLOADS_IN[:3], kinds.pod_group),
        Kind("CompositePodGroup", _WORKLOADS_IN[:2], kinds.composite_pod_group),
        Kind("Workload.kueue.x-k8s.io", ("kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"), kinds.kueue_workload),
        Kind("PodGroup.scheduling.volcano.sh", ("scheduling.volcano.sh/v1beta1",), kinds.volcano_pod_group),
        Kind("PodGroup.scheduling.x-k8s.io", ("scheduling.x-k8s.io/v1alpha1",), kinds.coscheduling_pod_group),
        Kind("JobSet.jobset.x-k8s.io", ("jobset.x-k8s.io/v1alpha2",), kinds.job_set),
        Kind("LeaderWorkerSet.leaderworkerset.x-k8s.io", ("leaderworkerset.x-k8s.io/v1",), kinds.leader_worker_set),
    )
}

SCHEDULER_CONFIGURATION = "KubeSchedulerConfiguration"
_ADMISSION_CONFIGURATIONS = frozenset(
    ("AdmissionConfiguration", group) for group in ("apiserver.config.k8s.io", "apiserver.k8s.io")
)
_QUOTA_CONFIGURATIONS = frozenset(
    {
        (QUOTA_CONFIGURATION, "apiserver.config.k8s.io"),
        ("Configuration", "resourcequota.admission.k8s.io"),
    }
)
# The name of a kubelet's configuration that names no node; no node can be called so.
EVERY_NODE = "*"
_named = fields({"metadata": fields({"name": token})})
_CONFIGURATION_GROUP = "kubescheduler.config.k8s.io/"
_BY_TYPE = {(version, kind.object_kind): kind for kind in KINDS.values() for version in kind.versions}


def kind_of(api_version: str, name: str) -> Kind | None:
    """Return the kind of an object, or None for one that the mirror does not keep."""
    return _BY_TYPE.get((api_version, name))


def decoder_of(api_version: str, name: str) -> msgspec.json.Decoder[Any] | None:
    """Return what reads JSON of a type as its pruner keeps it, or refuses it; None where Python has to prune it."""
    kind = kind_of(api_version, name)
    # One that is kept under another name is rare enough for Python.
    kept = kind and kind.name == name and read_as(kind.prune)
    if not kept:
        return None
    identity = [("apiVersion", Literal[api_version]), ("kind", Literal[name])]
    form = msgspec.defstruct(name, identity, bases=(kept,), kw_only=True, omit_defaults=True, gc=False)
    return msgspec.json.Decoder(form)


def pruned_quota_configuration(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return what the API server limits by default as an object of a kind of its own, or None for any other document.

    It is given by itself, or within an AdmissionConfiguration; what that says of other plugins is not kept. Raises
    WrongField.
    """
    named = str(document.get("kind")), str(document.get("apiVersion")).partition("/")[0]
    given: Any = document
    if named in _ADMISSION_CONFIGURATIONS:
        listed = document.get("plugins")
        plugins = [each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, dict)]
        given = next((each.get("configuration") for each in plugins if each.get("name") == "ResourceQuota"), None)
        if not isinstance(given, dict):
            return None
    elif named not in _QUOTA_CONFIGURATIONS:
        return None
    kept: dict[str, Any] = kinds.quota_configuration(given)
    identity = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": QUOTA_CONFIGURATION}
    return {**identity, "metadata": {"name": "kube-apiserver"}, **kept}


def pruned_kubelet_configuration(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return what is kept of a KubeletConfiguration or a kubelet's answer at /configz, or None for any other document.

    It has a name where the document has one: that of the node it belongs to. Raises WrongField.
    """
    given: Any = document.get(ANSWERED)
    if "kind" in document or not isinstance(given, dict):
        if (document.get("kind"), document.get("apiVersion")) != (KUBELET_CONFIGURATION, API_VERSION):
            return None
        given = document
    identity = {
        "apiVersion": API_VERSION,
        "kind": KUBELET_CONFIGURATION,
        "metadata": _named(document).get("metadata") or {},
    }
    kept: dict[str, Any] = kinds.kubelet_configuration(given)
    return {**kept, **identity}


def pruned_configuration(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return what is kept of a scheduler configuration, or None for any other document. Raises WrongField.

    One that only earlier kube-schedulers read, a Policy too, is kept as what it is in v1.
    """
    try:
        translation = translated(document)
    except ConfigurationError:
        # It stays as it is: whoever reads it says what is wrong with it.
        translation = None
    if translation is not None:
        document = translation.document
    version = document.get("apiVersion")
    if document.get("kind") != SCHEDULER_CONFIGURATION or not str(version).startswith(_CONFIGURATION_GROUP):
        return None
    kept: dict[str, Any] = kinds.scheduler_configuration(document)
    return {"apiVersion": version, "kind": SCHEDULER_CONFIGURATION, **kept}
