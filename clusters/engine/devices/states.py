"""The devices of a whole cluster: pool by pool in what state each device is, and how many a DeviceClass selects.

A pool is shown in its newest generation. Upstream: ``GatherPools`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1, which does so for one node, among the slices that the node reaches."""

from __future__ import annotations

import enum
from collections import Counter
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.devices.allocation import NodeSearch, Suitability, attribute_of, is_known
from clusters.engine.devices.claims import HeldDevices, classes_by_resource, held_devices
from clusters.engine.devices.inventory import (
    CLAIM,
    CLASS,
    AllocationMode,
    CapacityFault,
    CapacityLack,
    Claim,
    ClaimFault,
    Device,
    DeviceId,
    DeviceRequest,
    DeviceSlice,
    Pool,
    Reach,
    RefusedClaim,
    UnsupportedExpressionError,
    allocation_of,
    available_counters,
    capacity_shortage,
    claim_names,
    devices_of,
    duplicate_of,
    expressions_of,
    is_made_for,
    reach_rows,
    refusal_of,
    slices_of,
)
from clusters.engine.matching import tolerates
from clusters.engine.objects import Document, Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.quantity import wrapped
from clusters.engine.taints import Taint, Toleration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.columns import NodeTable
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints
    from clusters.engine.versions import DeviceRules

# Why a device cannot be had for a request, device by device and apart from what else is requested.
#
# Upstream: ``allocateDevice`` and ``isSelectable`` of ``structured/internal/experimental`` of
# ``k8s.io/dynamic-resource-allocation`` v0.34.1, and of ``incubating`` of later ones, in the order in which they
# look.


class DeviceExclusion(enum.StrEnum):
    """Why a device cannot be had for a request, the first that holds in the order in which the scheduler looks."""

    HELD = "held"
    """A claim holds it."""
    CONDITIONS = "conditions"
    """It has binding conditions, and the scheduler allocates no such devices."""
    SELECTOR = "selector"
    """A CEL expression of the class or of the request does not select it."""
    NODE = "node"
    """It cannot be used from the node."""
    OPERATIONS = "operations"
    """The node's kubelet does not know how to leave out what the device does not need, or the scheduler does not."""
    CAPACITY_ABSENT = "capacity-absent"
    """It has no capacity of which the request asks for an amount."""
    CAPACITY_REFUSED = "capacity-refused"
    """The policy of a capacity admits no such amount."""
    CAPACITY_SHORT = "capacity-short"
    """Too little is left of a capacity that claims share."""
    COUNTER = "counter"
    """Too little is left of a counter that it takes from."""
    TAINT = "taint"
    """It has a taint that the request does not tolerate."""
    ATTRIBUTE = "attribute"
    """It lacks the attribute in which devices have to match."""


class ExcludedDevice(NamedTuple):
    """What excludes a device.

    ``by`` is the claim that holds it, the expression, the capacity, the counter, the taint, the attribute. ``owner`` is
    the class or claim that has the expression. ``requested`` and ``available`` are amounts of the capacity or counter.
    """

    exclusion: DeviceExclusion
    by: str = ""
    owner: str = ""
    requested: str = ""
    available: str = ""


class CounterShortage(NamedTuple):
    """A counter of a slice of which a device would take more than is left."""

    name: str
    requested: Fraction
    available: Fraction


_LACKS: Final = {
    CapacityLack.ABSENT: DeviceExclusion.CAPACITY_ABSENT,
    CapacityLack.REFUSED: DeviceExclusion.CAPACITY_REFUSED,
    CapacityLack.SHORT: DeviceExclusion.CAPACITY_SHORT,
}


