"""ResourceClaims that the pods of a group share: one for each claim of the PodGroup, which owns and reserves it.

Upstream: ``BindTo`` and ``IsForPod`` of ``k8s.io/dynamic-resource-allocation/resourceclaim`` v0.36.3 and v0.37.2. A
pod finds the name of such a claim in its own status, as that of any other that is made from a template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import metadata
from clusters.engine.podgroups.objects import API_GROUP
from clusters.engine.podgroups.reference import POD_GROUP, group_key_of
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document, Pod
    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.snapshot import Snapshot

_ALIKE: Final = ("name", "resourceClaimName", "resourceClaimTemplateName")
_RESOURCE: Final = "podgroups"
_CLAIM: Final = "ResourceClaim"


def is_owned_by(claim: Document, group: PodGroupKey | None) -> bool:
    """Whether a claim was made for a group of pods; None: no group."""
    return group is not None and any(
        each.get("controller")
        and each.get("kind") == POD_GROUP
        and each.get("name") == group.name
        and str(each.get("apiVersion") or "").startswith(f"{API_GROUP}/")
        for each in metadata(claim).get("ownerReferences") or ()
    )


def open_group_of(snapshot: Snapshot, pod: Pod) -> str:
    """The group that owns one of the claims of a pod, where it is not known if the scheduler accepts that; else empty.

    Somebody has made the claim for the group, so that DRAWorkloadResourceClaims is on elsewhere in the cluster.
    """
    group = group_key_of(pod, snapshot.release)
    if group is None or snapshot.release.decides(Gate.DRA_WORKLOAD_CLAIMS):
        return ""
    statuses = pod.status.get("resourceClaimStatuses") or ()
    names = (str(each.get("resourceClaimName") or "") for each in statuses)
    held = (snapshot.object(_CLAIM, name, pod.namespace) for name in names if name)
    return group.name if any(each is not None and is_owned_by(each, group) for each in held) else ""


def shared_entries(snapshot: Snapshot, pod: Pod) -> frozenset[str]:
    """The entries of ``spec.resourceClaims`` that the pod has in common with its group, by name."""
    group = group_key_of(pod, snapshot.release)
    if group is None or not snapshot.release.enables(Gate.DRA_WORKLOAD_CLAIMS):
        return frozenset()
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    common = [_key(each) for each in (held.get("spec") or {}).get("resourceClaims") or ()]
    return frozenset(
        str(each.get("name") or "") for each in pod.spec.get("resourceClaims") or () if _key(each) in common
    )


def claim_of_group(snapshot: Snapshot, group: PodGroupKey, entry: str) -> str:
    """The name of the claim that was made for an entry of a group; empty where none was yet."""
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    statuses = (held.get("status") or {}).get("resourceClaimStatuses") or ()
    return next((str(each.get("resourceClaimName") or "") for each in statuses if each.get("name") == entry), "")


def group_as_consumer(snapshot: Snapshot, group: PodGroupKey) -> dict[str, Any]:
    """How a claim names the group that has reserved it."""
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    uid = str(metadata(held).get("uid") or "") if held else ""
    return {"apiGroup": API_GROUP, "resource": _RESOURCE, "name": group.name, "uid": uid}


def is_of_group(consumer: Mapping[str, Any]) -> bool:
    """Whether it is a group of pods that has reserved a claim."""
    return consumer.get("resource") == _RESOURCE


def _key(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(entry.get(field) for field in _ALIKE)
