"""What of a pod's disks counts while its node is short of something, and which limits it exceeds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from tests.engine.builders import Document, a_pod

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
    node = NodeDisks({}, layout, (DISKS,))
    assert node.counted([pod, a_pod("other")], signal, layout) == {"uid-pod": counted}


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


def test_init_containers_count_in_the_sum_alone() -> None:
    init = {"name": "c0", "resources": {"limits": {"ephemeral-storage": "2Gi"}}}
    pod = limited(None, initContainers=[init])

    assert storage_excess(pod, having(logs=9 * GIB, total=2 * GIB), ONE) is None
    excess = storage_excess(pod, having(total=3 * GIB), ONE)
    assert excess == StorageExcess("default/pod", ExceededLimit.POD, "", 3 * GIB, 2 * GIB)


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
