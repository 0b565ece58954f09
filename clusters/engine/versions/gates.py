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
