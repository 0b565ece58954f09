"""Whom a kubelet evicts for disk, inodes and process ids, against upstream's comparisons written plainly."""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine.kubelet import (
    DiskPart,
    DiskRank,
    FilesystemLayout,
    OomScore,
    RankGround,
    ReclaimStep,
    ScoreGround,
    Signal,
    StarvedResource,
    counted_parts,
    disk_pressure_order,
    oom_scores,
    reclaim_steps,
    shutdown_groups,
    soft_grace,
)
from clusters.engine.kubelet.containers import CRITICAL
from clusters.engine.kubelet.settings import ShutdownPeriod

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.engine.builders import Document

MIB = 2**20
ONE, IMAGES, SPLIT = FilesystemLayout
Usage = dict[str, int | None]


def a_pod(name: str, requested: int = 0, *, priority: int = 0, phase: str = "Running", **spec: Any) -> Document:
    requests = {"ephemeral-storage": str(requested)} if requested else {}
    return {
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"containers": [{"name": "main", "resources": {"requests": requests}}], "priority": priority, **spec},
        "status": {"phase": phase},
    }


def ranks(found: list[DiskRank]) -> dict[str, tuple[RankGround, int, int]]:
    return {each.key.partition("/")[2]: (each.ground, each.earliest, each.latest) for each in found}


def upstream(signal: Signal, used: Usage, requested: dict[str, int], priority: dict[str, int]) -> Callable[..., int]:
    """Compare two pods as upstream's chain of comparisons does; None: the kubelet has no statistics."""

    def sign(left: int, right: int) -> int:
        return (left > right) - (left < right)

    def missing(one: str, two: str) -> int | None:
        if used[one] is None or used[two] is None:
            return sign(used[two] is None, used[one] is None)
        return None

    def exceeds(one: str, two: str) -> int:
        absent = missing(one, two)
        if absent is not None:
            return absent
        limits = requested if signal.starved is StarvedResource.DISK else dict.fromkeys(requested, 0)
        return sign((used[two] or 0) > limits[two], (used[one] or 0) > limits[one])

    def consumes(one: str, two: str) -> int:
        absent = missing(one, two)
        if absent is not None:
            return absent
        return sign((used[two] or 0) - requested[two], (used[one] or 0) - requested[one])

    def processes(one: str, two: str) -> int:
        absent = missing(one, two)
        return sign(used[two] or 0, used[one] or 0) if absent is None else absent

    def ranked(one: str, two: str) -> int:
        return sign(priority[one], priority[two])

    chain = (ranked, processes) if signal.starved is StarvedResource.PIDS else (exceeds, ranked, consumes)
    return lambda one, two: next((found for each in chain if (found := each(one, two))), 0)


@st.composite
def node_under_pressure(draw: st.DrawFn) -> tuple[list[Document], Signal, Usage]:
    signal = draw(st.sampled_from((Signal.NODE_FS, Signal.NODE_FS_INODES, Signal.PIDS)))
    pods, used = [], {}
    for number in range(draw(st.integers(1, 6))):
        phase = draw(st.sampled_from(("Running", "Running", "Pending")))
        amounts = st.integers(1, 5)
        used[f"shop/p{number}"] = draw(st.none() | amounts if phase == "Pending" else amounts)
        requested, priority = draw(st.sampled_from((0, 2, 4))), draw(st.sampled_from((0, 0, 5, CRITICAL)))
        pods.append(a_pod(f"p{number}", requested, priority=priority, phase=phase))
    return pods, signal, used


@given(node_under_pressure(), st.sets(st.integers(0, 5)))
def test_order_is_upstreams_and_ranks_hold_it_whatever_is_known(
    drawn: tuple[list[Document], Signal, Usage], hidden: set[int]
) -> None:
    pods, signal, used = drawn
    shown = {key: amount for number, (key, amount) in enumerate(used.items()) if number not in hidden}
    found = [each for each in disk_pressure_order(pods, signal, ONE, shown) if not each.ground.is_exempt]
    requested, priority = {r.key: r.requested for r in found}, {r.key: r.priority for r in found}
    compare = upstream(signal, used, requested, priority)

    order = sorted(requested, key=cmp_to_key(compare))
    for rank in found:
        # Equals may stand in any order among themselves.
        first = sum(compare(other, rank.key) < 0 for other in order)
        last = sum(compare(other, rank.key) <= 0 for other in order)
        assert rank.earliest <= 1 + first
        assert last <= rank.latest
        if not hidden and None not in used.values():
            assert (rank.earliest, rank.latest) == (1 + first, last)