class Exclusions:
    """What excludes devices; ``held``: what claims have of them."""

    def __init__(self, suitability: Suitability, held: HeldDevices, rules: DeviceRules) -> None:
        self._suitability = suitability
        self._held = held
        self._rules = rules
        self._left: dict[str, dict[tuple[str, str], Fraction]] = {}

    def of(
        self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device, row: int | None
    ) -> ExcludedDevice | None:
        """What excludes a device on the node of a row, or whatever the node; None where nothing does."""
        name = each.id_of(device)
        holder = "" if request.admin_access else self._holder(name, device)
        if holder:
            return ExcludedDevice(DeviceExclusion.HELD, holder)
        if not self._suitability.is_offered(device):
            return ExcludedDevice(DeviceExclusion.CONDITIONS, ", ".join(device.conditions))
        try:
            use = self._suitability.excluding(claim, request, each, device)
        except (ClaimFault, UnsupportedExpressionError):
            # The whole search fails, or is open, for it.
            use = None
        if use is not None:
            return ExcludedDevice(DeviceExclusion.SELECTOR, use.expression, use.owner)
        unusable = None if row is None else self._unusable_from(each, device, row)
        if unusable is not None:
            return unusable
        lacking = self._lacking_capacity(request, name, device)
        if lacking is not None:
            return lacking
        # A device that is shared already has its counters.
        short = None if name in self._held.shares else shortage_of(device, self._counters_of(each))
        if short is not None:
            return ExcludedDevice(
                DeviceExclusion.COUNTER,
                short.name,
                requested=amount_text(short.requested),
                available=amount_text(short.available),
            )
        for taint in self._suitability.taints(device):
            if not tolerates(request.tolerations, taint):
                return ExcludedDevice(DeviceExclusion.TAINT, str(taint))
        for rule in claim.constraints:
            if rule.concerns(request) and attribute_of(each.driver, device, rule.attribute) is None:
                return ExcludedDevice(DeviceExclusion.ATTRIBUTE, rule.attribute)
        return None

    def _holder(self, name: DeviceId, device: Device) -> str:
        """The claim that keeps a device from others; empty where none does."""
        sharing = () if device.is_shared or not self._rules.keeps_shared_devices else self._held.shares.get(name, ())
        return self._held.whole.get(name) or min(sharing, default="")

    def _unusable_from(self, each: DeviceSlice, device: Device, row: int) -> ExcludedDevice | None:
        if each.has_reach_by_device and not self._suitability.is_reached(device, row):
            return ExcludedDevice(DeviceExclusion.NODE)
        if not self._suitability.is_prepared(each, row):
            return ExcludedDevice(DeviceExclusion.OPERATIONS, ", ".join(each.skipped_operations))
        return None

    def _lacking_capacity(self, request: DeviceRequest, name: DeviceId, device: Device) -> ExcludedDevice | None:
        if not self._rules.shares_capacity:
            return None
        used = self._held.consumed(name)
        try:
            short = capacity_shortage(device, request, used, rules=self._rules)
        except CapacityFault:
            # The whole search fails for it.
            return None
        if short is None:
            return None
        requested, available = amount_text(short.requested), amount_text(short.available)
        return ExcludedDevice(_LACKS[short.lack], short.name, requested=requested, available=available)

    def _counters_of(self, each: DeviceSlice) -> Mapping[tuple[str, str], Fraction]:
        if each.name not in self._left:
            self._left[each.name] = available_counters(each, self._held.counted)
        return self._left[each.name]


def shortage_of(device: Device, left: Mapping[tuple[str, str], Fraction]) -> CounterShortage | None:
    """The first counter of its slice that keeps a device out; None where there is none.

    A counter of which others hold more than there is keeps every device out that takes of any.
    """
    if not device.uses:
        return None
    taken: dict[tuple[str, str], Fraction] = {}
    for use in device.uses:
        key = use.counter_set, use.counter
        taken[key] = taken.get(key, Fraction()) + use.amount
    for key, available in left.items():
        requested = taken.get(key, Fraction())
        if requested > available:
            return CounterShortage("/".join(key), requested, available)
    return None


def amount_text(amount: Fraction) -> str:
    """Write an amount of a counter as a plain number."""
    return str(amount.numerator) if amount.denominator == 1 else str(float(amount))


