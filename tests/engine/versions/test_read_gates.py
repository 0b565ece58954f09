"""Every feature gate that kube-scheduler reads is accounted for: as one that Berth knows, or with why it need not be.

The names are those that ``pkg/scheduler`` and its allocators of devices read of ``pkg/features`` in v1.34.1, v1.35.4,
v1.36.3 and v1.37.2.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clusters.engine.versions import COMPUTED, RELEASES, Gate

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


def test_a_gate_is_computed_or_named_as_one_that_is_not() -> None:
    assert {gate.value for gate in Gate} - {gate.value for gate in COMPUTED} == NOT_COMPUTED


def test_what_is_not_a_gate_here_says_why() -> None:
    assert not (OF_TIMES | LOCKED | TAKEN_AS_ON) & {gate.value for gate in Gate}


@pytest.mark.parametrize("name", sorted(OF_TIMES | TAKEN_AS_ON))
def test_the_documentation_names_what_is_not_followed(name: str) -> None:
    assert f"`{name}`" in VERSIONS
