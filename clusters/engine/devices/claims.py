"""ResourceClaims as pods come and go, those that stand for extended resources, and who holds which devices."""

from __future__ import annotations

import enum
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from clusters.engine.devices.inventory import (
    CLAIM,
    CLASS,
    AllocationMode,
    Claim,
    DeviceId,
    DeviceRequest,
    Reach,
    allocation_of,
    claim_of_group,
    device_of,
    devices_of,
    entries_of,
    group_as_consumer,
    is_of_group,
    made_for,
    qualified,
    quantity_text,
    results_of,
    shared_entries,
    shares_of,
)
from clusters.engine.objects import Document, Node, Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.podgroups import API_GROUP, POD_GROUP, PodGroupKey, group_key_of
from clusters.engine.quantity import canonical_text, parsed
from clusters.engine.resources import is_extended, is_scalar
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

    from clusters.engine.devices.allocation import Allocated
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Mask

# Extended resources for which a DeviceClass stands: nodes without a device plugin for them give devices instead.
#
# Upstream: ``plugins/dynamicresources`` (``filterExtendedResources``, ``createRequestsAndMappings``) of v1.34.1 to
# v1.37.2, ``plugins/noderesources`` (``shouldDelegateResourceToDRA``) and ``deviceclass/extendedresourcecache`` of
# ``k8s.io/dynamic-resource-allocation`` v0.35.4. The devices are requested by a ResourceClaim that the scheduler
# itself makes for the pod when it binds it.

IMPLICIT: Final = "deviceclass.resource.kubernetes.io/"
# The API server takes no such name: no claim of a user has it.
SPECIAL_NAME: Final = "<extended-resources>"
ANNOTATION: Final = "resource.kubernetes.io/extended-resource-claim"


class ServedResource(NamedTuple):
    """An extended resource that a pod requests, and the DeviceClass that stands for it."""

    resource: str
    device_class: str


def classes_by_resource(snapshot: Snapshot) -> Mapping[str, str]:
    """The DeviceClass that stands for each extended resource; none where DRAExtendedResource is off."""
    return snapshot.derived(_classes_by_resource, CLASS)


def undecided_resources(snapshot: Snapshot) -> frozenset[str]:
    """Extended resources that classes may stand for, where it is not known whether DRAExtendedResource is on.

    The API server stores the names that classes give only where it is on there; each class's own name is one as well.
    """
    return snapshot.derived(_undecided_resources, CLASS)


def _classes_by_resource(snapshot: Snapshot) -> Mapping[str, str]:
    if not snapshot.release.enables(Gate.DRA_EXTENDED_RESOURCE):
        return {}
    has_both_names = snapshot.release.device_rules.has_both_names_of_classes
    found: dict[str, str] = {}
    # Of several classes that give one name the newest counts, and the first by name of those that are as old.
    by_name = sorted(snapshot.objects(CLASS), key=name_of, reverse=has_both_names)
    if has_both_names:
        by_name.sort(key=lambda each: str(metadata(each).get("creationTimestamp") or ""))
    for each in by_name:
        explicit = named_resource(each)
        if explicit:
            found[explicit] = name_of(each)
        if has_both_names or not explicit:
            found[IMPLICIT + name_of(each)] = name_of(each)
    return found


def _undecided_resources(snapshot: Snapshot) -> frozenset[str]:
    if snapshot.release.decides(Gate.DRA_EXTENDED_RESOURCE):
        return frozenset()
    classes = snapshot.objects(CLASS)
    return frozenset({*map(named_resource, classes), *(IMPLICIT + name_of(each) for each in classes)} - {""})


def named_resource(found: Document) -> str:
    """The extended resource that a DeviceClass says it stands for; empty where it says none."""
    return str((found.get("spec") or {}).get("extendedResourceName") or "")


def is_served_by_devices(snapshot: Snapshot, resource: str) -> bool:
    """Whether the scheduler lets a class stand for a resource of this name."""
    is_implicit = resource.startswith(IMPLICIT) and snapshot.release.device_rules.has_both_names_of_classes
    return is_extended(resource) or is_implicit