def test_without_usage_only_pods_without_a_request_are_certain_of_their_group() -> None:
    found = disk_pressure_order(
        [a_pod("none"), a_pod("some", 5 * MIB), a_pod("new", phase="Pending")], Signal.NODE_FS, ONE
    )

    assert ranks(found) == {
        "none": (RankGround.NOTHING_REQUESTED, 1, 3),
        "new": (RankGround.STARTING, 1, 3),
        "some": (RankGround.USAGE, 1, 3),
    }


def test_nobody_requests_inodes_and_process_ids_go_by_priority() -> None:
    pods = [a_pod("high", 5 * MIB, priority=9), a_pod("low", priority=1), a_pod("critical", priority=CRITICAL)]

    for signal, ground in ((Signal.NODE_FS_INODES, RankGround.NOTHING_REQUESTED), (Signal.PIDS, RankGround.PRIORITY)):
        assert ranks(disk_pressure_order(pods, signal, ONE)) == {
            "low": (ground, 1, 1), "high": (ground, 2, 2), "critical": (RankGround.CRITICAL, 0, 0),
        }  # fmt: skip


def test_pod_level_resources_hide_requests_for_disk() -> None:
    pod = a_pod("level", 5 * MIB, resources={"requests": {"cpu": "1"}})

    assert disk_pressure_order([pod], Signal.NODE_FS, ONE)[0].requested == 0


