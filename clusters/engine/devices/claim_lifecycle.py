"""ResourceClaims as pods come and go: made from templates, allocated and reserved for who is placed, free again after.

Upstream: ``Reserve`` and ``PreBind`` of ``plugins/dynamicresources`` and ``pkg/controller/resourceclaim``, v1.34.1 and,
of claims that the pods of a group share, v1.37.2: a claim that nobody reserves any more loses its devices, and one that
was made for a pod goes with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.devices.capacity import quantity_text
from clusters.engine.devices.extended_resources import claim_name, is_made_for_resources
from clusters.engine.devices.group_claims import claim_of_group, group_as_consumer, is_of_group, shared_entries
from clusters.engine.devices.pod_claims import CLAIM, entries_of, made_for
from clusters.engine.objects import Pod, metadata, name_of, namespace_of
from clusters.engine.podgroups.objects import API_GROUP
from clusters.engine.podgroups.reference import POD_GROUP, group_key_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.devices.inventory import Reach
    from clusters.engine.devices.taking import Allocated
    from clusters.engine.objects import Document
    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.snapshot import Snapshot

TEMPLATE: Final = "ResourceClaimTemplate"
# How the UIDs of claims begin that were made here.
_IMAGINED: Final = "imagined:"


def claims_from_templates(snapshot: Snapshot, pod: Document) -> tuple[dict[str, str], tuple[Document, ...]]:
    """Return the claims that would be made for a new pod, and the name of each by its entry in the pod's spec.

    An entry whose template is not held has none. What the pod has in common with its group is made for the group, once.
    """
    names: dict[str, str] = {}
    claims: list[Document] = []
    group, shared = group_key_of(Pod(pod), snapshot.release), shared_entries(snapshot, Pod(pod))
    for entry in (pod.get("spec") or {}).get("resourceClaims") or ():
        template = entry.get("resourceClaimTemplateName")
        held = None if template is None else snapshot.object(TEMPLATE, str(template), namespace_of(pod))
        label = str(entry.get("name") or "")
        if group is not None and label in shared:
            made = claim_of_group(snapshot, group, label)
            if made or held is not None:
                names[label] = made or f"{group.name}-{label}"
            if held is not None and snapshot.object(CLAIM, names[label], group.namespace) is None:
                claims.append(_made(held, pod, names[label], group))
        elif held is not None:
            names[label] = f"{name_of(pod)}-{label}"
            claims.append(_made(held, pod, names[label]))
    return names, tuple(claims)


def is_imagined(claim: Document) -> bool:
    """Whether a claim was made here, and is none that the cluster has."""
    return str(metadata(claim).get("uid") or "").startswith(_IMAGINED)


def owner_of(claim: Document) -> str:
    """The pod for which a claim was made, by name; empty for one that belongs to no pod."""
    owners = metadata(claim).get("ownerReferences") or ()
    names = (str(each.get("name") or "") for each in owners if each.get("controller") and each.get("kind") == "Pod")
    return next(names, "")


def _made(template: Document, pod: Document, name: str, group: PodGroupKey | None = None) -> Document:
    inner = template.get("spec") or {}
    owner = {"kind": "Pod", "name": name_of(pod), "uid": str(metadata(pod).get("uid") or ""), "controller": True}
    if group is not None:
        owner = {"apiVersion": f"{API_GROUP}/v1beta1", "kind": POD_GROUP, "name": group.name, "controller": True}
    fields = {
        **(inner.get("metadata") or {}),
        "name": name,
        "namespace": namespace_of(pod),
        "uid": f"{_IMAGINED}{namespace_of(pod)}/{name}",
        "ownerReferences": [owner],
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": CLAIM,
        "metadata": fields,
        "spec": inner.get("spec") or {},
        "status": {},
    }


def reserved_for(
    claim: Document,
    pod: Pod,
    allocated: Sequence[Allocated] | None,
    node: str,
    consumer: Mapping[str, Any] | None = None,
) -> Document:
    """A claim that the pod reserves; ``allocated``: the devices that it gets now on a node, None where it has some.

    ``consumer``: the group that reserves it for all of its pods, None for a claim that is the pod's own.
    """
    status: dict[str, Any] = dict(claim.get("status") or {})
    if allocated is not None:
        status["allocation"] = _allocation(allocated, node)
    by = consumer or {"resource": "pods", "name": pod.name, "uid": pod.owner_uid}
    others = [each for each in status.get("reservedFor") or () if _identity(each) != _identity(by)]
    status["reservedFor"] = [*others, by]
    return {**claim, "status": status}


def _identity(consumer: Mapping[str, Any]) -> tuple[bool, str]:
    """What tells who has reserved a claim: pods by their UIDs, groups by their names."""
    is_group = is_of_group(consumer)
    return is_group, str(consumer.get("name" if is_group else "uid") or "")


def consumer_of(snapshot: Snapshot, pod: Pod, claim: Document) -> Mapping[str, Any] | None:
    """The group that a claim of a pod is bound to; None for a claim that is the pod's own."""
    group, shared, made = group_key_of(pod, snapshot.release), shared_entries(snapshot, pod), made_for(pod)
    for entry in pod.spec.get("resourceClaims") or () if group is not None and shared else ():
        label = str(entry.get("name") or "")
        name = entry.get("resourceClaimName") or made.get(label)
        if group is not None and label in shared and name == name_of(claim):
            return group_as_consumer(snapshot, group)
    return None