class DeviceState(enum.StrEnum):
    """Whether a request without tolerations can have a device that it selects: the first that holds, free last."""

    HELD = "held"
    """A claim holds it."""
    SHARED = "shared"
    """Claims share it: a request gets what they leave of its capacity, if that is enough."""
    COUNTERS_USED = "counters-used"
    """Allocated devices leave too little of a counter that it takes from."""
    TAINTED = "tainted"
    """It has a taint NoSchedule or NoExecute."""
    FREE = "free"


class PooledDevice(NamedTuple):
    """A device of a pool; ``claim`` (``namespace/name``) holds it, ``short`` is the counter that it lacks.

    ``sharing``: the claims that share it; ``consumed``: what they consume of its capacities together.
    """

    id: DeviceId
    device: Device
    slice: DeviceSlice
    state: DeviceState
    claim: str = ""
    short: CounterShortage | None = None
    sharing: tuple[str, ...] = ()
    consumed: tuple[CapacityState, ...] = ()


class CapacityState(NamedTuple):
    """A capacity of a device that claims share: how much there is, and how much of it is consumed."""

    name: str
    total: Fraction
    consumed: Fraction


class CounterState(NamedTuple):
    """What is left of a counter that devices of one slice share; ``name`` is ``set/counter``."""

    slice: str
    name: str
    total: Fraction
    left: Fraction


class PoolState(Struct, frozen=True, dict=True):
    """A pool of devices in its newest generation.

    ``outdated`` counts slices of older generations. ``rows`` are the nodes that reach a slice of it, ``whole`` those of
    them that reach as many slices as the driver says there are: for all others kube-scheduler takes it as incomplete.
    """

    pool: Pool
    outdated: int
    devices: tuple[PooledDevice, ...]
    counters: tuple[CounterState, ...]
    rows: tuple[int, ...]
    whole: int

    @property
    def key(self) -> str:
        """``driver/pool``."""
        return str(self.pool)

    @property
    def generation(self) -> int:
        """The newest generation."""
        return self.pool.slices[0].generation

    @property
    def slice_count(self) -> int:
        """How many slices the driver says the pool has."""
        return self.pool.slices[0].slice_count

    @property
    def is_usual(self) -> bool:
        """Whether the pool is complete, for all nodes that reach it, and valid."""
        return not self.pool.is_incomplete and not self.pool.duplicate and self.whole == len(self.rows)

    @cached_property
    def counts(self) -> Counter[DeviceState]:
        """How many devices are in each state."""
        return Counter(each.state for each in self.devices)


class DeviceClassState(Struct, frozen=True):
    """A DeviceClass and the devices that it selects.

    ``fault``: kube-scheduler fails with this error where it evaluates the class. ``is_unknown``: an expression is not
    supported. ``resource`` is the extended resource that the class stands for.
    """

    name: str
    expressions: tuple[str, ...]
    resource: str
    devices: tuple[PooledDevice, ...] = ()
    fault: str = ""
    is_unknown: bool = False

    @property
    def counts(self) -> Counter[DeviceState]:
        """How many of its devices are in each state."""
        return Counter(each.state for each in self.devices)

    @property
    def selected(self) -> int:
        """How many devices it selects."""
        return len(self.devices)

    @property
    def free(self) -> int:
        """How many of them are free."""
        return self.counts.get(DeviceState.FREE, 0)


def pool_states(snapshot: Snapshot) -> tuple[PoolState, ...]:
    """All pools, by driver and name."""
    slices: dict[tuple[str, str], list[DeviceSlice]] = {}
    for each in slices_of(snapshot):
        slices.setdefault((each.driver, each.pool), []).append(each)
    held = held_devices(snapshot)
    rows = _SliceRows(snapshot.nodes)
    return tuple(_pool_state(slices[key], held, rows) for key in sorted(slices))