def served_resources(snapshot: Snapshot, pod: Pod) -> tuple[ServedResource, ...]:
    """What a pod requests that a DeviceClass stands for, in order of name."""
    classes = classes_by_resource(snapshot)
    # Amounts are added up for few pods only: most mention nothing that a class stands for.
    if not classes or not any(name in classes for each in _containers(pod) for name in _requests_of(each)):
        return ()
    requested = sorted(name for name, amount in pod.requests.items() if amount and name in classes)
    return tuple(ServedResource(name, classes[name]) for name in requested if is_served_by_devices(snapshot, name))


def uses_devices(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether devices may have to be allocated for a pod: for its claims, or for extended resources."""
    return bool(pod.spec.get("resourceClaims")) or bool(served_resources(snapshot, pod))


def without_plugin(snapshot: Snapshot, resource: str) -> Mask:
    """Shape (N,): nodes on which a class stands for a resource, as no device plugin offers it there.

    Until 1.34 a device plugin that offers none of it still counts as one.
    """
    nodes = snapshot.nodes
    if not snapshot.release.device_rules.has_both_names_of_classes:
        return ~_mentioned(nodes.nodes, resource)
    column = nodes.resource(resource)
    return np.ones(len(nodes), np.bool_) if column is None else nodes.allocatable[:, column] == 0


def left_to_devices(snapshot: Snapshot, requested: Collection[str], resource: str) -> Mask | None:
    """Shape (N,): nodes that a resource of the pod's requests is not compared on; None: it is on all."""
    if not snapshot.release.enables(Gate.DRA_EXTENDED_RESOURCE):
        return None
    classes = classes_by_resource(snapshot)
    # Where a pod requests no extended resource, kube-scheduler 1.34 does not look which classes there are.
    is_unread = not snapshot.release.device_rules.has_both_names_of_classes and not any(map(is_extended, requested))
    if resource in classes or (is_unread and is_scalar(resource)):
        return without_plugin(snapshot, resource)
    return None


def unserved(snapshot: Snapshot, pod: Pod) -> Mask:
    """Shape (N,): nodes that neither a device plugin nor a class gives one of the extended resources of a pod."""
    classes, nodes = classes_by_resource(snapshot), snapshot.nodes
    found = np.zeros(len(nodes), np.bool_)
    for resource, amount in pod.requests.items():
        if amount and resource not in classes and is_served_by_devices(snapshot, resource):
            found |= ~_mentioned(nodes.nodes, resource)
    return found


def _mentioned(nodes: Sequence[Node], resource: str) -> Mask:
    return np.fromiter((resource in each.allocatable for each in nodes), np.bool_, len(nodes))


# -- the claim ---------------------------------------------------------------------------------------------------------


def special_claim(snapshot: Snapshot, pod: Pod, resources: Sequence[ServedResource]) -> Claim:
    """What the scheduler's own claim requests for a pod, of these resources."""
    rule = _merged if snapshot.release.device_rules.has_both_names_of_classes else _by_container
    requests = [request for each in resources for request in rule(pod, each)]
    if snapshot.release.device_rules.has_both_names_of_classes:
        requests.sort(key=lambda request: request.name)
    return Claim(special_key(pod), tuple((request,) for request in requests), ())


def special_key(pod: Pod) -> str:
    """How the scheduler names the claim before it has made it."""
    return f"{pod.namespace}/{SPECIAL_NAME}"


def claim_made_for(snapshot: Snapshot, pod: Pod) -> Document | None:
    """The claim that the scheduler made for the extended resources of a pod; None where there is none."""
    return next((each for each in snapshot.objects(CLAIM, pod.namespace) if is_made_for_resources(each, pod)), None)


def is_held_by(claim: Document, pod: Pod) -> bool:
    """Whether a pod has the devices of the scheduler's own claim, rather than a try to bind it left that behind."""
    status = pod.status.get("extendedResourceClaimStatus") or {}
    return allocation_of(claim) is not None and status.get("resourceClaimName") == name_of(claim)


def claim_for_resources(pod: Pod, claim: Claim) -> Document:
    """The ResourceClaim that the scheduler makes when it binds a pod."""
    name = claim_name(pod)
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": CLAIM,
        "metadata": {
            "name": name,
            "namespace": pod.namespace,
            "uid": f"imagined:{pod.namespace}/{name}",
            "annotations": {ANNOTATION: "true"},
            "ownerReferences": [{"kind": "Pod", "name": pod.name, "uid": pod.owner_uid, "controller": True}],
        },
        "spec": {"devices": {"requests": [_written(request) for choices in claim.requests for request in choices]}},
        "status": {},
    }


