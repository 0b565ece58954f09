"""What differs from one Kubernetes minor to the next, as data: plugins, default profiles, feature gates, rules."""

from __future__ import annotations

import re
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.problems import Chosen, InvalidValue, NotOneOf, Problem, ProblemError, message
from clusters.engine.resources import Counting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# What KubeSchedulerConfiguration may hold in one Kubernetes minor and not in another.
#
# Upstream: ``pkg/scheduler/apis/config``, its ``v1`` and ``validation``, and the plugins' ``registry.go``, of the
# release that each minor is compared with. All of them read ``kubescheduler.config.k8s.io/v1`` alone, and take the same
# flags of kube-scheduler's own.


class ConfigurationRules(Struct, frozen=True):
    """The fields of one minor beside those that every minor has.

    ``plugin_sets``: of extension points for groups of pods, which are read and not computed. ``arguments``: of plugins.
    ``percentages``: fields of the whole and of each profile beside percentageOfNodesToScore, read and not computed, and
    the gates that they need.
    ``forbids_idle_ratio``: whether NodeResourcesFit takes requestedToCapacityRatio for the strategy of that name alone.
    ``in_tree``: plugins whose names nobody else's plugins may have any more, beside those that take part here.
    """

    plugin_sets: tuple[str, ...] = ()
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    percentages: Mapping[str, Gate] = field(default_factory=lambda: MappingProxyType({}))
    forbids_idle_ratio: bool = False
    in_tree: frozenset[str] = frozenset()


# How devices are searched for in one Kubernetes minor, with its gates.


class Dialect(NamedTuple):
    """What of CEL a minor's scheduler has; ``has_dynamic_attributes``: what attributes are is not known beforehand."""

    minor: str
    has_dynamic_attributes: bool = False


class DeviceRules(Struct, frozen=True):
    """The rules of the search for devices.

    ``presumes_gates``: taints and counters of devices are read unless their gates are said to be off (1.34). Off by
    default, they let the API server keep neither, so that where a cluster has any, its scheduler reads them.
    ``reads_taints``, ``reads_counters``: as the gates DRADeviceTaints and DRAPartitionableDevices say.
    ``reads_every_effect``: taints keep devices from being allocated whatever their effect (until 1.34).
    ``reads_taint_rules``: as the gate DRADeviceTaintRules says, before there was one (until 1.34) as DRADeviceTaints.
    ``selects_by_class``: a DeviceTaintRule may select by a class and by expressions (until 1.34).
    ``taints_without_selector``: a DeviceTaintRule without a selector taints every device (until 1.36), not none.
    ``sees_whole_pools``: whether a pool is complete, and which counters it has, goes by all of its slices, also those
    of other nodes; pools that are not are passed over (from 1.35). Before, counters are those of a device's own slice.
    ``includes_counter_slices``: slices of counters count as reached from every node (until 1.36).
    ``shares_counters_by_name``: pools of several drivers that have one name have the counters of the first of them
    (1.35, and 1.36 until its patch 3).
    ``gives_everything_back``: what a device took is given back when something turns it down, the devices of a request
    go in their order, and an alternative is kept until it is done (from 1.36).
    ``counts_by_request``: a claim that asks for too many devices is refused at the request that is too much (from
    1.36.5).
    ``explains_errors``: of an expression that cannot be evaluated the scheduler names the device, and says what helps
    where a key is missing (from 1.37).
    ``types_attributes_freely``: expressions are checked as if attributes could be anything, lists too (from 1.37; in
    1.36 as the gate DRAListTypeAttributes says).
    ``has_both_names_of_classes``: a class stands for the extended resource that it names and for the one of its own
    name, and a node's device plugin counts only where it offers some of the resource (from 1.35).
    ``shares_capacity``, ``waits_for_conditions``: as the gates DRAConsumableCapacity and DRADeviceBindingConditions
    say; ``counts_in_thousandths``: as DRAFractionalCapacityRange says.
    ``compares_groups``: of a counter set devices are taken together only if they have a compatibility group in common,
    as the gate DRADeviceCompatibilityGroups says; ``passes_over_groups``: where that is off, slices with groups count
    as not there (from 1.37).
    ``asks_nodes_to_skip``: devices whose node operations are skipped go to nodes that declare that they can, as the
    gate DRAOptionalNodeOperations says; ``gives_no_skipping``: where that is off and the scheduler takes its newest
    allocator for another gate, they are never allocated.
    ``knows_distinct_attributes``: where no gate of a new feature is on, constraints of distinctAttribute are an error,
    and capacities that are requested count for nothing (False from 1.35; the allocator is then another one).
    ``counts_every_share``: distinctAttribute compares all devices of a request; allocationMode All is for all devices
    that are large enough, whatever is left of them; and of a shared device that nothing is consumed of the counters
    are taken once too (from 1.37).
    ``refuses_uncountable``: a request of a capacity that is negative, or more than int64 holds where it is rounded to
    steps, ends the cycle in an error (from 1.37).
    ``takes_of_nodes``: devices say what they take of their node's resources by mapping and overhead (from 1.37).
    ``knows_owning_groups``: of a claim that is another pod's it is said otherwise, as claims may be a group's (from
    1.36).
    ``fails_whole_cycles``: a request for all devices ends the cycle where a pool is incomplete or invalid (until 1.37),
    not the node alone.
    ``qualifies_capacities``: capacities are told apart by domain and name, whether or not the driver's own domain is
    written out; errors name them so, and what of a request is negative (from 1.38).
    ``refuses_negative_shares``: a claim that has consumed a negative amount of a capacity ends the cycle (from 1.38).
    ``keeps_shared_devices``: a device of which claims have shares is given to nobody alone once it is no longer to be
    shared (from 1.38).
    ``ignores_builds``: constraints compare versions without their build (from 1.38).
    """

    presumes_gates: bool = True
    reads_taints: bool = True
    reads_every_effect: bool = True
    reads_taint_rules: bool = True
    reads_counters: bool = True
    selects_by_class: bool = True
    taints_without_selector: bool = True
    sees_whole_pools: bool = False
    includes_counter_slices: bool = True
    shares_counters_by_name: bool = False
    gives_everything_back: bool = False
    counts_by_request: bool = False
    explains_errors: bool = False
    types_attributes_freely: bool = False
    has_both_names_of_classes: bool = False
    shares_capacity: bool = False
    counts_in_thousandths: bool = False
    compares_groups: bool = False
    passes_over_groups: bool = False
    asks_nodes_to_skip: bool = False
    gives_no_skipping: bool = False
    waits_for_conditions: bool = False
    knows_distinct_attributes: bool = True
    counts_every_share: bool = False
    refuses_uncountable: bool = False
    takes_of_nodes: bool = False
    knows_owning_groups: bool = False
    fails_whole_cycles: bool = True
    qualifies_capacities: bool = False
    refuses_negative_shares: bool = False
    keeps_shared_devices: bool = False
    ignores_builds: bool = False


