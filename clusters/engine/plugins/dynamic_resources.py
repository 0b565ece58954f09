"""DynamicResources: whether the devices that a pod's ResourceClaims request can be allocated for a node.

Upstream: ``pkg/scheduler/framework/plugins/dynamicresources`` v1.34.1."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from msgspec.structs import replace

from clusters.engine.columns import distinguish
from clusters.engine.devices.allocation import (
    Allocated,
    DeviceSearch,
    Leniency,
    NodeSearch,
    SelectorUse,
    Suitability,
    holds_devices,
    is_known,
    is_open_for,
    is_request_known,
    skips_operations,
    uses_of,
)
from clusters.engine.devices.claims import (
    Readiness,
    ServedResource,
    claim_made_for,
    classes_by_resource,
    device_conditions,
    held_devices,
    is_held_by,
    is_served_by_devices,
    readiness_of,
    refused_shares,
    served_resources,
    special_claim,
    special_key,
    undecided_resources,
    unserved,
    without_plugin,
)
from clusters.engine.devices.inventory import (
    CLASS,
    SLICE,
    TAINT_RULE,
    AttributeRule,
    Claim,
    ClaimFault,
    Device,
    DeviceId,
    DeviceRequest,
    DeviceSlice,
    MatchAttribute,
    PodClaim,
    Pool,
    Reach,
    RefusedClaim,
    TakenDevice,
    claim_of_group,
    claim_status,
    claims_of,
    device_of,
    entries_of,
    exact,
    is_of_group,
    qualified,
    reach_rows,
    refusal_of,
    results_of,
    shared_entries,
    slices_of,
)
from clusters.engine.devices.states import DeviceExclusion, Exclusions
from clusters.engine.edits import LowerRequest
from clusters.engine.evidence import ByMaximum, Comparison, NodeTerm, ScorePart, Subject
from clusters.engine.matching import compared_terms, selector_mask
from clusters.engine.objects import Document, Pod, key_of, name_of
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Effort,
    Plugin,
    PreFilter,
    Reads,
    by_maximum,
    normalise_by_maximum,
)
from clusters.engine.podgroups import POD_GROUP
from clusters.engine.quantity import Quantity, parsed
from clusters.engine.resources import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGE_PAGES,
    MEMORY,
    Amounts,
    Counting,
    is_pod_level,
    pod_amounts,
    pod_quantities,
    scheduled_amounts,
)
from clusters.engine.scoring import NodeAmounts
from clusters.engine.selectors import NodeSelector
from clusters.engine.status import (
    SUCCESS,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    QuotedReason,
    Reason,
    Status,
    failure,
    unresolvable,
    unschedulable,
)
from clusters.engine.versions import Gate, Release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.podgroups import PodGroupKey
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.taints import Taint
    from clusters.engine.world import World

# What DynamicResources compares on a node, and what of it could be lifted.

# So many alternatives a request may have; the first counts as many points, each later one a point less.
MOST_ALTERNATIVES: Final = 8


class TakenAlternative(ScorePart, frozen=True):
    """An alternative of ``firstAvailable`` that the node gives: its place among all of them, from 0, and its points."""

    kind = "taken-alternative"

    claim: str
    request: str
    place: int
    alternatives: int
    points: int


class DeviceComparison(Comparison, frozen=True):
    """One device and one request (or alternative) of a claim.

    ``by`` is what excludes the device: the claim that holds it, the expression, the capacity, the counter, the taint,
    the attribute. ``owner`` is the class or claim that has the expression. ``requested`` and ``available`` are amounts
    of the capacity or counter. ``allocated``: the search found a solution, and took this device, for whose
    ``conditions`` binding then waits.
    """

    kind = "device"

    claim: str
    request: str
    device: str
    exclusion: DeviceExclusion | None = None
    by: str = ""
    owner: str = ""
    requested: str = ""
    available: str = ""
    allocated: bool = False
    conditions: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.exclusion is None


class DeviceRequestComparison(Comparison, frozen=True):
    """How many devices of a node a request could have, by itself, and how many it is for.

    ``wanted`` is None for a request for all devices. ``device_class`` is what it names. ``reached`` counts the devices
    of pools that the node reaches.
    """

    kind = "device-request"

    claim: str
    request: str
    device_class: str
    wanted: int | None
    available: int
    reached: int

    @property
    def holds(self) -> bool:
        return self.available >= (1 if self.wanted is None else self.wanted)


class AllocatedClaimComparison(Comparison, frozen=True):
    """A claim that was allocated before, and the nodes from which its devices can be used; no terms: from all.

    ``lacking``: the feature that the node's kubelet would have to declare for these devices, and does not.
    """

    kind = "allocated-claim"

    claim: str
    terms: tuple[NodeTerm, ...]
    lacking: str = ""

    @property
    def holds(self) -> bool:
        return not self.lacking and (not self.terms or any(term.matches for term in self.terms))


class BindingConditionsComparison(Comparison, frozen=True):
    """The conditions of an allocated device: those that binding waits for, and those that say that it failed."""

    kind = "binding-conditions"

    claim: str
    device: str
    pending: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.failed


class DevicesTogetherComparison(Comparison, frozen=True):
    """Whether devices can be had for all requests of all claims at once; ``fault`` is the scheduler's error.

    ``gave_up``: the search was ended before that was known.
    """

    kind = "devices-together"

    claims: tuple[str, ...]
    found: bool
    gave_up: bool = False
    fault: str = ""

    @property
    def holds(self) -> bool:
        return self.found or self.gave_up


class ExtendedResourceComparison(Comparison, frozen=True):
    """How a node has an extended resource that the pod requests.

    ``device_class``: the DeviceClass of the devices that it gives instead. ``is_offered``: a device plugin offers the
    resource, so that amounts are compared instead.
    """

    kind = "extended-resource"

    resource: str
    requested: int
    device_class: str
    is_offered: bool

    @property
    def holds(self) -> bool:
        return self.is_offered or bool(self.device_class)


class NodeResourceComparison(Comparison, frozen=True):
    """What the pod requests of a resource together with its devices, and what of it the node has, in base units.

    ``used`` is what the node's pods request.
    """

    kind = "node-resource"

    resource: str
    requested: int
    allocatable: int
    used: int

    @property
    def holds(self) -> bool:
        return self.requested <= self.allocatable - self.used


class LeftBehindClaimComparison(Comparison, frozen=True):
    """The scheduler's own claim of an earlier try to bind the pod: it is deleted before the pod is tried again."""

    kind = "left-behind-claim"

    claim: str

    @property
    def holds(self) -> bool:
        return False


class DeviceSelectorSubject(Subject, frozen=True):
    """A CEL expression of a request, or of its class (``device_class``)."""

    kind: ClassVar[str] = "device-selector"

    claim: str
    request: str
    device_class: str
    expression: str