def claim_name(pod: Pod) -> str:
    """The name of a pod's claim: where it is not made yet, what kube-scheduler's begins with."""
    status = pod.status.get("extendedResourceClaimStatus") or {}
    return str(status.get("resourceClaimName") or f"{pod.name}-extended-resources")


def _written(request: DeviceRequest) -> dict[str, Any]:
    exactly = {"deviceClassName": request.device_class, "allocationMode": request.mode, "count": request.count}
    return {"name": request.name, "exactly": exactly}


def is_made_for_resources(claim: Document, pod: Pod) -> bool:
    """Whether the scheduler made a claim for the extended resources of a pod."""
    fields = metadata(claim)
    if (fields.get("annotations") or {}).get(ANNOTATION) != "true":
        return False
    owners = fields.get("ownerReferences") or ()
    return any(
        each.get("controller") and each.get("name") == pod.name and each.get("uid") == pod.owner_uid for each in owners
    )


# -- its requests ------------------------------------------------------------------------------------------------------


def _by_container(pod: Pod, served: ServedResource) -> Iterator[DeviceRequest]:
    """One request for each container: 1.34 does not let init containers and those after them have the same devices."""
    for number, container in enumerate(_containers(pod)):
        count = _requested(container, served.resource)
        if count:
            yield _request(number, container, served, count)


def _merged(pod: Pod, served: ServedResource) -> Iterator[DeviceRequest]:
    """A request for each container that lasts, and one for all init containers, of what these do not find there."""
    containers = _containers(pod)
    short_lived = [
        number
        for number, each in enumerate(pod.spec.get("initContainers") or ())
        if each.get("restartPolicy") != "Always"
    ]
    lasting: dict[int, DeviceRequest] = {}
    for number, container in enumerate(containers):
        count = _requested(container, served.resource)
        if number not in short_lived and count:
            lasting[number] = _request(number, container, served, count)
    largest: DeviceRequest | None = None
    for number in short_lived:
        found = sum(each.count for later, each in lasting.items() if later >= number)
        missing = _requested(containers[number], served.resource) - found
        if missing > 0 and (largest is None or largest.count < missing):
            largest = _request(number, containers[number], served, missing)
    if largest is not None:
        yield largest
    yield from lasting.values()


def _containers(pod: Pod) -> list[Mapping[str, Any]]:
    return [*(pod.spec.get("initContainers") or ()), *(pod.spec.get("containers") or ())]


def _requests_of(container: Mapping[str, Any]) -> Mapping[str, Any]:
    requests: Mapping[str, Any] = (container.get("resources") or {}).get("requests") or {}
    return requests


def _requested(container: Mapping[str, Any], resource: str) -> int:
    """How much a container requests; nothing where that is no whole number."""
    quantity = _requests_of(container).get(resource)
    if quantity is None:
        return 0
    found = parsed(quantity)
    whole = found.scaled(0)
    return whole if found.scaled(3) == whole * 1000 else 0


def _request(number: int, container: Mapping[str, Any], served: ServedResource, count: int) -> DeviceRequest:
    place = sorted(_requests_of(container)).index(served.resource)
    return DeviceRequest(
        f"container-{number}-request-{place}",
        served.device_class,
        AllocationMode.EXACT_COUNT,
        count,
        (),
        (),
        admin_access=False,
    )


