"""Pools of devices as one node sees them.

Upstream: ``GatherPools`` of ``structured/internal/experimental`` and ``applyPatches`` of ``resourceslice/tracker`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1; of
``structured/internal/incubating`` v0.35.4 to v0.37.2 for whole pools.
Until 1.35 the scheduler goes through pools, and through the slices of one, in no particular order; here they go by
name, as they do since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.inventory import DeviceSlice
from clusters.engine.devices.pod_claims import CLASS, SLICE, TAINT_RULE
from clusters.engine.devices.requests import expressions_of
from clusters.engine.devices.selecting import (
    Allowance,
    CompileError,
    EvaluationError,
    UnsupportedExpressionError,
    compiled,
)
from clusters.engine.matching.nodes import selector_mask
from clusters.engine.matching.taints import Taint
from clusters.engine.objects import name_of
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.devices.inventory import Device, Reach
    from clusters.engine.devices.selecting import Selector
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release
    from clusters.engine.versions.device_rules import DeviceRules


Counters = Mapping[tuple[str, str], Fraction]


@dataclass(frozen=True, slots=True)
class Pool:
    """The slices of one pool's newest generation that a node reaches.

    ``is_incomplete``: the driver is still publishing slices, or, where only these are looked at, some of them are for
    other nodes. ``duplicate`` names a device that the pool has twice, and ``counter_fault`` says what is wrong with
    counters: either makes it invalid; empty where there is none. ``others``: slices of the pool for other nodes alone;
    ``counters``: those of the whole pool. Both are empty where a release does not look at whole pools.
    """

    driver: str
    name: str
    slices: tuple[DeviceSlice, ...]
    is_incomplete: bool
    duplicate: str
    counter_fault: str = ""
    others: tuple[DeviceSlice, ...] = ()
    counters: Counters = field(default_factory=dict)

    @property
    def fault(self) -> str:
        """What makes the pool invalid, as the scheduler says it; empty where nothing does."""
        return f"duplicate device name {self.duplicate}" if self.duplicate else self.counter_fault

    @property
    def has_conditions(self) -> bool:
        """Whether devices of it have binding conditions: such pools come last."""
        return any(device.has_conditions for each in self.slices for device in each.devices)

    def __str__(self) -> str:
        return f"{self.driver}/{self.name}"


class Inventory:
    """All slices of a cluster, and from which nodes each is reached."""

    def __init__(self, slices: Sequence[DeviceSlice], nodes: NodeTable, rules: DeviceRules) -> None:
        self._nodes = nodes
        self._rules = rules
        self.slices = slices
        self._everywhere: list[int] = []
        self._by_node: dict[str, list[int]] = {}
        self._others: list[tuple[int, list[Reach]]] = []
        for place, each in enumerate(slices):
            if rules.passes_over_groups and each.has_groups:
                continue
            if rules.sees_whole_pools and (each.has_reach_by_device or each.counters) and not rules.reads_counters:
                continue
            if rules.sees_whole_pools and rules.includes_counter_slices and each.counters:
                self._everywhere.append(place)
                continue
            reaches = [each.reach]
            if not each.reach.is_known:
                reaches = [device.reach for device in each.devices] if each.has_reach_by_device else []
            names = {reach.node_name for reach in reaches if reach.node_name}
            for name in names:
                self._by_node.setdefault(name, []).append(place)
            others = [reach for reach in reaches if not reach.node_name and reach.is_known]
            if others:
                self._others.append((place, others))
        self._masks = [(place, self._reached(reaches)) for place, reaches in self._others]

    def _reached(self, reaches: Iterable[Reach]) -> frozenset[int]:
        """Rows of the nodes that one of these means."""
        rows: set[int] = set()
        for reach in dict.fromkeys(reaches):
            rows |= set(reach_rows(self._nodes, reach))
        return frozenset(rows)

    def places(self, row: int) -> tuple[int, ...]:
        """Which slices a node reaches, by their place in ``slices``."""
        found = set(self._by_node.get(self._nodes.names[row], ()))
        found.update(place for place, rows in self._masks if row in rows)
        found.update(self._everywhere)
        return tuple(sorted(found))

    def pools(self, places: Iterable[int]) -> tuple[Pool, ...]:
        """The pools that these slices belong to; slices of older generations are left out."""
        found: dict[tuple[str, str], list[DeviceSlice]] = {}
        for place in places:
            each = self.slices[place]
            held = found.setdefault((each.driver, each.pool), [])
            if held and each.generation < held[0].generation:
                continue
            if held and each.generation > held[0].generation:
                held.clear()
            held.append(each)
        if self._rules.sees_whole_pools:
            built = (self._whole(driver, name, held) for (driver, name), held in found.items())
            known = [pool for pool in built if pool is not None]
            return tuple(sorted(known, key=lambda pool: (pool.has_conditions, pool.driver, pool.name)))
        pools = (
            Pool(driver, name, tuple(held), len(held) != held[0].slice_count, duplicate_of(held))
            for (driver, name), held in found.items()
        )
        return tuple(sorted(pools, key=lambda pool: pool.has_conditions))

    def _whole(self, driver: str, name: str, held: Sequence[DeviceSlice]) -> Pool | None:
        """A pool of which a node reaches these slices; None where slices of a newer generation are for other nodes."""
        generation, others = held[0].generation, []
        if len(held) != held[0].slice_count:
            reached = {each.name for each in held}
            for each in self._by_pool.get((driver, name), ()):
                if each.generation > generation:
                    return None
                if each.generation == generation and each.name not in reached:
                    others.append(each)
            if len(held) + len(others) != held[0].slice_count:
                return Pool(driver, name, (), is_incomplete=True, duplicate="")
        if not self._rules.reads_counters:
            return Pool(driver, name, tuple(held), is_incomplete=False, duplicate=duplicate_of(held))
        offering = tuple(each for each in held if not each.counters)
        not_reached = tuple(each for each in others if not each.counters)
        counters: dict[tuple[str, str], Fraction] = {}
        sets: set[str] = set()
        fault = ""
        for each in (*held, *others):
            own = {counter_set for counter_set, _ in each.counters}
            fault = fault or next((f"duplicate counter set name {twice}" for twice in sorted(own & sets)), "")
            sets |= own
            counters |= each.counters
        fault = fault or _counter_fault(counters, sets, (*offering, *not_reached))
        return Pool(driver, name, offering, False, duplicate_of(offering), fault, others=not_reached, counters=counters)

    @cached_property
    def _by_pool(self) -> dict[tuple[str, str], list[DeviceSlice]]:
        found: dict[tuple[str, str], list[DeviceSlice]] = {}
        for each in self.slices:
            if not (self._rules.passes_over_groups and each.has_groups):
                found.setdefault((each.driver, each.pool), []).append(each)
        return found


def _counter_fault(counters: Counters, sets: Collection[str], slices: Iterable[DeviceSlice]) -> str:
    """What a device uses that its pool does not have, as the scheduler says it; empty where there is nothing."""
    for use in (use for each in slices for device in each.devices for use in device.uses):
        if use.counter_set not in sets:
            return f"counter set {use.counter_set} not found"
        if (use.counter_set, use.counter) not in counters:
            return f"counter {use.counter} not found in counter set {use.counter_set}"
    return ""


def reach_rows(nodes: NodeTable, reach: Reach) -> range | list[int]:
    """Rows of the nodes that a reach means."""
    if reach.node_name:
        row = nodes.index.get(reach.node_name)
        return [] if row is None else [row]
    if reach.all_nodes:
        return range(len(nodes))
    return [] if reach.selector is None else selector_mask(nodes, reach.selector).nonzero()[0].tolist()


def duplicate_of(slices: Iterable[DeviceSlice]) -> str:
    """Name the first device that slices of one pool have twice; empty where there is none."""
    names: set[str] = set()
    for device in (device for each in slices for device in each.devices):
        if device.name in names:
            return device.name
        names.add(device.name)
    return ""


# -- of a whole cluster --------------------------------------------------------------------------------------


def slices_of(snapshot: Snapshot) -> tuple[DeviceSlice, ...]:
    """All slices by name, with the taints that DeviceTaintRules add to their devices."""
    return snapshot.derived(_read_slices, SLICE, TAINT_RULE, CLASS).slices


def unknown_taint_rules(snapshot: Snapshot) -> frozenset[str]:
    """DeviceTaintRules of which it is not known what they select, for an expression that is not supported or no CEL."""
    return snapshot.derived(_read_slices, SLICE, TAINT_RULE, CLASS).unknown_rules


class _TaintedSlices(NamedTuple):
    slices: tuple[DeviceSlice, ...]
    unknown_rules: frozenset[str]


def may_read_taint_rules(release: Release) -> bool:
    """Whether DeviceTaintRules count, or may: of a gate that is off by default it is not known unless somebody says."""
    return release.devices.reads_taint_rules or not release.decides(Gate.DRA_DEVICE_TAINT_RULES)


def _read_slices(snapshot: Snapshot) -> _TaintedSlices:
    found = [DeviceSlice.from_dict(each) for each in sorted(snapshot.objects(SLICE), key=name_of)]
    unknown, allowance = set(), Allowance()
    rules = snapshot.objects(TAINT_RULE) if may_read_taint_rules(snapshot.release) else ()
    for rule in sorted(rules, key=name_of):
        try:
            found = [_tainted(each, rule, snapshot, allowance) for each in found]
        except (CompileError, UnsupportedExpressionError):
            unknown.add(name_of(rule))
    return _TaintedSlices(tuple(found), frozenset(unknown))


def _tainted(each: DeviceSlice, rule: Document, snapshot: Snapshot, allowance: Allowance) -> DeviceSlice:
    """A slice with the taint of a rule on the devices that the rule selects."""
    spec, rules = rule.get("spec") or {}, snapshot.release.devices
    if spec.get("deviceSelector") is None and not rules.taints_without_selector:
        return each
    selector = spec.get("deviceSelector") or {}
    if not rules.selects_by_class:
        selector = {name: part for name, part in selector.items() if name in ("driver", "pool", "device")}
    if selector.get("driver") not in (None, each.driver) or selector.get("pool") not in (None, each.pool):
        return each
    expressions = list(expressions_of(selector))
    if selector.get("deviceClassName") is not None:
        found = snapshot.object(CLASS, str(selector["deviceClassName"]))
        if found is None:
            return each
        expressions = [*expressions_of(found.get("spec") or {}), *expressions]
    dialect = snapshot.release.dialect
    selectors = [compiled(expression, dialect) for expression in expressions if expression is not None]
    taint = Taint.from_dict(spec.get("taint") or {})
    added = str((spec.get("taint") or {}).get("timeAdded") or "")
    return replace(
        each,
        devices=tuple(
            replace(device, taints=(*device.taints, taint), taints_added=(*device.taints_added, added), is_ruled=True)
            if _is_selected(each, device, selector.get("device"), selectors, allowance)
            else device
            for device in each.devices
        ),
    )


def _is_selected(
    each: DeviceSlice, device: Device, name: str | None, selectors: Sequence[Selector], allowance: Allowance
) -> bool:
    if name not in (None, device.name):
        return False
    try:
        return all(one.matches(each.driver, device, allowance) for one in selectors)
    except EvaluationError:
        return False