def _pool_state(slices: Sequence[DeviceSlice], held: HeldDevices, rows: _SliceRows) -> PoolState:
    newest = max(each.generation for each in slices)
    kept = tuple(each for each in slices if each.generation == newest)
    pool = Pool(kept[0].driver, kept[0].pool, kept, len(kept) != kept[0].slice_count, duplicate_of(kept))
    reached = Counter(row for each in kept for row in rows.of(each))
    devices: list[PooledDevice] = []
    counters: list[CounterState] = []
    for each in kept:
        left = available_counters(each, held.counted) if each.counters else {}
        devices += _devices(each, held, left)
        counters += (CounterState(each.name, "/".join(key), each.counters[key], amount) for key, amount in left.items())
    whole = sum(number == kept[0].slice_count for number in reached.values())
    outdated = len(slices) - len(kept)
    return PoolState(pool, outdated, tuple(devices), tuple(counters), tuple(sorted(reached)), whole)


def _devices(each: DeviceSlice, held: HeldDevices, left: Mapping[tuple[str, str], Fraction]) -> Iterator[PooledDevice]:
    for name, device in zip(each.ids, each.devices, strict=True):
        if name in held.whole:
            yield PooledDevice(name, device, each, DeviceState.HELD, held.whole[name])
            continue
        if name in held.shares:
            sharing, consumed = tuple(sorted(held.shares[name])), held.consumed(name)
            capacities = tuple(
                CapacityState(each_name, device.amounts.get(each_name, Fraction()), amount)
                for each_name, amount in sorted(consumed.items())
            )
            yield PooledDevice(name, device, each, DeviceState.SHARED, sharing=sharing, consumed=capacities)
            continue
        short = shortage_of(device, left)
        if short is not None:
            yield PooledDevice(name, device, each, DeviceState.COUNTERS_USED, short=short)
        elif any(taint.forbids_scheduling for taint in device.taints):
            yield PooledDevice(name, device, each, DeviceState.TAINTED)
        else:
            yield PooledDevice(name, device, each, DeviceState.FREE)


class _SliceRows:
    """Rows of the nodes that reach slices, found once for each reach."""

    def __init__(self, nodes: NodeTable) -> None:
        self._nodes = nodes
        self._known: dict[Reach, frozenset[int]] = {}

    def of(self, each: DeviceSlice) -> frozenset[int]:
        if each.reach.is_known:
            return self._reached(each.reach)
        reaches = {device.reach for device in each.devices} if each.has_reach_by_device else set()
        return frozenset().union(*map(self._reached, reaches))

    def _reached(self, reach: Reach) -> frozenset[int]:
        if reach not in self._known:
            self._known[reach] = frozenset(reach_rows(self._nodes, reach))
        return self._known[reach]


def class_states(snapshot: Snapshot, pools: Iterable[PoolState]) -> tuple[DeviceClassState, ...]:
    """All DeviceClasses by name, with the devices of these pools that each selects."""
    suitability = Suitability(snapshot)
    devices = [device for pool in pools for device in pool.devices]
    return tuple(_class_state(each, suitability, devices) for each in sorted(snapshot.objects(CLASS), key=name_of))


def _class_state(found: Document, suitability: Suitability, devices: Iterable[PooledDevice]) -> DeviceClassState:
    spec = found.get("spec") or {}
    name, resource = name_of(found), str(spec.get("extendedResourceName") or "")
    expressions = tuple(expression or "" for expression in expressions_of(spec))
    request = DeviceRequest(name, name, AllocationMode.EXACT_COUNT, 1, (), (), admin_access=False)
    claim = Claim("", ((request,),), ())
    try:
        selected = tuple(
            each for each in devices if suitability.excluding(claim, request, each.slice, each.device) is None
        )
    except ClaimFault as fault:
        return DeviceClassState(name, expressions, resource, fault=str(fault))
    except UnsupportedExpressionError:
        return DeviceClassState(name, expressions, resource, is_unknown=True)
    return DeviceClassState(name, expressions, resource, selected)


