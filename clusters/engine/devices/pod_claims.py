"""The ResourceClaims of a pod, and what keeps it from being scheduled with them whatever the node.

Upstream: ``foreachPodResourceClaim`` of ``plugins/dynamicresources`` v1.34.1 and ``resourceclaim.Name`` and
``IsForPod`` of ``k8s.io/dynamic-resource-allocation`` v0.34.1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.status import Status, unresolvable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot

CLAIM: Final = "ResourceClaim"
CLASS: Final = "DeviceClass"
SLICE: Final = "ResourceSlice"
TAINT_RULE: Final = "DeviceTaintRule"


class ResourceClaimProblem(enum.StrEnum):
    """Why a pod cannot be scheduled for one of its ResourceClaims."""

    NOT_CREATED = "not-created"
    NOT_FOUND = "not-found"
    BEING_DELETED = "being-deleted"
    NOT_OWNED = "not-owned"
    UNSUPPORTED = "unsupported"
    CLASS_NOT_FOUND = "class-not-found"
    UNKNOWN_REQUEST = "unknown-request"


@dataclass(frozen=True, slots=True)
class RefusedClaim(Exception):  # noqa: N818 - the state of a claim, not of a program
    """A claim of the pod that no node can help with.

    ``entry`` is that of ``spec.resourceClaims``, ``name`` what is not found or cannot be used, ``status`` what the
    scheduler reports.
    """

    problem: ResourceClaimProblem
    entry: str
    name: str
    status: Status


@dataclass(frozen=True, slots=True)
class PodClaim:
    """A ResourceClaim and the entry of the pod's ``spec.resourceClaims`` that stands for it."""

    entry: str
    document: Document

    @property
    def allocation(self) -> Mapping[str, Any] | None:
        """What was allocated for the claim; None where nothing is yet."""
        return allocation_of(self.document)


def allocation_of(claim: Document) -> Mapping[str, Any] | None:
    """What was allocated for a claim; None where nothing is yet."""
    allocation: Mapping[str, Any] | None = (claim.get("status") or {}).get("allocation")
    return allocation


def claims_of(snapshot: Snapshot, pod: Pod) -> tuple[PodClaim, ...]:
    """The claims of a pod in the order of its spec; an entry that needs none has none. Raises RefusedClaim."""
    return tuple(_claims(snapshot, pod))


def _claims(snapshot: Snapshot, pod: Pod) -> Iterator[PodClaim]:
    for entry in pod.spec.get("resourceClaims") or ():
        label = str(entry.get("name") or "")
        name, is_generated = _name_of(pod, entry, label)
        if name is None:
            continue
        claim = snapshot.object(CLAIM, name, pod.namespace)
        if claim is None:
            raise _refused(
                ResourceClaimProblem.NOT_FOUND, label, name, f'could not find ResourceClaim "{pod.namespace}/{name}"'
            )
        if metadata(claim).get("deletionTimestamp"):
            raise _refused(ResourceClaimProblem.BEING_DELETED, label, name, f'resourceclaim "{name}" is being deleted')
        if is_generated and not _is_controlled_by(claim, pod):
            raise _refused(
                ResourceClaimProblem.NOT_OWNED,
                label,
                name,
                f"ResourceClaim {namespace_of(claim)}/{name_of(claim)} was not created for pod {pod.key}"
                " (pod is not owner)",
            )
        yield PodClaim(label, claim)


def _name_of(pod: Pod, entry: Mapping[str, Any], label: str) -> tuple[str | None, bool]:
    """The name of an entry's claim, and whether it was made from a template; no name: none is needed."""
    if entry.get("resourceClaimName") is not None:
        return str(entry["resourceClaimName"]), False
    quoted = f'pod "{pod.namespace}/{pod.name}"'
    if entry.get("resourceClaimTemplateName") is None:
        text = f'{quoted}, spec.resourceClaim "{label}": none of the supported fields are set'
        raise _refused(ResourceClaimProblem.UNSUPPORTED, label, label, text)
    for made in pod.status.get("resourceClaimStatuses") or ():
        if made.get("name") == label:
            name = made.get("resourceClaimName")
            return (None if name is None else str(name)), True
    template = str(entry["resourceClaimTemplateName"])
    raise _refused(ResourceClaimProblem.NOT_CREATED, label, template, f"{quoted}: ResourceClaim not created yet")


def _is_controlled_by(claim: Document, pod: Pod) -> bool:
    owners = metadata(claim).get("ownerReferences") or ()
    return any(each.get("controller") and each.get("uid") == pod.owner_uid for each in owners)


def _refused(problem: ResourceClaimProblem, entry: str, name: str, text: str) -> RefusedClaim:
    return RefusedClaim(problem, entry, name, unresolvable(text))
