"""The order of eviction under memory pressure, compared with the kubelet's own comparison once usage is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine.kubelet import KnownMemory, PressureRank, pressure_order
from clusters.engine.kubelet.containers import CRITICAL, pressure_request
from clusters.engine.qos import QualityOfService, quality_of_service
from clusters.engine.resources import MEMORY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.engine.builders import Document

MIB = 2**20
_MIRROR = [{"apiVersion": "v1", "kind": "Node", "name": "n1", "uid": "n1", "controller": True}]


def a_container(requests: str = "", limits: str = "", **other: Any) -> Document:
    """A container with this much memory, each as Kubernetes writes it; empty is none."""
    resources = {kind: {"memory": amount} for kind, amount in (("requests", requests), ("limits", limits)) if amount}
    return {"name": "main", "resources": resources, **other}


def a_pod(name: str, *containers: Document, priority: int = 0, phase: str = "Running", **spec: Any) -> Document:
    owners = spec.pop("owners", [])
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "ownerReferences": owners},
        "spec": {"containers": list(containers) or [a_container()], "priority": priority, "nodeName": "n1", **spec},
        "status": {"phase": phase},
    }


def ranks(*pods: Document) -> dict[str, tuple[KnownMemory, int, int]]:
    return {each.key.partition("/")[2]: (each.standing, each.earliest, each.latest) for each in pressure_order(pods)}


def by_usage(found: list[PressureRank], usage: Mapping[str, int | None]) -> list[str]:
    """The kubelet's own order where usage is known; None where the kubelet has no statistics of a pod."""

    def key(rank: PressureRank) -> tuple[int, int, int]:
        used = usage[rank.key]
        if used is None:
            return (0, rank.priority, 0)
        return (1 if used > rank.requested else 2, rank.priority, rank.requested - used)

    evictable = [rank for rank in found if not rank.standing.is_exempt]
    return [rank.key for rank in sorted(evictable, key=key)]


def test_lower_priority_within_its_request_outlives_a_higher_one_above_its_own() -> None:
    found = ranks(
        a_pod("modest", a_container("1Gi", "1Gi"), priority=0),
        a_pod("greedy", a_container(), priority=1000),
    )

    assert found == {"greedy": (KnownMemory.NOTHING_REQUESTED, 1, 1), "modest": (KnownMemory.CAPPED, 2, 2)}


def test_priority_decides_among_pods_that_request_nothing_and_among_those_that_cannot_exceed() -> None:
    found = ranks(
        a_pod("capped-high", a_container("1Gi", "1Gi"), priority=9),
        a_pod("capped-low", a_container("1Gi", "512Mi"), priority=1),
        a_pod("bare-high", priority=9),
        a_pod("bare-low", priority=1),
    )

    assert [(name, earliest, latest) for name, (_, earliest, latest) in found.items()] == [
        ("bare-low", 1, 1), ("bare-high", 2, 2), ("capped-low", 3, 3), ("capped-high", 4, 4),
    ]  # fmt: skip


def test_usage_alone_tells_equals_apart() -> None:
    found = ranks(a_pod("one"), a_pod("two"), a_pod("last", a_container("1Gi", "1Gi")))

    assert found["one"][1:] == found["two"][1:] == (1, 2)
    assert found["last"][1:] == (3, 3)


def test_pod_that_may_exceed_its_request_can_come_early_or_late() -> None:
    found = ranks(
        a_pod("bare", priority=5),
        a_pod("open", a_container("1Gi"), priority=5),
        a_pod("roomy", a_container("1Gi", "2Gi"), priority=0),
        a_pod("capped", a_container("1Gi", "1Gi"), priority=5),
    )

    assert found == {
        # Whether it is above its request is open, and if it is, its lower priority puts it first.
        "roomy": (KnownMemory.ABOVE_REQUEST, 1, 3),
        "bare": (KnownMemory.NOTHING_REQUESTED, 1, 3),
        "open": (KnownMemory.UNLIMITED, 1, 4),
        # Of lower priority, roomy goes first even within its request.
        "capped": (KnownMemory.CAPPED, 3, 4),
    }


@pytest.mark.parametrize(
    ("pod", "standing"),
    [
        (a_pod("critical", priority=CRITICAL), KnownMemory.CRITICAL),
        (a_pod("static", owners=_MIRROR), KnownMemory.STATIC),
    ],
)
def test_critical_pods_are_passed_over(pod: Document, standing: KnownMemory) -> None:
    assert pressure_order([pod, a_pod("other", a_container("1Gi", "1Gi"))])[-1].standing is standing
    assert ranks(pod)[pod["metadata"]["name"]] == (standing, 0, 0)