class DeviceTaintSubject(Subject, frozen=True):
    """A taint of devices, written as kubectl writes taints."""

    kind: ClassVar[str] = "device-taint"

    taint: str


class DeviceCountSubject(Subject, frozen=True):
    """The number of devices that a request is for, beyond the first."""

    kind: ClassVar[str] = "device-count"

    claim: str
    request: str
    count: int


class MatchAttributeSubject(Subject, frozen=True):
    """The attribute in which devices of a claim have to match."""

    kind: ClassVar[str] = "match-attribute"

    claim: str
    attribute: str


class DistinctAttributeSubject(Subject, frozen=True):
    """The attribute in which devices of a claim have to differ."""

    kind: ClassVar[str] = "distinct-attribute"

    claim: str
    attribute: str


class DeviceCapacitySubject(Subject, frozen=True):
    """The amounts of a device's capacity that a request is for."""

    kind: ClassVar[str] = "device-capacity"

    claim: str
    request: str


class ResourceClaimSubject(Subject, frozen=True):
    """A whole claim: all devices that it requests, or the nodes of those that it has."""

    kind: ClassVar[str] = "resource-claim"

    claim: str


class ExtendedResourceSubject(Subject, frozen=True):
    """An extended resource that nodes give as devices of a DeviceClass."""

    kind: ClassVar[str] = "extended-resource"

    resource: str
    device_class: str


# Which alternatives of ``firstAvailable`` a node gives a pod: what the score goes by.


def taken_alternatives(
    claims: Iterable[PodClaim], given: Mapping[str, Sequence[Allocated]]
) -> Iterator[TakenAlternative]:
    """Yield the alternatives of a pod's claims that have devices, or are ``given`` some, by claim."""
    documents = [claim.document for claim in claims]
    names = {(claim, each.request.full_name) for claim, devices in given.items() for each in devices}
    names |= {(key_of(claim), str(result.get("request") or "")) for claim in documents for result in results_of(claim)}
    for claim in map(Claim.from_dict, documents):
        for alternatives in claim.requests:
            for place, request in enumerate(alternatives):
                if request.parent and (claim.key, request.full_name) in names:
                    points = MOST_ALTERNATIVES - place
                    yield TakenAlternative(claim.key, request.full_name, place, len(alternatives), points)


# What PostFilter frees where a pod fits nowhere, so that its claims can have other devices in the next attempt.
#
# Upstream: ``PostFilter`` of ``plugins/dynamicresources`` v1.34.1 and v1.36.3, ``deallocateOrDeletePodClaims``
# v1.37.2.

NO_CLAIMS: Final = unschedulable(QuotedReason("no new claims to deallocate"))
SAYS_NOTHING: Final = unschedulable()
_STILL: Final = unschedulable(QuotedReason("still not schedulable"))
_DEALLOCATED: Final = unschedulable(QuotedReason("deallocation of ResourceClaim completed"))
_DELETED: Final = unschedulable(QuotedReason("deletion of ResourceClaim completed"))
_DEALLOCATED_OF_GROUP: Final = unschedulable(QuotedReason("deallocation of PodGroup ResourceClaim completed"))
_UNRESERVED: Final = unresolvable(QuotedReason("ResourceClaim unreserved for PodGroup"))


def freed(pod: Pod, unavailable: Iterable[PodClaim], made: Document | None, *, has_words: bool) -> Status:
    """What is said of what was freed.

    ``unavailable``: the claims for which some node was rejected that could have had all others. ``made``: the claim
    that was made for extended resources. ``has_words``: there are some where nothing is freed.
    """
    if any(_is_free(claim.document, pod) for claim in unavailable if claim.document is not made):
        return _DEALLOCATED
    if made is not None:
        return _DELETED
    return _STILL if has_words else SAYS_NOTHING


def _is_free(claim: Document, pod: Pod) -> bool:
    """Whether nobody but the pod has reserved a claim."""
    reserved = (claim.get("status") or {}).get("reservedFor") or ()
    return not reserved or [each.get("uid") for each in reserved] == [pod.owner_uid]


def freed_of_group(snapshot: Snapshot, group: PodGroupKey, pod: Pod, unavailable: Iterable[Document]) -> Status | None:
    """What is said of a claim that is freed for a group without a pod on a node; None where there is none.

    ``pod``: one of its pods. ``unavailable``: claims of its pods that some node was rejected for.

    Upstream: ``deallocatePodGroupClaims`` v1.37.2.
    """

    def by_group(consumer: Mapping[str, Any]) -> bool:
        return is_of_group(consumer) and consumer.get("name") == group.name

    for claim in unavailable:
        reserved = (claim.get("status") or {}).get("reservedFor") or ()
        if not reserved or (len(reserved) == 1 and by_group(reserved[0])):
            return _DEALLOCATED_OF_GROUP
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    for entry in (held.get("spec") or {}).get("resourceClaims") or ():
        name = entry.get("resourceClaimName") or claim_of_group(snapshot, group, str(entry.get("name") or ""))
        status = (snapshot.object("ResourceClaim", str(name), group.namespace) or {}).get("status") or {}
        reserved = status.get("reservedFor") or ()
        if status.get("allocation") and any(by_group(each) or each.get("uid") == pod.owner_uid for each in reserved):
            return _UNRESERVED
    return None


# Whether what a pod requests and limits as a whole covers its containers together with its devices.
#
# Upstream: ``validatePodLevelResourcesCoverDRA`` of ``plugins/dynamicresources`` v1.37.2. Of several resources that
# are not covered the scheduler names any; here the first by name.


class NotCovered(Reason, frozen=True):
    """The pod as a whole asks for less than its containers with their devices, or limits them to less.

    ``role``: request or limit; ``container``: the one whose limit is too large, else all together.
    """

    kind = "not-covered"
    plugin = "DynamicResources"

    role: str
    resource: str
    container: str = ""

    def __str__(self) -> str:
        if self.container:
            return (
                f"pod level limit for {self.resource} is insufficient to cover the limit and DRA overhead for "
                f"container {self.container}"
            )
        if self.role == "limit":
            return (
                f"pod level limit for {self.resource} is insufficient to cover the aggregated container and "
                "node-allocatable DRA limits"
            )
        return (
            f"pod level request for {self.resource} is insufficient to cover the aggregated container and "
            "node-allocatable DRA requests"
        )


Sums = dict[str, Fraction]