def _allocation(allocated: Sequence[Allocated], node: str) -> Document:
    results = [_result(each, place) for place, each in enumerate(allocated)]
    allocation: dict[str, Any] = {"devices": {"results": results}}
    selector = _selector_of(allocated, node)
    return allocation if selector is None else {**allocation, "nodeSelector": selector}


def _result(each: Allocated, place: int) -> dict[str, Any]:
    result: dict[str, Any] = {"request": each.request.full_name, **each.candidate.id._asdict()}
    if each.request.admin_access:
        result["adminAccess"] = True
    if each.is_share:
        result["shareID"] = f"imagined:{place}"
    device = each.candidate.device
    if device.conditions:
        result["bindingConditions"] = list(device.conditions)
        result["bindingFailureConditions"] = list(device.failures)
    if each.skipped_operations:
        result["skipNodeOperations"] = list(each.skipped_operations)
    if each.consumed:
        result["consumedCapacity"] = {name: quantity_text(amount) for name, amount in each.consumed}
    return result


def _selector_of(allocated: Sequence[Allocated], node: str) -> Document | None:
    """The nodes from which all of these devices can be used that a pod gets on a node; None: all."""
    expressions: list[Mapping[str, Any]] = []
    for each in allocated:
        reach: Reach = each.candidate.reach
        if reach.node_name or each.candidate.device.binds_to_node:
            named = {"key": "metadata.name", "operator": "In", "values": [node]}
            return {"nodeSelectorTerms": [{"matchFields": [named]}]}
        for term in () if reach.selector is None else reach.selector.terms[:1]:
            for requirement in term.expressions:
                wanted = {
                    "key": requirement.key,
                    "operator": requirement.operator,
                    "values": list(requirement.values),
                }
                if wanted not in expressions:
                    expressions.append(wanted)
    return {"nodeSelectorTerms": [{"matchExpressions": expressions}]} if expressions else None


def release(snapshot: Snapshot, pod: Pod) -> list[Document]:
    """Take a pod that is gone out of its claims; returns these as they were before."""
    changed = list(_claims_of(snapshot, pod))
    for claim in changed:
        _release(snapshot, claim, pod.name)
    return changed


def release_by_name(snapshot: Snapshot, namespace: str, name: str) -> None:
    """Take a pod that is gone out of the claims that are reserved for it."""
    for claim in snapshot.objects(CLAIM, namespace):
        reserved = (claim.get("status") or {}).get("reservedFor") or ()
        if any(each.get("name") == name and not is_of_group(each) for each in reserved):
            _release(snapshot, claim, name)


def _release(snapshot: Snapshot, claim: Document, pod: str) -> None:
    if owner_of(claim) == pod:
        snapshot.delete(claim)
        return
    status = dict(claim.get("status") or {})
    reserved = status.get("reservedFor") or ()
    status["reservedFor"] = [each for each in reserved if each.get("name") != pod or is_of_group(each)]
    if not status["reservedFor"]:
        status.pop("allocation", None)
        status.pop("devices", None)
    snapshot.upsert({**claim, "status": status})


def _claims_of(snapshot: Snapshot, pod: Pod) -> list[Document]:
    claims = [claim for _, claim in entries_of(snapshot, pod) if claim is not None]
    own = snapshot.object(CLAIM, claim_name(pod), pod.namespace)
    return claims if own is None or not is_made_for_resources(own, pod) else [*claims, own]