def test_highest_priority_below_critical_is_not_spared() -> None:
    assert ranks(a_pod("high", priority=CRITICAL - 1))["high"] == (KnownMemory.NOTHING_REQUESTED, 1, 1)


def test_finished_pods_have_no_rank() -> None:
    assert pressure_order([a_pod("done", phase="Succeeded"), a_pod("failed", phase="Failed")]) == []


def test_pod_of_which_nothing_runs_may_have_no_statistics_and_then_comes_first() -> None:
    found = ranks(a_pod("starting", a_container("1Gi", "1Gi"), phase="Pending", priority=9), a_pod("bare"))

    assert found == {"starting": (KnownMemory.STARTING, 1, 2), "bare": (KnownMemory.NOTHING_REQUESTED, 1, 2)}


@pytest.mark.parametrize(
    ("containers", "spec", "standing"),
    [
        ([a_container("1Gi", "1Gi"), a_container("1Gi")], {}, KnownMemory.UNLIMITED),
        ([a_container("1Gi", "1Gi"), a_container("1Gi", "1Gi")], {}, KnownMemory.CAPPED),
        ([a_container("1Gi", "1Gi")], {"initContainers": [a_container("", "3Gi")]}, KnownMemory.ABOVE_REQUEST),
        ([a_container("1Gi", "1Gi")], {"initContainers": [a_container("3Gi", "3Gi")]}, KnownMemory.CAPPED),
        ([a_container("1Gi", "1Gi")], {"initContainers": [a_container("1Gi")]}, KnownMemory.UNLIMITED),
        (
            [a_container("1Gi", "1Gi")],
            {"initContainers": [a_container("1Gi", "1Gi", restartPolicy="Always")]},
            KnownMemory.SIDECARS,
        ),
        ([a_container("1Gi", "1Gi")], {"ephemeralContainers": [{"name": "debug"}]}, KnownMemory.UNLIMITED),
        (
            [a_container()],
            {"resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}},
            KnownMemory.CAPPED,
        ),
        ([a_container()], {"resources": {"requests": {"memory": "1Gi"}}}, KnownMemory.UNLIMITED),
        # Measured by its own level alone, where it requests no memory.
        ([a_container("1Gi", "1Gi")], {"resources": {"requests": {"cpu": "1"}}}, KnownMemory.NOTHING_AS_A_WHOLE),
        ([a_container("1Gi", "1Gi")], {"resources": {"limits": {"cpu": "1"}}}, KnownMemory.NOTHING_AS_A_WHOLE),
        ([a_container("1Gi", "1Gi")], {"resources": {"requests": {}}}, KnownMemory.CAPPED),
        ([a_container("1Gi", "1Gi")], {"overhead": {"memory": "100Mi"}}, KnownMemory.CAPPED),
        ([a_container()], {"overhead": {"memory": "100Mi"}}, KnownMemory.NOTHING_REQUESTED),
    ],
)
def test_standing_follows_from_requests_and_limits(
    containers: list[Document], spec: dict[str, Any], standing: KnownMemory
) -> None:
    assert ranks(a_pod("pod", *containers, **spec))["pod"][0] is standing


def test_overhead_counts_in_the_ranking_beside_a_request_only() -> None:
    overhead: dict[str, Any] = {"overhead": {"memory": "100Mi"}}

    assert pressure_request(a_pod("some", a_container("50Mi"), **overhead), MEMORY) == 150 * MIB
    assert pressure_request(a_pod("none", **overhead), MEMORY) == 0


amounts = st.sampled_from(("", "64Mi", "128Mi", "256Mi"))


@st.composite
def running(draw: st.DrawFn, name: str) -> Document:
    requests, limits = draw(amounts), draw(amounts)
    if limits and (not requests or int(requests[:-2]) > int(limits[:-2])):
        requests = limits
    return a_pod(
        name,
        a_container(requests, limits),
        priority=draw(st.sampled_from((0, 0, 5, 1000, CRITICAL))),
        phase=draw(st.sampled_from(("Running", "Running", "Pending"))),
    )


@st.composite
def measured(draw: st.DrawFn) -> tuple[list[Document], dict[str, int | None]]:
    """Pods of a node, and usage of each that its limits allow."""
    pods = [draw(running(f"p{number}")) for number in range(draw(st.integers(1, 7)))]
    usage: dict[str, int | None] = {}
    for rank in pressure_order(pods):
        top = 512 * MIB if rank.limited is None else rank.limited
        options = st.integers(1, top)
        usage[rank.key] = draw(st.none() | options if rank.standing is KnownMemory.STARTING else options)
    return pods, usage


@given(measured())
def test_kubelets_order_keeps_every_pod_within_its_ranks(drawn: tuple[list[Document], dict[str, int | None]]) -> None:
    pods, usage = drawn
    found = pressure_order(pods)
    order = by_usage(found, usage)

    for rank in found:
        if rank.standing.is_exempt:
            assert rank.key not in order
        else:
            assert rank.earliest <= 1 + order.index(rank.key) <= rank.latest


@given(measured(), st.sets(st.integers(0, 6)))
def test_known_usage_narrows_the_ranks_and_all_of_it_gives_the_kubelets_order(
    drawn: tuple[list[Document], dict[str, int | None]], hidden: set[int]
) -> None:
    pods, usage = drawn
    shown = {key: used for number, (key, used) in enumerate(usage.items()) if number not in hidden}
    some, every = pressure_order(pods, shown), pressure_order(pods, usage)
    blind = {rank.key: rank for rank in pressure_order(pods)}
    order = by_usage(every, usage)

    for rank in some:
        if rank.standing.is_exempt:
            continue
        assert blind[rank.key].earliest <= rank.earliest <= 1 + order.index(rank.key) <= rank.latest
        if None not in usage.values():
            exact = next(each for each in every if each.key == rank.key)
            # Equals share their ranks, and stand beside each other in the plain order.
            assert exact.earliest <= 1 + order.index(rank.key) <= exact.latest
            equals = [each for each in every if each.earliest == exact.earliest]
            assert exact.latest - exact.earliest + 1 == len(equals)


def test_usage_decides_where_it_is_known() -> None:
    pods = [
        a_pod("over", a_container("1Gi"), priority=5),
        a_pod("more", a_container("1Gi"), priority=5),
        a_pod("within", a_container("2Gi"), priority=0),
    ]
    found = pressure_order(pods, {"shop/over": 1025 * MIB, "shop/more": 1100 * MIB, "shop/within": 2048 * MIB})

    assert [(each.key, each.standing, each.earliest, each.latest) for each in found] == [
        ("shop/more", KnownMemory.MEASURED_ABOVE, 1, 1),
        ("shop/over", KnownMemory.MEASURED_ABOVE, 2, 2),
        ("shop/within", KnownMemory.MEASURED_WITHIN, 3, 3),
    ]


def resources(**kinds: dict[str, str]) -> Document:
    return {"name": "main", "resources": kinds}


BOTH = {"cpu": "1", "memory": "1Gi"}


@pytest.mark.parametrize(
    ("containers", "spec", "expected"),
    [
        ([resources(requests=BOTH, limits=BOTH)], {}, QualityOfService.GUARANTEED),
        ([resources(requests=BOTH, limits=BOTH), resources()], {}, QualityOfService.BURSTABLE),
        ([resources(requests=BOTH)], {}, QualityOfService.BURSTABLE),
        ([resources(requests={"cpu": "500m", "memory": "1Gi"}, limits=BOTH)], {}, QualityOfService.BURSTABLE),
        ([resources(limits={"memory": "1Gi"}, requests={"memory": "1Gi"})], {}, QualityOfService.BURSTABLE),
        ([resources()], {}, QualityOfService.BEST_EFFORT),
        ([resources(requests={"cpu": "0"})], {}, QualityOfService.BEST_EFFORT),
        (
            [resources(requests={"nvidia.com/gpu": "1"}, limits={"nvidia.com/gpu": "1"})],
            {},
            QualityOfService.BEST_EFFORT,
        ),
        ([resources()], {"initContainers": [resources(requests=BOTH)]}, QualityOfService.BURSTABLE),
        ([resources()], {"resources": {"requests": BOTH, "limits": BOTH}}, QualityOfService.GUARANTEED),
    ],
)
def test_quality_of_service(containers: list[Document], spec: dict[str, Any], expected: QualityOfService) -> None:
    assert quality_of_service(a_pod("pod", *containers, **spec)) is expected


def test_reported_class_counts() -> None:
    pod = a_pod("pod")

    assert quality_of_service({**pod, "status": {"qosClass": "Guaranteed"}}) is QualityOfService.GUARANTEED
    assert quality_of_service({**pod, "status": {"qosClass": ""}}) is QualityOfService.BEST_EFFORT