# ResourceClaims as pods come and go: made from templates, allocated and reserved for who is placed, free again after.
#
# Upstream: ``Reserve`` and ``PreBind`` of ``plugins/dynamicresources`` and ``pkg/controller/resourceclaim``, v1.34.1
# and, of claims that the pods of a group share, v1.37.2: a claim that nobody reserves any more loses its devices, and
# one that was made for a pod goes with it.

TEMPLATE: Final = "ResourceClaimTemplate"
# How the UIDs of claims begin that were made here.
_IMAGINED: Final = "imagined:"


def claims_from_templates(snapshot: Snapshot, pod: Document) -> tuple[dict[str, str], tuple[Document, ...]]:
    """Return the claims that would be made for a new pod, and the name of each by its entry in the pod's spec.

    An entry whose template is not held has none. What the pod has in common with its group is made for the group, once.
    """
    names: dict[str, str] = {}
    claims: list[Document] = []
    if not (pod.get("spec") or {}).get("resourceClaims"):
        return names, ()
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
        result["consumedCapacity"] = {device.as_written(name): quantity_text(amount) for name, amount in each.consumed}
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


# Which claims hold which devices, brought forward as claims change: simulations allocate devices by the thousand.
#
# Upstream: ``foreachAllocatedDevice`` of ``plugins/dynamicresources`` v1.34.1 to v1.37.2.

# By name of a capacity.
Consumption = dict[str, Fraction]
_NOBODY: Final[Mapping[str, Consumption]] = MappingProxyType({})


class HeldDevices(NamedTuple):
    """What claims have of the devices, as the scheduler of a release counts it.

    ``whole``: the claim that has each device for itself. ``shares``: the claims that share a device, with what each
    consumes of its capacities. ``counted``: devices that take of counters.
    """

    whole: Mapping[DeviceId, str]
    shares: Mapping[DeviceId, Mapping[str, Consumption]]
    counted: Collection[DeviceId]

    def consumed(self, device: DeviceId) -> Consumption:
        """What all claims together consume of the capacities of a device that they share."""
        return _total(self.shares.get(device, _NOBODY))


def _total(shares: Mapping[str, Consumption]) -> Consumption:
    found: Consumption = {}
    for amounts in shares.values():
        for name, amount in amounts.items():
            found[name] = found.get(name, Fraction()) + amount
    return found


def _qualified(driver: str, shares: Mapping[str, Consumption]) -> dict[str, Consumption]:
    """What claims consume by the full names of capacities; of one that a claim has twice the longer name counts."""
    return {
        claim: {qualified(name, driver): amounts[name] for name in sorted(amounts, key=lambda name: "/" in name)}
        for claim, amounts in shares.items()
    }


