"""The ResourceClaims of a pod, and what keeps it from being scheduled with them whatever the node.

Upstream: ``foreachPodResourceClaim`` of ``plugins/dynamicresources`` v1.34.1 and ``resourceclaim.Name`` and
``IsForPod`` of ``k8s.io/dynamic-resource-allocation`` v0.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.devices.capacity import exact
from clusters.engine.devices.claim_refusals import RefusedClaim, ResourceClaimProblem
from clusters.engine.devices.group_claims import is_owned_by
from clusters.engine.devices.inventory import DeviceId
from clusters.engine.devices.requests import Claim
from clusters.engine.objects import key_of, metadata
from clusters.engine.podgroups.reference import group_key_of
from clusters.engine.resources.quantity import parsed
from clusters.engine.status import Code, Status
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot

CLAIM: Final = "ResourceClaim"
CLASS: Final = "DeviceClass"
SLICE: Final = "ResourceSlice"
TAINT_RULE: Final = "DeviceTaintRule"


@dataclass(frozen=True, slots=True)
class PodClaim:
    """A ResourceClaim of a pod."""

    document: Document

    @property
    def allocation(self) -> Mapping[str, Any] | None:
        """What was allocated for the claim; None where nothing is yet."""
        return allocation_of(self.document)


def allocation_of(claim: Document) -> Mapping[str, Any] | None:
    """What was allocated for a claim; None where nothing is yet."""
    allocation: Mapping[str, Any] | None = (claim.get("status") or {}).get("allocation")
    return allocation


def results_of(claim: Document) -> Sequence[Mapping[str, Any]]:
    """What was allocated for a claim, device by device."""
    return ((allocation_of(claim) or {}).get("devices") or {}).get("results") or ()


def device_of(result: Mapping[str, Any]) -> DeviceId:
    """The device of a result of an allocation."""
    return DeviceId(str(result.get("driver")), str(result.get("pool")), str(result.get("device")))


def devices_of(claim: Document, *, held: bool = False) -> Iterator[DeviceId]:
    """The devices that a claim has; ``held``: those that it has for itself, as admin access and shares have none."""
    for result in results_of(claim):
        if not (held and (result.get("adminAccess") or result.get("shareID"))):
            yield device_of(result)


def shares_of(claim: Document) -> Iterator[tuple[DeviceId, dict[str, Fraction]]]:
    """The devices that a claim shares with others, with what it consumes of their capacities."""
    for result in results_of(claim):
        if result.get("shareID") and not result.get("adminAccess"):
            consumed = result.get("consumedCapacity") or {}
            yield device_of(result), {str(name): exact(parsed(amount)) for name, amount in consumed.items()}


def entries_of(snapshot: Snapshot, pod: Pod) -> Iterator[tuple[str, Document | None]]:
    """Yield each entry of ``spec.resourceClaims`` by name with its claim, None where there is none."""
    for entry in pod.spec.get("resourceClaims") or ():
        name = entry.get("resourceClaimName") or made_for(pod).get(str(entry.get("name") or ""))
        yield str(entry.get("name") or ""), snapshot.object(CLAIM, str(name), pod.namespace) if name else None


def made_for(pod: Pod) -> dict[str, str]:
    """The names of the claims that were made for a pod from templates, by entry."""
    statuses = pod.status.get("resourceClaimStatuses") or ()
    return {str(each.get("name")): str(each["resourceClaimName"]) for each in statuses if each.get("resourceClaimName")}


def claim_names(pod: Pod) -> Iterator[tuple[str, bool]]:
    """Yield the names of the claims that a pod uses, as far as they are made, and whether one was made for it.

    The scheduler's own one for extended resources comes last.
    """
    for entry in pod.spec.get("resourceClaims") or ():
        try:
            name, is_generated = _name_of(pod, entry)
        except RefusedClaim:
            continue
        if name is not None:
            yield name, is_generated
    for_resources = (pod.status.get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    if for_resources:
        yield str(for_resources), True


def claims_of(snapshot: Snapshot, pod: Pod) -> tuple[PodClaim, ...]:
    """The claims of a pod in the order of its spec; an entry that needs none has none. Raises RefusedClaim."""
    return tuple(_claims(snapshot, pod))


def refusal_of(snapshot: Snapshot, claim: Document) -> RefusedClaim | None:
    """Why a claim cannot be allocated whatever the node: for a request of no known kind, or of a class not held."""
    read = Claim.from_dict(claim)
    names = [str(each.get("name") or "") for each in _requests(claim)]
    for name, alternatives in zip(names, read.requests, strict=True):
        if not alternatives:
            return ResourceClaimProblem.UNKNOWN_REQUEST.refusal(read.key, name)
        if alternatives[0].parent and not snapshot.release.enables(Gate.DRA_PRIORITIZED_LIST):
            return ResourceClaimProblem.ALTERNATIVES_DISABLED.refusal(read.key, name)
        for request in alternatives:
            if not request.device_class:
                text = f"request {request.full_name}: unsupported request type"
                return RefusedClaim(None, Status(Code.ERROR, (text,)))
            if snapshot.object(CLASS, request.device_class) is None:
                return ResourceClaimProblem.CLASS_NOT_FOUND.refusal(request.full_name, request.device_class)
    return None


def _requests(claim: Document) -> Sequence[Mapping[str, Any]]:
    return ((claim.get("spec") or {}).get("devices") or {}).get("requests") or ()


def _claims(snapshot: Snapshot, pod: Pod) -> Iterator[PodClaim]:
    for entry in pod.spec.get("resourceClaims") or ():
        name, is_generated = _name_of(pod, entry)
        if name is None:
            continue
        claim = snapshot.object(CLAIM, name, pod.namespace)
        if claim is None:
            raise ResourceClaimProblem.NOT_FOUND.refusal(f"{pod.namespace}/{name}")
        if metadata(claim).get("deletionTimestamp"):
            raise ResourceClaimProblem.BEING_DELETED.refusal(name)
        foreign = _foreign(snapshot, claim, pod) if is_generated else None
        if foreign is not None:
            raise foreign
        yield PodClaim(claim)


def _name_of(pod: Pod, entry: Mapping[str, Any]) -> tuple[str | None, bool]:
    """The name of an entry's claim, and whether it was made from a template; no name: none is needed."""
    label = str(entry.get("name") or "")
    if entry.get("resourceClaimName") is not None:
        return str(entry["resourceClaimName"]), False
    if entry.get("resourceClaimTemplateName") is None:
        raise ResourceClaimProblem.UNSUPPORTED.refusal(pod.key, label)
    for made in pod.status.get("resourceClaimStatuses") or ():
        if made.get("name") == label:
            name = made.get("resourceClaimName")
            return (None if name is None else str(name)), True
    raise ResourceClaimProblem.NOT_CREATED.refusal(pod.key)


def _foreign(snapshot: Snapshot, claim: Document, pod: Pod) -> RefusedClaim | None:
    """Why a claim that was made from a template is not for a pod; None where it is, or may be as its group's."""
    if is_made_for(claim, pod):
        return None
    release, group = snapshot.release, group_key_of(pod, snapshot.release)
    accepts_groups = release.enables(Gate.DRA_WORKLOAD_CLAIMS)
    if is_owned_by(claim, group) and (accepts_groups or not release.decides(Gate.DRA_WORKLOAD_CLAIMS)):
        return None
    if not release.device_rules.knows_owning_groups:
        return ResourceClaimProblem.NOT_OWNED.refusal(key_of(claim), pod.key)
    if accepts_groups and group is not None:
        return ResourceClaimProblem.NOT_OF_GROUP.refusal(key_of(claim), pod.key, group.name)
    return ResourceClaimProblem.NOT_OF_POD.refusal(key_of(claim), pod.key)


def is_made_for(claim: Document, pod: Pod) -> bool:
    """Whether a claim was made from a template for a pod."""
    owners = metadata(claim).get("ownerReferences") or ()
    return any(each.get("controller") and each.get("uid") == pod.owner_uid for each in owners)
