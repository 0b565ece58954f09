"""The devices of a cluster: by driver, pool by pool, and by DeviceClass."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.devices import DeviceState, amount_text
from clusters.engine.versions import Gate
from clusters.wording import counts
from clusters.wording.amounts import as_in_manifests, grouped, percent
from clusters.wording.devices import page as words
from clusters.wording.devices import states
from dashboard.pictures.device_strip import DeviceStrip, DeviceTile, device_strip, legend_tile, share_bar
from dashboard.pictures.meter import HIGH_PERCENT, Meter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from clusters.engine import Snapshot
    from clusters.engine.devices import CounterState, DeviceClassState, PooledDevice, PoolState
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.mirror.state import ClusterDevices

MOST_COUNTERS: Final = 3
# The kinds without which the page cannot be complete.
KINDS: Final = ("ResourceSlice", "DeviceClass", "ResourceClaim")


@dataclass(frozen=True, slots=True)
class PoolRow:
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


@dataclass(frozen=True, slots=True)
class DriverRow:
    """The pools of one driver together."""

    driver: str
    pools: str
    devices: str
    counted: str
    bar: DeviceStrip
    nodes: str


@dataclass(frozen=True, slots=True)
class NodeDevicesView:
    """The pools that a node reaches together."""

    pools: str
    counted: str
    bar: DeviceStrip


@dataclass(frozen=True, slots=True)
class DeviceClassRow:
    """One DeviceClass: ``problem`` says why it is not known what it selects, ``fault`` quotes kube-scheduler."""

    name: str
    expressions: tuple[str, ...]
    resource: str
    selected: str
    free: str
    counted: str
    problem: str
    fault: str


def pool_row(state: PoolState, snapshot: Snapshot, *, most_counters: int = MOST_COUNTERS) -> PoolRow:
    """Present a pool."""
    counted = words.counts(state.counts) or str(words.NO_DEVICES)
    meters = [_counter_meter(each) for each in sorted(state.counters, key=_fullest_first)]
    more = len(meters) - most_counters
    return PoolRow(
        driver=state.pool.driver,
        name=state.pool.name,
        badges=_badges(state),
        strip=device_strip([(each.state, tile_title(each)) for each in state.devices], counted),
        counted=counted,
        generation=states.generation(state),
        node=snapshot.nodes.names[state.rows[0]] if len(state.rows) == 1 else "",
        nodes=counts.nodes(len(state.rows)),
        remarks=tuple(_remarks(state, snapshot.release)),
        counters=tuple(meters[:most_counters]),
        more_counters=words.MORE_COUNTERS(number=more) if more > 0 else "",
    )


def tile_title(each: PooledDevice) -> str:
    """Say in what state a device is."""
    if each.claim:
        return words.HELD_BY(device=each.device.name, claim=each.claim)
    if each.sharing:
        return words.shared_by(each.device.name, each.sharing)
    return words.TILE(device=each.device.name, state=str(states.DEVICE[each.state]))


def _badges(state: PoolState) -> tuple[tuple[str, str], ...]:
    found = []
    if state.pool.is_incomplete:
        found.append((str(states.INCOMPLETE), "warn"))
    elif state.whole != len(state.rows):
        found.append((str(states.PARTLY_REACHED), "warn"))
    if state.pool.duplicate:
        found.append((str(states.INVALID), "bad"))
    return tuple(found)


def _remarks(state: PoolState, release: Release) -> Iterable[str]:
    if state.pool.is_incomplete:
        yield states.incomplete(state)
    elif state.whole != len(state.rows):
        yield states.partly_reached(state)
    if state.pool.duplicate:
        yield states.invalid(state)
    if state.outdated:
        yield states.OUTDATED(slices=state.outdated)
    if not state.rows:
        yield str(states.NOT_REACHED)
    shared = sum(each.device.is_shared for each in state.devices)
    if shared and not release.decides(Gate.DRA_CONSUMABLE_CAPACITY):
        yield states.SHARED(devices=shared, minor=release.minor)
    conditional = sum(each.device.has_conditions for each in state.devices)
    if conditional and release.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS):
        yield states.WAITED_FOR(devices=conditional)
    elif conditional:
        yield states.CONDITIONAL(devices=conditional, minor=release.minor)


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
    counted = words.counts(number) or str(words.NO_DEVICES)
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


def node_devices(found: ClusterDevices, node: str) -> NodeDevicesView | None:
    """Present the devices of the pools that a node reaches; None where it reaches none."""
    row = found.snapshot.nodes.index.get(node)
    pools = [state for state in found.pools.values() if row in state.rows]
    if not pools:
        return None
    number = device_counts(pools)
    counted = words.counts(number) or str(words.NO_DEVICES)
    return NodeDevicesView(states.pools(len(pools)), counted, share_bar(number, counted))


def class_row(state: DeviceClassState) -> DeviceClassRow:
    """Present a DeviceClass."""
    is_known = not state.fault and not state.is_unknown
    return DeviceClassRow(
        name=state.name,
        expressions=state.expressions,
        resource=words.EXTENDED_RESOURCE(name=state.resource) if state.resource else "",
        selected=grouped(state.selected) if is_known else "–",
        free=grouped(state.free) if is_known else "–",
        counted=words.counts(state.counts) if is_known else "",
        problem=str(words.CLASS_UNKNOWN) if state.is_unknown else str(words.CLASS_FAILS) if state.fault else "",
        fault=state.fault,
    )


def tiles(found: ClusterDevices) -> list[tuple[str, str]]:
    """Return the numbers of devices in each state that some are in, as large numbers."""
    number = device_counts(found.pools.values())
    shown = [(str(words.DEVICES), grouped(sum(number.values())))]
    shown += [
        (str(label), grouped(number[state]))
        for state, label in states.DEVICE.items()
        if number[state] or state in (DeviceState.FREE, DeviceState.HELD)
    ]
    return shown


def legend() -> list[tuple[DeviceTile, str]]:
    """Return a tile for each state with its name."""
    return [(legend_tile(state), str(label)) for state, label in states.DEVICE.items()]


def lacking_kinds(cluster: Cluster, found: ClusterDevices) -> list[str]:
    """Return the kinds of which nothing is held though the cluster may have some; a live one is read whole."""
    held = {"ResourceSlice": found.pools, "DeviceClass": found.classes, "ResourceClaim": found.claims}
    unread = {gap["kind"] for gap in cluster.gaps}
    return [kind for kind in KINDS if not held[kind] and (not cluster.is_live or kind in unread)]
