"""Recommended requests: the stated rule, its edges, and what a workload's pods request afterwards."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusters.engine.kubelet import (
    ExceededLimit,
    FilesystemLayout,
    FilesystemSize,
    NodeDisks,
    Observed,
    OnDisk,
    PodDisks,
    RankGround,
    Signal,
    StorageExcess,
    disk_pressure_order,
    layout_of,
    storage_excess,
    storage_excesses,
)
from clusters.engine.owners import Workload
from clusters.engine.resources import CPU, MEMORY, pod_amounts
from clusters.engine.usage import (
    BOUNDS,
    FEW_HOURS,
    RULES,
    WHOLE_POD,
    HourlyUsage,
    PodUsage,
    ResourceUsage,
    Sizing,
    UsageKey,
    UsageStatistics,
    UsedAmounts,
    buckets_of,
    needed_by_usage,
    percentile,
    resource_sizing,
    statistics_of,
    with_requests,
    workload_sizing,
)
from tests.engine.builders import Document, a_pod

MIB = 1024 * 1024
WEB = Workload("shop", "Deployment", "web")


def used(cpu: int, memory: int, *, hours: int = 48) -> UsageStatistics:
    """Statistics in which CPU's p95 and memory's maximum are these; everything else would be a wrong answer."""
    return UsageStatistics(
        hours, 3 * hours, ResourceUsage(1, 1, cpu, cpu * 100), ResourceUsage(1, 1, memory // 2, memory)
    )


def container(name: str, requests: dict[str, str], limits: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "resources": {"requests": requests, **({"limits": limits} if limits else {})}, **more}


def pod_of(*containers: dict[str, Any], init: tuple[dict[str, Any], ...] = (), **spec: Any) -> dict[str, Any]:
    made = a_pod("web-1", **spec)
    made["spec"] |= {"containers": list(containers), "initContainers": list(init)}
    return made


@pytest.mark.parametrize(
    ("requested", "p95", "recommended", "sizing"),
    [
        (1000, 200, 230, Sizing.OVER),
        # One and a half times as much is not too much yet, and neither is a difference of less than 50m.
        (345, 200, 230, Sizing.FITTING),
        (346, 200, 230, Sizing.OVER),
        (59, 1, 10, Sizing.FITTING),
        (60, 1, 10, Sizing.OVER),
        # As much as is used is enough, less is not.
        (200, 200, 230, Sizing.FITTING),
        (199, 200, 230, Sizing.UNDER),
        (None, 200, 230, Sizing.NOT_REQUESTED),
        (0, 0, 10, Sizing.NOT_REQUESTED),
        # 115 % of 101m are 116.15m, in steps of 5m 120m.
        (101, 101, 120, Sizing.FITTING),
    ],
)
def test_cpu_is_recommended_by_its_p95(requested: int | None, p95: int, recommended: int, sizing: Sizing) -> None:
    found = resource_sizing(CPU, requested, None, used(p95, 1))

    assert (found.recommended, found.sizing, found.is_capped) == (recommended, sizing, False)


@pytest.mark.parametrize(
    ("requested", "maximum", "recommended", "sizing"),
    [
        (1024 * MIB, 200 * MIB, 230 * MIB, Sizing.OVER),
        (79 * MIB, 10 * MIB, 16 * MIB, Sizing.FITTING),
        (80 * MIB, 10 * MIB, 16 * MIB, Sizing.OVER),
        (199 * MIB, 200 * MIB, 230 * MIB, Sizing.UNDER),
    ],
)
def test_memory_is_recommended_by_its_maximum(requested: int, maximum: int, recommended: int, sizing: Sizing) -> None:
    found = resource_sizing(MEMORY, requested, None, used(1, maximum))

    assert (found.recommended, found.sizing) == (recommended, sizing)


def test_a_limit_caps_the_recommendation() -> None:
    found = resource_sizing(MEMORY, 100 * MIB, 210 * MIB, used(1, 200 * MIB))

    assert (found.recommended, found.is_capped, found.sizing) == (210 * MIB, True, Sizing.UNDER)


@given(st.sampled_from((CPU, MEMORY)), st.integers(0, 2**40), st.integers(0, 2**40))
def test_a_recommended_request_holds_the_rule_and_needs_no_second_one(resource: str, requested: int, use: int) -> None:
    rule = RULES[resource]
    statistics = used(use, use)

    found = resource_sizing(resource, requested, None, statistics)

    assert found.recommended >= rule.least
    assert found.recommended * 100 >= use * rule.margin
    assert found.recommended % rule.step == 0
    # No smaller multiple of the step would do.
    smaller = found.recommended - rule.step
    assert smaller < rule.least or smaller * 100 < use * rule.margin
    assert resource_sizing(resource, found.recommended, None, statistics).sizing is Sizing.FITTING


def test_what_a_workload_frees_is_by_all_its_pods() -> None:
    pod = pod_of(container("app", {"cpu": "1", "memory": "1Gi"}), container("proxy", {"cpu": "10m", "memory": "64Mi"}))
    statistics = {"app": used(200, 200 * MIB), "proxy": used(40, 60 * MIB), "gone": used(999, 999 * MIB)}

    found = workload_sizing(WEB, pod, 3, UsedAmounts(3 * 1010, 3 * (1024 + 64) * MIB), statistics)

    assert [each.name for each in found.containers] == ["app", "proxy"]
    assert found.changes == {"app": {CPU: 230, MEMORY: 230 * MIB}, "proxy": {CPU: 50}}
    assert found.after == UsedAmounts(3 * (230 + 50), 3 * (230 + 64) * MIB)
    assert found.freed == UsedAmounts(3 * 730, 3 * 794 * MIB)
    assert [found.has(sizing) for sizing in Sizing] == [True, True, False, True]
    assert not any(each.is_from_few for each in found.containers)


def test_a_sum_of_limits_needs_one_of_each_container() -> None:
    pod = pod_of(container("app", {"cpu": "1"}, {"cpu": "1"}), container("proxy", {"cpu": "500m"}))

    (found,) = workload_sizing(WEB, pod, 1, UsedAmounts(1500, 0), {WHOLE_POD: used(100, MIB)}).containers

    assert found.cpu.limit is None


def test_a_resized_pod_is_counted_by_its_spec_and_no_container_exceeds_its_limit() -> None:
    pod = pod_of(container("app", {"cpu": "1", "memory": "1Gi"}, {"cpu": "1", "memory": "200Mi"}))
    told = {"name": "app", "allocatedResources": {"cpu": "4"}, "resources": {"requests": {"cpu": "4"}}}
    pending = {"type": "PodResizePending", "status": "True", "reason": "Infeasible"}
    ready = {"type": "Ready", "status": "True"}
    pod["status"] = {"phase": "Running", "containerStatuses": [told], "conditions": [ready, pending]}
    before = repr(pod)

    resized = with_requests(pod, {"app": {CPU: 250, MEMORY: 300 * MIB}, "other": {CPU: 1}})

    assert pod_amounts(resized) == {CPU: 250, MEMORY: 200 * MIB}
    assert resized["status"] == {"phase": "Running", "conditions": [ready]}
    assert repr(pod) == before


def test_a_pod_needs_what_its_workload_uses_where_all_of_it_is_known() -> None:
    pod = pod_of(
        container("app", {"cpu": "1", "memory": "1Gi"}), init=(container("mesh", {"cpu": "1"}, restartPolicy="Always"),)
    )
    known = {"app": used(200, 200 * MIB), "mesh": used(100, MIB)}

    needed = needed_by_usage(WEB, pod, known)

    assert needed[CPU] == RULES[CPU].recommended(200) + RULES[CPU].recommended(100)
    assert needed[MEMORY] >= RULES[MEMORY].recommended(200 * MIB)
    assert needed_by_usage(WEB, pod, {"app": known["app"]}) == {}
    assert needed_by_usage(WEB, pod, {**known, "mesh": used(100, MIB, hours=FEW_HOURS - 1)}) == {}
    assert needed_by_usage(WEB, pod_of(container("app", {}), resources={"requests": {"cpu": "2"}}), known) == {}


KEYS = [
    UsageKey.of(Workload("shop", "Deployment", name), container) for name in ("web", "api") for container in ("a", "b")
]
amounts = st.one_of(st.integers(0, 40), st.integers(0, 2**45))
seen = st.tuples(st.sampled_from(KEYS), st.builds(UsedAmounts, amounts, amounts))
histories = st.lists(st.lists(seen, max_size=12), max_size=5)


def nearest_rank(values: list[int], percent: int) -> int:
    """The least of the values that so many percent of them do not exceed, looked for one by one."""
    return min(value for value in values if 100 * sum(other <= value for other in values) >= percent * len(values))


@given(st.lists(amounts, min_size=1, max_size=30), st.integers(1, 100))
def test_a_percentile_is_by_nearest_rank(values: list[int], percent: int) -> None:
    assert percentile(values, percent) == nearest_rank(values, percent)


def test_of_nothing_there_is_no_percentile() -> None:
    assert percentile([], 95) == 0
    assert statistics_of([]) == {}
    assert statistics_of([HourlyUsage.of([])]) == {}


@given(histories)
def test_statistics_are_those_of_all_samples(history: list[list[tuple[UsageKey, UsedAmounts]]]) -> None:
    found = statistics_of(HourlyUsage.of(hour) for hour in history)

    assert set(found) == {key for hour in history for key, _ in hour}
    for key, statistics in found.items():
        samples = [used for hour in history for each, used in hour if each == key]
        assert statistics.samples == len(samples)
        assert statistics.hours == sum(any(each == key for each, _ in hour) for hour in history)
        for usage, values in (
            (statistics.cpu, [used.cpu_milli for used in samples]),
            (statistics.memory, [used.memory_bytes for used in samples]),
        ):
            assert usage.maximum == max(values)
            assert usage.mean == -(-sum(values) // len(values))
            for told, percent in ((usage.median, 50), (usage.high, 95)):
                true = nearest_rank(values, percent)
                assert true <= told <= max(true, true * 21 // 20)


@given(st.lists(seen, max_size=12))
def test_an_hour_is_read_back_as_it_was_written(hour: list[tuple[UsageKey, UsedAmounts]]) -> None:
    written = HourlyUsage.of(hour).as_dict()

    read = HourlyUsage.from_dict(written)

    assert read.as_dict() == written
    assert statistics_of([read]) == statistics_of([HourlyUsage.of(hour)])


@given(st.lists(amounts, min_size=1, max_size=20))
def test_an_amount_counts_below_the_bound_of_its_bucket_alone(values: list[int]) -> None:
    for value, number in zip(values, buckets_of(np.array(values, np.int64)).tolist(), strict=True):
        assert value <= BOUNDS[number]
        assert number == 0 or BOUNDS[number - 1] < value


ONE, IMAGES, SPLIT = FilesystemLayout.ONE, FilesystemLayout.IMAGES, FilesystemLayout.IMAGES_SPLIT
GIB = 2**30
VOLUMES: tuple[dict[str, Any], ...] = (
    {"emptyDir": {}},
    {"emptyDir": {"medium": "Memory"}},
    {"configMap": {}},
    {"hostPath": {}},
    {"persistentVolumeClaim": {"claimName": "data"}},
    {"gitRepo": {}},
)


# Each volume takes another power of ten, so that a sum tells which of them it is of.
USED = {f"v{number}": OnDisk(10**number, 2 * 10**number) for number in range(len(VOLUMES))}
DISKS = PodDisks(
    "uid-pod",
    "default",
    "pod",
    layers={"main": OnDisk(1_000_000_000, 300_000_000), "side": OnDisk(2_000_000_000, 0)},
    logs={"main": OnDisk(40_000_000_000, 5_000_000_000)},
    volumes=USED,
    total_bytes=77,
    processes=9,
)
LOCAL, LOCAL_INODES = 101_101, 202_202
LAYERS, LOGS = 3_000_000_000, 40_000_000_000


@pytest.mark.parametrize(
    ("signal", "layout", "counted"),
    [
        (Signal.NODE_FS, ONE, LAYERS + LOGS + LOCAL),
        (Signal.IMAGE_FS, ONE, LAYERS + LOGS + LOCAL),
        (Signal.NODE_FS, IMAGES, LOGS + LOCAL),
        (Signal.IMAGE_FS, IMAGES, LAYERS),
        (Signal.CONTAINER_FS, IMAGES, LAYERS),
        (Signal.NODE_FS, SPLIT, LAYERS + LOGS + LOCAL),
        (Signal.IMAGE_FS, SPLIT, 0),
        (Signal.NODE_FS_INODES, ONE, 300_000_000 + 5_000_000_000 + LOCAL_INODES),
        (Signal.IMAGE_FS_INODES, IMAGES, 300_000_000),
        (Signal.PIDS, ONE, 9),
    ],
)
def test_what_counts_follows_from_the_file_systems(signal: Signal, layout: FilesystemLayout, counted: int) -> None:
    pod = a_pod(volumes=VOLUMES)

    assert DISKS.counted(pod, signal, layout) == counted
    assert NodeDisks({}, layout, (DISKS,)).counted([pod, a_pod("other")], signal, layout) == {"uid-pod": counted}


def test_a_volume_that_is_not_reported_counts_nothing() -> None:
    assert PodDisks("uid-pod", "default", "pod").counted(a_pod(volumes=VOLUMES), Signal.NODE_FS, ONE) == 0


SIZES = st.builds(FilesystemSize, st.integers(0, 3), st.integers(0, 2))


@given(SIZES | st.none(), SIZES | st.none(), SIZES | st.none())
def test_equal_sizes_are_one_file_system(
    nodes: FilesystemSize | None, images: FilesystemSize | None, containers: FilesystemSize | None
) -> None:
    layout = layout_of(nodes, images, containers)

    if nodes is None or images is None:
        assert layout is None
    elif containers is not None and containers != images:
        assert layout is SPLIT
    else:
        assert layout is (ONE if nodes == images else IMAGES)


def test_what_is_written_is_read_again() -> None:
    node = NodeDisks({Signal.NODE_FS: Observed(3, 10), Signal.PIDS: Observed(1, 2)}, IMAGES, (DISKS,))

    assert NodeDisks.from_dict(json.loads(json.dumps(node.as_dict()))) == node
    bare = NodeDisks({}, None, ())
    assert NodeDisks.from_dict(json.loads(json.dumps(bare.as_dict()))) == bare


def limited(*limits: str | None, **spec: Any) -> Document:
    """A pod whose containers c0, c1 … have these limits of ephemeral storage."""
    containers = [
        {"name": f"c{number}", "resources": {"limits": {"ephemeral-storage": limit} if limit is not None else {}}}
        for number, limit in enumerate(limits)
    ]
    return a_pod(containers=containers, **spec)


def having(*, total: int = 0, layer: int = 0, logs: int = 0, volumes: dict[str, int] | None = None) -> PodDisks:
    """A report of a pod whose container c0 and volumes have so many bytes."""
    return PodDisks(
        "uid-pod",
        "default",
        "pod",
        {"c0": OnDisk(layer)},
        {"c0": OnDisk(logs)},
        {name: OnDisk(size) for name, size in (volumes or {}).items()},
        total,
    )


@pytest.mark.parametrize(
    ("pod", "has", "layout", "found"),
    [
        pytest.param(limited("1Gi"), having(layer=GIB), ONE, None, id="just at the limit"),
        pytest.param(
            limited("1Gi"), having(layer=GIB - 1, logs=2), ONE, (ExceededLimit.CONTAINER, "c0", GIB + 1, GIB), id="both"
        ),
        pytest.param(limited("1Gi"), having(layer=9 * GIB, logs=GIB), IMAGES, None, id="layers on imagefs"),
        pytest.param(limited("1Gi"), having(layer=9 * GIB, logs=GIB), SPLIT, None, id="a split file system"),
        pytest.param(
            limited("1Gi"), having(logs=2 * GIB), IMAGES, (ExceededLimit.CONTAINER, "c0", 2 * GIB, GIB), id="logs alone"
        ),
        pytest.param(
            limited("1Gi", "2Gi"),
            having(total=3 * GIB + 1, logs=9 * GIB),
            ONE,
            (ExceededLimit.POD, "", 3 * GIB + 1, 3 * GIB),
            id="the sum before containers",
        ),
        pytest.param(limited("1Gi", None), having(total=GIB), ONE, None, id="at the sum"),
        pytest.param(
            limited("1Gi", None), having(total=GIB + 1), ONE, (ExceededLimit.POD, "", GIB + 1, GIB), id="one has none"
        ),
        pytest.param(limited(None), having(total=99 * GIB, logs=99 * GIB), ONE, None, id="no limit"),
        pytest.param(limited("0"), having(total=1, logs=1), ONE, (ExceededLimit.POD, "", 1, 0), id="0 is one of a pod"),
        pytest.param(limited("0"), having(logs=1), ONE, None, id="and none of a container"),
        pytest.param(
            limited("1Gi", volumes=[{"name": "v", "emptyDir": {"medium": "Memory", "sizeLimit": "1Mi"}}]),
            having(total=9 * GIB, volumes={"v": 2**20 + 1}),
            ONE,
            (ExceededLimit.EMPTY_DIR, "v", 2**20 + 1, 2**20),
            id="an emptyDir before all else",
        ),
        pytest.param(
            limited(None, volumes=[{"name": "v", "emptyDir": {"sizeLimit": "1Mi"}}]),
            having(),
            ONE,
            None,
            id="unreported",
        ),
        pytest.param(
            limited(None, volumes=[{"name": "v", "emptyDir": {"sizeLimit": "0"}}]),
            having(volumes={"v": 9}),
            ONE,
            None,
            id="a size limit of 0 is none",
        ),
    ],
)
def test_the_first_limit_that_is_exceeded_counts(
    pod: Document, has: PodDisks, layout: FilesystemLayout, found: tuple[ExceededLimit, str, int, int] | None
) -> None:
    assert storage_excess(pod, has, layout) == (None if found is None else StorageExcess("default/pod", *found))


def test_critical_pods_are_spared_and_finished_ones_left_out() -> None:
    above = NodeDisks({}, ONE, (having(total=2 * GIB),))
    critical = limited("1Gi", priority=2_000_000_000)
    finished = {**limited("1Gi"), "status": {"phase": "Succeeded"}}

    (spared,) = storage_excesses([critical], above, ONE)
    assert spared.is_spared
    assert storage_excesses([finished], above, ONE) == []
    assert storage_excesses([{**limited("1Gi"), "metadata": {"name": "new", "uid": "other"}}], above, ONE) == []


def test_known_use_decides_the_order() -> None:
    def running(name: str, **fields: Any) -> Document:
        return {**a_pod(name, **fields), "status": {"phase": "Running"}}

    pods = [running("within", requests={"ephemeral-storage": "2Gi"}), running("above"), running("unknown", priority=5)]
    disks = NodeDisks(
        {},
        ONE,
        tuple(
            PodDisks(f"uid-{name}", "default", name, {"main": OnDisk(size)})
            for name, size in (("within", GIB), ("above", 5))
        ),
    )

    found = disk_pressure_order(pods, Signal.NODE_FS, ONE, disks.counted(pods, Signal.NODE_FS, ONE))

    assert [(each.key, each.ground, each.used, each.earliest, each.latest) for each in found] == [
        ("default/above", RankGround.ABOVE, 5, 1, 1),
        ("default/unknown", RankGround.NOTHING_REQUESTED, None, 2, 2),
        ("default/within", RankGround.WITHIN, GIB, 3, 3),
    ]


def test_what_no_node_has_counts_in_the_outermost_buckets() -> None:
    assert buckets_of(np.array([-5, 2**62 + 1], np.int64)).tolist() == [0, len(BOUNDS) - 1]


def test_a_sidecar_runs_and_another_init_container_does_not() -> None:
    sidecar = container("mesh", {"cpu": "500m"}, restartPolicy="Always")
    pod = pod_of(container("app", {"cpu": "1"}), init=(container("setup", {"cpu": "2"}), sidecar))
    statistics = {name: used(100, MIB) for name in ("app", "mesh", "setup")}

    found = workload_sizing(WEB, pod, 1, UsedAmounts(2000, 0), statistics)

    assert [(each.name, each.is_sidecar) for each in found.containers] == [("mesh", True), ("app", False)]
    # What sets the pod up still requests 2 CPU.
    assert found.after.cpu_milli == 2000


def test_a_pod_uses_what_its_containers_use() -> None:
    pod = PodUsage("shop", "web-1", {"app": UsedAmounts(20, 300), "proxy": UsedAmounts(5, 40)})

    assert pod.key == "shop/web-1"
    assert pod.total == UsedAmounts(25, 340)