def test_static_and_finished_pods_are_left_out() -> None:
    static = a_pod("static")
    static["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "Node", "name": "n", "controller": True}]
    found = disk_pressure_order([static, a_pod("done", phase="Failed")], Signal.IMAGE_FS, SPLIT)

    assert ranks(found) == {"static": (RankGround.STATIC, 0, 0)}


@pytest.mark.parametrize(
    ("signal", "layout", "parts", "steps"),
    [
        (Signal.NODE_FS, ONE, set(DiskPart), [ReclaimStep.CONTAINERS, ReclaimStep.IMAGES]),
        (Signal.IMAGE_FS_INODES, ONE, set(DiskPart), [ReclaimStep.CONTAINERS, ReclaimStep.IMAGES]),
        (Signal.NODE_FS, IMAGES, {DiskPart.LOGS, DiskPart.VOLUMES}, []),
        (Signal.IMAGE_FS, IMAGES, {DiskPart.LAYERS}, [ReclaimStep.CONTAINERS, ReclaimStep.IMAGES]),
        (Signal.CONTAINER_FS, IMAGES, {DiskPart.LAYERS}, [ReclaimStep.CONTAINERS, ReclaimStep.IMAGES]),
        (Signal.NODE_FS, SPLIT, set(DiskPart), [ReclaimStep.CONTAINERS]),
        (Signal.CONTAINER_FS_INODES, SPLIT, set(DiskPart), [ReclaimStep.CONTAINERS]),
        (Signal.IMAGE_FS, SPLIT, set(), [ReclaimStep.IMAGES]),
        (Signal.MEMORY, ONE, set(), []),
        (Signal.PIDS, SPLIT, set(), []),
    ],
)
def test_file_systems_decide_what_counts_and_what_is_tried_first(
    signal: Signal, layout: FilesystemLayout, parts: set[DiskPart], steps: list[ReclaimStep]
) -> None:
    assert counted_parts(signal, layout) == parts
    assert list(reclaim_steps(signal, layout)) == steps


@pytest.mark.parametrize(
    ("most", "wanted", "seconds"), [(0, 30, 1), (60, 30, 30), (20, 30, 20), (-1, 30, 1), (60, None, 60)]
)
def test_soft_eviction_gives_the_lesser_time_and_at_least_a_second(most: int, wanted: int | None, seconds: int) -> None:
    assert soft_grace(most, {"spec": {"terminationGracePeriodSeconds": wanted}}) == seconds


GIB = 2**30
ALWAYS: dict[str, Any] = {"restartPolicy": "Always"}


def container(name: str, *, requests: Document | None = None, limits: Document | None = None, **other: Any) -> Document:
    return {"name": name, "resources": {"requests": requests or {}, "limits": limits or {}}, **other}


def asking(name: str, memory: str, **other: Any) -> Document:
    return container(name, requests={"memory": memory}, **other)


def pod_of_containers(*containers: Document, name: str = "web", **spec: Any) -> Document:
    return {"metadata": {"name": name, "namespace": "shop"}, "spec": {"containers": list(containers), **spec}}


def scores(pod: Document, capacity: int | None = 8 * GIB) -> dict[str, int | None]:
    return {each.container: each.score for each in oom_scores(pod, capacity)}


def only(pod: Document, capacity: int | None = 8 * GIB) -> OomScore:
    (found,) = oom_scores(pod, capacity)
    return found


def test_critical_pods_of_nodes_have_the_score_of_guaranteed_ones() -> None:
    node = pod_of_containers(container("main"), priority=2_000_001_000, priorityClassName="system-node-critical")
    cluster = pod_of_containers(container("main"), priority=2_000_000_000, priorityClassName="system-cluster-critical")
    named_alone = pod_of_containers(container("main"), priority=0, priorityClassName="system-node-critical")

    assert (only(node).score, only(node).ground) == (-997, ScoreGround.NODE_CRITICAL)
    assert only(cluster).score == only(named_alone).score == 1000


@pytest.mark.parametrize(
    ("memory", "score", "ground"),
    [
        ("0", 999, ScoreGround.MOST),
        ("8388608", 999, ScoreGround.MOST),
        # A thousandth of 8 GiB is 8589934.592 bytes.
        ("8589934", 999, ScoreGround.MOST),
        ("8589935", 999, ScoreGround.REQUEST),
        ("2Gi", 750, ScoreGround.REQUEST),
        ("8166Mi", 4, ScoreGround.REQUEST),
        ("8175Mi", 3, ScoreGround.REQUEST),
        ("9Gi", 3, ScoreGround.LEAST),
    ],
)
def test_burstable_containers_have_a_score_by_their_request(memory: str, score: int, ground: ScoreGround) -> None:
    found = only(pod_of_containers(container("main", requests={"cpu": "1", "memory": memory})))

    assert (found.score, found.ground) == (score, ground)


def test_pod_level_counts_for_sidecars_and_their_main_containers_alike() -> None:
    level = {"requests": {"memory": "4Gi"}}
    pod = pod_of_containers(asking("main", "1Gi"), initContainers=[container("proxy", **ALWAYS)], resources=level)

    # 3 GiB are left for two: 1.5 GiB each, so that main counts with 2.5 GiB, and proxy with no less.
    assert scores(pod) == {"main": 688, "proxy": 688}


CRITICAL_PRIORITY = 2_000_000_000
TWO = (ShutdownPeriod(0, 20), ShutdownPeriod(CRITICAL_PRIORITY, 10))


def pod_of_priority(name: str, priority: int = 0, grace: int | None = 30, phase: str = "Running") -> Document:
    spec: Document = {"priority": priority}
    if grace is not None:
        spec = {**spec, "terminationGracePeriodSeconds": grace}
    return {"metadata": {"name": name, "namespace": "shop"}, "spec": spec, "status": {"phase": phase}}


def test_critical_pods_go_last_and_each_gets_no_more_than_its_group() -> None:
    usual, critical = shutdown_groups(
        [
            pod_of_priority("web"),
            pod_of_priority("short", grace=5),
            pod_of_priority("dns", CRITICAL_PRIORITY + 1000, None),
            pod_of_priority("low", -10),
        ],
        TWO,
    )

    assert [(each.key, each.wanted, each.given, each.is_cut) for each in usual.pods] == [
        ("shop/low", 30, 20, True), ("shop/web", 30, 20, True), ("shop/short", 5, 5, False),
    ]  # fmt: skip
    assert (usual.start, usual.seconds) == (0, 20)
    assert [(each.key, each.given) for each in critical.pods] == [("shop/dns", 10)]
    assert (critical.start, critical.seconds) == (20, 10)


def test_group_without_pods_is_not_waited_for() -> None:
    usual, critical = shutdown_groups(
        [pod_of_priority("dns", CRITICAL_PRIORITY), pod_of_priority("done", phase="Succeeded")], TWO
    )

    assert usual.pods == ()
    assert critical.start == 0


def test_without_periods_nothing_is_terminated() -> None:
    assert shutdown_groups([pod_of_priority("web")], ()) == []


def upstream_group(priorities: Sequence[int], priority: int) -> int:
    """The group by upstream's own search, written plainly."""
    index = next((number for number, each in enumerate(priorities) if each >= priority), len(priorities))
    if index == len(priorities):
        return len(priorities) - 1
    if index > 0 and priorities[index] > priority:
        return index - 1
    return index


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5), st.integers(-5, 5))
def test_group_is_that_of_upstreams_search(priorities: list[int], priority: int) -> None:
    periods = [ShutdownPeriod(each, 10) for each in sorted(priorities)]
    found = shutdown_groups([pod_of_priority("web", priority)], periods)

    assert [bool(each.pods) for each in found].index(True) == upstream_group(sorted(priorities), priority)