class Holders:
    """The claims (``namespace/name``) of each allocated device, and the devices that are allocated by pool.

    A device belongs to one claim; of several that say they have it the first by name counts. Shares of a device belong
    to many.
    """

    kinds: ClassVar[tuple[str, ...]] = (CLAIM,)

    def __init__(self) -> None:
        self.by_device: dict[DeviceId, str] = {}
        self.shares: dict[DeviceId, dict[str, Consumption]] = {}
        self._claims: dict[DeviceId, tuple[str, ...]] = {}
        self._by_pool: dict[tuple[str, str], set[str]] = {}
        self._shared_by_pool: dict[tuple[str, str], set[DeviceId]] = {}
        # Another object after each change, and the same in copies: whoever saw it knows these holders.
        self.state = object()
        # What was asked for since it changed last.
        self._frozen: dict[tuple[str, str], Hashable] = {}
        self._held: dict[tuple[bool, bool, bool], tuple[object, HeldDevices]] = {}

    def change(self, before: Document | None, after: Document | None) -> None:
        """Take in that a claim was added, replaced or removed."""
        self.state = object()
        had = frozenset() if before is None else frozenset(devices_of(before, held=True))
        has = frozenset() if after is None else frozenset(devices_of(after, held=True))
        for device in had - has:
            self._set(device, tuple(key for key in self._claims[device] if before is None or key != key_of(before)))
        for device in has - had:
            self._set(device, (*self._claims.get(device, ()), "" if after is None else key_of(after)))
        if before is not None:
            self._share(before, is_over=True)
        if after is not None:
            self._share(after)

    def _set(self, device: DeviceId, claims: tuple[str, ...]) -> None:
        pool = device.driver, device.pool
        self._frozen.pop(pool, None)
        if claims:
            self._claims[device], self.by_device[device] = claims, min(claims)
            self._by_pool.setdefault(pool, set()).add(device.device)
        else:
            del self._claims[device], self.by_device[device]
            self._by_pool[pool].remove(device.device)

    def _share(self, claim: Document, *, is_over: bool = False) -> None:
        key = key_of(claim)
        for device, amounts in shares_of(claim):
            pool = device.driver, device.pool
            self._frozen.pop(pool, None)
            # Whoever was told of the shares keeps what it was told.
            others = {other: held for other, held in self.shares.get(device, {}).items() if other != key or not is_over}
            if not is_over:
                held = others.get(key, {})
                others[key] = {
                    name: held.get(name, Fraction()) + amounts.get(name, Fraction()) for name in {**held, **amounts}
                }
            if others:
                self.shares[device] = others
                self._shared_by_pool.setdefault(pool, set()).add(device)
            elif self.shares.pop(device, None) is not None:
                self._shared_by_pool[pool].discard(device)

    def in_pool(self, driver: str, pool: str) -> Hashable:
        """What claims have of the devices of a pool, by their names; the same object until that changes."""
        found = self._frozen.get((driver, pool))
        if found is None:
            names = frozenset(self._by_pool.get((driver, pool), ()))
            shared = frozenset(
                (device.device, tuple(sorted(_total(self.shares[device]).items())))
                for device in self._shared_by_pool.get((driver, pool), ())
            )
            found = self._frozen[driver, pool] = (names, shared) if shared else names
        return found

    def held(self, *, shares: bool, counts_shares: bool, qualifies: bool) -> HeldDevices:
        """What claims have.

        ``shares``: devices can be shared; ``counts_shares``: shared ones take of counters. ``qualifies``: capacities
        get the domain of their driver where the claim leaves it out.
        """
        asked = shares, counts_shares, qualifies
        known = self._held.get(asked)
        if known is not None and known[0] is self.state:
            return known[1]
        if not self.shares:
            found = HeldDevices(self.by_device, {}, self.by_device)
        elif not shares:
            whole = {**{device: min(claims) for device, claims in self.shares.items()}, **self.by_device}
            found = HeldDevices(whole, {}, whole)
        else:
            counted = {*self.by_device, *self.shares} if counts_shares else self.by_device
            named = {device: _qualified(device.driver, each) for device, each in self.shares.items()}
            found = HeldDevices(self.by_device, named if qualifies else self.shares, counted)
        self._held[asked] = self.state, found
        return found

    def copy(self) -> Holders:
        """Independent holders that start equal to these."""
        twin = Holders()
        twin.by_device, twin._claims = dict(self.by_device), dict(self._claims)
        twin.shares = dict(self.shares)
        twin._by_pool = {pool: set(names) for pool, names in self._by_pool.items()}
        twin._shared_by_pool = {pool: set(devices) for pool, devices in self._shared_by_pool.items()}
        twin._frozen, twin.state = dict(self._frozen), self.state
        return twin


def held_devices(snapshot: Snapshot) -> HeldDevices:
    """What claims have of the devices now; admin access holds none."""
    release = snapshot.release
    rules = release.device_rules
    return snapshot.followed(Holders).held(
        shares=release.enables(Gate.DRA_CONSUMABLE_CAPACITY),
        counts_shares=rules.gives_everything_back,
        qualifies=rules.qualifies_capacities,
    )