# Feature gates that change where a pod goes or what is said of it, and their defaults in each Kubernetes minor.
#
# Upstream: ``pkg/features/kube_features.go``. A gate that a minor does not have is missing from its table, and off.


class Gate(StrEnum):
    """A feature gate, by its name."""

    COMPOSITE_POD_GROUP = "CompositePodGroup"
    DRA_ADMIN_ACCESS = "DRAAdminAccess"
    DRA_CLAIM_DEVICE_STATUS = "DRAResourceClaimDeviceStatus"
    DRA_CONSUMABLE_CAPACITY = "DRAConsumableCapacity"
    DRA_DERIVED_ATTRIBUTES = "DRADerivedAttributes"
    DRA_DEVICE_BINDING_CONDITIONS = "DRADeviceBindingConditions"
    DRA_DEVICE_COMPATIBILITY_GROUPS = "DRADeviceCompatibilityGroups"
    DRA_DEVICE_TAINT_RULES = "DRADeviceTaintRules"
    DRA_DEVICE_TAINTS = "DRADeviceTaints"
    DRA_EXTENDED_RESOURCE = "DRAExtendedResource"
    DRA_FRACTIONAL_CAPACITY = "DRAFractionalCapacityRange"
    DRA_LIST_ATTRIBUTES = "DRAListTypeAttributes"
    DRA_NODE_RESOURCES = "DRANodeAllocatableResources"
    DRA_OPTIONAL_NODE_OPERATIONS = "DRAOptionalNodeOperations"
    DRA_PARTITIONABLE_DEVICES = "DRAPartitionableDevices"
    DRA_PRIORITIZED_LIST = "DRAPrioritizedList"
    DRA_WORKLOAD_CLAIMS = "DRAWorkloadResourceClaims"
    # GangScheduling by name: the gate is called as the plugin that it brings.
    GANG_SCHEDULING = "GangScheduling"
    GENERIC_WORKLOAD = "GenericWorkload"
    # NodeDeclaredFeatures by name: the gate is called as the plugin that it brings.
    NODE_DECLARED_FEATURES = "NodeDeclaredFeatures"
    NOMINATES_BEFORE_BINDING = "NominatedNodeNameForExpectation"
    OPPORTUNISTIC_BATCHING = "OpportunisticBatching"
    POD_GROUP_PREEMPTION_POLICY = "PodGroupPreemptionPolicy"
    RESIZE_PREEMPTION = "InPlacePodVerticalScalingSchedulerPreemption"
    POD_LEVEL_IN_PLACE_RESIZE = "InPlacePodLevelResourcesVerticalScaling"
    STORAGE_CAPACITY_SCORING = "StorageCapacityScoring"
    TAINT_COMPARISON_OPERATORS = "TaintTolerationComparisonOperators"
    TOPOLOGY_AWARE_WORKLOADS = "TopologyAwareWorkloadScheduling"
    VOLUME_LIMIT_SCALING = "VolumeLimitScaling"
    WORKLOAD_AWARE_PREEMPTION = "WorkloadAwarePreemption"


class GateStage(StrEnum):
    """How far a feature is."""

    ALPHA = "alpha"
    BETA = "beta"
    STABLE = "stable"


_1_34: Final = {
    Gate.DRA_ADMIN_ACCESS: True,
    Gate.DRA_CLAIM_DEVICE_STATUS: True,
    Gate.DRA_CONSUMABLE_CAPACITY: False,
    Gate.DRA_DEVICE_BINDING_CONDITIONS: False,
    Gate.DRA_DEVICE_TAINTS: False,
    Gate.DRA_EXTENDED_RESOURCE: False,
    Gate.DRA_PARTITIONABLE_DEVICES: False,
    Gate.DRA_PRIORITIZED_LIST: True,
    Gate.NOMINATES_BEFORE_BINDING: False,
    Gate.STORAGE_CAPACITY_SCORING: False,
}
_1_35: Final = {
    **_1_34,
    Gate.DRA_DEVICE_TAINT_RULES: False,
    Gate.GANG_SCHEDULING: False,
    Gate.GENERIC_WORKLOAD: False,
    Gate.NODE_DECLARED_FEATURES: False,
    Gate.NOMINATES_BEFORE_BINDING: True,
    Gate.OPPORTUNISTIC_BATCHING: True,
    Gate.POD_LEVEL_IN_PLACE_RESIZE: False,
    Gate.TAINT_COMPARISON_OPERATORS: False,
    Gate.VOLUME_LIMIT_SCALING: False,
}
_1_36: Final = {
    **_1_35,
    Gate.DRA_CONSUMABLE_CAPACITY: True,
    Gate.DRA_DEVICE_BINDING_CONDITIONS: True,
    Gate.DRA_DEVICE_TAINTS: True,
    Gate.DRA_EXTENDED_RESOURCE: True,
    Gate.DRA_LIST_ATTRIBUTES: False,
    Gate.DRA_NODE_RESOURCES: False,
    Gate.DRA_PARTITIONABLE_DEVICES: True,
    Gate.DRA_WORKLOAD_CLAIMS: False,
    Gate.NODE_DECLARED_FEATURES: True,
    Gate.POD_LEVEL_IN_PLACE_RESIZE: True,
    Gate.TOPOLOGY_AWARE_WORKLOADS: False,
    Gate.WORKLOAD_AWARE_PREEMPTION: False,
}
_1_37: Final[dict[Gate, bool]] = {
    **{
        gate: is_on
        for gate, is_on in _1_36.items()
        # 1.37 does what both say wherever it knows groups of pods.
        if gate not in (Gate.GANG_SCHEDULING, Gate.WORKLOAD_AWARE_PREEMPTION)
    },
    Gate.COMPOSITE_POD_GROUP: False,
    Gate.DRA_DERIVED_ATTRIBUTES: False,
    Gate.DRA_DEVICE_COMPATIBILITY_GROUPS: False,
    Gate.DRA_DEVICE_TAINT_RULES: True,
    # On by default only where the scheduler is started with --min-compatibility-version=1.37.
    Gate.DRA_FRACTIONAL_CAPACITY: False,
    Gate.DRA_OPTIONAL_NODE_OPERATIONS: False,
    Gate.POD_GROUP_PREEMPTION_POLICY: False,
    Gate.RESIZE_PREEMPTION: False,
    Gate.STORAGE_CAPACITY_SCORING: True,
    Gate.VOLUME_LIMIT_SCALING: True,
}

_1_38: Final[dict[Gate, bool]] = {
    **{gate: is_on for gate, is_on in _1_37.items() if gate is not Gate.POD_GROUP_PREEMPTION_POLICY},
    Gate.DRA_FRACTIONAL_CAPACITY: True,
}

DEFAULTS: Final[Mapping[str, Mapping[Gate, bool]]] = MappingProxyType(
    {"1.34": _1_34, "1.35": _1_35, "1.36": _1_36, "1.37": _1_37, "1.38": _1_38}
)

