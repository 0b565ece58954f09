"""One Kubernetes minor: its in-tree plugins, its default profile, its gates and rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.resources.requests import Counting
from clusters.engine.versions.device_rules import Dialect
from clusters.engine.versions.gates import Gate, dependencies_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.versions.configuration_rules import ConfigurationRules
    from clusters.engine.versions.device_rules import DeviceRules
    from clusters.engine.versions.points import ExtensionPoint
    from clusters.engine.versions.rules import Rules

# The name of a plugin, its weight (0: none given), and the gate that brings it (None: it is always there).
DefaultPlugin = tuple[str, int, Gate | None]

# From 1.37 any of these alone has kube-scheduler take its newest allocator.
_OF_NEWEST_ALLOCATOR: Final = (
    Gate.DRA_DERIVED_ATTRIBUTES,
    Gate.DRA_DEVICE_COMPATIBILITY_GROUPS,
    Gate.DRA_LIST_ATTRIBUTES,
)


@dataclass(frozen=True, slots=True)
class Patch:
    """What a minor does otherwise from its patch ``first`` on: some of its rules, and of those for devices.

    ``compared``: the release with whose answers Berth's are compared then; empty: none.
    """

    first: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    device_rules: Mapping[str, Any] = field(default_factory=dict)
    compared: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """One Kubernetes minor, as its kube-scheduler decides with these feature gates.

    ``minor``: as in ``1.36``. ``compared``: the release with whose answers Berth's are compared. ``points``: the
    extension points of every in-tree plugin. ``plugins``: the default plugins in their order. ``removed``: plugins of
    earlier minors, refused by name, and their successors. ``known_gates``: those that the minor has, with their
    defaults; ``gates``: as they are; ``told``: those that somebody set. ``configuration``: what a
    configuration may hold. ``patches``: what later patches do otherwise, in their order; ``patch``: the last of them
    that counts, 0 for none.
    """

    minor: str
    compared: str
    points: Mapping[str, frozenset[ExtensionPoint]]
    plugins: tuple[DefaultPlugin, ...]
    removed: Mapping[str, str]
    rules: Rules
    device_rules: DeviceRules
    known_gates: Mapping[Gate, bool]
    gates: Mapping[Gate, bool]
    configuration: ConfigurationRules
    told: frozenset[Gate] = frozenset()
    patches: tuple[Patch, ...] = ()
    patch: int = 0

    @property
    def first_version(self) -> str:
        """The first version that decides like this, as in ``1.36.4``."""
        return f"{self.minor}.{self.patch}"

    @property
    def newest_patch(self) -> Release:
        """The same minor as its latest patch decides."""
        return self.patched(self.patches[-1].first) if self.patches else self

    def patched(self, patch: int) -> Release:
        """The same minor as one of its patches decides."""
        found = self
        for each in self.patches:
            if found.patch < each.first <= patch:
                found = replace(
                    found,
                    patch=each.first,
                    compared=each.compared or found.compared,
                    rules=replace(found.rules, **each.rules),
                    device_rules=replace(found.device_rules, **each.device_rules),
                )
        return found

    @property
    def multi_point(self) -> tuple[tuple[str, int], ...]:
        """The default plugins in their order, with their weights (0: none given)."""
        return tuple((name, weight) for name, weight, gate in self.plugins if gate is None or self.enables(gate))

    def enables(self, gate: Gate) -> bool:
        """Whether a feature gate counts as on: one that the minor does not have is off, as is one that needs such."""
        return self.gates.get(gate, False) and all(map(self.enables, dependencies_of(gate)))

    def decides(self, gate: Gate) -> bool:
        """Whether it is known how a feature gate is: one that is off by default may be on without being seen."""
        if self.enables(gate) or gate in self.told or gate not in self.known_gates:
            return True
        return any(each in self.told and not self.enables(each) for each in dependencies_of(gate))

    @property
    def devices(self) -> DeviceRules:
        """How devices are searched for."""
        compares_groups = self.enables(Gate.DRA_DEVICE_COMPATIBILITY_GROUPS)
        asks_nodes_to_skip = self.enables(Gate.DRA_OPTIONAL_NODE_OPERATIONS)
        return replace(
            self.device_rules,
            reads_taints=self._reads(Gate.DRA_DEVICE_TAINTS),
            reads_taint_rules=self._reads(self._of_taint_rules),
            reads_counters=self._reads(Gate.DRA_PARTITIONABLE_DEVICES),
            waits_for_conditions=self.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS),
            shares_capacity=self.enables(Gate.DRA_CONSUMABLE_CAPACITY),
            counts_in_thousandths=self.enables(Gate.DRA_FRACTIONAL_CAPACITY),
            compares_groups=compares_groups,
            passes_over_groups=not compares_groups and Gate.DRA_DEVICE_COMPATIBILITY_GROUPS in self.known_gates,
            asks_nodes_to_skip=asks_nodes_to_skip,
            gives_no_skipping=not asks_nodes_to_skip
            and Gate.DRA_OPTIONAL_NODE_OPERATIONS in self.known_gates
            and any(map(self.enables, _OF_NEWEST_ALLOCATOR)),
            knows_distinct_attributes=self.device_rules.knows_distinct_attributes
            or self.enables(Gate.DRA_CONSUMABLE_CAPACITY)
            or self.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS),
        )

    @property
    def dialect(self) -> Dialect:
        """Which CEL expressions are written in."""
        is_free = self.device_rules.types_attributes_freely or self.enables(Gate.DRA_LIST_ATTRIBUTES)
        return Dialect(self.minor, is_free)

    def _reads(self, gate: Gate) -> bool:
        """Whether what is there of devices only where a gate is on counts."""
        return self.enables(gate) or (self.device_rules.presumes_gates and gate not in self.told)

    @property
    def _of_taint_rules(self) -> Gate:
        """The gate by which DeviceTaintRules count."""
        own = Gate.DRA_DEVICE_TAINT_RULES
        return own if own in self.known_gates else Gate.DRA_DEVICE_TAINTS

    @property
    def counting(self) -> Counting:
        """How placed pods count that are resized."""
        # The scheduler itself writes into a pod's status what devices take of its node, where it counts them.
        adds_devices = self.enables(Gate.DRA_NODE_RESOURCES) or not self.decides(Gate.DRA_NODE_RESOURCES)
        return Counting(self.rules.counts_whole_pods, self.enables(Gate.POD_LEVEL_IN_PLACE_RESIZE), adds_devices)

    @property
    def changed_gates(self) -> dict[str, bool]:
        """The gates that are not as the minor has them by default, by name."""
        found = ((gate, self.enables(gate), default) for gate, default in self.known_gates.items())
        return {gate.value: is_on for gate, is_on, default in found if is_on != default}

    def with_gates(self, changed: Mapping[Gate, bool]) -> Release:
        """The same minor with some gates set; those that it does not have stay off."""
        known = {gate: is_on for gate, is_on in changed.items() if gate in self.known_gates}
        return replace(self, gates={**self.gates, **known}, told=self.told | known.keys())