def uncovered_resource(pod: Document, counting: Counting) -> NotCovered | None:
    """The first resource that is not covered; None where all are."""
    spec: Mapping[str, Any] = pod.get("spec") or {}
    whole: Mapping[str, Any] = spec.get("resources") or {}
    statuses: Sequence[Document] = (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or ()
    requests, limits = (_read(whole.get(role)) for role in ("requests", "limits"))
    together = _containers(spec, "requests", statuses, counting)
    for resource, amount in sorted(requests.items()):
        if is_pod_level(resource) and together.get(resource, Fraction()) > amount:
            return NotCovered("request", resource)
    limited = _containers(spec, "limits", statuses, counting) if limits else {}
    for resource, amount in sorted(limits.items()):
        if resource.startswith(HUGE_PAGES) and limited.get(resource, Fraction()) > amount:
            return NotCovered("limit", resource)
    return _uncovered_limit(spec, limits, statuses)


def _uncovered_limit(spec: Mapping[str, Any], limits: Sums, statuses: Sequence[Document]) -> NotCovered | None:
    for container in spec.get("containers") or ():
        name = str(container.get("name"))
        own = _of_devices(each for each in statuses if name in each["containers"])
        for resource, amount in sorted(_read((container.get("resources") or {}).get("limits")).items()):
            if resource.startswith(HUGE_PAGES) or resource not in limits:
                continue
            if amount + own.get(resource, Fraction()) > limits[resource]:
                return NotCovered("limit", resource, name)
    return None


def _containers(spec: Mapping[str, Any], role: str, statuses: Sequence[Document], counting: Counting) -> Sums:
    """What the containers and the devices of a pod request or limit together."""
    alone = {name: value for name, value in spec.items() if name not in ("resources", "overhead")}
    pod = with_statuses({"spec": alone}, statuses)
    found = pod_quantities(pod, role, counting=counting, adds_devices=True)
    return {name: exact(amount) for name, amount in found.items()}


def _of_devices(statuses: Iterable[Document]) -> Sums:
    """What devices take in all for one container."""
    sums: Sums = {}
    for each in statuses:
        taken = [(held["name"], exact(parsed(held["quantity"]))) for held in each["mapping"]]
        for held in each["overhead"]:
            taken.append((held["name"], exact(parsed(held.get("perPod", 0)))))
            taken.append((held["name"], exact(parsed(held.get("perContainer", 0)))))
        for name, amount in taken:
            sums[name] = sums.get(name, Fraction()) + amount
    return sums


def _read(quantities: Mapping[str, Any] | None) -> Sums:
    return {name: exact(parsed(quantity)) for name, quantity in (quantities or {}).items()}


# Whether a pod fits a node with what its devices take of the node's own resources, once they are chosen.
#
# Upstream: ``calculateAndCheckNodeAllocatableResources`` and ``validateNodeAllocatableDRAClaimSharing`` of
# ``plugins/dynamicresources`` v1.37.2: of the devices that a node would give the first solution is looked at, no
# other.

if TYPE_CHECKING:
    # The claims of a pod that have devices, each with the nodes that reach them, None: all.
    Held = Sequence[tuple[PodClaim, Mask | None]]
    # The devices that its other claims would get on a node, by claim.
    Given = Mapping[str, Sequence[Allocated]]


class InsufficientWithDevices(Reason, frozen=True):
    """A node is short of a resource once the pod's devices take theirs of it."""

    kind = "insufficient-with-devices"
    plugin = "DynamicResources"

    resource: str

    def __str__(self) -> str:
        return f"Insufficient {self.resource}"


class NotShared(Reason, frozen=True):
    """Other pods have a claim whose devices are resources of the node."""

    kind = "claim-not-shared"
    plugin = "DynamicResources"

    claim: str

    def __str__(self) -> str:
        return f"node allocatable resource claim {self.claim} has a mapped device and cannot be shared across pods"


_COMPARED = (CPU, MEMORY, EPHEMERAL_STORAGE)


def counts_node_resources(snapshot: Snapshot) -> bool:
    """Whether devices take of their nodes' resources, as the scheduler sees it."""
    is_counted = snapshot.release.enables(Gate.DRA_NODE_RESOURCES) and snapshot.release.device_rules.takes_of_nodes
    return is_counted and bool(snapshot.derived(_taking_devices, SLICE, TAINT_RULE, CLASS))


class NodeResources:
    """The demand of one pod on each node, by the devices that it has or would get there."""

    def __init__(self, snapshot: Snapshot, pod: Pod) -> None:
        self._snapshot = snapshot
        self._pod = pod
        self._rows: dict[Reach, frozenset[int]] = {}
        self._amounts = NodeAmounts(snapshot)

    def judge(
        self,
        index: Index,
        statuses: list[Status],
        held: Held,
        given: Sequence[Given],
        world: World | None,
    ) -> None:
        """Reject nodes that lack what the pod's devices take of them, and those that a claim is not to be shared on.

        ``index``: shape (N,), which of ``statuses`` each node has: none of the first two is about missing devices.
        ``given``: by row; empty where nothing is to be allocated.
        """
        for row in np.flatnonzero(index <= 1).tolist():
            try:
                rejected = self._rejection(row, self.statuses(row, held, given[row] if given else {}), world)
            except ClaimFault as fault:
                rejected = failure(str(fault))
            if rejected is not None:
                index[row] = len(statuses)
                statuses.append(rejected)
        for claim, mask in held:
            refused = self._refused_sharing(claim)
            if refused is not None:
                index[slice(None) if mask is None else mask] = len(statuses)
                statuses.append(refused)

    def evidence(self, row: int, held: Held, given: Given, world: World | None) -> Iterator[NodeResourceComparison]:
        """What is compared on a node of its own resources; nothing where devices take none of them."""
        try:
            statuses = self.statuses(row, held, given)
        except ClaimFault:
            return
        if statuses:
            for each in self._compared(row, self._demand(statuses), world):
                yield NodeResourceComparison(*each)

    def _refused_sharing(self, claim: PodClaim) -> Status | None:
        """Why a pod cannot have a claim that others have reserved: its devices are resources of the node."""
        reserved = (claim.document.get("status") or {}).get("reservedFor") or ()
        if not reserved or any(each.get("uid") == self._pod.owner_uid for each in reserved):
            return None
        taking = self._snapshot.derived(_taking_devices, SLICE, TAINT_RULE, CLASS)
        devices = (device for result in results_of(claim.document) for device in taking.get(device_of(result), ()))
        if not any(held.is_mapped for _, device in devices for held in device.node_resources):
            return None
        name = name_of(claim.document)
        return unresolvable(NotShared(name))

    def statuses(self, row: int, held: Held, given: Given) -> tuple[Document, ...]:
        """What claims would say in the pod's status on a node: those that have devices, and what others are ``given``.

        Raises ClaimFault.
        """
        taken = [(key_of(claim.document), list(self._held(row, claim))) for claim, _ in held]
        taken += [(key, [_taken(each) for each in devices]) for key, devices in given.items()]
        found = (claim_status(self._pod, key, self._entries.get(key, ()), devices) for key, devices in taken)
        return tuple(sorted((each for each in found if each), key=lambda each: str(each["resourceClaimName"])))

    def _demand(self, statuses: Sequence[Document]) -> Amounts:
        """What the pod requests with these statuses of its claims."""
        document = with_statuses(self._pod.document, statuses)
        counting = self._snapshot.release.counting
        return scheduled_amounts(pod_amounts(document, use_status=False, counting=counting, adds_devices=True))

    def _rejection(self, row: int, statuses: Sequence[Document], world: World | None) -> Status | None:
        """Why the pod does not fit a node with its devices; None: it does."""
        if not statuses:
            return None
        uncovered = uncovered_resource(with_statuses(self._pod.document, statuses), self._snapshot.release.counting)
        if uncovered is not None:
            return unresolvable(uncovered)
        short = [
            (resource, amount > allocatable)
            for resource, amount, allocatable, used in self._compared(row, self._demand(statuses), world)
            if amount > allocatable - used
        ]
        if not short:
            return None
        reasons = [InsufficientWithDevices(resource) for resource, _ in short]
        return unresolvable(*reasons) if any(hopeless for _, hopeless in short) else unschedulable(*reasons)

    def _compared(self, row: int, amounts: Amounts, world: World | None) -> Iterator[tuple[str, int, int, int]]:
        """Each resource that is compared: what the pod requests, what the node has, and what is requested of it."""
        pages = sorted(resource for resource in amounts if resource.startswith(HUGE_PAGES))
        for resource in (*_COMPARED, *pages):
            amount = amounts.get(resource, 0)
            if amount > 0 or resource in pages:
                allocatable = int(self._amounts.allocatable(resource)[row])
                yield resource, amount, allocatable, int(self._amounts.requested(resource, world)[row])

    @cached_property
    def _entries(self) -> dict[str, list[str]]:
        """The names that the pod's spec has for each claim."""
        found: dict[str, list[str]] = {}
        for entry, claim in entries_of(self._snapshot, self._pod):
            if claim is not None:
                found.setdefault(key_of(claim), []).append(entry)
        return found

    def _held(self, row: int, claim: PodClaim) -> Iterator[TakenDevice]:
        """The devices that a claim has; none where the node reaches none that takes of it. Raises ClaimFault."""
        results = [(result, self._device(device_of(result), row)) for result in results_of(claim.document)]
        if not any(device is not None and device.node_resources for _, device in results):
            return
        for result, device in results:
            name = device_of(result)
            if device is None:
                raise ClaimFault(
                    f"claim {key_of(claim.document)}, device {name.device}, driver {name.driver}: "
                    f"device {name.device} not found in pool {name.pool} for driver {name.driver}"
                )
            consumed = result.get("consumedCapacity")
            if consumed is not None:
                by_length = sorted(consumed.items(), key=lambda item: "/" in item[0])
                consumed = {qualified(str(key), device.domain): exact(parsed(each)) for key, each in by_length}
            yield TakenDevice(name.device, device, consumed)

    def _device(self, name: DeviceId, row: int) -> Device | None:
        for each, device in self._snapshot.derived(_devices, SLICE, TAINT_RULE, CLASS).get(name, ()):
            reach = device.reach if each.has_reach_by_device else each.reach
            if reach not in self._rows:
                self._rows[reach] = frozenset(reach_rows(self._snapshot.nodes, reach))
            if row in self._rows[reach]:
                return device
        return None


def with_statuses(pod: Document, statuses: Sequence[Document]) -> Document:
    """A pod whose status says what its devices take of the node."""
    if not statuses:
        return pod
    status: dict[str, Any] = {**(pod.get("status") or {}), "nodeAllocatableResourceClaimStatuses": list(statuses)}
    return {**pod, "status": status}


def _taken(each: Allocated) -> TakenDevice:
    device = each.candidate.device
    return TakenDevice(device.name, device, dict(each.consumed) if each.is_share else None)


def _devices(snapshot: Snapshot) -> dict[DeviceId, list[tuple[DeviceSlice, Device]]]:
    found: dict[DeviceId, list[tuple[DeviceSlice, Device]]] = {}
    for each in slices_of(snapshot):
        for device, name in zip(each.devices, each.ids, strict=True):
            found.setdefault(name, []).append((each, device))
    return found


def _taking_devices(snapshot: Snapshot) -> dict[DeviceId, list[tuple[DeviceSlice, Device]]]:
    """The devices that take of their nodes' resources."""
    every = snapshot.derived(_devices, SLICE, TAINT_RULE, CLASS).items()
    return {name: found for name, found in every if any(device.node_resources for _, device in found)}


# From which nodes a claim that has devices can be used.


def reaching_nodes(snapshot: Snapshot, claim: PodClaim) -> Mask | None:
    """The nodes, shape (N,), from which the devices of a claim can be used; None: all.

    Devices that failed before the pod was bound count as reached from none.
    """
    waits = snapshot.release.devices.waits_for_conditions
    if waits and readiness_of(claim.document) is Readiness.FAILED:
        return np.zeros(len(snapshot.nodes), np.bool_)
    selector = (claim.allocation or {}).get("nodeSelector")
    reached = None if selector is None else selector_mask(snapshot.nodes, NodeSelector.from_dict(selector))
    if not needs_skipping(claim, snapshot.release):
        return reached
    able = np.array([skips_operations(node) for node in snapshot.nodes.nodes], np.bool_)
    return able if reached is None else reached & able


def needs_skipping(claim: PodClaim, release: Release) -> bool:
    """Whether kubelets have to know that devices of a claim need less of them, however the gate is now (from 1.37)."""
    is_read = Gate.DRA_OPTIONAL_NODE_OPERATIONS in release.known_gates
    return is_read and any(result.get("skipNodeOperations") for result in results_of(claim.document))


# What of the pod's claims can be lifted, one by one, and what the claims are without some of that.


class DeviceRequirements:
    """The requirements of claims to allocate, and of all claims (``keys``, as ``namespace/name``) as a whole."""

    def __init__(
        self, snapshot: Snapshot, to_allocate: tuple[Claim, ...], keys: Sequence[str], special: SpecialClaim | None
    ) -> None:
        self._snapshot = snapshot
        self._to_allocate = to_allocate
        self._keys = keys
        self._special = special

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """Selectors, taints, attributes and counts, and then whole claims and extended resources."""
        own = () if self._special is None else (self._special.whole,)
        found: list[Subject] = [_selector(use) for use in self._uses((*self._to_allocate, *own))]
        if self._to_allocate or own:
            found += (DeviceTaintSubject(text) for text in self._taints)
        found += (_attribute(claim, rule) for claim in self._to_allocate for rule in claim.constraints)
        found += (
            DeviceCapacitySubject(claim.key, request.full_name)
            for claim in self._to_allocate
            for alternatives in claim.requests
            for request in alternatives
            if request.amounts
        )
        found += (
            DeviceCountSubject(claim.key, request.full_name, request.count)
            for claim in self._to_allocate
            for alternatives in claim.requests
            for request in alternatives
            if request.count > 1
        )
        found += map(ResourceClaimSubject, self._keys)
        if self._special is not None:
            found += (ExtendedResourceSubject(each.resource, each.device_class) for each in self._special.served)
        return tuple(found)

    def _uses(self, claims: Sequence[Claim]) -> list[SelectorUse]:
        return [
            use
            for claim in claims
            for alternatives in claim.requests
            for request in alternatives
            for use in uses_of(self._snapshot, claim, request)
        ]

    @cached_property
    def _taints(self) -> Mapping[str, Taint]:
        """The distinct taints of all devices, as far as they count."""
        devices = (device for each in slices_of(self._snapshot) for device in each.devices)
        suitability = Suitability(self._snapshot)
        return {str(taint): taint for device in devices for taint in suitability.taints(device)}

    @property
    def whole(self) -> list[int]:
        """The places of whole claims and extended resources."""
        kinds = (ResourceClaimSubject, ExtendedResourceSubject)
        return [number for number, each in enumerate(self.subjects) if isinstance(each, kinds)]

    def lifted_claims(self, lifted: frozenset[int]) -> frozenset[str]:
        """The claims among some requirements."""
        subjects = (self.subjects[number] for number in lifted)
        return frozenset(each.claim for each in subjects if isinstance(each, ResourceClaimSubject))

    def lifted_resources(self, lifted: frozenset[int]) -> frozenset[str]:
        """The extended resources among some requirements."""
        subjects = (self.subjects[number] for number in lifted)
        return frozenset(each.resource for each in subjects if isinstance(each, ExtendedResourceSubject))

    def wanted(self, lifted: frozenset[int]) -> tuple[tuple[Claim, ...], Leniency]:
        """The claims to allocate, and what of them is left out of account, without some requirements."""
        if not lifted:
            return self._to_allocate, Leniency()
        subjects = frozenset(self.subjects[number] for number in lifted)
        left_out = self.lifted_claims(lifted)
        claims = tuple(_without(claim, subjects) for claim in self._to_allocate if claim.key not in left_out)
        own = () if self._special is None else (self._special.whole,)
        selectors = frozenset(use for use in self._uses((*claims, *own)) if _selector(use) in subjects)
        taints = frozenset(self._taints[each.taint] for each in subjects if isinstance(each, DeviceTaintSubject))
        return claims, Leniency(selectors, taints)


def _attribute(claim: Claim, rule: AttributeRule) -> Subject:
    is_match = isinstance(rule, MatchAttribute)
    return (MatchAttributeSubject if is_match else DistinctAttributeSubject)(claim.key, rule.attribute)


def _selector(use: SelectorUse) -> DeviceSelectorSubject:
    return DeviceSelectorSubject(use.claim, use.request, use.device_class, use.expression)


def _without(claim: Claim, subjects: frozenset[Subject]) -> Claim:
    """A claim without the counts and constraints among some requirements."""
    return replace(
        claim,
        requests=tuple(
            tuple(_reduced(claim, request, subjects) for request in alternatives) for alternatives in claim.requests
        ),
        constraints=tuple(rule for rule in claim.constraints if _attribute(claim, rule) not in subjects),
    )


def _reduced(claim: Claim, request: DeviceRequest, subjects: frozenset[Subject]) -> DeviceRequest:
    if DeviceCountSubject(claim.key, request.full_name, request.count) in subjects:
        request = replace(request, count=1)
    if request.amounts and DeviceCapacitySubject(claim.key, request.full_name) in subjects:
        # Without amounts it would consume what the driver says, or all there is.
        none = tuple((name, Fraction()) for name, _ in request.amounts)
        request = replace(request, amounts=none, quantities=(Quantity(0),) * len(none))
    return request


# The evidence on one node: each device that it reaches, and why a request cannot have it.

# How many devices of one node are shown for a request; a summary counts them all.
MAX_DEVICES: Final = 64


def claim_evidence(snapshot: Snapshot, row: int, claim: PodClaim) -> AllocatedClaimComparison:
    """Whether a node reaches the devices that a claim has."""
    node = snapshot.nodes.nodes[row]
    selector = (claim.allocation or {}).get("nodeSelector")
    terms = () if selector is None else compared_terms(NodeSelector.from_dict(selector), node.labels, node.name)
    is_able = not needs_skipping(claim, snapshot.release) or skips_operations(node)
    lacking = "" if is_able else Gate.DRA_OPTIONAL_NODE_OPERATIONS.value
    return AllocatedClaimComparison(key_of(claim.document), terms, lacking)


def conditions_evidence(claim: PodClaim) -> Iterator[BindingConditionsComparison]:
    """Which conditions the devices of a claim wait for, and which have failed."""
    for each in device_conditions(claim.document):
        yield BindingConditionsComparison(key_of(claim.document), str(each.device), each.pending, each.failed)


def device_evidence(
    snapshot: Snapshot, row: int, claims: Sequence[Claim], pools: Sequence[Pool], search: DeviceSearch
) -> Iterator[Comparison]:
    """What was compared for each request, and whether all could be met at once."""
    found = search.allocated or ()
    taken = {(claims[each.claim].key, each.request.full_name, each.candidate.id) for each in found}
    view = _View(snapshot, row, pools)
    for claim in claims:
        for request in (request for alternatives in claim.requests for request in alternatives):
            devices = list(view.compared(claim, request, taken))
            wanted = None if request.wants_all else request.count
            available = sum(each.holds for each in devices)
            yield DeviceRequestComparison(
                claim.key, request.full_name, request.device_class, wanted, available, len(devices)
            )
            # Those that can be had first, then in the order of the slices.
            yield from sorted(devices, key=lambda each: (not each.allocated, not each.holds))[:MAX_DEVICES]
    keys = tuple(claim.key for claim in claims)
    yield DevicesTogetherComparison(keys, search.allocated is not None, search.gave_up, search.fault)


class _View:
    """The devices of one node."""

    def __init__(self, snapshot: Snapshot, row: int, pools: Sequence[Pool]) -> None:
        self._row = row
        self._exclusions = Exclusions(Suitability(snapshot), held_devices(snapshot), snapshot.release.devices)
        self._slices = [each for pool in pools for each in pool.slices]

    def compared(
        self, claim: Claim, request: DeviceRequest, taken: set[tuple[str, str, DeviceId]]
    ) -> Iterator[DeviceComparison]:
        for each in self._slices:
            for device, name in zip(each.devices, each.ids, strict=True):
                if (claim.key, request.full_name, name) in taken:
                    yield DeviceComparison(
                        claim.key, request.full_name, str(name), allocated=True, conditions=device.conditions
                    )
                else:
                    excluded = self._exclusions.of(claim, request, each, device, self._row)
                    yield DeviceComparison(claim.key, request.full_name, str(name), *(excluded or ()))


# The claim that the scheduler itself makes for the extended resources of a pod: on each node another one.


class SpecialClaim:
    """What nodes have to give a pod as devices, of the extended resources that it requests.

    ``left_behind``: the claim of an earlier try to bind the pod, which has to go before the pod is scheduled.
    """

    def __init__(
        self, snapshot: Snapshot, pod: Pod, served: tuple[ServedResource, ...], left_behind: Document | None
    ) -> None:
        self._snapshot = snapshot
        self._pod = pod
        self.served = served
        self.left_behind = left_behind

    @cached_property
    def unserved(self) -> Mask:
        """Shape (N,): nodes that have one of the extended resources neither by a device plugin nor as devices."""
        return unserved(self._snapshot, self._pod)

    @cached_property
    def _given_as_devices(self) -> tuple[Mask, ...]:
        """For each resource the nodes, shape (N,), that have no device plugin for it."""
        return tuple(without_plugin(self._snapshot, each.resource) for each in self.served)

    @cached_property
    def whole(self) -> Claim:
        """What is requested of a node without any device plugin for the resources."""
        return special_claim(self._snapshot, self._pod, self.served)

    def variants(self, lifted: frozenset[str]) -> tuple[Index, tuple[Claim | None, ...]]:
        """The distinct claims, None for nothing to allocate, and which of them each node is asked for, shape (N,).

        ``lifted``: resources that are left out.
        """
        given = tuple(
            (each, mask)
            for each, mask in zip(self.served, self._given_as_devices, strict=True)
            if each.resource not in lifted
        )
        numbers, count = distinguish([(mask, 2) for _, mask in given], len(self._snapshot.nodes))
        example = np.zeros(count, np.intp)
        example[numbers] = np.arange(len(numbers))
        return numbers, tuple(self._claim([each for each, mask in given if mask[row]]) for row in example.tolist())

    def on(self, row: int) -> Claim | None:
        """What is requested of one node; None: nothing."""
        served = zip(self.served, self._given_as_devices, strict=True)
        return self._claim([each for each, mask in served if mask[row]])

    def _claim(self, served: list[ServedResource]) -> Claim | None:
        return special_claim(self._snapshot, self._pod, served) if served else None

    def evidence(self, row: int) -> Iterator[Comparison]:
        """How the node has each extended resource; a claim that is left behind comes first."""
        if self.left_behind is not None:
            yield LeftBehindClaimComparison(key_of(self.left_behind))
        classes = classes_by_resource(self._snapshot)
        allocatable = self._snapshot.nodes.nodes[row].allocatable
        given = {each.resource: mask for each, mask in zip(self.served, self._given_as_devices, strict=True)}
        for resource, amount in sorted(self._pod.requests.items()):
            if amount and is_served_by_devices(self._snapshot, resource):
                is_given = resource in given and bool(given[resource][row])
                device_class = classes[resource] if is_given else ""
                yield ExtendedResourceComparison(
                    resource, amount, device_class, is_offered=not is_given and resource in allocatable
                )


def special_claim_of(snapshot: Snapshot, pod: Pod) -> SpecialClaim | PodClaim | None:
    """What stands for a pod's extended resources; a claim that the pod has is like any other of its claims."""
    served = served_resources(snapshot, pod)
    if not served:
        return None
    made = claim_made_for(snapshot, pod)
    if made is not None and is_held_by(made, pod):
        return PodClaim(made)
    return SpecialClaim(snapshot, pod, served, made)


# What decides about a pod's devices and is not computed.

CLAIMS: Final = "spec.resourceClaims"
# An expression, or the search for devices, takes too much.
COSTLY_CLAIMS: Final = "spec.resourceClaims (cost)"
RESOURCES: Final = "resources.requests"


def uncomputed_field(snapshot: Snapshot, pod: Pod, claims: Sequence[Document], own: Sequence[Claim]) -> str:
    """The field of the pod by which something not computed decides: what its claims depend on, or mapped resources.

    ``own``: what the scheduler's own claim for extended resources requests.
    """
    if pod.spec.get("resourceClaims") and not holds_devices(snapshot):
        return CLAIMS
    if not is_known(snapshot, claims):
        return CLAIMS
    if counts_node_resources(snapshot) and shared_entries(snapshot, pod):
        # Whether the pods of a group may share such a claim depends on which of them are tried together.
        return CLAIMS
    if own and not is_request_known(snapshot, own):
        return RESOURCES
    names = undecided_resources(snapshot)
    requested = (name for name, amount in pod.requests.items() if amount) if names else ()
    return RESOURCES if any(name in names for name in requested) else ""


def given_up_field(searches: Iterable[DeviceSearch]) -> str:
    """The field by which searches decide that were given up on some node, and whether they cost too much."""
    given_up = [search for search in searches if search.gave_up]
    if any(search.is_costly for search in given_up):
        return COSTLY_CLAIMS
    return CLAIMS if given_up else ""


# The plugin's answers, from those of the allocator.


class NoDevices(Reason, frozen=True):
    """The node does not have the devices that the claims request."""

    kind = "no-devices"
    plugin = "DynamicResources"
    text = "cannot allocate all claims"


class DevicesElsewhere(Reason, frozen=True):
    """The node cannot use the devices that a claim has already."""

    kind = "devices-elsewhere"
    plugin = "DynamicResources"
    text = "resourceclaim not available on the node"


class ResourceUnserved(Reason, frozen=True):
    """The node has an extended resource neither from a device plugin nor as devices."""

    kind = "resource-unserved"
    plugin = "DynamicResources"
    text = "cannot fit resource"


class ClaimLeftBehind(Reason, frozen=True):
    """The ResourceClaim of an earlier try is not deleted yet."""

    kind = "claim-left-behind"
    plugin = "DynamicResources"
    text = "cannot schedule extended resource claim"


# PostFilter looks for what PreFilter prepared, also when the cycle ended before that ran.
_NOT_PREPARED = failure("not found")
_UNAVAILABLE = unresolvable(DevicesElsewhere())
_NOTHING = DeviceSearch(())


class DynamicResources(Plugin):
    """Its requirements are, of claims to allocate, selectors, taints, constraints and counts, and then whole claims.

    A claim that is lifted is left out; so is a selector, a taint or a constraint; a count becomes one.
    """

    name = "DynamicResources"
    reads = Reads.NODES | Reads.DEVICES
    requeue_on = (
        ClusterEvent.RESOURCE_CLAIM_ADD,
        ClusterEvent.RESOURCE_CLAIM_UPDATE,
        ClusterEvent.RESOURCE_CLAIM_DELETE,
        ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
        ClusterEvent.DEVICE_CLASS_ADD,
        ClusterEvent.DEVICE_CLASS_UPDATE,
        ClusterEvent.RESOURCE_SLICE_ADD,
        ClusterEvent.RESOURCE_SLICE_UPDATE,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_LABEL,
        ClusterEvent.NODE_ALLOCATABLE,
    )
    colour = "teal"
    skips_for_good = scores_what_it_filters = True
    unprepared = "not found"

    @classmethod
    def registers(cls, event: ClusterEvent, release: Release) -> bool:
        return event is not ClusterEvent.RESOURCE_CLAIM_DELETE or release.rules.requeues_for_deleted_claims

    @classmethod
    def pre_enqueue(cls, pod: Pod, snapshot: Snapshot, queue: frozenset[str]) -> Status | None:
        if not holds_devices(snapshot):
            return None if pod.spec.get("resourceClaims") else SUCCESS
        try:
            claims_of(snapshot, pod)
        except RefusedClaim as refused:
            return refused.status
        return SUCCESS

    def pre_filter(self) -> PreFilter:
        if self.refused is not None:
            return PreFilter(self.refused.status)
        return PROCEED if self.claims or self._special is not None else SKIP_FILTER

    @property
    def uncomputed(self) -> str:
        if self.refused is not None:
            return ""
        # Whether a claim is given up that waits for its devices matters where nothing else rejects the node.
        is_open = any(is_open_for(each.document, self.release) for each in self.claims)
        return (
            self._unknown
            or given_up_field(self._searches(NOTHING_LIFTED))
            or (CLAIMS if is_open and not self._failed(NOTHING_LIFTED).all() else "")
        )

    @cached_property
    def _unknown(self) -> str:
        """The field by which something not computed decides; no node is then rejected for lack of devices."""
        own = () if self._special is None else (self._special.whole,)
        return uncomputed_field(self.snapshot, self.pod, [each.document for each in self.claims], own)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if self.refused is not None:
            # Only in a profile without this PreFilter, which would have ended the cycle.
            return FilterAnswer.everywhere(self.refused.status, len(self.snapshot.nodes))
        searches = self._searches(lifted)
        statuses: list[Status] = [SUCCESS, _UNAVAILABLE, unresolvable(NoDevices())]
        unavailable = np.zeros(len(self.snapshot.nodes), np.bool_)
        for _, mask in self._held(lifted):
            if mask is not None:
                unavailable |= ~mask
        index = unavailable.astype(np.intp)
        for row, search in enumerate(searches):
            if search.fault:
                index[row] = len(statuses)
                statuses.append(failure(search.fault))
            elif search.refusal:
                index[row] = len(statuses)
                statuses.append(unresolvable(QuotedReason(search.refusal)))
            elif search.allocated is None and not search.gave_up:
                index[row] = 2
        if self._node_resources is not None:
            given = [self._given(search, lifted) for search in searches]
            self._node_resources.judge(index, statuses, self._held(lifted), given, world)
        if self._special is not None:
            index[self._special.unserved] = len(statuses)
            statuses.append(unresolvable(ResourceUnserved()))
            if self._special.left_behind is not None:
                index[:] = len(statuses)
                statuses.append(unresolvable(ClaimLeftBehind()))
        return FilterAnswer.by_table(statuses, index)

    def constraints(self) -> tuple[Constraint, ...]:
        if self.refused is not None:
            return super().constraints()
        return tuple(
            Constraint(
                self.name,
                subject,
                LowerRequest(subject.resource, 0) if isinstance(subject, ExtendedResourceSubject) else None,
            )
            for subject in self._requirements.subjects
        )

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """For each requirement the nodes that it opens alone, the first one where several do; then whole claims.

        What devices a search finds depends on all requirements at once: none of them rejects a node by itself.
        """
        failed = self._failed(NOTHING_LIFTED)
        left = failed.copy()
        masks = []
        for number in range(len(self._requirements.subjects)):
            opened = left & ~self._failed(frozenset({number}))
            left &= ~opened
            masks.append(opened)
        numbers = self._requirements.whole
        if left.any():
            for number in numbers:
                masks[number] |= left & self._failed(frozenset(numbers) - {number})
        yield from masks

    def _failed(self, lifted: frozenset[int]) -> Mask:
        failed = self.filter(lifted=lifted).failed
        return np.zeros(len(self.snapshot.nodes), np.bool_) if failed is None else failed

    @classmethod
    def effort_of(cls, subject: Subject | None) -> Effort:
        """Whole claims are what a pod can do without least."""
        is_whole = isinstance(subject, ResourceClaimSubject | ExtendedResourceSubject)
        return Effort.RESOURCE if is_whole else Effort.REQUIREMENT

    def post_filter(self, *, has_run: bool, rejected: Mapping[Status, Mask]) -> Status | None:
        if not has_run:
            return _NOT_PREPARED
        has_words = self.release.rules.says_what_devices_lack
        if self.context.is_resize or self.refused is not None or not (self.claims or self._special):
            return NO_CLAIMS if has_words else SAYS_NOTHING
        own = self._for_resources
        made = own.left_behind if isinstance(own, SpecialClaim) else own.document if own is not None else None
        return freed(self.pod, self.unavailable(rejected), made, has_words=has_words)

    def unavailable(self, rejected: Mapping[Status, Mask]) -> tuple[PodClaim, ...]:
        """The claims that some node was rejected for which could have had all others; ``rejected`` as PostFilter's."""
        # On nodes whose devices do not do for the other claims, nobody asks whether this one is available.
        asked = rejected.get(_UNAVAILABLE, np.zeros(len(self.snapshot.nodes), np.bool_))
        return tuple(claim for claim, mask in self._allocated if mask is not None and (asked & ~mask).any())

    @classmethod
    def frees(cls, answer: Status | None) -> bool:
        """Whether an answer of PostFilter says that a claim was freed."""
        return answer in (_DEALLOCATED, _DELETED)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        if self.refused is not None:
            return ()
        found: list[Comparison] = [claim_evidence(self.snapshot, row, claim) for claim, _ in self._allocated]
        if self.release.devices.waits_for_conditions:
            found += (each for claim, _ in self._allocated for each in conditions_evidence(claim))
        if self._special is not None:
            found += self._special.evidence(row)
        wanted = self._wanted_on(row)
        if wanted:
            found += device_evidence(self.snapshot, row, wanted, self._nodes.pools(row), self._search(row))
        if self._node_resources is not None:
            found += self._node_resources.evidence(row, self._held(), self._given(self._search(row)), world)
        return tuple(found)

    # -- claims ----------------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> tuple[tuple[PodClaim, ...], RefusedClaim | None]:
        if not holds_devices(self.snapshot):
            return (), None
        try:
            claims = claims_of(self.snapshot, self.pod)
        except RefusedClaim as error:
            return (), error
        if isinstance(self._for_resources, PodClaim):
            claims = (*claims, self._for_resources)
        waiting = [each for each in claims if each.allocation is None]
        refused = next(filter(None, (refusal_of(self.snapshot, each.document) for each in waiting)), None)
        if refused is None and (waiting or isinstance(self._for_resources, SpecialClaim)):
            text = refused_shares(self.snapshot)
            refused = RefusedClaim(failure(text)) if text else None
        return claims, refused

    @property
    def claims(self) -> tuple[PodClaim, ...]:
        """The pod's claims; none where one of them refuses the pod."""
        return self._found[0]

    @property
    def refused(self) -> RefusedClaim | None:
        """What PreFilter rejects the pod for, whatever the node."""
        return self._found[1]

    @cached_property
    def _for_resources(self) -> SpecialClaim | PodClaim | None:
        return special_claim_of(self.snapshot, self.pod)

    @property
    def _special(self) -> SpecialClaim | None:
        """What nodes have to give as devices for extended resources; None where the pod has that, or requests none."""
        return self._for_resources if isinstance(self._for_resources, SpecialClaim) else None

    @cached_property
    def _to_allocate(self) -> tuple[Claim, ...]:
        return tuple(Claim.from_dict(each.document) for each in self.claims if each.allocation is None)

    @cached_property
    def _allocated(self) -> tuple[tuple[PodClaim, Mask | None], ...]:
        """The claims that have devices, each with the nodes, shape (N,), that reach them; None: all nodes do."""
        held = (each for each in self.claims if each.allocation is not None)
        return tuple((each, reaching_nodes(self.snapshot, each)) for each in held)

    def _held(self, lifted: frozenset[int] = NOTHING_LIFTED) -> list[tuple[PodClaim, Mask | None]]:
        """As ``_allocated``, without claims among some requirements."""
        left_out = self._requirements.lifted_claims(lifted)
        return [(claim, mask) for claim, mask in self._allocated if key_of(claim.document) not in left_out]

    @cached_property
    def _node_resources(self) -> NodeResources | None:
        """What the pod's devices take of nodes; None where the scheduler does not count that."""
        return NodeResources(self.snapshot, self.pod) if counts_node_resources(self.snapshot) else None

    @property
    def reads_pods(self) -> bool:
        return self._node_resources is not None

    def statuses_on(self, row: int) -> tuple[Document, ...]:
        """What the pod's status says on a node of what its devices take there, claim by claim."""
        resources = self._node_resources
        return () if resources is None else resources.statuses(row, self._held(), self._given(self._search(row)))

    # -- requirements ----------------------------------------------------------------------------------------

    @cached_property
    def _requirements(self) -> DeviceRequirements:
        keys = [key_of(claim.document) for claim in self.claims]
        return DeviceRequirements(self.snapshot, self._to_allocate, keys, self._special)

    # -- the search ------------------------------------------------------------------------------------------

    @cached_property
    def _nodes(self) -> NodeSearch:
        return NodeSearch(self.snapshot)

    @cached_property
    def _kept(self) -> dict[frozenset[int], tuple[DeviceSearch, ...]]:
        return {}

    def _searches(self, lifted: frozenset[int]) -> tuple[DeviceSearch, ...]:
        """What the search finds on each node, by row; none where nothing is to be allocated."""
        if lifted not in self._kept:
            self._kept[lifted] = () if self._unknown else self._searched(lifted)
        return self._kept[lifted]

    def _searched(self, lifted: frozenset[int]) -> tuple[DeviceSearch, ...]:
        claims, leniency = self._requirements.wanted(lifted)
        if self._special is None:
            return self._nodes.everywhere(claims, leniency) if claims else ()
        numbers, variants = self._special.variants(self._requirements.lifted_resources(lifted))
        found = [self._searched_for((*claims, each) if each else claims, leniency) for each in variants]
        return tuple(found[number][row] for row, number in enumerate(numbers.tolist()))

    def _searched_for(self, claims: tuple[Claim, ...], leniency: Leniency) -> Sequence[DeviceSearch]:
        return self._nodes.everywhere(claims, leniency) if claims else [_NOTHING] * len(self.snapshot.nodes)

    def _wanted_on(self, row: int) -> tuple[Claim, ...]:
        """The claims to allocate on a node, the one for extended resources last."""
        own = None if self._special is None else self._special.on(row)
        return self._to_allocate if own is None else (*self._to_allocate, own)

    def _search(self, row: int) -> DeviceSearch:
        """What the search finds on one node."""
        if self._unknown:
            return DeviceSearch(None, gave_up=True)
        wanted = self._wanted_on(row)
        return self._nodes.on(row, wanted) if wanted else _NOTHING

    def allocated_for_resources(self, row: int) -> tuple[Claim, tuple[Allocated, ...]] | None:
        """The claim that the scheduler makes for extended resources on a node, and its devices; None: it makes none."""
        own = None if self._special is None else self._special.on(row)
        if own is None:
            return None
        place = len(self._to_allocate)
        return own, tuple(each for each in self._search(row).allocated or () if each.claim == place)

    def allocations(self, row: int) -> tuple[tuple[PodClaim, tuple[Allocated, ...]], ...]:
        """The claims that are to be allocated and the devices that they get on a node, which takes them all."""
        waiting = [claim for claim in self.claims if claim.allocation is None]
        found = self._search(row).allocated if waiting else ()
        return tuple(
            (claim, tuple(each for each in found or () if each.claim == place)) for place, claim in enumerate(waiting)
        )

    # -- scoring ---------------------------------------------------------------------------------------------

    @property
    def score_fault(self) -> str | None:
        made, own = len(self._to_allocate), self._special is not None
        if self.release.rules.scores_claims_by_position and 0 < made + own < len(self.claims) + own:
            return f"number of allocations {made + own} is smaller than number of claims"
        return None

    def score(self, feasible: Index) -> Ints:
        if not self.claims:
            return np.zeros(len(feasible), np.int64)
        return np.array([sum(part.points for part in self._taken(int(row))) for row in feasible], np.int64)

    def normalise(self, scores: Ints) -> Ints:
        return normalise_by_maximum(scores)

    def normalisation(self, scores: Ints, number: int) -> ByMaximum:
        return by_maximum(scores, number)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        return self._taken(row)

    def _taken(self, row: int) -> tuple[TakenAlternative, ...]:
        """The alternatives of ``firstAvailable`` that a node gives; none where the search and the node have no say."""
        is_idle = not self._to_allocate and self._special is None and not self.statuses_on(row)
        if is_idle or not self.release.enables(Gate.DRA_PRIORITIZED_LIST):
            return ()
        return tuple(taken_alternatives(self.claims, self._given(self._search(row))))

    def _given(self, search: DeviceSearch, lifted: frozenset[int] = NOTHING_LIFTED) -> dict[str, list[Allocated]]:
        """The devices that a search finds, by claim; the scheduler's own one is the last."""
        names = [claim.key for claim in self._requirements.wanted(lifted)[0]]
        found: dict[str, list[Allocated]] = {}
        for each in search.allocated or ():
            name = names[each.claim] if each.claim < len(names) else special_key(self.pod)
            found.setdefault(name, []).append(each)
        return found