# Gates that count only where others are on too; kube-scheduler does not start with one of them alone.
_DEPENDENCIES: Final[Mapping[Gate, frozenset[Gate]]] = {
    Gate.COMPOSITE_POD_GROUP: frozenset({Gate.GENERIC_WORKLOAD, Gate.TOPOLOGY_AWARE_WORKLOADS}),
    Gate.DRA_DEVICE_BINDING_CONDITIONS: frozenset({Gate.DRA_CLAIM_DEVICE_STATUS}),
    Gate.DRA_DEVICE_COMPATIBILITY_GROUPS: frozenset({Gate.DRA_PARTITIONABLE_DEVICES}),
    Gate.DRA_DEVICE_TAINT_RULES: frozenset({Gate.DRA_DEVICE_TAINTS}),
    Gate.DRA_FRACTIONAL_CAPACITY: frozenset({Gate.DRA_CONSUMABLE_CAPACITY}),
    Gate.DRA_OPTIONAL_NODE_OPERATIONS: frozenset({Gate.NODE_DECLARED_FEATURES}),
    Gate.DRA_WORKLOAD_CLAIMS: frozenset({Gate.GENERIC_WORKLOAD}),
    Gate.GANG_SCHEDULING: frozenset({Gate.GENERIC_WORKLOAD}),
    Gate.POD_GROUP_PREEMPTION_POLICY: frozenset({Gate.GENERIC_WORKLOAD}),
    Gate.TOPOLOGY_AWARE_WORKLOADS: frozenset({Gate.GENERIC_WORKLOAD}),
    Gate.WORKLOAD_AWARE_PREEMPTION: frozenset({Gate.GANG_SCHEDULING}),
}

# Gates that are not alpha, by the minor from which they are beta and stable; every other gate is alpha.
_STAGES: Final[Mapping[Gate, Mapping[str, GateStage]]] = {
    Gate.COMPOSITE_POD_GROUP: {"1.38": GateStage.BETA},
    Gate.DRA_ADMIN_ACCESS: {"1.34": GateStage.BETA, "1.36": GateStage.STABLE},
    Gate.DRA_CLAIM_DEVICE_STATUS: {"1.34": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_CONSUMABLE_CAPACITY: {"1.36": GateStage.BETA, "1.38": GateStage.STABLE},
    Gate.DRA_DEVICE_BINDING_CONDITIONS: {"1.36": GateStage.BETA, "1.38": GateStage.STABLE},
    Gate.DRA_DEVICE_TAINT_RULES: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_DEVICE_TAINTS: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_EXTENDED_RESOURCE: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_FRACTIONAL_CAPACITY: {"1.37": GateStage.BETA, "1.38": GateStage.STABLE},
    Gate.DRA_PARTITIONABLE_DEVICES: {"1.36": GateStage.BETA, "1.38": GateStage.STABLE},
    Gate.DRA_PRIORITIZED_LIST: {"1.34": GateStage.BETA, "1.36": GateStage.STABLE},
    Gate.DRA_WORKLOAD_CLAIMS: {"1.37": GateStage.BETA},
    Gate.GENERIC_WORKLOAD: {"1.37": GateStage.BETA},
    Gate.NODE_DECLARED_FEATURES: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.NOMINATES_BEFORE_BINDING: {"1.35": GateStage.BETA},
    Gate.OPPORTUNISTIC_BATCHING: {"1.35": GateStage.BETA},
    Gate.POD_LEVEL_IN_PLACE_RESIZE: {"1.36": GateStage.BETA},
    Gate.STORAGE_CAPACITY_SCORING: {"1.37": GateStage.BETA},
    Gate.TOPOLOGY_AWARE_WORKLOADS: {"1.38": GateStage.BETA},
    Gate.VOLUME_LIMIT_SCALING: {"1.37": GateStage.BETA},
}

# By the minor from which on they are locked.
_LOCKED: Final[Mapping[str, frozenset[Gate]]] = {
    "1.36": frozenset({Gate.DRA_ADMIN_ACCESS}),
    "1.37": frozenset(
        {
            Gate.DRA_CLAIM_DEVICE_STATUS,
            Gate.DRA_EXTENDED_RESOURCE,
            Gate.DRA_PRIORITIZED_LIST,
            Gate.NODE_DECLARED_FEATURES,
        }
    ),
    "1.38": frozenset(
        {
            Gate.DRA_DEVICE_BINDING_CONDITIONS,
            Gate.DRA_DEVICE_TAINT_RULES,
            Gate.DRA_DEVICE_TAINTS,
            Gate.DRA_PARTITIONABLE_DEVICES,
        }
    ),
}

# Those that Berth's answers follow; what the others decide is not computed, whichever way they are set.
COMPUTED: Final = frozenset(
    {
        Gate.DRA_ADMIN_ACCESS,
        Gate.DRA_CLAIM_DEVICE_STATUS,
        Gate.DRA_CONSUMABLE_CAPACITY,
        Gate.DRA_DEVICE_BINDING_CONDITIONS,
        Gate.DRA_DEVICE_COMPATIBILITY_GROUPS,
        Gate.DRA_DEVICE_TAINT_RULES,
        Gate.DRA_DEVICE_TAINTS,
        Gate.DRA_EXTENDED_RESOURCE,
        Gate.DRA_FRACTIONAL_CAPACITY,
        Gate.DRA_NODE_RESOURCES,
        Gate.DRA_OPTIONAL_NODE_OPERATIONS,
        Gate.DRA_PARTITIONABLE_DEVICES,
        Gate.DRA_PRIORITIZED_LIST,
        Gate.DRA_WORKLOAD_CLAIMS,
        Gate.GANG_SCHEDULING,
        Gate.GENERIC_WORKLOAD,
        Gate.NODE_DECLARED_FEATURES,
        Gate.NOMINATES_BEFORE_BINDING,
        Gate.POD_LEVEL_IN_PLACE_RESIZE,
        Gate.RESIZE_PREEMPTION,
        Gate.STORAGE_CAPACITY_SCORING,
        Gate.TAINT_COMPARISON_OPERATORS,
        Gate.TOPOLOGY_AWARE_WORKLOADS,
        Gate.VOLUME_LIMIT_SCALING,
    }
)


def stage_of(gate: Gate, minor: str) -> GateStage:
    """Return how far the feature of a gate is in a minor that has it."""
    reached = [stage for since, stage in _STAGES.get(gate, {}).items() if _number(since) <= _number(minor)]
    return reached[-1] if reached else GateStage.ALPHA


def dependencies_of(gate: Gate) -> frozenset[Gate]:
    """Return the gates that have to be on for a gate to count."""
    return _DEPENDENCIES.get(gate, frozenset())


def is_locked(gate: Gate, minor: str) -> bool:
    """Tell whether a minor's scheduler does not start with another value of a gate than its default."""
    return any(gate in locked for since, locked in _LOCKED.items() if _number(since) <= _number(minor))


def _number(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))


# The extension points of kube-scheduler.


