"""Storage classes, claims and volumes."""

from __future__ import annotations

from clusters.demo.identity import Document, metadata, uid
from clusters.demo.nodes import EBS_ZONE, HOSTNAME, ZONE, zone_of

_EBS = "ebs.csi.aws.com"
_LOCAL = "local-nvme"
# The local disks of the data nodes that no broker has, in GiB.
_SPARE_DISKS = {"data-c-01": 400}
_CLICKHOUSE_NODE = "data-c-02"


def classes() -> list[Document]:
    """Return the storage classes."""
    return [
        _class("gp3", _EBS, "WaitForFirstConsumer"),
        _class("gp3-immediate", _EBS, "Immediate"),
        _class(_LOCAL, "kubernetes.io/no-provisioner", "WaitForFirstConsumer"),
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSIDriver",
            "metadata": metadata("CSIDriver", _EBS),
            "spec": {"attachRequired": True, "storageCapacity": False, "volumeLifecycleModes": ["Persistent"]},
        },
    ]


def _class(name: str, provisioner: str, binding: str) -> Document:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": metadata("StorageClass", name),
        "provisioner": provisioner,
        "reclaimPolicy": "Delete",
        "volumeBindingMode": binding,
        "allowVolumeExpansion": True,
    }


def own_claims() -> list[Document]:
    """Return the claims and volumes that somebody wrote by hand."""
    archive = unbound_claim("payments", "ledger-archive", "gp3", 500, mode="ReadWriteOncePod")
    clickhouse = unbound_claim("data", "clickhouse-parts", _LOCAL, 400)
    reviews = unbound_claim("shop", "reviews-db", "", 50)
    moved = _volume(reviews, handle="vol-reviews-legacy", labels={ZONE: zone_of("general-c-01")})
    return [
        archive,
        _volume(archive, handle="vol-ledger-archive"),
        clickhouse,
        _local_volume(_CLICKHOUSE_NODE, 400, clickhouse),
        reviews,
        moved,
        unbound_claim("data", "reports-db", "gp3-immediate", 100),
        unbound_claim("data", "spill-space", _LOCAL, 1600),
        *(_local_volume(node, size, None) for node, size in _SPARE_DISKS.items()),
    ]


def bound(claim: Document, node: str) -> Document:
    """Bind a claim, as the first pod that uses it comes to a node, and return the volume."""
    if claim["spec"]["storageClassName"] == _LOCAL:
        return _local_volume(node, 400, claim)
    zone = {"key": EBS_ZONE, "operator": "In", "values": [zone_of(node)]}
    return _volume(claim, handle=f"vol-{_volume_name(claim)}", requirement=zone)


def unbound_claim(namespace: str, name: str, storage_class: str, size: int, mode: str = "ReadWriteOnce") -> Document:
    """Return a claim that is not bound yet; size in GiB."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": metadata("PersistentVolumeClaim", name, namespace),
        "spec": claim_spec(storage_class, size, mode),
        "status": {"phase": "Pending"},
    }


def claim_spec(storage_class: str, size: int, mode: str = "ReadWriteOnce") -> Document:
    """Return what a claim requests, as a StatefulSet's template has it too; size in GiB."""
    return {
        "accessModes": [mode],
        "resources": {"requests": {"storage": f"{size}Gi"}},
        "storageClassName": storage_class,
        "volumeMode": "Filesystem",
    }


def _volume_name(claim: Document) -> str:
    return f"pvc-{claim['metadata']['uid']}"


def _volume(
    claim: Document, *, handle: str, requirement: Document | None = None, labels: dict[str, str] | None = None
) -> Document:
    """Return the volume of a claim, and bind the two."""
    name = _volume_name(claim)
    spec = _volume_spec(claim)
    spec["csi"] = {"driver": _EBS, "volumeHandle": handle}
    if requirement is not None:
        spec["nodeAffinity"] = _required(requirement)
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {**metadata("PersistentVolume", name), "labels": labels or {}},
        "spec": spec,
        "status": {"phase": "Bound"},
    }


def _local_volume(node: str, size: int, claim: Document | None) -> Document:
    """Return the local disk of a node, bound to a claim or free."""
    name = f"local-{node}" if claim is None else f"local-{node}-{claim['metadata']['name']}"
    spec: Document = {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": f"{size}Gi"},
        "storageClassName": _LOCAL,
        "volumeMode": "Filesystem",
    }
    if claim is not None:
        spec = _volume_spec(claim)
        claim["spec"]["volumeName"] = name
    spec["local"] = {"path": "/mnt/disks/nvme1"}
    spec["nodeAffinity"] = _required({"key": HOSTNAME, "operator": "In", "values": [node]})
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": metadata("PersistentVolume", name),
        "spec": spec,
        "status": {"phase": "Available" if claim is None else "Bound"},
    }


def _volume_spec(claim: Document) -> Document:
    """Return what a volume has of its claim, and mark the claim as bound to it."""
    name, namespace = claim["metadata"]["name"], claim["metadata"]["namespace"]
    size = claim["spec"]["resources"]["requests"]["storage"]
    claim["spec"]["volumeName"] = _volume_name(claim)
    claim["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
    claim["status"] = {"phase": "Bound", "accessModes": claim["spec"]["accessModes"], "capacity": {"storage": size}}
    return {
        "accessModes": claim["spec"]["accessModes"],
        "capacity": {"storage": size},
        "claimRef": {"namespace": namespace, "name": name, "uid": uid("PersistentVolumeClaim", namespace, name)},
        "persistentVolumeReclaimPolicy": "Delete",
        "storageClassName": claim["spec"]["storageClassName"],
        "volumeMode": "Filesystem",
    }


def _required(requirement: Document) -> Document:
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}}
