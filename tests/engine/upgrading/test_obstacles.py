"""Feature gates and plugins with which kube-scheduler of a later minor does not start."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration
from clusters.engine.upgrading import ObstacleKind, releases_between
from clusters.engine.upgrading.rules import StartObstacle, start_obstacles
from clusters.engine.versions import LOCKED, RELEASES, REMOVED, RETIRED_GATES, Gate, Release

API = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def way(before: str, after: str) -> tuple[Release, ...]:
    return releases_between(RELEASES[before], RELEASES[after])


def obstacles(before: str, after: str, settings: dict[str, bool], *plugins: str) -> tuple[StartObstacle, ...]:
    enabled = [{"name": name} for name in plugins]
    document = {**API, "profiles": [{"plugins": {"multiPoint": {"enabled": enabled}}}]}
    return start_obstacles(settings, SchedulerConfiguration.from_dict(document, RELEASES[before]), way(before, after))


@pytest.mark.parametrize(
    ("before", "after", "settings", "expected"),
    [
        ("1.34", "1.37", {"DRAAdminAccess": False}, [("1.36", "locked-gate", "DRAAdminAccess")]),
        ("1.36", "1.37", {"DRAAdminAccess": False}, []),
        ("1.34", "1.37", {"DRAAdminAccess": True}, []),
        ("1.36", "1.37", {"NodeDeclaredFeatures": False}, [("1.37", "locked-gate", "NodeDeclaredFeatures")]),
        ("1.34", "1.35", {"DynamicResourceAllocation": False}, [("1.35", "locked-gate", "DynamicResourceAllocation")]),
        ("1.35", "1.36", {"GitRepoVolumeDriver": True}, [("1.36", "locked-gate", "GitRepoVolumeDriver")]),
        ("1.35", "1.37", {"SchedulerQueueingHints": True}, [("1.37", "removed-gate", "SchedulerQueueingHints")]),
        ("1.35", "1.36", {"SchedulerQueueingHints": True}, []),
        ("1.35", "1.37", {"GangScheduling": True}, [("1.37", "removed-gate", "GangScheduling")]),
        ("1.35", "1.36", {"GangScheduling": True}, []),
        ("1.34", "1.37", {"AllBeta": False, "VolumeLimitScaling": True}, []),
    ],
)
def test_gates_are_told_by_the_minor_that_refuses_them(
    before: str, after: str, settings: dict[str, bool], expected: list[tuple[str, str, str]]
) -> None:
    found = obstacles(before, after, settings)

    assert [(each.minor, each.kind, each.name) for each in found] == expected
    assert all(each.value is settings[each.name] for each in found)


def test_a_plugin_with_the_name_of_a_new_one_of_kubernetes_is_told() -> None:
    found = obstacles("1.34", "1.37", {}, "GangScheduling", "DeferredPodScheduling", "NodeDeclaredFeatures", "Own")

    assert [(each.minor, each.kind, each.name) for each in found] == [
        ("1.35", ObstacleKind.TAKEN_NAME, "GangScheduling"),
        ("1.35", ObstacleKind.TAKEN_NAME, "NodeDeclaredFeatures"),
        ("1.37", ObstacleKind.TAKEN_NAME, "DeferredPodScheduling"),
    ]


@given(st.dictionaries(st.sampled_from(sorted({*RETIRED_GATES, *(gate.value for gate in Gate)})), st.booleans()))
def test_the_steps_of_the_way_have_what_the_whole_way_has(settings: dict[str, bool]) -> None:
    minors = list(RELEASES)
    steps = [each for pair in pairwise(minors) for each in obstacles(pair[0], pair[1], settings)]

    assert steps == list(obstacles(minors[0], minors[-1], settings))


def test_a_gate_is_retired_once_and_decides_nothing() -> None:
    names = [name for tables in (LOCKED, REMOVED) for found in tables.values() for name in found]

    assert len(names) == len(set(names))
    assert not RETIRED_GATES & {gate.value for gate in Gate}
