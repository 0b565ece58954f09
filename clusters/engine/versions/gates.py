"""Feature gates that change where a pod goes or what is said of it, and their defaults in each Kubernetes minor.

Upstream: ``pkg/features/kube_features.go`` of v1.34.1, v1.35.4, v1.36.3 and v1.37.2. A gate that a minor does not have
is missing from its table, and off.
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


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

DEFAULTS: Final[Mapping[str, Mapping[Gate, bool]]] = MappingProxyType(
    {"1.34": _1_34, "1.35": _1_35, "1.36": _1_36, "1.37": _1_37}
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
    Gate.DRA_ADMIN_ACCESS: {"1.34": GateStage.BETA, "1.36": GateStage.STABLE},
    Gate.DRA_CLAIM_DEVICE_STATUS: {"1.34": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_CONSUMABLE_CAPACITY: {"1.36": GateStage.BETA},
    Gate.DRA_DEVICE_BINDING_CONDITIONS: {"1.36": GateStage.BETA},
    Gate.DRA_DEVICE_TAINT_RULES: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_DEVICE_TAINTS: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_EXTENDED_RESOURCE: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_FRACTIONAL_CAPACITY: {"1.37": GateStage.BETA},
    Gate.DRA_PARTITIONABLE_DEVICES: {"1.36": GateStage.BETA},
    Gate.DRA_PRIORITIZED_LIST: {"1.34": GateStage.BETA, "1.36": GateStage.STABLE},
    Gate.DRA_WORKLOAD_CLAIMS: {"1.37": GateStage.BETA},
    Gate.GENERIC_WORKLOAD: {"1.37": GateStage.BETA},
    Gate.NODE_DECLARED_FEATURES: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.NOMINATES_BEFORE_BINDING: {"1.35": GateStage.BETA},
    Gate.OPPORTUNISTIC_BATCHING: {"1.35": GateStage.BETA},
    Gate.POD_LEVEL_IN_PLACE_RESIZE: {"1.36": GateStage.BETA},
    Gate.STORAGE_CAPACITY_SCORING: {"1.37": GateStage.BETA},
    Gate.VOLUME_LIMIT_SCALING: {"1.37": GateStage.BETA},
}

_LOCKED: Final[Mapping[str, frozenset[Gate]]] = {
    "1.36": frozenset({Gate.DRA_ADMIN_ACCESS}),
    "1.37": frozenset(
        {
            Gate.DRA_ADMIN_ACCESS,
            Gate.DRA_CLAIM_DEVICE_STATUS,
            Gate.DRA_EXTENDED_RESOURCE,
            Gate.DRA_PRIORITIZED_LIST,
            Gate.NODE_DECLARED_FEATURES,
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
    return gate in _LOCKED.get(minor, ())


def _number(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))
