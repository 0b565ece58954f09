"""Claims, volumes and storage classes as the volume plugins read them.

Upstream: ``k8s.io/component-helpers/storage`` (packages ``volume`` and ``ephemeral``) v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import Document, metadata, name_of, namespace_of
from clusters.engine.resources.quantity import value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.snapshot import Snapshot

_BETA_CLASS = "volume.beta.kubernetes.io/storage-class"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
_MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_STORAGE = "storage"

WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"
# The annotation of a claim that has its volume.
BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
_DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
# How UIDs of claims begin that come with simulated pods, and are in no cluster.
IMAGINED_CLAIM = "imagined:claim/"


@dataclass(frozen=True, slots=True)
class ClaimUse:
    """A volume of a pod that stands for a claim, by name or generated for the pod (ephemeral)."""

    claim: str
    ephemeral: bool


def claim_use(volume: Document, pod_name: str) -> ClaimUse | None:
    """The claim behind a pod's volume, None for volumes of other kinds."""
    source = volume.get("persistentVolumeClaim")
    if source is not None:
        return ClaimUse(str(source.get("claimName") or ""), ephemeral=False)
    if volume.get("ephemeral") is not None:
        return ClaimUse(f"{pod_name}-{volume.get('name', '')}", ephemeral=True)
    return None


def claim_uses(volumes: Iterable[Document], pod_name: str) -> tuple[ClaimUse, ...]:
    """The claims that a pod uses, in the order of its volumes; one that is used twice is there twice."""
    return tuple(use for volume in volumes if (use := claim_use(volume, pod_name)) is not None)


def controller_of(document: Document) -> Document:
    """The owner reference of the controller, empty without one."""
    for owner in metadata(document).get("ownerReferences") or ():
        if owner.get("controller"):
            found: Document = owner
            return found
    return {}


def annotations_of(document: Document) -> Document:
    """An object's annotations, empty without any."""
    return metadata(document).get("annotations") or {}


def being_deleted(document: Document) -> bool:
    """Whether an object waits for its finalizers."""
    return metadata(document).get("deletionTimestamp") is not None


def class_of(document: Document) -> str:
    """The storage class of a claim or a volume; the old annotation has the last word. Empty: none."""
    annotations = annotations_of(document)
    if _BETA_CLASS in annotations:
        return str(annotations[_BETA_CLASS])
    return str(spec_of(document).get("storageClassName") or "")


def spec_of(document: Document) -> Document:
    """An object's spec, empty without one."""
    return document.get("spec") or {}


def volume_name_of(claim: Document) -> str:
    """The volume that a claim is bound to, or names to be bound to; empty: none."""
    return str(spec_of(claim).get("volumeName") or "")


def is_bound(claim: Document) -> bool:
    """Whether the binding of a claim is complete."""
    return bool(volume_name_of(claim)) and BIND_COMPLETED in annotations_of(claim)


def selected_node(claim: Document) -> str | None:
    """The node for which a volume is being provisioned, None before one is chosen."""
    annotations = annotations_of(claim)
    return str(annotations[SELECTED_NODE]) if SELECTED_NODE in annotations else None


def requested_bytes(claim: Document) -> int | None:
    """The bytes that a claim requests; None when it names no size."""
    requests = (spec_of(claim).get("resources") or {}).get("requests") or {}
    return value(requests[_STORAGE]) if _STORAGE in requests else None


def capacity_bytes(volume: Document) -> int:
    """The bytes that a volume holds."""
    return value((spec_of(volume).get("capacity") or {}).get(_STORAGE, 0))


def reserving_claim(volume: Document) -> tuple[str, str]:
    """Namespace and name of the claim that a volume's claimRef names; empty without one."""
    reference = spec_of(volume).get("claimRef") or {}
    return str(reference.get("namespace") or ""), str(reference.get("name") or "")


def reserved_for(volume: Document, claim: Document) -> bool:
    """Whether a volume's claimRef means this claim; one without a UID means any claim of that name."""
    reference = spec_of(volume).get("claimRef")
    if reference is None or reserving_claim(volume) != (namespace_of(claim), name_of(claim)):
        return False
    return not reference.get("uid") or reference["uid"] == metadata(claim).get("uid")


def migrated_plugins(csi_node: Document) -> frozenset[str]:
    """The in-tree plugins that a node's kubelet has handed over to CSI drivers."""
    return frozenset(str(annotations_of(csi_node).get(_MIGRATED_PLUGINS) or "").split(","))


def default_class(snapshot: Snapshot) -> str:
    """The storage class of claims that name none: of several the newest; empty where there is none."""
    marked = [
        document
        for document in snapshot.objects("StorageClass")
        if any(annotations_of(document).get(key) == "true" for key in _DEFAULT)
    ]
    # Among classes of one age the first by name.
    marked.sort(key=name_of)
    newest = max(marked, key=lambda each: str(metadata(each).get("creationTimestamp") or ""), default=None)
    return "" if newest is None else name_of(newest)


def with_class(claim: Document, default: str) -> Document:
    """A claim as it is stored: one that names no class gets the default one."""
    spec = spec_of(claim)
    if not default or class_of(claim) or spec.get("storageClassName") is not None:
        return claim
    return {**claim, "spec": {**spec, "storageClassName": default}}
