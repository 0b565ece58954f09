"""Feature gates decide which plugins there are and what they do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.problems import InvalidValue, NotOneOf
from clusters.engine.versions import (
    ASSUMED,
    COMPUTED,
    NEWEST,
    RELEASES,
    Gate,
    GateError,
    GateStage,
    GateWithoutDependency,
    Known,
    LockedGate,
    is_locked,
    known_settings,
    match_release,
    read_feature_gates,
    refused_settings,
    release_with,
    scheduling_settings,
    settings_of_replicas,
    stage_of,
)
from tests.engine.builders import a_node, a_pod
from tests.support.answers import error_of, known


@pytest.mark.parametrize(
    ("minor", "pod", "feature"),
    [
        ("1.36", {"hostNetwork": True, "hostUsers": False}, "UserNamespacesHostNetworkSupport"),
        (
            "1.36",
            {"containers": [{"name": "a", "restartPolicyRules": [{"action": "RestartAllContainers"}]}]},
            "RestartAllContainersOnContainerExits",
        ),
        (
            "1.37",
            {"containers": [{"name": "a", "volumeMounts": [{"name": "v", "bindMountOptions": ["noexec"]}]}]},
            "VolumeBindMountOptions",
        ),
        (
            "1.38",
            {"volumes": [{"name": "v", "projected": {"sources": [{"podCertificate": {"keyType": "MLDSA65"}}]}}]},
            "PodCertificateMLDSA",
        ),
        ("1.38", {"securityContext": {"seccompProfile": {"type": "OCI"}}}, "SecurityProfileOCI"),
        (
            "1.38",
            {"initContainers": [{"name": "a", "securityContext": {"seccompProfile": {"type": "OCI"}}}]},
            "SecurityProfileOCI",
        ),
    ],
)
def test_a_pod_goes_where_the_kubelet_declares_what_it_needs(minor: str, pod: dict[str, object], feature: str) -> None:
    able = a_node("able")
    able["status"]["declaredFeatures"] = [feature]
    release = RELEASES[minor]
    wanted = a_pod()
    wanted["spec"].update(pod)
    snapshot = Snapshot.from_objects([able, a_node("plain")], release)

    found = explain(snapshot, wanted, SchedulerConfiguration.default(release).profiles[0])

    assert found.feasible == ["able"]
    rejection = known(found.verdict_of(snapshot.nodes.index["plain"]))
    assert (rejection.plugin, rejection.status.texts) == (
        "NodeDeclaredFeatures",
        ("node(s) didn't match Pod's required features",),
    )


SOME = st.dictionaries(st.sampled_from([*(gate.value for gate in Gate), "AllAlpha", "AllBeta"]), st.booleans())


@pytest.mark.parametrize(
    "value", ["VolumeLimitScaling=true, DRADeviceTaints=F,", {"VolumeLimitScaling": True, "DRADeviceTaints": False}]
)
def test_a_text_and_a_map_say_the_same(value: Any) -> None:
    assert read_feature_gates(value, RELEASES["1.36"]) == {"VolumeLimitScaling": True, "DRADeviceTaints": False}


@pytest.mark.parametrize(
    "value", ["VolumeLimitScaling", "VolumeLimitScaling=yes", "=true", {"VolumeLimitScaling": 1}, 3, ["A=true"]]
)
def test_what_sets_no_gate_is_refused(value: Any) -> None:
    assert isinstance(error_of(GateError, read_feature_gates, value, RELEASES["1.36"]).problem, InvalidValue)


def test_an_unknown_gate_is_refused_with_the_one_that_is_written_most_alike() -> None:
    refused = error_of(GateError, read_feature_gates, "volumelimitscalling=true", RELEASES["1.36"])
    assert isinstance(refused.problem, NotOneOf)
    assert refused.problem.close == "VolumeLimitScaling"


def test_a_gate_of_a_later_minor_is_unknown_unless_no_minor_is_told() -> None:
    with pytest.raises(GateError):
        read_feature_gates("VolumeLimitScaling=true", RELEASES["1.34"])
    assert read_feature_gates("VolumeLimitScaling=true", None) == {"VolumeLimitScaling": True}


def test_a_locked_gate_may_be_set_to_its_default_alone() -> None:
    assert read_feature_gates("DRAPrioritizedList=true", RELEASES["1.37"]) == {"DRAPrioritizedList": True}
    assert error_of(GateError, read_feature_gates, "DRAPrioritizedList=false", RELEASES["1.37"]).problem == LockedGate(
        "DRAPrioritizedList", "1.37", is_on=True
    )


def test_a_flag_of_a_scheduler_may_set_what_is_unknown_here() -> None:
    assert known_settings("NoSuchGate=true,VolumeLimitScaling=true,DRADeviceTaints=maybe") == {
        "VolumeLimitScaling": True
    }


@pytest.mark.parametrize(
    ("replicas", "expected"),
    [
        ([], {}),
        ([{"VolumeLimitScaling": True}], {"VolumeLimitScaling": True}),
        ([{"VolumeLimitScaling": True}, {"VolumeLimitScaling": True}], {"VolumeLimitScaling": True}),
        ([{"VolumeLimitScaling": True}, {"VolumeLimitScaling": False}], {"VolumeLimitScaling": None}),
        ([{"VolumeLimitScaling": True}, {}], {"VolumeLimitScaling": None}),
    ],
)
def test_replicas_set_what_all_of_them_set(replicas: list[dict[str, bool]], expected: dict[str, bool | None]) -> None:
    found = settings_of_replicas(replicas)

    assert found == expected
    assert scheduling_settings(found) == {name: value for name, value in expected.items() if value is not None}


@pytest.mark.parametrize(
    ("minor", "settings", "gate", "missing"),
    [
        ("1.36", "GangScheduling=true", "GangScheduling", ("GenericWorkload",)),
        ("1.36", "GenericWorkload=true,WorkloadAwarePreemption=true", "WorkloadAwarePreemption", ("GangScheduling",)),
        (
            "1.37",
            "GenericWorkload=true,CompositePodGroup=true",
            "CompositePodGroup",
            ("TopologyAwareWorkloadScheduling",),
        ),
        ("1.37", "AllAlpha=true", "TopologyAwareWorkloadScheduling", ("GenericWorkload",)),
    ],
)
def test_a_gate_is_refused_without_those_that_it_depends_on(
    minor: str, settings: str, gate: str, missing: tuple[str, ...]
) -> None:
    assert error_of(GateError, read_feature_gates, settings, RELEASES[minor]).problem == GateWithoutDependency(
        gate, minor, missing
    )


def test_all_alpha_sets_those_that_are_not_set_by_name() -> None:
    release = release_with("v1.35.1", {"AllAlpha": True, "VolumeLimitScaling": False})

    assert release.enables(Gate.NODE_DECLARED_FEATURES)
    assert not release.enables(Gate.VOLUME_LIMIT_SCALING)
    assert "VolumeLimitScaling" not in release.changed_gates


@given(version=st.sampled_from(["v1.34.1", "v1.35.0", "v1.36.3", "v1.37.2", "v1.38.0", "v1.50.0", ""]), settings=SOME)
def test_settings_change_what_they_name_and_nothing_that_is_locked(version: str, settings: dict[str, bool]) -> None:
    release = release_with(version, settings)

    for gate, default in release.known_gates.items():
        if is_locked(gate, release.minor):
            assert release.gates[gate] == default
        elif gate.value in settings:
            assert release.gates[gate] == settings[gate.value]
        elif "AllAlpha" not in settings and "AllBeta" not in settings:
            assert release.gates[gate] == default
    assert set(release.gates) == set(release.known_gates)


def test_no_gate_becomes_less_stable_and_only_stable_ones_are_locked() -> None:
    order = list(GateStage)
    for gate in Gate:
        stages = [order.index(stage_of(gate, minor)) for minor in RELEASES]
        assert stages == sorted(stages)
        assert all(stage_of(gate, minor) is GateStage.STABLE for minor in RELEASES if is_locked(gate, minor))


@pytest.mark.parametrize(
    ("minor", "settings", "refused"),
    [
        ("1.36", {"DRAPrioritizedList": False, "DRAAdminAccess": False}, {"DRAAdminAccess": False}),
        ("1.37", {"DRAPrioritizedList": False, "NodeDeclaredFeatures": True}, {"DRAPrioritizedList": False}),
        ("1.37", {"GangScheduling": True, "GenericWorkload": True}, {"GangScheduling": True}),
        ("1.35", {"CompositePodGroup": True}, {"CompositePodGroup": True}),
        ("1.34", {"DynamicResourceAllocation": False, "SchedulerQueueingHints": False}, {}),
        (
            "1.36",
            {"DynamicResourceAllocation": False, "SchedulerQueueingHints": False},
            {"DynamicResourceAllocation": False},
        ),
        ("1.37", {"DynamicResourceAllocation": True, "SchedulerQueueingHints": True}, {"SchedulerQueueingHints": True}),
        ("1.38", {"DynamicResourceAllocation": True, "EnvFiles": True}, {"DynamicResourceAllocation": True}),
        ("1.38", {"DRADeviceTaints": False, "DRAConsumableCapacity": False}, {"DRADeviceTaints": False}),
        ("1.38", {"PodGroupPreemptionPolicy": True}, {"PodGroupPreemptionPolicy": True}),
        ("1.37", {"AllAlpha": True, "AllBeta": False}, {}),
    ],
)
def test_settings_that_a_minor_has_locked_or_removed_are_named(
    minor: str, settings: dict[str, bool], refused: dict[str, bool]
) -> None:
    assert refused_settings(settings, RELEASES[minor]) == refused


@given(st.sampled_from(sorted(RELEASES)), SOME)
def test_what_is_refused_counts_for_nothing(minor: str, settings: dict[str, bool]) -> None:
    refused = refused_settings(settings, RELEASES[minor])
    kept = {name: is_on for name, is_on in settings.items() if name not in refused}

    assert release_with(f"v{minor}.0", settings).gates == release_with(f"v{minor}.0", kept).gates


VERSIONS = (Path(__file__).parents[3] / "docs" / "versions.md").read_text(encoding="utf-8")


# The first minor whose scheduler reads it.
READ = {
    "CompositePodGroup": "1.37",
    "DRAAdminAccess": "1.34",
    "DRAConsumableCapacity": "1.34",
    "DRADerivedAttributes": "1.37",
    "DRADeviceBindingConditions": "1.34",
    "DRADeviceCompatibilityGroups": "1.37",
    "DRADeviceTaintRules": "1.35",
    "DRADeviceTaints": "1.34",
    "DRAExtendedResource": "1.34",
    "DRAFractionalCapacityRange": "1.37",
    "DRAListTypeAttributes": "1.36",
    "DRANodeAllocatableResources": "1.36",
    "DRAOptionalNodeOperations": "1.37",
    "DRAPartitionableDevices": "1.34",
    "DRAPrioritizedList": "1.34",
    "DRAResourceClaimDeviceStatus": "1.34",
    "DRAWorkloadResourceClaims": "1.36",
    "GangScheduling": "1.35",
    "GenericWorkload": "1.35",
    "InPlacePodLevelResourcesVerticalScaling": "1.35",
    "InPlacePodVerticalScalingSchedulerPreemption": "1.37",
    "NodeDeclaredFeatures": "1.35",
    "NominatedNodeNameForExpectation": "1.34",
    "OpportunisticBatching": "1.35",
    "PodGroupPreemptionPolicy": "1.37",
    "StorageCapacityScoring": "1.34",
    "TaintTolerationComparisonOperators": "1.35",
    "TopologyAwareWorkloadScheduling": "1.36",
    "VolumeLimitScaling": "1.35",
    "WorkloadAwarePreemption": "1.36",
}
# The first minor without it.
GONE = {
    "GangScheduling": "1.37",
    "PodGroupPreemptionPolicy": "1.38",
    "WorkloadAwarePreemption": "1.37",
}


# What upstream's kube_features.go says of each, from minor to minor: stage, default, and whether it is locked.
SPECS = {
    "CompositePodGroup": "1.37 alpha off, 1.38 beta off",
    "DRAAdminAccess": "1.32 alpha off, 1.34 beta on, 1.36 stable on locked",
    "DRAConsumableCapacity": "1.34 alpha off, 1.36 beta on, 1.38 stable on",
    "DRADerivedAttributes": "1.37 alpha off",
    "DRADeviceBindingConditions": "1.34 alpha off, 1.36 beta on, 1.38 stable on locked",
    "DRADeviceCompatibilityGroups": "1.37 alpha off",
    "DRADeviceTaintRules": "1.35 alpha off, 1.36 beta off, 1.37 stable on, 1.38 stable on locked",
    "DRADeviceTaints": "1.33 alpha off, 1.36 beta on, 1.37 stable on, 1.38 stable on locked",
    "DRAExtendedResource": "1.34 alpha off, 1.36 beta on, 1.37 stable on locked",
    # On only where the scheduler is started with --min-compatibility-version=1.37.
    "DRAFractionalCapacityRange": "1.37 beta off, 1.38 stable on",
    "DRAListTypeAttributes": "1.36 alpha off",
    "DRANodeAllocatableResources": "1.36 alpha off",
    "DRAOptionalNodeOperations": "1.37 alpha off",
    "DRAPartitionableDevices": "1.33 alpha off, 1.36 beta on, 1.38 stable on locked",
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
    "TopologyAwareWorkloadScheduling": "1.36 alpha off, 1.38 beta off",
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
    reached = minors[: minors.index(minor) + 1]
    return {name for name, since in READ.items() if since in reached and GONE.get(name) not in reached}


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
    row = known(re.search(rf"^\| {name} \|(.*)\|$", VERSIONS, re.MULTILINE))
    assert row[1].split(" | ")[list(RELEASES).index(minor)].strip() == written


def test_a_gate_is_computed_or_named_as_one_that_is_not() -> None:
    assert {gate.value for gate in Gate} - {gate.value for gate in COMPUTED} == NOT_COMPUTED


def test_what_is_not_a_gate_here_says_why() -> None:
    assert not (OF_TIMES | LOCKED | TAKEN_AS_ON) & {gate.value for gate in Gate}


@pytest.mark.parametrize("name", sorted(OF_TIMES | TAKEN_AS_ON))
def test_the_documentation_names_what_is_not_followed(name: str) -> None:
    assert f"`{name}`" in VERSIONS


def test_what_patches_do_otherwise() -> None:
    rules = {version: match_release(version).release.rules for version in ("1.34.1", "1.34.2", "1.35.5", "1.35.6")}
    devices = {version: match_release(version).release.devices for version in ("1.36.3", "1.36.4", "1.36.5")}

    assert (rules["1.34.1"].names_taints, rules["1.34.2"].names_taints) == (True, False)
    assert (rules["1.35.5"].scores_claims_by_position, rules["1.35.6"].scores_claims_by_position) == (True, False)
    assert [each.shares_counters_by_name for each in devices.values()] == [True, False, False]
    assert [each.counts_by_request for each in devices.values()] == [False, False, True]
    assert match_release("1.35").release.newest_patch == match_release("1.35.6").release


@pytest.mark.parametrize("version", ["", "main"])
def test_an_unknown_version_is_answered_as_what_is_assumed(version: str) -> None:
    match = match_release(version)

    assert (match.release, match.minor, match.named_minor, match.is_exact) == (ASSUMED, "", ASSUMED.minor, True)


@pytest.mark.parametrize(
    ("version", "minor"), [("v1.98.0", "1.98"), ("v2.0.1", "2.0"), ("v1.340.1", "1.340"), ("v1.99.0-gke.100", "1.99")]
)
def test_a_newer_one_is_answered_as_the_newest_and_says_so(version: str, minor: str) -> None:
    match = match_release(version)

    assert (match.release, match.minor, match.known, match.is_exact) == (NEWEST, minor, Known.NEWER, False)


@pytest.mark.parametrize(("version", "minor"), [("1.33", "1.33"), ("v1.9.0", "1.9"), ("v0.30.1", "0.30")])
def test_an_older_one_is_answered_as_the_oldest_and_says_so(version: str, minor: str) -> None:
    match = match_release(version)

    assert (match.release.minor, match.minor, match.known, match.is_exact) == ("1.34", minor, Known.OLDER, False)
