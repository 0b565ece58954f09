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

    DRA_ADMIN_ACCESS = "DRAAdminAccess"
    DRA_CONSUMABLE_CAPACITY = "DRAConsumableCapacity"
    DRA_DEVICE_BINDING_CONDITIONS = "DRADeviceBindingConditions"
    DRA_DEVICE_TAINTS = "DRADeviceTaints"
    DRA_EXTENDED_RESOURCE = "DRAExtendedResource"
    DRA_PARTITIONABLE_DEVICES = "DRAPartitionableDevices"
    DRA_PRIORITIZED_LIST = "DRAPrioritizedList"
    # NodeDeclaredFeatures by name: the gate is called as the plugin that it brings.
    NODE_DECLARED_FEATURES = "NodeDeclaredFeatures"
    POD_LEVEL_IN_PLACE_RESIZE = "InPlacePodLevelResourcesVerticalScaling"
    STORAGE_CAPACITY_SCORING = "StorageCapacityScoring"
    TAINT_COMPARISON_OPERATORS = "TaintTolerationComparisonOperators"
    VOLUME_LIMIT_SCALING = "VolumeLimitScaling"


class GateStage(StrEnum):
    """How far a feature is."""

    ALPHA = "alpha"
    BETA = "beta"
    STABLE = "stable"


# Before 1.36 the API server keeps taints and counters of devices only where their gates are on: where a cluster of 1.34
# has any, its scheduler reads them.
_1_34: Final = {
    Gate.DRA_ADMIN_ACCESS: True,
    Gate.DRA_CONSUMABLE_CAPACITY: False,
    Gate.DRA_DEVICE_BINDING_CONDITIONS: False,
    Gate.DRA_DEVICE_TAINTS: True,
    Gate.DRA_EXTENDED_RESOURCE: False,
    Gate.DRA_PARTITIONABLE_DEVICES: True,
    Gate.DRA_PRIORITIZED_LIST: True,
    Gate.STORAGE_CAPACITY_SCORING: False,
}
_1_35: Final = {
    **_1_34,
    Gate.DRA_DEVICE_TAINTS: False,
    Gate.DRA_PARTITIONABLE_DEVICES: False,
    Gate.NODE_DECLARED_FEATURES: False,
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
    Gate.DRA_PARTITIONABLE_DEVICES: True,
    Gate.NODE_DECLARED_FEATURES: True,
    Gate.POD_LEVEL_IN_PLACE_RESIZE: True,
}
_1_37: Final = {**_1_36, Gate.STORAGE_CAPACITY_SCORING: True, Gate.VOLUME_LIMIT_SCALING: True}

DEFAULTS: Final[Mapping[str, Mapping[Gate, bool]]] = MappingProxyType(
    {"1.34": _1_34, "1.35": _1_35, "1.36": _1_36, "1.37": _1_37}
)

# Gates that are not alpha, by the minor from which they are beta and stable; every other gate is alpha.
_STAGES: Final[Mapping[Gate, Mapping[str, GateStage]]] = {
    Gate.DRA_ADMIN_ACCESS: {"1.34": GateStage.BETA, "1.36": GateStage.STABLE},
    Gate.DRA_CONSUMABLE_CAPACITY: {"1.36": GateStage.BETA},
    Gate.DRA_DEVICE_BINDING_CONDITIONS: {"1.36": GateStage.BETA},
    Gate.DRA_DEVICE_TAINTS: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_EXTENDED_RESOURCE: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.DRA_PARTITIONABLE_DEVICES: {"1.36": GateStage.BETA},
    Gate.DRA_PRIORITIZED_LIST: {"1.34": GateStage.BETA, "1.36": GateStage.STABLE},
    Gate.NODE_DECLARED_FEATURES: {"1.36": GateStage.BETA, "1.37": GateStage.STABLE},
    Gate.POD_LEVEL_IN_PLACE_RESIZE: {"1.36": GateStage.BETA},
    Gate.STORAGE_CAPACITY_SCORING: {"1.37": GateStage.BETA},
    Gate.VOLUME_LIMIT_SCALING: {"1.37": GateStage.BETA},
}

_LOCKED: Final[Mapping[str, frozenset[Gate]]] = {
    "1.36": frozenset({Gate.DRA_ADMIN_ACCESS}),
    "1.37": frozenset(
        {
            Gate.DRA_ADMIN_ACCESS,
            Gate.DRA_EXTENDED_RESOURCE,
            Gate.DRA_PRIORITIZED_LIST,
            Gate.NODE_DECLARED_FEATURES,
        }
    ),
}

# Those that Berth's answers follow; what the others decide is not computed, whichever way they are set.
COMPUTED: Final = frozenset(
    {
        Gate.DRA_DEVICE_TAINTS,
        Gate.DRA_PARTITIONABLE_DEVICES,
        Gate.DRA_PRIORITIZED_LIST,
        Gate.NODE_DECLARED_FEATURES,
        Gate.POD_LEVEL_IN_PLACE_RESIZE,
        Gate.STORAGE_CAPACITY_SCORING,
        Gate.VOLUME_LIMIT_SCALING,
    }
)


def stage_of(gate: Gate, minor: str) -> GateStage:
    """Return how far the feature of a gate is in a minor that has it."""
    reached = [stage for since, stage in _STAGES.get(gate, {}).items() if _number(since) <= _number(minor)]
    return reached[-1] if reached else GateStage.ALPHA


def is_locked(gate: Gate, minor: str) -> bool:
    """Tell whether a minor's scheduler does not start with another value of a gate than its default."""
    return gate in _LOCKED.get(minor, ())


def _number(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))
