"""What a kubelet's configuration comes to, and why a kubelet would not start with it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import ConfigurationError
from clusters.engine.kubelet import (
    API_VERSION,
    KIND,
    EvictionThreshold,
    FilesystemLayout,
    ImageCollection,
    KubeletSettings,
    Reservation,
    Signal,
    SignalAmount,
    reservations,
    thresholds_on,
)
from clusters.engine.kubelet.settings import PressureCondition, ShutdownPeriod
from clusters.engine.problems import (
    BelowLeast,
    BeyondOther,
    InvalidValue,
    MissingField,
    MustBe,
    NotAMap,
    NotAnInteger,
    NotAText,
    NotOneOf,
    NotTogether,
    OutOfRange,
)
from clusters.engine.quantity import NotAQuantity
from tests.support.answers import error_of

if TYPE_CHECKING:
    from tests.engine.builders import Document

MIB, GIB = 2**20, 2**30


def settings(**fields: Any) -> KubeletSettings:
    return KubeletSettings.from_dict({"apiVersion": API_VERSION, "kind": KIND, **fields})


def amounts(found: KubeletSettings, *, soft: bool = False) -> dict[Signal, SignalAmount]:
    return {each.signal: each.amount for each in found.thresholds if each.is_of_soft is soft}


def test_threshold_of_0_or_100_percent_is_none() -> None:
    found = settings(evictionHard={"nodefs.available": "0%", "imagefs.available": "100%", "pid.available": "10%"})

    assert amounts(found) == {Signal.PIDS: SignalAmount(percent="10")}


def test_memory_of_all_pods_has_the_hard_threshold_where_their_cgroup_is_limited() -> None:
    limited = settings(
        evictionSoft={"memory.available": "2Gi"},
        evictionSoftGracePeriod={"memory.available": "1m"},
        evictionMinimumReclaim={"memory.available": "10Mi"},
    )
    copy = limited.thresholds[-1]

    assert copy == EvictionThreshold(Signal.ALLOCATABLE_MEMORY, SignalAmount(100 * MIB), reclaim=SignalAmount(10 * MIB))
    assert [each.signal for each in limited.thresholds].count(Signal.ALLOCATABLE_MEMORY) == 1
    assert Signal.ALLOCATABLE_MEMORY not in amounts(settings(enforceNodeAllocatable=["none"]))


@pytest.mark.parametrize(
    ("layout", "of_containers"),
    [
        (FilesystemLayout.ONE, "10"),
        (FilesystemLayout.IMAGES, "15"),
        (FilesystemLayout.IMAGES_SPLIT, "10"),
    ],
)
def test_containerfs_has_the_thresholds_of_another_file_system(layout: FilesystemLayout, of_containers: str) -> None:
    given = settings(evictionHard={"containerfs.available": "1%"}, mergeDefaultEvictionSettings=True)
    found = [each for each in thresholds_on(given.thresholds, layout) if each.signal is Signal.CONTAINER_FS]

    assert [each.amount for each in found] == [SignalAmount(percent=of_containers)]


@pytest.mark.parametrize(
    ("capacity", "percent", "units"),
    [
        # What nodes with such disks report: 133003395072 - 119703055367.
        (129886128 * 1024, "10", 13300339705),
        (10 * GIB, "10", 1073741840),
        (0, "10", 0),
    ],
)
def test_e28_a_percentage_is_of_32_bits_as_in_the_kubelet(capacity: int, percent: str, units: int) -> None:
    assert SignalAmount(percent=percent).of(capacity) == units


def test_conditions_of_the_node_follow_from_signals() -> None:
    conditions = {signal: signal.condition for signal in Signal}

    assert {each for each, condition in conditions.items() if condition is PressureCondition.MEMORY} == {
        Signal.MEMORY, Signal.ALLOCATABLE_MEMORY,
    }  # fmt: skip
    assert {each for each, condition in conditions.items() if condition is PressureCondition.PIDS} == {Signal.PIDS}


def test_answer_of_a_kubelet_is_read_too() -> None:
    found = KubeletSettings.from_dict({"kubeletconfig": {"evictionHard": {"memory.available": "1Gi"}, "port": 10250}})

    assert amounts(found)[Signal.MEMORY] == SignalAmount(GIB)


def test_shutdown_is_of_two_groups_or_of_as_many_as_there_are_priorities() -> None:
    two = settings(shutdownGracePeriod="30s", shutdownGracePeriodCriticalPods="10s")
    many = settings(
        shutdownGracePeriodByPodPriority=[
            {"priority": 2_000_000_000, "shutdownGracePeriodSeconds": 10},
            {"priority": 0, "shutdownGracePeriodSeconds": 30},
            {"priority": 10000, "shutdownGracePeriodSeconds": 20},
        ]
    )

    assert two.shutdown == (ShutdownPeriod(0, 20), ShutdownPeriod(2_000_000_000, 10))
    assert [each.priority for each in many.shutdown] == [0, 10000, 2_000_000_000]
    assert [each.seconds for each in many.shutdown] == [30, 20, 10]


def test_image_collection_begins_at_the_truncated_share_and_ends_at_the_lower_one() -> None:
    images = ImageCollection()

    # 100 - 159 * 100 // 1000 is 85, 100 - 160 * 100 // 1000 is 84.
    assert images.starts_below(1000) == 160
    assert images.frees_to(1000) == 200
    assert ImageCollection(high=100).is_off
    assert not ImageCollection(high=100, maximum_age=Fraction(60)).is_off


@pytest.mark.parametrize("capacity", [1, 99, 1000, 12345, 10**11 + 7])
@pytest.mark.parametrize("high", [1, 50, 85, 99, 100])
def test_start_of_image_collection_agrees_with_upstreams_arithmetic(capacity: int, high: int) -> None:
    start = ImageCollection(high=high, low=0).starts_below(capacity)

    def begins(available: int) -> bool:
        return 100 - available * 100 // capacity >= high

    assert begins(start - 1)
    assert start > capacity or not begins(start)


@pytest.mark.parametrize(
    ("fields", "path", "problem"),
    [
        ({"evictionHard": {"memory.free": "1Gi"}}, "evictionHard.memory.free",
         NotOneOf("'memory.free'", tuple(Signal))),
        ({"evictionHard": {"memory.available": "0"}}, "evictionHard.memory.available",
         BelowLeast("'0'", 1)),
        ({"evictionHard": {"memory.available": "10%,1Gi"}}, "evictionHard.memory.available", NotAQuantity("'10%,1Gi'")),
        ({"evictionHard": {"memory.available": "x%"}}, "evictionHard.memory.available", InvalidValue("'x%'", ("10%",))),
        ({"evictionHard": {"memory.available": "101%"}}, "evictionHard.memory.available",
         InvalidValue("'101%'", ("10%",))),
        ({"evictionHard": {"memory.available": "-1%"}}, "evictionHard.memory.available",
         InvalidValue("'-1%'", ("10%",))),
        ({"evictionMinimumReclaim": {"memory.available": "1e39%"}}, "evictionMinimumReclaim.memory.available",
         InvalidValue("'1e39%'", ("10%",))),
        ({"evictionHard": {"memory.available": 5}}, "evictionHard.memory.available", NotAText("5")),
        ({"evictionHard": ["memory.available<1Gi"]}, "evictionHard", NotAMap("[…]")),
        ({"evictionSoft": {"memory.available": "1Gi"}}, "evictionSoft.memory.available",
         MissingField(f"evictionSoftGracePeriod.{'memory.available'}", "1m30s")),
        ({"evictionSoftGracePeriod": {"memory.available": "-1s"}}, "evictionSoftGracePeriod.memory.available",
         BelowLeast("'-1s'", 0)),
        ({"evictionSoftGracePeriod": {"memory.available": "1"}}, "evictionSoftGracePeriod.memory.available",
         InvalidValue("'1'", ("10s", "1m30s"))),
        ({"evictionMinimumReclaim": {"memory.available": "0%"}}, "evictionMinimumReclaim.memory.available",
         BelowLeast("'0%'", 1)),
        ({"evictionMinimumReclaim": {"memory.available": "-1"}}, "evictionMinimumReclaim.memory.available",
         BelowLeast("'-1'", 0)),
        ({"evictionMaxPodGracePeriod": "30s"}, "evictionMaxPodGracePeriod", NotAnInteger("'30s'", 32)),
        ({"systemReserved": {"example.com/gpu": "1"}}, "systemReserved.example.com/gpu",
         NotOneOf("'example.com/gpu'", ("cpu", "memory", "ephemeral-storage", "pid"))),
        ({"kubeReserved": {"cpu": "-100m"}}, "kubeReserved.cpu", BelowLeast("'-100m'", 0)),
        ({"imageGCHighThresholdPercent": 101}, "imageGCHighThresholdPercent", OutOfRange("101", 0, 100)),
        ({"imageGCHighThresholdPercent": 80}, "imageGCLowThresholdPercent",
         BeyondOther("80", "<", "imageGCHighThresholdPercent", "80")),
        ({"imageMaximumGCAge": "1m"}, "imageMaximumGCAge", BeyondOther("'1m'", ">", "imageMinimumGCAge", "2m")),
        ({"shutdownGracePeriod": "500ms"}, "shutdownGracePeriod", InvalidValue("'500ms'", ("0s", "1s"))),
        ({"shutdownGracePeriod": "10s", "shutdownGracePeriodCriticalPods": "11s"}, "shutdownGracePeriodCriticalPods",
         BeyondOther("'11s'", "≤", "shutdownGracePeriod", "10s")),
        ({"shutdownGracePeriod": "10s", "shutdownGracePeriodByPodPriority": [{"priority": 0}]},
         "shutdownGracePeriodByPodPriority", NotTogether(("shutdownGracePeriod", "shutdownGracePeriodByPodPriority"))),
        ({"kind": "Pod"}, "kind", MustBe("'Pod'", KIND)),
        ({"apiVersion": "v1"}, "apiVersion", MustBe("'v1'", API_VERSION)),
    ],
)  # fmt: skip
def test_configuration_with_which_no_kubelet_starts(fields: dict[str, Any], path: str, problem: object) -> None:
    error = error_of(ConfigurationError, settings, **fields)

    assert (error.path, error.problem) == (path, problem)


@pytest.mark.parametrize("document", [None, "text", [1]])
def test_something_else_than_a_map_is_no_configuration(document: object) -> None:
    assert isinstance(error_of(ConfigurationError, KubeletSettings.from_dict, document).problem, NotAMap)


def reporting(capacity: Document, allocatable: Document) -> Document:
    return {"status": {"capacity": capacity, "allocatable": allocatable}}


def by_resource(node: Document, found: KubeletSettings) -> dict[str, Reservation]:
    return {each.resource: each for each in reservations(node, found)}


def test_what_is_kept_beyond_the_threshold_is_reserved_and_less_needs_another_threshold() -> None:
    node = reporting({"cpu": "4", "memory": "8Gi"}, {"cpu": "3860m", "memory": "8Gi"})
    found = by_resource(node, KubeletSettings.default())

    assert (found["cpu"].kept, found["cpu"].beyond) == (140, 140)
    assert found["memory"].beyond == -100 * MIB


@given(st.integers(0, 2**40), st.integers(0, 2**36), st.integers(0, 2**36), st.integers(1, 2**34))
def test_node_of_a_configuration_agrees_with_it(capacity: int, system: int, kubelet: int, threshold: int) -> None:
    given_settings = settings(
        evictionHard={"memory.available": str(threshold)},
        systemReserved={"memory": str(system)},
        kubeReserved={"memory": str(kubelet)},
    )
    # As the kubelet computes it: what is reserved altogether, subtracted once, and never below 0.
    allocatable = max(0, capacity - (system + kubelet + threshold))
    (found,) = reservations(reporting({"memory": str(capacity)}, {"memory": str(allocatable)}), given_settings)

    assert found.beyond == 0


def test_given_reservations_and_huge_pages_count() -> None:
    node = reporting(
        {"cpu": "4", "memory": "8Gi", "hugepages-2Mi": "1Gi", "hugepages-1Gi": "0"}, {"cpu": "3500m", "memory": "5Gi"}
    )
    given = settings(
        evictionHard={"memory.available": "1Gi"},
        systemReserved={"cpu": "200m", "memory": "512Mi"},
        kubeReserved={"cpu": "300m", "memory": "512Mi"},
    )
    found = by_resource(node, given)

    assert (found["cpu"].reserved, found["cpu"].beyond) == (500, 0)
    assert (found["memory"].huge_pages, found["memory"].expected, found["memory"].beyond) == (GIB, 5 * GIB, 0)


def test_soft_threshold_keeps_nothing() -> None:
    node = reporting({"memory": "8Gi"}, {"memory": "8Gi"})
    soft = settings(
        evictionHard={}, evictionSoft={"memory.available": "1Gi"}, evictionSoftGracePeriod={"memory.available": "0s"}
    )

    assert by_resource(node, soft)["memory"].beyond == 0
