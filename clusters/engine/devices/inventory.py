"""What drivers offer: devices with their attributes, capacities, counters and taints, slice by slice.

Upstream: ``ResourceSlice`` of ``k8s.io/api/resource/v1`` v0.34.1. The API server does not store the fields of features
that are turned off: where a slice has taints or counters, the scheduler of the cluster goes by them.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.devices.capacity import RequestPolicy, exact
from clusters.engine.devices.node_resources import NodeResource
from clusters.engine.matching.selectors import NodeSelector
from clusters.engine.matching.taints import Taint
from clusters.engine.objects import name_of
from clusters.engine.resources.quantity import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from clusters.engine.objects import Document
    from clusters.engine.resources.quantity import Quantity


class DeviceId(NamedTuple):
    """A device by the names of its driver and pool, and its own."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


class AttributeType(enum.StrEnum):
    """The field in which an attribute holds its value."""

    INT = "int"
    BOOL = "bool"
    STRING = "string"
    VERSION = "version"


# The fields in which an attribute holds several values.
_LISTS: Final = ("ints", "bools", "strings", "versions")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a device; a version is a text as semver.org writes it."""

    type: AttributeType
    value: int | bool | str

    def __str__(self) -> str:
        return str(self.value).lower() if self.type is AttributeType.BOOL else str(self.value)


@dataclass(frozen=True, slots=True)
class CounterUse:
    """What a device takes of one counter of its slice while it is allocated."""

    counter_set: str
    counter: str
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Reach:
    """From which nodes a slice or a device can be used: one by name, all, or those that a selector matches."""

    node_name: str = ""
    all_nodes: bool = False
    selector: NodeSelector | None = None

    @property
    def is_known(self) -> bool:
        """Whether anything is said of nodes at all."""
        return bool(self.node_name or self.all_nodes or self.selector is not None)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Reach:
        """Read the three fields that slices and devices have in common."""
        selector = fields.get("nodeSelector")
        return cls(
            str(fields.get("nodeName") or ""),
            bool(fields.get("allNodes")),
            None if selector is None else NodeSelector.from_dict(selector),
        )


@dataclass(frozen=True)
class Device:
    """One device of a slice; names of attributes and capacities as the driver writes them, with a domain or without.

    ``policies``: what requests of a capacity may consume, where the driver says so. ``taints_added`` says of each taint
    when it was added, in RFC 3339, empty where that is not told. ``is_shared``: it allows multiple allocations.
    Pods are bound only once its ``conditions`` hold, and not at all where one of ``failures`` does. ``binds_to_node``:
    once allocated it can be used from the node alone that it was allocated for. ``groups``: the compatibility groups
    that it names for each counter set from which it takes, without those that it names none for. ``lists``: attributes
    with several values, which are not in ``attributes``. ``is_ruled``: a DeviceTaintRule taints it.
    ``node_resources``: what it takes of its node's own resources; ``has_early_mappings``: it says so as in 1.36.
    """

    name: str
    attributes: Mapping[str, Attribute]
    capacity: Mapping[str, Quantity]
    taints: tuple[Taint, ...] = ()
    taints_added: tuple[str, ...] = ()
    uses: tuple[CounterUse, ...] = ()
    reach: Reach = Reach()
    is_shared: bool = False
    conditions: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    binds_to_node: bool = False
    policies: Mapping[str, RequestPolicy] = field(default_factory=dict)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    is_ruled: bool = False
    node_resources: tuple[NodeResource, ...] = ()
    has_early_mappings: bool = False

    @property
    def has_conditions(self) -> bool:
        """Whether binding waits for it."""
        return bool(self.conditions)

    @cached_property
    def amounts(self) -> Mapping[str, Fraction]:
        """Its capacities, exact."""
        return {name: exact(amount) for name, amount in self.capacity.items()}


@dataclass(frozen=True)
class DeviceSlice:
    """One ResourceSlice: part of a pool of devices. ``counters`` are what it offers of each, by counter set and name.

    ``has_reach_by_device``: each device says itself from which nodes it can be used. ``skipped_operations``: what
    kubelets leave out for its devices, if they know how.
    """

    name: str
    driver: str
    pool: str
    generation: int
    slice_count: int
    reach: Reach
    has_reach_by_device: bool
    devices: tuple[Device, ...]
    counters: Mapping[tuple[str, str], Fraction]
    skipped_operations: tuple[str, ...] = ()

    @property
    def has_groups(self) -> bool:
        """Whether any of its devices names compatibility groups."""
        return any(device.groups for device in self.devices)

    @cached_property
    def ids(self) -> tuple[DeviceId, ...]:
        """The names of the devices, in their order."""
        return tuple(self.id_of(device) for device in self.devices)

    def id_of(self, device: Device) -> DeviceId:
        """The names of a device."""
        return DeviceId(self.driver, self.pool, device.name)

    @classmethod
    def from_dict(cls, document: Document) -> DeviceSlice:
        """Read a ResourceSlice of resource.k8s.io/v1. Raises QuantityError, SelectorError."""
        spec = document.get("spec") or {}
        pool = spec.get("pool") or {}
        return cls(
            name=name_of(document),
            driver=str(spec.get("driver") or ""),
            pool=str(pool.get("name") or ""),
            generation=int(pool.get("generation") or 0),
            slice_count=int(pool.get("resourceSliceCount") or 0),
            reach=Reach.from_dict(spec),
            has_reach_by_device=bool(spec.get("perDeviceNodeSelection")),
            devices=tuple(_device(each) for each in spec.get("devices") or ()),
            counters={
                (str(held.get("name")), str(counter)): exact(parsed((amount or {}).get("value", 0)))
                for held in spec.get("sharedCounters") or ()
                for counter, amount in (held.get("counters") or {}).items()
            },
            skipped_operations=tuple(map(str, spec.get("skipNodeOperations") or ())),
        )


def _device(fields: Mapping[str, Any]) -> Device:
    return Device(
        name=str(fields.get("name") or ""),
        attributes={str(name): attribute for name, attribute in _attributes(fields.get("attributes") or {})},
        capacity={
            str(name): parsed((held or {}).get("value", 0)) for name, held in (fields.get("capacity") or {}).items()
        },
        taints=tuple(Taint.from_dict(taint) for taint in fields.get("taints") or ()),
        taints_added=tuple(str(taint.get("timeAdded") or "") for taint in fields.get("taints") or ()),
        uses=tuple(
            CounterUse(str(use.get("counterSet")), str(counter), exact(parsed((amount or {}).get("value", 0))))
            for use in fields.get("consumesCounters") or ()
            for counter, amount in (use.get("counters") or {}).items()
        ),
        reach=Reach.from_dict(fields),
        is_shared=bool(fields.get("allowMultipleAllocations")),
        conditions=tuple(map(str, fields.get("bindingConditions") or ())),
        failures=tuple(map(str, fields.get("bindingFailureConditions") or ())),
        binds_to_node=bool(fields.get("bindsToNode")),
        policies={
            str(name): RequestPolicy.from_dict(held["requestPolicy"])
            for name, held in (fields.get("capacity") or {}).items()
            if (held or {}).get("requestPolicy")
        },
        groups={
            str(use.get("counterSet")): frozenset(map(str, use["compatibilityGroups"]))
            for use in fields.get("consumesCounters") or ()
            if use.get("compatibilityGroups")
        },
        node_resources=tuple(
            NodeResource.from_dict(str(name), held or {})
            for name, held in sorted((fields.get("nodeAllocatableResources") or {}).items())
        ),
        has_early_mappings=bool(fields.get("nodeAllocatableResourceMappings")),
        lists=frozenset(
            str(name)
            for name, held in (fields.get("attributes") or {}).items()
            if any((held or {}).get(kind) for kind in _LISTS)
        ),
    )


def _attributes(fields: Mapping[str, Any]) -> Iterator[tuple[str, Attribute]]:
    for name, held in fields.items():
        for kind in AttributeType:
            value = (held or {}).get(kind.value)
            if value is not None:
                yield name, Attribute(kind, value)
                break