class ExtensionPoint(StrEnum):
    """Where plugins take part in scheduling, by the name of the field in a configuration."""

    PRE_ENQUEUE = "preEnqueue"
    QUEUE_SORT = "queueSort"
    PRE_FILTER = "preFilter"
    FILTER = "filter"
    POST_FILTER = "postFilter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    RESERVE = "reserve"
    PERMIT = "permit"
    PRE_BIND = "preBind"
    BIND = "bind"
    POST_BIND = "postBind"


# One Kubernetes minor: its in-tree plugins, its default profile, its gates and rules.

# The name of a plugin, its weight (0: none given), and the gate that brings it (None: it is always there).
DefaultPlugin = tuple[str, int, Gate | None]

# From 1.37 any of these alone has kube-scheduler take its newest allocator.
_OF_NEWEST_ALLOCATOR: Final = (
    Gate.DRA_DERIVED_ATTRIBUTES,
    Gate.DRA_DEVICE_COMPATIBILITY_GROUPS,
    Gate.DRA_LIST_ATTRIBUTES,
)


class Patch(Struct, frozen=True):
    """What a minor does otherwise from its patch ``first`` on: some of its rules, and of those for devices.

    ``compared``: the release with whose answers Berth's are compared then; empty: none.
    """

    first: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    device_rules: Mapping[str, Any] = field(default_factory=dict)
    compared: str = ""