# How many devices of a DeviceClass each node has, and how many of them are allocated: what scoring counts of them.
#
# Upstream: ``calculateDRAResourceTotals`` of ``plugins/noderesources`` v1.35.4 to v1.37.2. It counts the devices of
# all slices, those of older generations and of incomplete pools included.

ClassTotals = tuple["Ints", "Ints"]
_EVERYWHERE = Reach(all_nodes=True)


def totals_of(snapshot: Snapshot, resources: Sequence[str], requested: Mapping[str, int]) -> dict[str, ClassTotals]:
    """The totals of those resources that a pod requests and a class stands for."""
    classes = classes_by_resource(snapshot)
    if not classes or not snapshot.release.device_rules.has_both_names_of_classes:
        return {}
    return {
        resource: _class_totals(snapshot, classes[resource])
        for resource in resources
        if resource in classes and requested.get(resource)
    }


def _class_totals(snapshot: Snapshot, name: str) -> ClassTotals:
    """Devices and allocated devices of each node, both shape (N,); a node for which an expression fails has none."""
    count = len(snapshot.nodes)
    devices, allocated, failed = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.bool_)
    request = DeviceRequest(name, name, AllocationMode.EXACT_COUNT, 1, (), (), admin_access=False)
    claim, suitability, held = Claim("", ((request,),), ()), Suitability(snapshot), held_devices(snapshot)
    for each, device, device_id, reach in _reached(slices_of(snapshot)):
        rows = reach_rows(snapshot.nodes, reach)
        try:
            is_selected = suitability.excluding(claim, request, each, device) is None
        except (ClaimFault, UnsupportedExpressionError):
            failed[rows] = True
            continue
        if is_selected:
            devices[rows] += 1
            allocated[rows] += device_id in held.whole or device_id in held.shares
    return np.where(failed, 0, devices), np.where(failed, 0, allocated)


def _reached(slices: tuple[DeviceSlice, ...]) -> Iterator[tuple[DeviceSlice, Device, DeviceId, Reach]]:
    for each in slices:
        # A slice that says nothing of nodes counts as reached from all of them here.
        whole = each.reach if each.reach.is_known else _EVERYWHERE
        for device, device_id in zip(each.devices, each.ids, strict=True):
            yield each, device, device_id, device.reach if each.has_reach_by_device else whole


# The ResourceClaims of a cluster: in what state each is, and what keeps one from being allocated by itself.
#
# Upstream: ``resourceClaimState`` of ``pkg/printers/internalversion`` v1.34.1, and the allocator for the rest.


class ResourceClaimPhase(enum.StrEnum):
    """How far a claim is, as ``kubectl get resourceclaims`` writes it."""

    PENDING = "pending"
    ALLOCATED = "allocated"
    RESERVED = "allocated,reserved"
    DELETED = "deleted"
    DELETED_ALLOCATED = "deleted,allocated"
    DELETED_RESERVED = "deleted,allocated,reserved"

    @property
    def is_deleted(self) -> bool:
        """Whether the claim is being deleted."""
        return self.startswith("deleted")


class ClaimReservation(NamedTuple):
    """Who has reserved a claim; ``resource`` is ``pods`` for a pod."""

    resource: str
    name: str
    uid: str


