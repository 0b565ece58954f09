"""Feature gates are set as kube-scheduler's flag sets them, and refused where kube-scheduler would not start."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.versions import (
    RELEASES,
    Gate,
    GateError,
    GateStage,
    GateWithoutDependency,
    LockedGate,
    NotAGateSetting,
    UnknownGate,
    is_locked,
    known_settings,
    read_feature_gates,
    refused_settings,
    release_with,
    scheduling_settings,
    settings_of_replicas,
    stage_of,
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
    with pytest.raises(GateError) as refused:
        read_feature_gates(value, RELEASES["1.36"])
    assert isinstance(refused.value.problem, NotAGateSetting)


def test_an_unknown_gate_is_refused_with_the_one_that_is_written_most_alike() -> None:
    with pytest.raises(GateError) as refused:
        read_feature_gates("volumelimitscalling=true", RELEASES["1.36"])
    assert isinstance(refused.value.problem, UnknownGate)
    assert refused.value.problem.close == "VolumeLimitScaling"


def test_a_gate_of_a_later_minor_is_unknown_unless_no_minor_is_told() -> None:
    with pytest.raises(GateError):
        read_feature_gates("VolumeLimitScaling=true", RELEASES["1.34"])
    assert read_feature_gates("VolumeLimitScaling=true", None) == {"VolumeLimitScaling": True}


def test_a_locked_gate_may_be_set_to_its_default_alone() -> None:
    assert read_feature_gates("DRAPrioritizedList=true", RELEASES["1.37"]) == {"DRAPrioritizedList": True}
    with pytest.raises(GateError) as refused:
        read_feature_gates("DRAPrioritizedList=false", RELEASES["1.37"])
    assert refused.value.problem == LockedGate("DRAPrioritizedList", "1.37", is_on=True)


def test_a_flag_of_a_scheduler_may_set_what_is_unknown_here() -> None:
    assert known_settings("NodeSwap=true,VolumeLimitScaling=true,DRADeviceTaints=maybe") == {"VolumeLimitScaling": True}


def test_gates_that_a_later_minor_refuses_are_known_and_decide_nothing() -> None:
    settings = known_settings("SchedulerQueueingHints=true,DynamicResourceAllocation=false,VolumeLimitScaling=true")

    assert settings == {"SchedulerQueueingHints": True, "DynamicResourceAllocation": False, "VolumeLimitScaling": True}
    assert scheduling_settings(settings) == {"VolumeLimitScaling": True}
    assert release_with("v1.36.0", settings) == release_with("v1.36.0", {"VolumeLimitScaling": True})


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
    with pytest.raises(GateError) as refused:
        read_feature_gates(settings, RELEASES[minor])

    assert refused.value.problem == GateWithoutDependency(gate, minor, missing)


def test_a_gate_that_a_dump_sets_without_those_that_it_depends_on_counts_as_off() -> None:
    alone = release_with("v1.36.0", {"GangScheduling": True, "WorkloadAwarePreemption": True})
    together = release_with("v1.36.0", {"GenericWorkload": True, "GangScheduling": True})

    assert not alone.enables(Gate.GANG_SCHEDULING)
    assert not alone.enables(Gate.WORKLOAD_AWARE_PREEMPTION)
    assert together.enables(Gate.GANG_SCHEDULING)


def test_all_of_a_stage_keeps_the_dependencies() -> None:
    read = read_feature_gates("AllAlpha=true", RELEASES["1.36"])

    assert release_with("v1.36.0", read).enables(Gate.WORKLOAD_AWARE_PREEMPTION)


def test_all_alpha_sets_those_that_are_not_set_by_name() -> None:
    release = release_with("v1.35.1", {"AllAlpha": True, "VolumeLimitScaling": False})

    assert release.enables(Gate.NODE_DECLARED_FEATURES)
    assert not release.enables(Gate.VOLUME_LIMIT_SCALING)
    assert "VolumeLimitScaling" not in release.changed_gates


@given(version=st.sampled_from(["v1.34.1", "v1.35.0", "v1.36.3", "v1.37.2", "v1.50.0", ""]), settings=SOME)
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
