"""Devices by driver and pool, DeviceClasses and ResourceClaims, as rows and pages."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.devices import (
    ClaimOutlook,
    CounterState,
    Device,
    DeviceId,
    DeviceRequest,
    DeviceState,
    PooledDevice,
    PoolState,
    RequestOutlook,
    ResourceClaimPhase,
    ResourceClaimState,
    allocation_of,
    amount_text,
    exact,
)
from clusters.engine.versions import Gate, Release
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import ClusterDevices, DeviceEviction, device_evictions, devices_of
from clusters.wording import counts, devices as devices_words, lists
from clusters.wording.amounts import as_in_manifests, grouped, moment, percent
from clusters.wording.lists import listed
from clusters.wording.nodes import NO, YES
from clusters.wording.pods import alternatives
from dashboard.pictures.device_strip import DeviceStrip, DeviceTile, device_strip, legend_tile, share_bar
from dashboard.pictures.meter import HIGH_PERCENT, Meter
from dashboard.presenters.pods import node_term_text, state_of, toleration_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from clusters.engine import Snapshot
    from clusters.models import Cluster, Pod

MOST_COUNTERS: Final = 3
# The kinds without which the page cannot be complete.
KINDS: Final = ("ResourceSlice", "DeviceClass", "ResourceClaim")


class PoolRow(Struct, frozen=True):
    """One pool; ``node`` is the name of the only node that reaches it, empty where there are several or none."""

    driver: str
    name: str
    badges: tuple[tuple[str, str], ...]
    strip: DeviceStrip
    counted: str
    generation: str
    node: str
    nodes: str
    remarks: tuple[str, ...]
    counters: tuple[tuple[str, Meter], ...]
    more_counters: str


class DriverRow(Struct, frozen=True):
    """The pools of one driver together."""

    driver: str
    pools: str
    devices: str
    counted: str
    bar: DeviceStrip
    nodes: str


def pool_row(state: PoolState, snapshot: Snapshot, *, most_counters: int = MOST_COUNTERS) -> PoolRow:
    """Present a pool."""
    counted = devices_words.counts(state.counts) or str(devices_words.NO_DEVICES)
    meters = [_counter_meter(each) for each in sorted(state.counters, key=_fullest_first)]
    more = len(meters) - most_counters
    return PoolRow(
        driver=state.pool.driver,
        name=state.pool.name,
        badges=_badges(state),
        strip=device_strip([(each.state, tile_title(each)) for each in state.devices], counted),
        counted=counted,
        generation=devices_words.GENERATION(
            generation=str(state.generation), slices=len(state.pool.slices), count=state.slice_count
        ),
        node=snapshot.nodes.names[state.rows[0]] if len(state.rows) == 1 else "",
        nodes=counts.NODES(number=len(state.rows)),
        remarks=tuple(_pool_remarks(state, snapshot.release)),
        counters=tuple(meters[:most_counters]),
        more_counters=lists.and_more(more),
    )


def tile_title(each: PooledDevice) -> str:
    """Say in what state a device is."""
    if each.claim:
        return devices_words.HELD_BY(device=each.device.name, claim=each.claim)
    if each.sharing:
        return devices_words.SHARED_BY(device=each.device.name, claims=listed(each.sharing))
    return f"{each.device.name}: {devices_words.DEVICE[each.state]}"


def _badges(state: PoolState) -> tuple[tuple[str, str], ...]:
    found = []
    if state.pool.is_incomplete:
        found.append((str(devices_words.INCOMPLETE), "warn"))
    elif state.whole != len(state.rows):
        found.append((str(devices_words.PARTLY_REACHED), "warn"))
    if state.pool.duplicate:
        found.append((str(devices_words.INVALID), "bad"))
    return tuple(found)


def _pool_remarks(state: PoolState, release: Release) -> Iterable[str]:
    if state.pool.is_incomplete:
        yield devices_words.MISSING_SLICES(slices=len(state.pool.slices), count=state.slice_count)
    elif state.whole != len(state.rows):
        yield devices_words.REACHED_IN_PART(nodes=len(state.rows) - state.whole, every=len(state.rows))
    if state.pool.duplicate:
        yield devices_words.DUPLICATE(device=state.pool.duplicate)
    if state.outdated:
        yield devices_words.OUTDATED(slices=state.outdated)
    if not state.rows:
        yield str(devices_words.NOT_REACHED)
    shared = sum(each.device.is_shared for each in state.devices)
    if shared and not release.decides(Gate.DRA_CONSUMABLE_CAPACITY):
        yield devices_words.SHARED(devices=shared, minor=release.minor)
    conditional = sum(each.device.has_conditions for each in state.devices)
    if conditional and release.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS):
        yield devices_words.WAITED_FOR(devices=conditional)
    elif conditional:
        yield devices_words.CONDITIONAL(devices=conditional, minor=release.minor)


def _fullest_first(each: CounterState) -> tuple[float, str, str]:
    return (float(each.left / each.total) if each.total else 1.0, each.slice, each.name)


def _counter_meter(each: CounterState) -> tuple[str, Meter]:
    used = each.total - each.left
    share = float(100 * used / each.total) if each.total else 0.0
    level = "over" if share > 100 else "high" if share >= HIGH_PERCENT else ""
    scale = each.total.denominator * each.left.denominator
    text = percent(int(used * scale), int(each.total * scale))
    return each.name, Meter(
        each.name, counter_text(used), counter_text(each.total), text, min(100, max(0, round(share))), level
    )


def counter_text(amount: Fraction) -> str:
    """Write an amount of a counter as manifests do."""
    return as_in_manifests("memory", amount.numerator) if amount.denominator == 1 else amount_text(amount)


def driver_rows(pools: Iterable[PoolState]) -> list[DriverRow]:
    """Present the drivers by name, each with all of its pools."""
    by_driver: dict[str, list[PoolState]] = {}
    for state in pools:
        by_driver.setdefault(state.pool.driver, []).append(state)
    return [_driver_row(name, by_driver[name]) for name in sorted(by_driver)]


def _driver_row(driver: str, pools: Sequence[PoolState]) -> DriverRow:
    number = device_counts(pools)
    counted = devices_words.counts(number) or str(devices_words.NO_DEVICES)
    return DriverRow(
        driver=driver,
        pools=grouped(len(pools)),
        devices=grouped(sum(number.values())),
        counted=counted,
        bar=share_bar(number, counted),
        nodes=grouped(len({row for state in pools for row in state.rows})),
    )


def device_counts(pools: Iterable[PoolState]) -> Counter[DeviceState]:
    """How many devices of some pools are in each state."""
    found: Counter[DeviceState] = Counter()
    for state in pools:
        found.update(state.counts)
    return found


def node_devices(found: ClusterDevices, node: str) -> dict[str, Any] | None:
    """Present the devices of the pools that a node reaches; None where it reaches none."""
    row = found.snapshot.nodes.index.get(node)
    pools = [state for state in found.pools.values() if row in state.rows]
    if not pools:
        return None
    number = device_counts(pools)
    counted = devices_words.counts(number) or str(devices_words.NO_DEVICES)
    return {"pools": counts.POOLS(number=len(pools)), "counted": counted, "bar": share_bar(number, counted)}


def tiles(found: ClusterDevices) -> list[tuple[str, str]]:
    """Return the numbers of devices in each state that some are in, as large numbers."""
    number = device_counts(found.pools.values())
    shown = [(str(devices_words.NUMBER_OF_DEVICES), grouped(sum(number.values())))]
    shown += [
        (str(label), grouped(number[state]))
        for state, label in devices_words.DEVICE.items()
        if number[state] or state in (DeviceState.FREE, DeviceState.HELD)
    ]
    return shown


def legend() -> list[tuple[DeviceTile, str]]:
    """Return a tile for each state with its name."""
    return [(legend_tile(state), str(label)) for state, label in devices_words.DEVICE.items()]


def lacking_kinds(cluster: Cluster, found: ClusterDevices) -> list[str]:
    """Return the kinds of which nothing is held though the cluster may have some; a live one is read whole."""
    held = {"ResourceSlice": found.pools, "DeviceClass": found.classes, "ResourceClaim": found.claims}
    unread = {gap["kind"] for gap in cluster.gaps}
    return [kind for kind in KINDS if not held[kind] and (not cluster.is_live or kind in unread)]


_DEVICE_BADGES: Final = {
    DeviceState.FREE: "good",
    DeviceState.HELD: "info",
    DeviceState.SHARED: "info",
    DeviceState.TAINTED: "bad",
    DeviceState.COUNTERS_USED: "warn",
}
MOST_PODS_OF_A_DEVICE: Final = 3


class DeviceRow(Struct, frozen=True):
    """One device: the claim that holds it and the first of its pods, and what the driver says of it alone."""

    name: str
    state: str
    badge: str
    namespace: str
    claim: str
    pods: tuple[str, ...]
    more_pods: str
    taints: tuple[str, ...]
    short: str
    shares: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]


def shared_attributes(devices: Sequence[PooledDevice]) -> tuple[tuple[str, str], ...]:
    """What the driver says of all devices of a pool alike; nothing where there is one device."""
    if len(devices) < 2:
        return ()
    first, *others = devices
    known = set(_attributes(first.device))
    for each in others:
        known.intersection_update(_attributes(each.device))
    return tuple(sorted(known))


def _attributes(device: Device) -> list[tuple[str, str]]:
    """The attributes and capacities of a device by name."""
    amounts = {name: counter_text(exact(amount)) for name, amount in device.capacity.items()}
    known = {name: str(value) for name, value in device.attributes.items()}
    return sorted({**known, **amounts}.items())


def _shares(each: PooledDevice) -> Iterator[str]:
    """Who shares a device, and how much of each capacity is consumed."""
    if each.sharing:
        yield devices_words.SHARING(claims=listed(each.sharing))
        for amount in each.consumed:
            yield devices_words.CONSUMED(
                consumed=counter_text(amount.consumed), total=counter_text(amount.total), name=amount.name
            )


def device_row(
    each: PooledDevice, claims: Mapping[str, ResourceClaimState], shared: Collection[tuple[str, str]]
) -> DeviceRow:
    """Present a device; ``shared`` is what is said of all of its pool."""
    holder = claims.get(each.claim)
    pods = holder.pods if holder else ()
    device = each.device
    return DeviceRow(
        name=device.name,
        state=str(devices_words.DEVICE[each.state]),
        badge=_DEVICE_BADGES[each.state],
        namespace=holder.namespace if holder else "",
        claim=holder.name if holder else "",
        pods=pods[:MOST_PODS_OF_A_DEVICE],
        more_pods=lists.and_more(len(pods) - MOST_PODS_OF_A_DEVICE),
        taints=tuple(map(str, device.taints)),
        short=devices_words.LACKS_COUNTER(
            requested=counter_text(each.short.requested),
            name=each.short.name,
            available=counter_text(each.short.available),
        )
        if each.short
        else "",
        shares=tuple(_shares(each)),
        attributes=tuple(attribute for attribute in _attributes(device) if attribute not in shared),
    )


MOST_NAMES: Final = 4
_CLAIM_BADGES: Final = {
    ResourceClaimPhase.PENDING: "warn",
    ResourceClaimPhase.ALLOCATED: "info",
    ResourceClaimPhase.RESERVED: "good",
    ResourceClaimPhase.DELETED: "bad",
    ResourceClaimPhase.DELETED_ALLOCATED: "bad",
    ResourceClaimPhase.DELETED_RESERVED: "bad",
}


class ResourceClaimRow(Struct, frozen=True):
    """One claim of the list; the first of its devices and pods are named, and the others counted."""

    namespace: str
    name: str
    state: str
    badge: str
    requests: tuple[str, ...]
    devices: tuple[tuple[DeviceId, bool], ...]
    more_devices: str
    pods: tuple[str, ...]
    more_pods: str


class DeviceRequestView(Struct, frozen=True):
    """One request or alternative: what it is for, what it got, and of a pending claim what excludes devices."""

    request: DeviceRequest
    wants: str
    tolerations: str
    devices: tuple[tuple[DeviceId, bool], ...]
    available: str
    excluded: tuple[str, ...]


class ClaimPodRow(Struct, frozen=True):
    """A pod that uses a claim or has reserved it; without ``state`` there is no such pod any more."""

    name: str
    state: str
    badge: str
    node: str
    reserved: str


class ClaimAnswer(Struct, frozen=True):
    """How a claim is, in a sentence, and what kube-scheduler says of it, empty where it says nothing."""

    sentence: str
    quote: str = ""


def claim_row(claim: ResourceClaimState, found: ClusterDevices) -> ResourceClaimRow:
    """Present a claim as a row."""
    return ResourceClaimRow(
        namespace=claim.namespace,
        name=claim.name,
        state=str(devices_words.CLAIM[claim.phase]),
        badge=_CLAIM_BADGES[claim.phase],
        requests=tuple(wants(request) for request in first_requests(claim)),
        devices=tuple(held_devices(claim.devices[:MOST_NAMES], found)),
        more_devices=lists.and_more(len(claim.devices) - MOST_NAMES),
        pods=claim.pods[:MOST_NAMES],
        more_pods=lists.and_more(len(claim.pods) - MOST_NAMES),
    )


def first_requests(claim: ResourceClaimState) -> Iterator[DeviceRequest]:
    """Yield each request, of one with alternatives all of them."""
    return (request for alternatives in claim.claim.requests for request in alternatives)


def wants(request: DeviceRequest) -> str:
    """Say how many devices of which class a request is for."""
    if request.wants_all:
        return devices_words.WANTS_ALL(request=request.full_name, name=request.device_class)
    return devices_words.WANTS(request=request.full_name, count=request.count, name=request.device_class)


def held_devices(devices: Iterable[DeviceId], found: ClusterDevices) -> Iterator[tuple[DeviceId, bool]]:
    """Yield devices that a claim has, each with whether a ResourceSlice offers it still."""
    return ((each, each in found.offered) for each in devices)


def claim_answer(claim: ResourceClaimState, outlook: ClaimOutlook | None) -> ClaimAnswer:
    """Say how a claim is; ``outlook`` is that of a pending one."""
    if claim.phase.is_deleted:
        return ClaimAnswer(str(devices_words.BEING_DELETED))
    if outlook is None:
        return ClaimAnswer(devices_words.ALLOCATED(pods=len(claim.reservations)))
    if outlook.refusal is not None:
        return ClaimAnswer(str(devices_words.REFUSED), outlook.refusal.status.said)
    if outlook.fault:
        return ClaimAnswer(devices_words.FAILS(nodes=outlook.faulty, every=outlook.every), outlook.fault)
    if outlook.is_unknown:
        return ClaimAnswer(str(devices_words.UNKNOWN))
    return ClaimAnswer(devices_words.FOUND(nodes=outlook.nodes, every=outlook.every))


def request_views(
    claim: ResourceClaimState, outlook: ClaimOutlook | None, found: ClusterDevices
) -> Iterator[DeviceRequestView]:
    """Present each request of a claim; ``outlook`` is that of a pending one."""
    outlooks = {each.request.full_name: each for each in outlook.requests} if outlook else {}
    for request, tolerations in zip(first_requests(claim), _tolerations(claim), strict=True):
        name = request.full_name
        available, excluded = _excluded(outlooks.get(name), len(found.offered))
        yield DeviceRequestView(
            request,
            wants=wants(request),
            tolerations=tolerations,
            devices=tuple(held_devices(claim.devices_by_request.get(name, ()), found)),
            available=available,
            excluded=excluded,
        )


def _excluded(outlook: RequestOutlook | None, every: int) -> tuple[str, tuple[str, ...]]:
    if outlook is None:
        return "", ()
    return devices_words.AVAILABLE(devices=outlook.available, every=every), tuple(
        map(devices_words.excluded, outlook.excluded)
    )


def _tolerations(claim: ResourceClaimState) -> Iterator[str]:
    """Yield the tolerations of each request, those of alternatives one by one."""
    devices = (claim.document.get("spec") or {}).get("devices") or {}
    for request in devices.get("requests") or ():
        bodies = [request["exactly"]] if request.get("exactly") is not None else request.get("firstAvailable") or ()
        for body in bodies:
            yield "; ".join(toleration_text(each) for each in body.get("tolerations") or ())


def claim_facts(claim: ResourceClaimState) -> list[tuple[str, str]]:
    """Present what holds for all requests of a claim together."""
    facts = [(str(devices_words.CONSTRAINT), rule.attribute) for rule in claim.claim.constraints]
    allocation = allocation_of(claim.document)
    if allocation is not None:
        terms = (allocation.get("nodeSelector") or {}).get("nodeSelectorTerms") or ()
        nodes = alternatives(node_term_text(term) for term in terms)
        facts.append((str(devices_words.NODE_SELECTOR), nodes or str(devices_words.EVERY_NODE)))
    return facts


def pod_rows(claim: ResourceClaimState, pods: Iterable[Pod]) -> list[ClaimPodRow]:
    """Present the pods that use a claim, and then who else has reserved it."""
    reserved = {each.uid: each for each in claim.reservations}
    rows = []
    for pod in pods:
        has_reserved = reserved.pop(pod.uid, None) is not None
        rows.append(ClaimPodRow(pod.name, *state_of(pod), pod.node_name, str(devices_words.RESERVED[has_reserved])))
    for each in reserved.values():
        gone = devices_words.GONE if each.resource == "pods" else devices_words.NOT_A_POD
        rows.append(ClaimPodRow(each.name, "", "", "", str(gone)))
    return rows


MOST_EVICTED_PODS: Final = 20


def evictions_view(evictions: Sequence[DeviceEviction]) -> dict[str, Any] | None:
    """Present some pods that are deleted for taints of devices, and how many more are; None where there are none.

    Each is with the sentence that says when, and whether its request tolerates the taint in vain.
    """
    if not evictions:
        return None
    more = len(evictions) - MOST_EVICTED_PODS
    return {
        "rows": [
            (pod, devices_words.deleted(stay, at=moment(at)), stay.is_requested)
            for pod, at, stay in evictions[:MOST_EVICTED_PODS]
        ],
        "more": lists.and_more(more),
    }


def evictions_of_pod(pod: Pod) -> dict[str, Any] | None:
    """Present why a pod on a node is deleted for a device; None where it is not, or that cannot be computed now."""
    if not pod.node_name or not (pod.object.get("spec") or {}).get("resourceClaims"):
        return None
    try:
        return evictions_view(device_evictions(devices_of(cluster=pod.cluster), [pod]))
    except ChangingTooFastError:
        return None


DEVICE_COLUMNS: Final = (
    "driver",
    "pool",
    "device",
    "state",
    "claim",
    "pods",
    "taints",
    "lacks counter",
    "nodes",
    "slice",
    "generation",
    "pool complete",
)


def device_cells(pools: Iterable[PoolState], found: ClusterDevices) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each device of some pools; of several nodes their number stands in the place of a name."""
    names = found.snapshot.nodes.names
    for state in pools:
        nodes = names[state.rows[0]] if len(state.rows) == 1 else len(state.rows)
        complete = str(NO if state.pool.is_incomplete else YES)
        for each in state.devices:
            holder = found.claims.get(each.claim)
            yield (
                state.pool.driver,
                state.pool.name,
                each.device.name,
                str(devices_words.DEVICE[each.state]),
                each.claim or " ".join(each.sharing),
                " ".join(holder.pods) if holder else "",
                " ".join(map(str, each.device.taints)),
                each.short.name if each.short else "",
                nodes,
                each.slice.name,
                state.generation,
                complete,
            )


CLAIM_COLUMNS: Final = (
    "namespace",
    "claim",
    "state",
    "requests",
    "devices",
    "reserved for",
)


def claim_cells(claims: Iterable[ResourceClaimState]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each claim."""
    for claim in claims:
        yield (
            claim.namespace,
            claim.name,
            str(devices_words.CLAIM[claim.phase]),
            "; ".join(map(wants, first_requests(claim))),
            " ".join(map(str, claim.devices)),
            " ".join(claim.pods),
        )