def refused_shares(snapshot: Snapshot) -> str:
    """Why the scheduler cannot tell what is left of devices, for amounts below zero in claims; empty where it can."""
    release = snapshot.release
    if not release.device_rules.refuses_negative_shares or not release.enables(Gate.DRA_CONSUMABLE_CAPACITY):
        return ""
    return snapshot.derived(_refused_shares, CLAIM)


def _refused_shares(snapshot: Snapshot) -> str:
    found = sorted(filter(None, map(_negative_share, snapshot.objects(CLAIM))))
    if not found:
        return ""
    others = f" (and {len(found) - 1} more claims with invalid consumed capacity)" if len(found) > 1 else ""
    return f"gather allocation state: {found[0]}{others}"


def _negative_share(claim: Document) -> str:
    """The first amount below zero that a claim has consumed, as the scheduler says it; empty where there is none."""
    for result in results_of(claim):
        for name, written in sorted((result.get("consumedCapacity") or {}).items()):
            quantity = parsed(written)
            if quantity.unscaled < 0:
                return (
                    f'claim {key_of(claim)}, device {device_of(result)}: consumed capacity "{name}" must not be '
                    f"negative, got {canonical_text(quantity.nano_units, quantity.format)}"
                )
    return ""


# Conditions that drivers set on allocated devices before pods are bound, and whether those of a claim hold.
#
# Upstream: ``isClaimReadyForBinding`` and ``isClaimTimeout`` of ``plugins/dynamicresources`` v1.34.1 to v1.37.2. In
# PreBind the scheduler waits until all hold, and ends the attempt with an error where one of the conditions of
# failure does, or after ten minutes unless its ``bindingTimeout`` says otherwise.


class Readiness(enum.Enum):
    """Whether the devices of a claim are ready for pods to be bound, as the scheduler finds out."""

    READY = enum.auto()
    WAITING = enum.auto()
    """Some conditions do not hold yet: the claim is given up once it has waited too long."""
    FAILED = enum.auto()
    """A condition of failure holds: the claim is given up."""


class DeviceConditions(NamedTuple):
    """The binding conditions of an allocated device that do not hold yet, and its conditions of failure that do."""

    device: DeviceId
    pending: tuple[str, ...]
    failed: tuple[str, ...]


def readiness_of(claim: Document) -> Readiness:
    """Whether a claim's devices are ready: the first device that is not decides."""
    for result in results_of(claim):
        if not result.get("bindingConditions"):
            continue
        held = _held_conditions(claim, result)
        if held is None:
            return Readiness.WAITING
        if not held.isdisjoint(result.get("bindingFailureConditions") or ()):
            return Readiness.FAILED
        if not held.issuperset(result["bindingConditions"]):
            return Readiness.WAITING
    return Readiness.READY


def may_have_waited_too_long(claim: Document) -> bool:
    """Whether a claim has waited for its devices for a time that depends on when the scheduler looks."""
    is_timed = bool((allocation_of(claim) or {}).get("allocationTimestamp"))
    return is_timed and readiness_of(claim) is Readiness.WAITING


def has_conditions(claim: Document) -> bool:
    """Whether any device of a claim has binding conditions."""
    return any(result.get("bindingConditions") for result in results_of(claim))


def device_conditions(claim: Document) -> Iterator[DeviceConditions]:
    """What is missing for each device of a claim that has binding conditions."""
    for result in results_of(claim):
        wanted = tuple(map(str, result.get("bindingConditions") or ()))
        if wanted:
            held = _held_conditions(claim, result) or frozenset()
            failing = (str(each) for each in result.get("bindingFailureConditions") or ())
            pending = tuple(each for each in wanted if each not in held)
            yield DeviceConditions(device_of(result), pending, tuple(each for each in failing if each in held))


def _held_conditions(claim: Document, result: Mapping[str, Any]) -> frozenset[str] | None:
    """The conditions of a device that are true; None where the driver has said nothing of it yet."""
    for each in (claim.get("status") or {}).get("devices") or ():
        if device_of(each) == device_of(result):
            conditions = each.get("conditions") or ()
            return frozenset(str(held.get("type")) for held in conditions if held.get("status") == "True")
    return None