class Release(Struct, frozen=True):
    """One Kubernetes minor, as its kube-scheduler decides with these feature gates.

    ``minor``: as in ``1.36``. ``compared``: the release with whose answers Berth's are compared. ``points``: the
    extension points of every in-tree plugin; ``gated_points``: those at which a plugin takes part by default only with
    a gate on. ``plugins``: the default plugins in their order. ``removed``: plugins of earlier minors, refused by name,
    and their successors. ``known_gates``: those that the minor has, with their
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
    gated_points: Mapping[tuple[str, ExtensionPoint], Gate] = field(default_factory=lambda: MappingProxyType({}))
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
        own = Gate.DRA_DEVICE_TAINT_RULES
        return replace(
            self.device_rules,
            reads_taints=self._reads(Gate.DRA_DEVICE_TAINTS),
            reads_taint_rules=self._reads(own if own in self.known_gates else Gate.DRA_DEVICE_TAINTS),
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
    def counting(self) -> Counting:
        """How placed pods count that are resized."""
        # The scheduler itself writes into a pod's status what devices take of its node, where it counts them.
        adds_devices = self.enables(Gate.DRA_NODE_RESOURCES) or not self.decides(Gate.DRA_NODE_RESOURCES)
        return Counting(
            self.rules.counts_whole_pods,
            self.enables(Gate.POD_LEVEL_IN_PLACE_RESIZE),
            adds_devices,
            self.rules.ties_overhead_to_containers,
            self.rules.saturates,
        )

    @property
    def changed_gates(self) -> dict[str, bool]:
        """The gates that are not as the minor has them by default, by name."""
        found = ((gate, self.enables(gate), default) for gate, default in self.known_gates.items())
        return {gate.value: is_on for gate, is_on, default in found if is_on != default}

    def with_gates(self, changed: Mapping[Gate, bool]) -> Release:
        """The same minor with some gates set; those that it does not have stay off."""
        known = {gate: is_on for gate, is_on in changed.items() if gate in self.known_gates}
        return replace(self, gates={**self.gates, **known}, told=self.told | known.keys())


# What plugins do otherwise from one Kubernetes minor to the next, each by a name that its plugin reads.


class Rules(Struct, frozen=True):
    """The rules of one minor.

    ``features``: those of kubelets that NodeDeclaredFeatures looks at.
    ``names_taints``: TaintToleration's reason names the taint (until 1.34.1).
    ``counts_label_bytes``: of a label key or value that is too long it is said how many bytes it may have, and a key is
    called a label key (from 1.35).
    ``compares_unnamed_namespaces``: a namespaceSelector of the pod's own affinity terms that only excludes reaches
    every namespace (until 1.36), not those alone that it finds.
    ``balances_by_improvement``: NodeResourcesBalancedAllocation scores by how much the pod improves the balance of a
    node (from 1.36), not by the balance that there is with it.
    ``scores_image_volumes``: ImageLocality adds images that are mounted as volumes (from 1.36);
    ``counts_image_volumes``: and expects as much more of them (from 1.37).
    ``asks_nodes_about_portworx``: NodeVolumeLimits counts volumes of Portworx where the CSINode says that they have
    been migrated (until 1.35), not wherever there is a CSINode.
    ``asks_drivers_to_prevent``: NodeVolumeLimits rejects nodes without a CSI driver where the driver wants that
    (otherwise in 1.35 alone, where the gate VolumeLimitScaling is on).
    ``counts_whole_pods``: pods that are resized count as ``Counting.is_of_whole_pod`` says (from 1.37).
    ``scores_claims_by_position``: DynamicResources takes the allocations that it makes for those of the pod's first
    claims, and fails where a claim had devices before (1.35, until its patch 5).
    ``completes_pods_after_admission``: the API server derives what a pod requests and is limited to as a whole after
    LimitRanges gave its containers theirs (from 1.37).
    ``names_groups_in_workloads``: a pod names its group by a Workload, and a pod group of that (1.35 alone); from 1.36
    by a PodGroup.
    ``evaluates_groups_first``: of a group, pods are tried while enough can be reached, and preemption comes after all
    of them (from 1.37), not with each.
    ``tells_nodes_by_name``: a scheduler that starts is told of the nodes that are there by name, and searches them in
    that order, zone by zone in turn (until 1.34; later ones are told of these nodes in no order).
    ``takes_first_found``: of equally good nodes the first that a search found is taken (from 1.35), not a random one.
    ``names_preemptions``: the FailedScheduling text says where preemption makes room, and of how many pods (from 1.37).
    ``looks_at_victims_once``: of victims that have not started, the one that came first counts as started first (from
    1.37), not whichever a comparison looks at first.
    ``says_what_devices_lack``: DynamicResources' PostFilter has words for a pod whose claims it cannot free (until
    1.36).
    ``requeues_for_classes``: a DeviceClass that is added or changes requeues pods that NodeResourcesFit rejected, where
    classes stand for extended resources (from 1.35).
    ``requeues_for_deleted_claims``: a ResourceClaim that is deleted requeues pods that DynamicResources rejected (from
    1.37).
    ``scores_whole_pods``: NodeResourcesFit scores a pod by what it requests as a whole too, and by its status (from
    1.38), not by its containers alone.
    ``saturates``: quantities and sums of them stop at the ends of int64 (from 1.38), where they wrapped around.
    ``ties_overhead_to_containers``: what a device takes of its node for a container counts while that runs (from 1.38).
    ``counts_for_empty_selectors``: a topology spread constraint with an empty selector counts every pod (from 1.38).
    ``protects_by_empty_selectors``: preemption spares pods for a budget with an empty selector, and pods without labels
    (from 1.38).
    ``orders_victims_by_uid``: of equally important victims the one with the lower UID is spared first, and those that
    have not started are alike (from 1.38).
    ``expects_victims``: a node where a pod fits after all that may go came back is an error of preemption (until 1.37);
    later it is one without victims, which extenders may name.
    ``compares_exact_capacities``: VolumeBinding compares a claim with a CSIStorageCapacity exactly (from 1.38), not in
    whole bytes of int64.
    ``says_what_groups_lack``: of a group that lacks members it is said how many of them are unschedulable and not
    evaluated, and not that the group is unschedulable; a pod or group whose own group or ancestor failed is told which
    (from 1.38). Trees are compared down to their parts then, and labels without a value are no topology domain.
    ``ranks_nodes_by_victims``: where a group preempts, its pods go where the victims cost least; these have their own
    priority (from 1.38), until 1.37 that of their group.
    """

    features: frozenset[str] = frozenset()
    names_taints: bool = True
    counts_label_bytes: bool = False
    compares_unnamed_namespaces: bool = True
    balances_by_improvement: bool = False
    scores_image_volumes: bool = False
    counts_image_volumes: bool = False
    asks_nodes_about_portworx: bool = True
    asks_drivers_to_prevent: bool = True
    counts_whole_pods: bool = False
    scores_claims_by_position: bool = False
    completes_pods_after_admission: bool = False
    names_groups_in_workloads: bool = True
    evaluates_groups_first: bool = False
    tells_nodes_by_name: bool = True
    takes_first_found: bool = False
    names_preemptions: bool = False
    looks_at_victims_once: bool = False
    says_what_devices_lack: bool = True
    requeues_for_classes: bool = False
    requeues_for_deleted_claims: bool = False
    scores_whole_pods: bool = False
    saturates: bool = False
    ties_overhead_to_containers: bool = False
    counts_for_empty_selectors: bool = False
    protects_by_empty_selectors: bool = False
    orders_victims_by_uid: bool = False
    expects_victims: bool = True
    compares_exact_capacities: bool = False
    says_what_groups_lack: bool = False
    ranks_nodes_by_victims: bool = False


# What each Kubernetes minor brings: which in-tree plugins there are, where they take part, and the default profile.
#
# Upstream: the plugins' interfaces in ``pkg/scheduler/framework/plugins`` and the default set in
# ``pkg/scheduler/apis/config/v1/default_plugins.go``, of the release that each minor is compared with.

# Every plugin by name: the list of plugins, with their extension points, order and weights.
_PRE_ENQUEUE = ExtensionPoint.PRE_ENQUEUE
_PRE_FILTER = ExtensionPoint.PRE_FILTER
_FILTER = ExtensionPoint.FILTER
_POST_FILTER = ExtensionPoint.POST_FILTER
_PRE_SCORE = ExtensionPoint.PRE_SCORE
_SCORE = ExtensionPoint.SCORE
_RESERVE = ExtensionPoint.RESERVE
_PERMIT = ExtensionPoint.PERMIT
_PRE_BIND = ExtensionPoint.PRE_BIND

_POINTS: Final = {
    "SchedulingGates": frozenset({_PRE_ENQUEUE}),
    "PrioritySort": frozenset({ExtensionPoint.QUEUE_SORT}),
    "NodeUnschedulable": frozenset({_FILTER}),
    "NodeName": frozenset({_FILTER}),
    "TaintToleration": frozenset({_FILTER, _PRE_SCORE, _SCORE}),
    "NodeAffinity": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "NodePorts": frozenset({_PRE_FILTER, _FILTER}),
    "NodeResourcesFit": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "VolumeRestrictions": frozenset({_PRE_FILTER, _FILTER}),
    "NodeVolumeLimits": frozenset({_PRE_FILTER, _FILTER}),
    "VolumeBinding": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE, _RESERVE, _PRE_BIND}),
    "VolumeZone": frozenset({_PRE_FILTER, _FILTER}),
    "PodTopologySpread": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "InterPodAffinity": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "DynamicResources": frozenset({_PRE_ENQUEUE, _PRE_FILTER, _FILTER, _POST_FILTER, _RESERVE, _PRE_BIND}),
    "DefaultPreemption": frozenset({_PRE_ENQUEUE, _POST_FILTER}),
    "NodeResourcesBalancedAllocation": frozenset({_PRE_SCORE, _SCORE}),
    "ImageLocality": frozenset({_SCORE}),
    "DefaultBinder": frozenset({ExtensionPoint.BIND}),
}
_PLUGINS: Final = (
    ("SchedulingGates", 0, None),
    ("PrioritySort", 0, None),
    ("NodeUnschedulable", 0, None),
    ("NodeName", 0, None),
    ("TaintToleration", 3, None),
    ("NodeAffinity", 2, None),
    ("NodePorts", 0, None),
    ("NodeResourcesFit", 1, None),
    ("VolumeRestrictions", 0, None),
    ("NodeVolumeLimits", 0, None),
    ("VolumeBinding", 0, None),
    ("VolumeZone", 0, None),
    ("PodTopologySpread", 2, None),
    ("InterPodAffinity", 2, None),
    ("DynamicResources", 0, None),
    ("DefaultPreemption", 0, None),
    ("NodeResourcesBalancedAllocation", 1, None),
    ("ImageLocality", 1, None),
    ("DefaultBinder", 0, None),
)


def _weighing(name: str, weight: int) -> tuple[DefaultPlugin, ...]:
    """The default plugins, with another weight for one of them."""
    return tuple((name, weight, None) if plugin[0] == name else plugin for plugin in _PLUGINS)


def _ahead(name: str, other: str, plugins: Sequence[DefaultPlugin]) -> tuple[DefaultPlugin, ...]:
    """The plugins with one of them put ahead of another."""
    (moved,) = (plugin for plugin in plugins if plugin[0] == name)
    rest = [plugin for plugin in plugins if plugin[0] != name]
    place = [plugin[0] for plugin in rest].index(other)
    return (*rest[:place], moved, *rest[place:])


def _inserted(plugin: DefaultPlugin, before: str, plugins: Sequence[DefaultPlugin]) -> tuple[DefaultPlugin, ...]:
    """The plugins with another one ahead of one of them."""
    place = [each[0] for each in plugins].index(before)
    return (*plugins[:place], plugin, *plugins[place:])


_V1_34: Final = Release(
    minor="1.34",
    compared="v1.34.1",
    points=_POINTS,
    plugins=_PLUGINS,
    removed=dict.fromkeys(("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"), "NodeVolumeLimits"),
    rules=Rules(),
    device_rules=DeviceRules(),
    known_gates=DEFAULTS["1.34"],
    gates=DEFAULTS["1.34"],
    configuration=ConfigurationRules(),
    patches=(Patch(2, rules={"names_taints": False}, compared="v1.34.9"),),
)
_V1_35: Final = replace(
    _V1_34,
    minor="1.35",
    compared="v1.35.4",
    points={
        **_POINTS,
        "DynamicResources": _POINTS["DynamicResources"] | {_SCORE},
        "NodeDeclaredFeatures": frozenset({_PRE_FILTER, _FILTER}),
        "GangScheduling": frozenset({_PRE_ENQUEUE, _RESERVE, _PERMIT}),
    },
    plugins=(
        *_weighing("DynamicResources", 2),
        ("NodeDeclaredFeatures", 0, Gate.NODE_DECLARED_FEATURES),
        ("GangScheduling", 0, Gate.GANG_SCHEDULING),
    ),
    rules=replace(
        _V1_34.rules,
        features=frozenset({"RestartAllContainersOnContainerExits"}),
        names_taints=False,
        counts_label_bytes=True,
        scores_claims_by_position=True,
        asks_drivers_to_prevent=False,
        tells_nodes_by_name=False,
        takes_first_found=True,
        requeues_for_classes=True,
    ),
    device_rules=DeviceRules(
        presumes_gates=False,
        sees_whole_pools=True,
        shares_counters_by_name=True,
        has_both_names_of_classes=True,
        reads_every_effect=False,
        selects_by_class=False,
        knows_distinct_attributes=False,
    ),
    known_gates=DEFAULTS["1.35"],
    gates=DEFAULTS["1.35"],
    configuration=ConfigurationRules(
        arguments={"DynamicResources": ("bindingTimeout",)}, in_tree=frozenset({"GangScheduling"})
    ),
    patches=(Patch(6, rules={"scores_claims_by_position": False}),),
)
_V1_36: Final = replace(
    _V1_35,
    minor="1.36",
    compared="v1.36.3",
    points={**_V1_35.points, "GangScheduling": frozenset({_PRE_ENQUEUE, _PERMIT})},
    rules=replace(
        _V1_35.rules,
        features=_V1_35.rules.features | {"UserNamespacesHostNetworkSupport"},
        balances_by_improvement=True,
        scores_image_volumes=True,
        asks_nodes_about_portworx=False,
        asks_drivers_to_prevent=True,
        scores_claims_by_position=False,
        names_groups_in_workloads=False,
    ),
    device_rules=replace(_V1_35.device_rules, gives_everything_back=True, knows_owning_groups=True),
    known_gates=DEFAULTS["1.36"],
    gates=DEFAULTS["1.36"],
    configuration=replace(
        _V1_35.configuration,
        plugin_sets=("placementGenerate", "placementScore"),
        forbids_idle_ratio=True,
        in_tree=_V1_35.configuration.in_tree | {"TopologyPlacementGenerator", "PodGroupPodsCount"},
    ),
    patches=(
        Patch(4, device_rules={"shares_counters_by_name": False}),
        Patch(5, device_rules={"counts_by_request": True}),
    ),
)
_V1_37: Final = replace(
    _V1_36,
    minor="1.37",
    compared="v1.37.2",
    points={
        **_V1_36.points,
        "NodeName": frozenset({_PRE_FILTER, _FILTER}),
        "NodeUnschedulable": frozenset({_PRE_FILTER, _FILTER}),
        "TaintToleration": _POINTS["TaintToleration"] | {_PRE_FILTER},
        "DeferredPodScheduling": frozenset({_PRE_FILTER, _FILTER, _PERMIT}),
    },
    plugins=_inserted(
        ("DeferredPodScheduling", 0, Gate.RESIZE_PREEMPTION),
        "NodeResourcesFit",
        tuple(
            (plugin[0], plugin[1], Gate.GENERIC_WORKLOAD) if plugin[0] == "GangScheduling" else plugin
            for plugin in _ahead("NodeName", "NodeUnschedulable", _V1_36.plugins)
        ),
    ),
    rules=replace(
        _V1_36.rules,
        features=_V1_36.rules.features | {"VolumeBindMountOptions"},
        compares_unnamed_namespaces=False,
        counts_image_volumes=True,
        counts_whole_pods=True,
        completes_pods_after_admission=True,
        evaluates_groups_first=True,
        names_preemptions=True,
        looks_at_victims_once=True,
        says_what_devices_lack=False,
        requeues_for_deleted_claims=True,
    ),
    device_rules=replace(
        _V1_36.device_rules,
        includes_counter_slices=False,
        shares_counters_by_name=False,
        counts_by_request=True,
        explains_errors=True,
        types_attributes_freely=True,
        counts_every_share=True,
        refuses_uncountable=True,
        taints_without_selector=False,
        takes_of_nodes=True,
    ),
    known_gates=DEFAULTS["1.37"],
    gates=DEFAULTS["1.37"],
    configuration=replace(
        _V1_36.configuration,
        plugin_sets=(*_V1_36.configuration.plugin_sets, "podGroupPostFilter"),
    ),
    patches=(),
)

# A release in the making: later ones of its minor may decide otherwise.
_V1_38: Final = replace(
    _V1_37,
    minor="1.38",
    compared="v1.38.0-beta.0",
    points={
        **_V1_37.points,
        "DefaultPreemption": _POINTS["DefaultPreemption"] | {_RESERVE},
        # And PlacementFeasible, which is for groups alone.
        "GangScheduling": frozenset({_PRE_ENQUEUE}),
    },
    gated_points={("DefaultPreemption", _RESERVE): Gate.GENERIC_WORKLOAD},
    rules=replace(
        _V1_37.rules,
        features=_V1_37.rules.features | {"PodCertificateMLDSA", "SecurityProfileOCI"},
        scores_whole_pods=True,
        saturates=True,
        ties_overhead_to_containers=True,
        counts_for_empty_selectors=True,
        protects_by_empty_selectors=True,
        orders_victims_by_uid=True,
        expects_victims=False,
        compares_exact_capacities=True,
        says_what_groups_lack=True,
        ranks_nodes_by_victims=True,
    ),
    device_rules=replace(
        _V1_37.device_rules,
        knows_distinct_attributes=True,
        fails_whole_cycles=False,
        qualifies_capacities=True,
        refuses_negative_shares=True,
        keeps_shared_devices=True,
        ignores_builds=True,
    ),
    known_gates=DEFAULTS["1.38"],
    gates=DEFAULTS["1.38"],
    configuration=replace(
        _V1_37.configuration,
        plugin_sets=(*_V1_37.configuration.plugin_sets, "placementFeasible"),
        percentages={"percentageOfPlacementsToScore": Gate.TOPOLOGY_AWARE_WORKLOADS},
    ),
)

RELEASES: Final[Mapping[str, Release]] = {each.minor: each for each in (_V1_34, _V1_35, _V1_36, _V1_37, _V1_38)}
NEWEST: Final = _V1_38
# What nothing says the minor of is answered as.
ASSUMED: Final = _V1_34

# From the version that a cluster reports to the release that it is answered as.

_VERSION: Final = re.compile(r"v?([0-9]{1,3})\.([0-9]{1,3})(?![0-9])(?:\.([0-9]{1,3}))?")


class Known(StrEnum):
    """How well a cluster's minor is known to Berth."""

    EXACT = "exact"
    NEWER = "newer"
    """Newer than any that Berth knows: answered as the newest."""
    OLDER = "older"
    """Older than any that Berth knows: answered as the oldest."""
    UNTOLD = "untold"
    """The cluster does not say which it runs."""


