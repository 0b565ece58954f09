"""Extended resources for which a DeviceClass stands: nodes without a device plugin for them give devices instead.

Upstream: ``plugins/dynamicresources`` (``filterExtendedResources``, ``createRequestsAndMappings``) of v1.34.1 to
v1.37.2, ``plugins/noderesources`` (``shouldDelegateResourceToDRA``) and ``deviceclass/extendedresourcecache`` of
``k8s.io/dynamic-resource-allocation`` v0.35.4. The devices are requested by a ResourceClaim that the scheduler itself
makes for the pod when it binds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from clusters.engine.devices.pod_claims import CLAIM, CLASS, allocation_of
from clusters.engine.devices.requests import AllocationMode, Claim, DeviceRequest
from clusters.engine.objects import metadata, name_of
from clusters.engine.resources.quantity import parsed
from clusters.engine.resources.requests import is_extended, is_scalar
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document, Node, Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Mask

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
