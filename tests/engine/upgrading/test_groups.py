"""Groups of pods that a later minor places otherwise, and the rule that brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.group_states import GroupPhase
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.upgrading import Amendment, AmendmentKind, releases_between
from clusters.engine.upgrading import groups as module
from clusters.engine.upgrading.groups import GroupComparison, GroupsUnderReleases
from clusters.engine.versions import RELEASES, Gate, Release
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_member

if TYPE_CHECKING:
    import pytest


def compared(objects: list[Document], before: Release, after: str) -> GroupComparison:
    snapshot = Snapshot.from_objects(objects, before)

    def world(release: Release) -> tuple[Snapshot, SchedulerConfiguration]:
        read = snapshot if release == before else snapshot.read_as(release)
        return read, SchedulerConfiguration.default(release)

    return GroupsUnderReleases(world, bool).compared(releases_between(before, RELEASES[after]))


def a_small_node(name: str, cpu: int) -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)})


def pods(*names: str, minor: str, **fields: Any) -> list[Document]:
    return [a_member(name, minor=minor, requests={"cpu": "1"}, **fields) for name in names]


def test_preemption_for_a_whole_group_comes_with_1_37() -> None:
    low = a_pod("low", node="n1", requests={"cpu": "1"}, priority=-1)
    objects = [a_small_node("n1", 2), a_group(least=2, minor="1.36", priority=5), low]

    found = compared([*objects, *pods("a", "b", minor="1.36", priority=5)], GROUPING["1.36"], "1.37")

    (change,) = found.changes
    assert (change.group, change.minor, found.evaluated) == ("default/train", "1.37", 1)
    assert (change.before.verdict, change.after.verdict) == (GroupVerdict.UNCERTAIN, GroupVerdict.PREEMPTS)
    assert change.after.victims == ("default/low",)
    assert change.amendments == (Amendment(AmendmentKind.RULE, "evaluates_groups_first"),)


def test_pods_that_name_their_group_in_the_former_way_are_scheduled_each_by_itself() -> None:
    objects = [a_small_node("n1", 1), a_group(least=2, minor="1.35"), *pods("a", "b", minor="1.35")]

    found = compared(objects, GROUPING["1.35"], "1.36")

    (change,) = found.changes
    assert change.group == "default/train/workers"
    assert (change.before.phase, change.before.verdict) == (GroupPhase.PENDING, GroupVerdict.WAITS_ON_PERMIT)
    assert (change.after.phase, change.after.verdict) == (GroupPhase.GATE_OFF, None)
    assert change.amendments == (Amendment(AmendmentKind.RULE, "names_groups_in_workloads"),)


def test_a_gang_that_is_placed_alike_is_counted_alone() -> None:
    objects = [a_small_node("n1", 2), a_group(least=2, minor="1.36"), *pods("a", "b", minor="1.36")]

    assert compared(objects, GROUPING["1.36"], "1.37") == GroupComparison(evaluated=1)


def test_groups_that_are_scheduled_or_lacking_are_no_change() -> None:
    bound = a_member("a", minor="1.36", node="n1")
    objects = [a_small_node("n1", 2), a_group(least=1, minor="1.36"), bound]

    assert compared(objects, GROUPING["1.36"], "1.37") == GroupComparison()
    assert compared([a_node("n1"), a_pod("alone")], GROUPING["1.36"], "1.37") == GroupComparison()
    lacking = [a_small_node("n1", 2), a_group(least=2, minor="1.36"), *pods("a", minor="1.36")]
    assert compared(lacking, GROUPING["1.36"], "1.37") == GroupComparison(evaluated=1)


def test_where_a_later_minor_reads_no_groups_that_is_what_changes() -> None:
    off = GROUPING["1.36"].with_gates({Gate.GENERIC_WORKLOAD: False, Gate.GANG_SCHEDULING: False})
    objects = [a_small_node("n1", 1), a_group(least=2, minor="1.36"), *pods("a", "b", minor="1.36")]

    assert compared(objects, off, "1.37") == GroupComparison(evaluated=1)


def test_groups_beyond_the_most_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = [a_small_node("n1", 1)]
    for name in ("one", "two", "three"):
        objects += [a_group(name, least=1, minor="1.36"), a_member(f"{name}-0", name, minor="1.36")]
    monkeypatch.setattr(module, "MOST_GROUPS", 2)
    some = compared(objects, GROUPING["1.36"], "1.37")
    assert (some.evaluated, some.left_out) == (2, 1)