class ReleaseMatch(Struct, frozen=True):
    """The release that a cluster is answered as, and its own minor, as in ``1.36``; empty where it is not told."""

    release: Release
    minor: str
    known: Known

    @property
    def named_minor(self) -> str:
        """The cluster's own minor, or that of the answers where it is not told."""
        return self.minor or self.release.minor

    @property
    def is_exact(self) -> bool:
        """Whether verdicts, scores and messages are those of the cluster's own minor, as far as is known."""
        return self.known in (Known.EXACT, Known.UNTOLD)


def match_release(version: str) -> ReleaseMatch:
    """Return what a version stands for as components report it, such as ``v1.36.2+k3s1``; empty: nobody said.

    One without a patch is answered as the patch with whose answers the minor's are compared.
    """
    found = _VERSION.match(version)
    if found is None:
        return ReleaseMatch(ASSUMED, "", Known.UNTOLD)
    number = int(found[1]), int(found[2])
    minor = f"{number[0]}.{number[1]}"
    if minor in RELEASES:
        return ReleaseMatch(RELEASES[minor].patched(int(found[3] or 0)), minor, Known.EXACT)
    if number > _matching_number(NEWEST):
        return ReleaseMatch(NEWEST, minor, Known.NEWER)
    return ReleaseMatch(min(RELEASES.values(), key=_matching_number), minor, Known.OLDER)