class ResourceClaimState(Struct, frozen=True, dict=True):
    """A ResourceClaim as it stands."""

    document: Document

    @property
    def namespace(self) -> str:
        return namespace_of(self.document)

    @property
    def name(self) -> str:
        return name_of(self.document)

    @property
    def key(self) -> str:
        return key_of(self.document)

    @cached_property
    def claim(self) -> Claim:
        """What it requests."""
        return Claim.from_dict(self.document)

    @cached_property
    def devices(self) -> tuple[DeviceId, ...]:
        """The devices that it has."""
        return tuple(devices_of(self.document))

    @cached_property
    def devices_by_request(self) -> Mapping[str, tuple[DeviceId, ...]]:
        """The devices that it has, by the full name of the request that got them."""
        results = ((allocation_of(self.document) or {}).get("devices") or {}).get("results") or ()
        found: dict[str, tuple[DeviceId, ...]] = {}
        for result, device in zip(results, self.devices, strict=True):
            name = str(result.get("request") or "")
            found[name] = (*found.get(name, ()), device)
        return found

    @cached_property
    def reservations(self) -> tuple[ClaimReservation, ...]:
        """Who has reserved it."""
        entries = (self.document.get("status") or {}).get("reservedFor") or ()
        return tuple(
            ClaimReservation(str(each.get("resource") or ""), str(each.get("name") or ""), str(each.get("uid") or ""))
            for each in entries
        )

    @property
    def pods(self) -> tuple[str, ...]:
        """The names of the pods that have reserved it."""
        return tuple(each.name for each in self.reservations if each.resource == "pods")

    @property
    def phase(self) -> ResourceClaimPhase:
        """How far it is."""
        is_deleted = bool(metadata(self.document).get("deletionTimestamp"))
        if allocation_of(self.document) is None:
            return ResourceClaimPhase.DELETED if is_deleted else ResourceClaimPhase.PENDING
        if self.reservations:
            return ResourceClaimPhase.DELETED_RESERVED if is_deleted else ResourceClaimPhase.RESERVED
        return ResourceClaimPhase.DELETED_ALLOCATED if is_deleted else ResourceClaimPhase.ALLOCATED


def claim_states(snapshot: Snapshot) -> tuple[ResourceClaimState, ...]:
    """All claims, by namespace and name."""
    found = (ResourceClaimState(each) for each in snapshot.objects(CLAIM))
    return tuple(sorted(found, key=lambda each: (each.namespace, each.name)))


class ExclusionCount(NamedTuple):
    """How many devices are excluded alike; ``by`` is the selector, counter, taint or attribute, empty for held ones."""

    exclusion: DeviceExclusion
    by: str
    devices: int


class RequestOutlook(Struct, frozen=True):
    """How many devices of the cluster a request could have by itself, and what excludes the others."""

    request: DeviceRequest
    available: int
    excluded: tuple[ExclusionCount, ...]


class ClaimOutlook(Struct, frozen=True):
    """Whether devices can be had for a claim that has none, apart from the other claims of a pod.

    ``refusal`` holds whatever the node. Devices for all requests are found on ``nodes`` of ``every`` node. ``fault`` is
    the error of kube-scheduler on one of ``faulty`` nodes. ``is_unknown``: it depends on what is not computed.
    """

    refusal: RefusedClaim | None
    nodes: int
    every: int
    fault: str
    faulty: int
    is_unknown: bool
    requests: tuple[RequestOutlook, ...]


def claim_outlook(snapshot: Snapshot, state: ResourceClaimState, pools: Iterable[PoolState]) -> ClaimOutlook:
    """What keeps a claim without devices from being allocated; ``pools`` are all of the cluster."""
    every, claim, document = len(snapshot.nodes), state.claim, state.document
    refusal = refusal_of(snapshot, document)
    if refusal is not None:
        return ClaimOutlook(refusal, 0, every, "", 0, is_unknown=False, requests=())
    requests = tuple(_request_outlooks(snapshot, claim, tuple(pools)))
    if not is_known(snapshot, (document,)):
        return ClaimOutlook(None, 0, every, "", 0, is_unknown=True, requests=requests)
    found = NodeSearch(snapshot).everywhere((claim,))
    faults = [search.fault for search in found if search.fault]
    return ClaimOutlook(
        refusal=None,
        nodes=sum(search.allocated is not None for search in found),
        every=every,
        fault=faults[0] if faults else "",
        faulty=len(faults),
        is_unknown=any(search.gave_up for search in found),
        requests=requests,
    )


