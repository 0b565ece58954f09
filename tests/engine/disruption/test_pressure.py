"""The order of eviction under memory pressure, compared with the kubelet's own comparison once usage is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import ConfigurationError
from clusters.engine.kubelet import (
    API_VERSION,
    KIND,
    KnownMemory,
    KubeletSettings,
    PressureRank,
    enforced_limits,
    pressure_order,
    reservations,
)
from clusters.engine.kubelet.containers import CRITICAL, cpu_shares

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
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "ownerReferences": spec.pop("owners", [])},
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


def resources(**kinds: dict[str, str]) -> Document:
    return {"name": "main", "resources": kinds}


GIB = 2**30


def requesting(resources: Document) -> Document:
    return {"metadata": {"name": "web"}, "spec": {"containers": [{"name": "main", "resources": resources}]}}


def settings(**fields: Any) -> KubeletSettings:
    return KubeletSettings.from_dict({"apiVersion": API_VERSION, "kind": KIND, **fields})


@pytest.mark.parametrize(("text", "units"), [("1Gi", GIB), ("10%", 1073741840)])
def test_e28_ten_percent_of_10_gib_or_1_gib_is_a_threshold_and_both_are_none(text: str, units: int) -> None:
    # The share is a float of 32 bits: 16 bytes more than 1 GiB.
    assert settings(evictionHard={"memory.available": text}).thresholds[0].amount.of(10 * GIB) == units
    with pytest.raises(ConfigurationError, match=r"evictionHard.memory.available"):
        settings(evictionHard={"memory.available": f"{text},1Gi"})


def test_e62_what_is_reserved_includes_the_amount_that_the_threshold_covers() -> None:
    found = settings(evictionHard={"memory.available": "500Mi"}, systemReserved={"memory": "1.5Gi"})
    (memory,) = reservations({"status": {"capacity": {"memory": "10Gi"}, "allocatable": {"memory": "8204Mi"}}}, found)

    assert memory.reserved == GIB + 512 * MIB
    # 10 GiB less 1.5 GiB less 500 MiB.
    assert (memory.expected, memory.beyond) == (8204 * MIB, 0)
    # Evicted is from 95 % used on, with 10 % for the system in use.
    assert round(100 * (1 - memory.threshold / memory.capacity)) == 95


def test_e37_250m_are_256_shares_and_500m_are_50_ms_of_100() -> None:
    _, main = enforced_limits(requesting({"requests": {"cpu": "250m"}, "limits": {"cpu": "500m"}}))

    assert (main.shares, main.quota_micros) == (256, 50_000)
    assert cpu_shares(1) == 2


def test_e63_usage_above_the_request_goes_first_then_priority_then_how_far_above() -> None:
    def pod(name: str, request: str, priority: int, **resources: Document) -> Document:
        found = requesting({"requests": {"memory": request}, **resources} if request else {})
        return {
            **found,
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {**found["spec"], "priority": priority},
        }

    guaranteed = {"limits": {"memory": "1Gi", "cpu": "1"}, "requests": {"memory": "1Gi", "cpu": "1"}}
    pods = {
        # Of the lowest priority, and within its request.
        "modest": (pod("modest", "1Gi", 0), 1023 * MIB),
        "guaranteed": (pod("guaranteed", "1Gi", 500, **guaranteed), 900 * MIB),
        "above": (pod("above", "1Gi", 1000), 1100 * MIB),
        "further-above": (pod("further-above", "1Gi", 1000), 1200 * MIB),
        "best-effort": (pod("best-effort", "", 1000), 50 * MIB),
        "above-low": (pod("above-low", "1Gi", 10), 1025 * MIB),
    }
    found = pressure_order(
        [each for each, _ in pods.values()], {f"shop/{name}": used for name, (_, used) in pods.items()}
    )

    assert [each.key.partition("/")[2] for each in found] == [
        "above-low", "further-above", "above", "best-effort", "modest", "guaranteed",
    ]  # fmt: skip
    assert [(each.earliest, each.latest) for each in found] == [(rank, rank) for rank in range(1, 7)]