def _matching_number(release: Release) -> tuple[int, int]:
    major, minor = release.minor.split(".")
    return int(major), int(minor)


# Why feature gates cannot be set.


class LockedGate(Problem, kind="LockedGate"):
    """A gate that the minor has locked to its default, which is ``is_on``."""

    sentence = Chosen(
        "is_on",
        {
            True: message("Kubernetes %(minor)s locks %(gate)s to true."),
            False: message("Kubernetes %(minor)s locks %(gate)s to false."),
        },
    )
    remedy = message("Leave %(gate)s out.")

    gate: str
    minor: str
    is_on: bool


class GateWithoutDependency(Problem, kind="GateWithoutDependency"):
    """A gate that is on, while others that it depends on are off, which are ``missing``."""

    sentence = message("%(gate)s needs feature gates that are off in Kubernetes %(minor)s: %(missing)s.")
    remedy = message("Set them to true as well.")

    gate: str
    minor: str
    missing: tuple[str, ...]


# Feature gates that decide nothing here, and that kube-scheduler of a later minor does not let be set any more.
#
# Upstream: ``pkg/features/kube_features.go``, without the gates that the API server's library brings; ``Set`` of
# ``k8s.io/component-base/featuregate`` refuses gates that are not there, and other values for those that are locked.
# Gates that decide something are in ``gates``.

# By the minor that locks them, with the value that is left.
LOCKED: Final[Mapping[str, Mapping[str, bool]]] = MappingProxyType(
    {
        "1.35": {
            "AllowOverwriteTerminationGracePeriodSeconds": False,
            **dict.fromkeys(
                (
                    "DisableAllocatorDualWrite",
                    "DynamicResourceAllocation",
                    "ExecProbeTimeout",
                    "ImageMaximumGCAge",
                    "InPlacePodVerticalScaling",
                    "JobManagedBy",
                    "PodObservedGenerationTracking",
                    "PreferSameTrafficDistribution",
                    "SupplementalGroupsPolicy",
                    "SystemdWatchdog",
                ),
                True,
            ),
        },
        "1.36": {
            "GitRepoVolumeDriver": False,
            **dict.fromkeys(
                (
                    "CSIServiceAccountTokenSecrets",
                    "DisableNodeKubeProxyVersion",
                    "ExternalServiceAccountTokenSigner",
                    "ImageVolume",
                    "KubeletFineGrainedAuthz",
                    "KubeletPSI",
                    "KubeletPodResourcesDynamicResources",
                    "KubeletPodResourcesGet",
                    "MutableCSINodeAllocatableCount",
                    "NodeLogQuery",
                    "ProcMountType",
                    "SELinuxChangePolicy",
                    "SELinuxMountReadWriteOncePod",
                    "TopologyManagerPolicyOptions",
                    "UserNamespacesSupport",
                    "VolumeAttributesClass",
                ),
                True,
            ),
        },
        "1.37": dict.fromkeys(
            (
                "DisableCPUQuotaWithExclusiveCPUs",
                "HPAConfigurableTolerance",
                "HostnameOverride",
                "InPlacePodVerticalScalingInitContainers",
                "PLEGOnDemandRelist",
                "PodReadyToStartContainersCondition",
                "RelaxedServiceNameValidation",
            ),
            True,
        ),
        "1.38": dict.fromkeys(
            (
                "AuthorizePodWebsocketUpgradeCreatePermission",
                "EnvFiles",
                "ExtendWebSocketsToKubelet",
                "HPAGeneration",
                "PortForwardWebsockets",
                "StrictIPCIDRValidation",
                "TranslateStreamCloseWebsocketRequests",
            ),
            True,
        ),
    }
)
# By the first minor without them.
REMOVED: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "1.35": frozenset(
            {
                "AllowServiceLBStatusOnNonLB",
                "CronJobsScheduledAnnotation",
                "LoadBalancerIPMode",
                "PodIndexLabel",
                "ProbeHostPodSecurityStandards",
                "SizeMemoryBackedVolumes",
                "StatefulSetAutoDeletePVC",
                "UserNamespacesPodSecurityStandards",
            }
        ),
        "1.36": frozenset(
            {
                "CSIMigrationPortworx",
                "HonorPVReclaimPolicy",
                "InPlacePodVerticalScalingAllocatedStatus",
                "InTreePluginPortworxUnregister",
                "MemoryManager",
                "ServiceTrafficDistribution",
                "TopologyAwareHints",
            }
        ),
        "1.37": frozenset(
            {
                "AnyVolumeDataSource",
                "AuthorizeNodeWithSelectors",
                "JobBackoffLimitPerIndex",
                "JobPodReplacementPolicy",
                "JobSuccessPolicy",
                "LogarithmicScaleDown",
                "OrderedNamespaceDeletion",
                "PodLifecycleSleepAction",
                "PodLifecycleSleepActionAllowZero",
                "PreventStaticPodAPIReferences",
                "RelaxedDNSSearchValidation",
                "SchedulerQueueingHints",
                "SidecarContainers",
                "StreamingCollectionEncodingToJSON",
                "StreamingCollectionEncodingToProtobuf",
            }
        ),
        "1.38": frozenset(
            {
                "AllowOverwriteTerminationGracePeriodSeconds",
                "DisableAllocatorDualWrite",
                "DynamicResourceAllocation",
                "ExecProbeTimeout",
                "InPlacePodVerticalScaling",
                "JobManagedBy",
                "KubeletTracing",
                "MatchLabelKeysInPodAffinity",
                "MultiCIDRServiceAllocator",
                "NFTablesProxyMode",
                "NodeSwap",
                "PodSchedulingReadiness",
                "PreferSameTrafficDistribution",
                "RecoverVolumeExpansionFailure",
                "SeparateTaintEvictionController",
                "ServiceAccountTokenJTI",
                "ServiceAccountTokenNodeBinding",
                "ServiceAccountTokenNodeBindingValidation",
                "ServiceAccountTokenPodNodeInfo",
                "SupplementalGroupsPolicy",
                "SystemdWatchdog",
                "WinDSR",
                "WinOverlay",
                "WindowsHostNetwork",
            }
        ),
    }
)
RETIRED_GATES: Final = frozenset(name for tables in (LOCKED, REMOVED) for names in tables.values() for name in names)


