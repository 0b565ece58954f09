"""Every feature gate that kube-scheduler reads is accounted for: as one that Berth knows, or with why it need not be.

The names are those that ``pkg/scheduler`` and its allocators of devices read of ``pkg/features`` in v1.34.1, v1.35.4,
v1.36.3 and v1.37.2.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clusters.engine.versions import COMPUTED, RELEASES, Gate, is_locked, stage_of

VERSIONS = (Path(__file__).parents[3] / "docs" / "versions.md").read_text(encoding="utf-8")
# The first and the last minor whose scheduler reads it.
READ = {
    "CompositePodGroup": ("1.37", "1.37"),
    "DRAAdminAccess": ("1.34", "1.37"),
    "DRAConsumableCapacity": ("1.34", "1.37"),
    "DRADerivedAttributes": ("1.37", "1.37"),
    "DRADeviceBindingConditions": ("1.34", "1.37"),
    "DRADeviceCompatibilityGroups": ("1.37", "1.37"),
    "DRADeviceTaintRules": ("1.35", "1.37"),
    "DRADeviceTaints": ("1.34", "1.37"),
    "DRAExtendedResource": ("1.34", "1.37"),
    "DRAFractionalCapacityRange": ("1.37", "1.37"),
    "DRAListTypeAttributes": ("1.36", "1.37"),
    "DRANodeAllocatableResources": ("1.36", "1.37"),
    "DRAOptionalNodeOperations": ("1.37", "1.37"),
    "DRAPartitionableDevices": ("1.34", "1.37"),
    "DRAPrioritizedList": ("1.34", "1.37"),
    "DRAResourceClaimDeviceStatus": ("1.34", "1.37"),
    "DRAWorkloadResourceClaims": ("1.36", "1.37"),
    "GangScheduling": ("1.35", "1.36"),
    "GenericWorkload": ("1.35", "1.37"),
    "InPlacePodLevelResourcesVerticalScaling": ("1.35", "1.37"),
    "InPlacePodVerticalScalingSchedulerPreemption": ("1.37", "1.37"),
    "NodeDeclaredFeatures": ("1.35", "1.37"),
    "NominatedNodeNameForExpectation": ("1.34", "1.37"),
    "OpportunisticBatching": ("1.35", "1.37"),
    "PodGroupPreemptionPolicy": ("1.37", "1.37"),
    "StorageCapacityScoring": ("1.34", "1.37"),
    "TaintTolerationComparisonOperators": ("1.35", "1.37"),
    "TopologyAwareWorkloadScheduling": ("1.36", "1.37"),
    "VolumeLimitScaling": ("1.35", "1.37"),
    "WorkloadAwarePreemption": ("1.36", "1.36"),
}
# What upstream's kube_features.go says of each, from minor to minor: stage, default, and whether it is locked.
SPECS = {
    "CompositePodGroup": "1.37 alpha off",
    "DRAAdminAccess": "1.32 alpha off, 1.34 beta on, 1.36 stable on locked",
    "DRAConsumableCapacity": "1.34 alpha off, 1.36 beta on",
    "DRADerivedAttributes": "1.37 alpha off",
    "DRADeviceBindingConditions": "1.34 alpha off, 1.36 beta on",
    "DRADeviceCompatibilityGroups": "1.37 alpha off",
    "DRADeviceTaintRules": "1.35 alpha off, 1.36 beta off, 1.37 stable on",
    "DRADeviceTaints": "1.33 alpha off, 1.36 beta on, 1.37 stable on",
    "DRAExtendedResource": "1.34 alpha off, 1.36 beta on, 1.37 stable on locked",
    # On only where the scheduler is started with --min-compatibility-version=1.37.
    "DRAFractionalCapacityRange": "1.37 beta off",
    "DRAListTypeAttributes": "1.36 alpha off",
    "DRANodeAllocatableResources": "1.36 alpha off",
    "DRAOptionalNodeOperations": "1.37 alpha off",
    "DRAPartitionableDevices": "1.33 alpha off, 1.36 beta on",
    "DRAPrioritizedList": "1.33 alpha off, 1.34 beta on, 1.36 stable on, 1.37 stable on locked",
    "DRAResourceClaimDeviceStatus": "1.32 alpha off, 1.33 beta on, 1.37 stable on locked",
    "DRAWorkloadResourceClaims": "1.36 alpha off, 1.37 beta off",
    "GangScheduling": "1.35 alpha off",
    "GenericWorkload": "1.35 alpha off, 1.37 beta off",
    "InPlacePodLevelResourcesVerticalScaling": "1.35 alpha off, 1.36 beta on",
    "InPlacePodVerticalScalingSchedulerPreemption": "1.37 alpha off",
    "NodeDeclaredFeatures": "1.35 alpha off, 1.36 beta on, 1.37 stable on locked",
    "NominatedNodeNameForExpectation": "1.34 alpha off, 1.35 beta on",
    "OpportunisticBatching": "1.35 beta on",
    "PodGroupPreemptionPolicy": "1.37 alpha off",
    "StorageCapacityScoring": "1.33 alpha off, 1.37 beta on",
    "TaintTolerationComparisonOperators": "1.35 alpha off",
    "TopologyAwareWorkloadScheduling": "1.36 alpha off",
    "VolumeLimitScaling": "1.35 alpha off, 1.37 beta on",
    "WorkloadAwarePreemption": "1.36 alpha off",
}
# When something is tried, and how fast, not what becomes of it; a search for devices that may be too long is uncertain.
OF_TIMES = {
    "DRASchedulerFilterTimeout",
    "InterPodAffinityHostnameFastPath",
    "SchedulerAsyncAPICalls",
    "SchedulerAsyncPreemption",
    "SchedulerPopFromBackoffQ",
    "SchedulerPreQueueingHints",
    "SchedulerQueueingHints",
}
# Locked to true in every minor that reads it.
LOCKED = {"CSIMigrationPortworx", "NodeInclusionPolicyInPodTopologySpread", "SidecarContainers"}
# On in every minor, in the first of them not locked yet, or still beta: counted as on, which docs/versions.md says.
TAKEN_AS_ON = {
    "DynamicResourceAllocation",
    "InPlacePodVerticalScaling",
    "MatchLabelKeysInPodTopologySpread",
    "PodLevelResources",
    "VolumeAttributesClass",
}
NOT_COMPUTED = {
    # What they decide is uncertain, or changes no answer of the default profile.
    "CompositePodGroup",
    "DRADerivedAttributes",
    "DRAListTypeAttributes",
    "OpportunisticBatching",
    "PodGroupPreemptionPolicy",
    "WorkloadAwarePreemption",
}


def are_read_in(minor: str) -> set[str]:
    minors = list(RELEASES)
    return {
        name for name, (first, last) in READ.items() if minor in minors[minors.index(first) : minors.index(last) + 1]
    }


@pytest.mark.parametrize("minor", RELEASES)
def test_a_minor_has_the_gates_that_its_scheduler_reads(minor: str) -> None:
    assert {gate.value for gate in RELEASES[minor].known_gates} == are_read_in(minor)


@pytest.mark.parametrize(
    ("name", "minor"), [(name, minor) for minor in RELEASES for name in sorted(are_read_in(minor))]
)
def test_a_gate_has_the_stage_the_default_and_the_lock_that_its_minor_gives_it(name: str, minor: str) -> None:
    minors = ["1.32", "1.33", *RELEASES]
    specs = [spec.split() for spec in SPECS[name].split(", ")]
    stage, default, *locked = [rest for since, *rest in specs if minors.index(since) <= minors.index(minor)][-1]
    gate = Gate(name)
    written = {"on": "true", "off": "false"}[default] + (", locked" if locked else "")

    assert (str(stage_of(gate, minor)), is_locked(gate, minor)) == (stage, bool(locked))
    assert RELEASES[minor].known_gates[gate] == (default == "on")
    row = re.search(rf"^\| {name} \|(.*)\|$", VERSIONS, re.MULTILINE)
    assert row is not None
    assert row[1].split(" | ")[list(RELEASES).index(minor)].strip() == written


def test_what_a_cluster_of_1_34_has_of_devices_only_with_a_gate_counts_until_the_gate_is_said_to_be_off() -> None:
    release = RELEASES["1.34"]
    off = release.with_gates({Gate.DRA_DEVICE_TAINTS: False, Gate.DRA_PARTITIONABLE_DEVICES: False}).devices

    assert not release.enables(Gate.DRA_DEVICE_TAINTS)
    assert (release.devices.reads_taints, release.devices.reads_counters) == (True, True)
    assert (off.reads_taints, off.reads_taint_rules, off.reads_counters) == (False, False, False)
    assert not RELEASES["1.35"].devices.reads_taints


def test_a_gate_is_computed_or_named_as_one_that_is_not() -> None:
    assert {gate.value for gate in Gate} - {gate.value for gate in COMPUTED} == NOT_COMPUTED


def test_what_is_not_a_gate_here_says_why() -> None:
    assert not (OF_TIMES | LOCKED | TAKEN_AS_ON) & {gate.value for gate in Gate}


@pytest.mark.parametrize("name", sorted(OF_TIMES | TAKEN_AS_ON))
def test_the_documentation_names_what_is_not_followed(name: str) -> None:
    assert f"`{name}`" in VERSIONS