def _request_outlooks(snapshot: Snapshot, claim: Claim, pools: tuple[PoolState, ...]) -> Iterable[RequestOutlook]:
    exclusions = Exclusions(Suitability(snapshot), held_devices(snapshot), snapshot.release.devices)
    for request in (request for alternatives in claim.requests for request in alternatives):
        counts: Counter[tuple[DeviceExclusion, str]] = Counter()
        available = 0
        for pool in pools:
            for each in pool.devices:
                found = exclusions.of(claim, request, each.slice, each.device, None)
                if found is None:
                    available += 1
                else:
                    counts[found.exclusion, "" if found.exclusion == DeviceExclusion.HELD else found.by] += 1
        excluded = tuple(ExclusionCount(*key, number) for key, number in counts.most_common())
        yield RequestOutlook(request, available, excluded)


# Which pods the device taint eviction controller deletes, and when, for taints NoExecute of devices that they have.
#
# Upstream: ``evictionTime`` and ``handlePod`` of ``pkg/controller/devicetainteviction`` v1.34.1, which runs where the
# feature gate DRADeviceTaints is on. It reads the tolerations of a claim's allocation, and kube-scheduler v1.34.1
# does not copy those of the request there. Of these only ones with the effect NoExecute count.

NO_EXECUTE = "NoExecute"
_NANOSECONDS = 1_000_000_000


class DeviceTaintStay(Struct, frozen=True):
    """A taint NoExecute of a device that a claim has: its pods are deleted ``seconds`` after it was ``added``.

    ``added`` is in RFC 3339, empty where it is not told. ``seconds`` is None where the allocation does not tolerate the
    taint at all. ``is_requested``: the request tolerates the taint, and the allocation does not say so.
    """

    claim: str
    device: DeviceId
    taint: Taint
    added: str
    seconds: int | None
    is_requested: bool


def _stays(claim: ResourceClaimState, devices: Mapping[DeviceId, Device]) -> Iterator[DeviceTaintStay]:
    requests = {request.full_name: request for alternatives in claim.claim.requests for request in alternatives}
    for result in ((allocation_of(claim.document) or {}).get("devices") or {}).get("results") or ():
        name = DeviceId(str(result.get("driver")), str(result.get("pool")), str(result.get("device")))
        device = devices.get(name)
        if device is None:
            continue
        request = requests.get(str(result.get("request") or ""))
        for taint, added in zip(device.taints, device.taints_added, strict=True):
            if taint.effect != NO_EXECUTE:
                continue
            tolerated = tuple(_tolerated(taint, result.get("tolerations") or ()))
            if None in tolerated:
                continue
            seconds = min((each for each in tolerated if each is not None), default=None)
            is_requested = seconds is None and request is not None and tolerates(request.tolerations, taint)
            yield DeviceTaintStay(claim.key, name, taint, added, seconds, is_requested)


def _tolerated(taint: Taint, tolerations: Sequence[Mapping[str, Any]]) -> Iterator[int | None]:
    """For how many seconds each toleration that matches tolerates a taint, None for ever."""
    for each in tolerations:
        toleration = Toleration.from_dict(each)
        if toleration.effect == NO_EXECUTE and toleration.tolerates(taint):
            seconds = each.get("tolerationSeconds")
            # As a duration of Go it is counted in nanoseconds.
            yield None if seconds is None else wrapped(max(int(seconds), 0) * _NANOSECONDS) // _NANOSECONDS


def pod_stays(
    pod: Pod, claims: Mapping[str, ResourceClaimState], devices: Mapping[DeviceId, Device]
) -> tuple[DeviceTaintStay, ...]:
    """The taints for which a pod is deleted: of each claim that it uses and has reserved; none without a node."""
    if not pod.node_name:
        return ()
    found: list[DeviceTaintStay] = []
    for name, is_generated in claim_names(pod):
        claim = claims.get(f"{pod.namespace}/{name}")
        if claim is None or (is_generated and not is_made_for(claim.document, pod)):
            continue
        if any(each.uid == pod.owner_uid for each in claim.reservations):
            # The taints NoExecute for which pods with a claim are deleted; ``devices`` are those that are offered
            # now.
            found += tuple(_stays(claim, devices))
    return tuple(found)
