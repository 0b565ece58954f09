"""The devices of a whole cluster: pool by pool in what state each device is, and how many a DeviceClass selects.

A pool is shown in its newest generation. Upstream: ``GatherPools`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1, which does so for one node, among the slices that the node reaches.
"""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.counters import available_counters
from clusters.engine.devices.exclusions import shortage_of
from clusters.engine.devices.holders import held_devices
from clusters.engine.devices.pod_claims import CLASS
from clusters.engine.devices.pools import Pool, duplicate_of, reach_rows, slices_of
from clusters.engine.devices.requests import AllocationMode, Claim, ClaimFault, DeviceRequest, expressions_of
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.devices.suitability import Suitability
from clusters.engine.objects import name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.devices.exclusions import CounterShortage
    from clusters.engine.devices.holders import HeldDevices
    from clusters.engine.devices.inventory import Device, DeviceId, DeviceSlice, Reach
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


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


@dataclass(frozen=True)
class PoolState:
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


@dataclass(frozen=True, slots=True)
class DeviceClassState:
    """A DeviceClass and the devices that it selects, by state.

    ``fault``: kube-scheduler fails with this error where it evaluates the class. ``is_unknown``: an expression is not
    supported. ``resource`` is the extended resource that the class stands for.
    """

    name: str
    expressions: tuple[str, ...]
    resource: str
    counts: Mapping[DeviceState, int]
    fault: str = ""
    is_unknown: bool = False

    @property
    def selected(self) -> int:
        """How many devices it selects."""
        return sum(self.counts.values())

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
        counts = Counter(
            each.state for each in devices if suitability.excluding(claim, request, each.slice, each.device) is None
        )
    except ClaimFault as fault:
        return DeviceClassState(name, expressions, resource, {}, fault=str(fault))
    except UnsupportedExpressionError:
        return DeviceClassState(name, expressions, resource, {}, is_unknown=True)
    return DeviceClassState(name, expressions, resource, counts)