def of_minor(minor: str) -> tuple[Mapping[str, bool], frozenset[str]]:
    """Return the gates that a minor has locked, with the values that are left, and those that it has removed."""
    reached = [each for each in REMOVED if _number(each) <= _number(minor)]
    removed = frozenset(name for each in reached for name in REMOVED[each])
    return {name: value for each in reached for name, value in LOCKED.get(each, {}).items()}, removed


# Feature gates as somebody sets them: as kube-scheduler's ``--feature-gates`` takes them, or as a map.
#
# Upstream: ``k8s.io/component-base/featuregate`` of v0.34.1. ``AllAlpha`` and ``AllBeta`` set every gate of their
# stage that is not set by its own name.

GateSettings = dict[str, bool]
# As several replicas are started: None where they are not started alike.
ReplicaSettings = dict[str, bool | None]

_OF_STAGE: Final = MappingProxyType({"AllAlpha": GateStage.ALPHA, "AllBeta": GateStage.BETA})
GATE_NAMES: Final = frozenset({*_OF_STAGE, *(gate.value for gate in Gate)})
_KNOWN: Final = GATE_NAMES | RETIRED_GATES
_VALUES: Final = MappingProxyType(
    {
        **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
        **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
    }
)
_LONGEST_SHOWN: Final = 60


class GateError(ProblemError):
    """Feature gates that cannot be set, with what is wrong with them."""


def read_feature_gates(value: Any, release: Release | None) -> GateSettings:
    """Return what is set, by name, strictly: a text such as ``A=true,B=false``, or a map. Raises GateError.

    Without a release any gate is taken that some release has.
    """
    found: GateSettings = {}
    for name, is_on in _pairs(value):
        if name not in _OF_STAGE:
            _check(name, is_on, release)
        found[name] = is_on
    if release is not None:
        _check_dependencies(_with_settings(release, found))
    return found


def known_settings(text: str) -> GateSettings:
    """Return what the value of a scheduler's flag sets of the gates that are known here; the rest is passed over.

    Gates that decide nothing here are known where a later minor does not let them be set.
    """
    pairs = (each.partition("=") for each in text.split(","))
    return {
        name.strip(): _VALUES[value.strip()]
        for name, _, value in pairs
        if name.strip() in _KNOWN and value.strip() in _VALUES
    }


def settings_of_replicas(replicas: Iterable[Mapping[str, bool]]) -> ReplicaSettings:
    """Return what replicas of one scheduler set, each by itself; None where not all set the same."""
    every = list(replicas)
    names = sorted({name for each in every for name in each})
    values = {name: {each.get(name) for each in every} for name in names}
    return {name: found.pop() if len(found) == 1 else None for name, found in values.items()}


def scheduling_settings(settings: Mapping[str, bool | None]) -> GateSettings:
    """Return the settings of gates that decide something here, and that all replicas agree about."""
    return {name: is_on for name, is_on in settings.items() if name in GATE_NAMES and is_on is not None}


def release_with(version: str, settings: Mapping[str, bool]) -> Release:
    """Return the release that a version is answered as, with gates set.

    Settings are kept while a cluster goes from one minor to the next: those of gates that the minor does not have, or
    has locked, are passed over.
    """
    return _with_settings(match_release(version).release, settings)


def refused_settings(settings: Mapping[str, bool], release: Release) -> GateSettings:
    """Return the settings that the release's kube-scheduler would not start with.

    Those are gates that it does not have, or has locked to the other value. They count for nothing.
    """
    known = {gate.value: gate for gate in release.known_gates}
    decisive = {gate.value for gate in Gate}
    locked, removed = of_minor(release.minor)

    def is_refused(name: str, is_on: bool) -> bool:
        if name in known:
            return is_locked(known[name], release.minor) and is_on != release.known_gates[known[name]]
        return name in decisive or name in removed or locked.get(name, is_on) != is_on

    return {name: is_on for name, is_on in sorted(settings.items()) if is_refused(name, is_on)}


def _with_settings(release: Release, settings: Mapping[str, bool]) -> Release:
    changed: dict[Gate, bool] = {}
    for gate in release.known_gates:
        if is_locked(gate, release.minor):
            continue
        stage = stage_of(gate, release.minor)
        general = next((name for name, each in _OF_STAGE.items() if each is stage), "")
        for name in (gate.value, general):
            if name in settings:
                changed[gate] = settings[name]
                break
    return release.with_gates(changed) if changed else release


def _pairs(value: Any) -> Iterator[tuple[str, bool]]:
    if isinstance(value, dict):
        for name, is_on in value.items():
            if type(name) is not str or type(is_on) is not bool:
                raise GateError(InvalidValue(f"{name}: {is_on}"[:_LONGEST_SHOWN], ("DRADeviceTaints=true",)))
            yield name, is_on
        return
    if type(value) is not str:
        raise GateError(InvalidValue(str(value)[:_LONGEST_SHOWN], ("DRADeviceTaints=true",)))
    for pair in value.split(","):
        if not pair.strip():
            continue
        name, _, written = (part.strip() for part in pair.partition("="))
        if written not in _VALUES or not name:
            raise GateError(InvalidValue(pair.strip()[:_LONGEST_SHOWN], ("DRADeviceTaints=true",)))
        yield name, _VALUES[written]


def _check_dependencies(release: Release) -> None:
    """Raise GateError for a gate that is on without those that it depends on."""
    for gate, is_on in release.gates.items():
        missing = tuple(sorted(each.value for each in dependencies_of(gate) if not release.gates.get(each, False)))
        if is_on and missing:
            raise GateError(GateWithoutDependency(gate.value, release.minor, missing))


def _check(name: str, is_on: bool, release: Release | None) -> None:
    minor = "" if release is None else release.minor
    known = {gate.value: gate for gate in (Gate if release is None else release.known_gates)}
    gate = known.get(name)
    if gate is None:
        lowered = {each.lower(): each for each in known}
        close = get_close_matches(name.lower()[:_LONGEST_SHOWN], lowered, n=1, cutoff=0.5)
        suggested = lowered[close[0]] if close else ""
        raise GateError(NotOneOf(name[:_LONGEST_SHOWN], tuple(sorted(known)), suggested))
    if release is not None and is_locked(gate, minor) and is_on != release.known_gates[gate]:
        raise GateError(LockedGate(name, minor, release.known_gates[gate]))
