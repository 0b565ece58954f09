"""Shares, quotas and memory limits that the kubelet has enforced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine.kubelet import ContainerRole, EnforcedLimits, enforced_limits, volume_limits
from clusters.engine.kubelet.containers import cpu_quota, cpu_shares, cpu_weight, newer_cpu_weight

if TYPE_CHECKING:
    from tests.engine.builders import Document

GIB = 2**30
ONE = {"cpu": "1", "memory": "1Gi"}


def container(name: str, *, requests: Document | None = None, limits: Document | None = None, **other: Any) -> Document:
    return {"name": name, "resources": {"requests": requests or {}, "limits": limits or {}}, **other}


def found(*containers: Document, **spec: Any) -> dict[str, EnforcedLimits]:
    return {each.container: each for each in enforced_limits({"spec": {"containers": list(containers), **spec}})}


@pytest.mark.parametrize(
    ("milli", "shares", "weight", "newer"),
    [
        (0, 2, 1, 1),
        (1, 2, 1, 1),
        (100, 102, 4, 17),
        (1000, 1024, 39, 100),
        (256_000, 262_144, 10_000, 10_000),
        (10**6, 262_144, 10_000, 10_000),
    ],
)
def test_request_gives_shares_and_weights(milli: int, shares: int, weight: int, newer: int) -> None:
    assert cpu_shares(milli) == shares
    assert (cpu_weight(shares), newer_cpu_weight(shares)) == (weight, newer)


@given(st.integers(2, 262_143))
def test_weights_rise_with_shares_within_what_the_kernel_takes(shares: int) -> None:
    for convert in (cpu_weight, newer_cpu_weight):
        assert 1 <= convert(shares) <= convert(shares + 1) <= 10_000


@pytest.mark.parametrize(("milli", "quota"), [(0, None), (1, 1000), (10, 1000), (11, 1100), (2500, 250_000)])
def test_limit_gives_a_quota_of_at_least_a_millisecond(milli: int, quota: int | None) -> None:
    assert cpu_quota(milli) == quota


def test_container_without_a_request_has_shares_by_its_limit() -> None:
    limits = found(container("main", limits={"cpu": "2"}), container("zero", requests={"cpu": "0"}, limits=ONE))

    assert (limits["main"].shares, limits["main"].quota_micros) == (2048, 200_000)
    assert (limits["zero"].shares, limits["zero"].memory_bytes) == (2, GIB)


def test_limit_at_pod_level_holds_for_containers_without_one() -> None:
    limits = found(
        container("main", requests={"cpu": "500m"}),
        container("own", limits={"memory": "512Mi"}),
        resources={"requests": ONE, "limits": {"cpu": "2", "memory": "2Gi"}},
    )

    assert (limits["main"].shares, limits["main"].quota_micros, limits["main"].memory_bytes) == (512, 200_000, 2 * GIB)
    assert limits["own"].memory_bytes == GIB // 2
    assert (limits[""].shares, limits[""].quota_micros, limits[""].memory_bytes) == (1024, 200_000, 2 * GIB)


def test_pod_is_limited_as_a_whole_only_where_every_container_is() -> None:
    limited = container("one", requests={"cpu": "500m"}, limits=ONE)
    both = found(limited, container("two", requests={"cpu": "500m"}, limits=ONE))[""]
    one = found(limited, container("two", limits={"memory": "1Gi"}))[""]
    setup = found(limited, initContainers=[container("setup", requests={"cpu": "100m"})])[""]

    assert (both.shares, both.quota_micros, both.memory_bytes) == (1024, 200_000, 2 * GIB)
    assert (one.quota_micros, one.memory_bytes) == (None, 2 * GIB)
    assert (setup.quota_micros, setup.memory_bytes) == (None, None)


def test_pod_of_best_effort_has_the_least_shares_and_one_with_overhead_more() -> None:
    bare = found(container("main"), overhead={"cpu": "250m"})[""]
    guaranteed = found(container("main", requests=ONE, limits=ONE), overhead={"cpu": "250m", "memory": "64Mi"})[""]

    assert (bare.shares, bare.quota_micros, bare.memory_bytes) == (2, None, None)
    assert (guaranteed.shares, guaranteed.quota_micros) == (1280, 125_000)
    assert guaranteed.memory_bytes == GIB + 64 * 2**20
    assert (guaranteed.role, guaranteed.newer_weight) == (None, None)


def test_roles_are_told_apart() -> None:
    limits = found(
        container("main"),
        initContainers=[container("proxy", restartPolicy="Always"), container("setup")],
        ephemeralContainers=[{"name": "debug"}],
    )

    assert [each.role for each in limits.values()][1:] == [
        ContainerRole.MAIN, ContainerRole.SIDECAR, ContainerRole.INIT, ContainerRole.EPHEMERAL,
    ]  # fmt: skip


def test_disk_above_a_limit_evicts_the_pod_by_container_by_pod_and_by_volume() -> None:
    one = container("one", limits={"ephemeral-storage": "1Gi"})
    setup = container("setup", limits={"ephemeral-storage": "3Gi"})
    limits = found(one, container("free"), initContainers=[setup])

    # What a container without a limit writes counts against the limit of the others.
    assert limits[""].storage_bytes == 3 * GIB
    assert (limits["one"].storage_bytes, limits["free"].storage_bytes) == (GIB, None)
    # Only the limits of main containers are looked at by themselves.
    assert limits["setup"].storage_bytes is None
    assert found(container("main"))[""].storage_bytes is None


def test_volumes_in_memory_or_on_disk_have_limits_of_their_own() -> None:
    volumes = [
        {"name": "cache", "emptyDir": {"sizeLimit": "1Gi"}},
        {"name": "open", "emptyDir": {}},
        {"name": "none", "emptyDir": {"sizeLimit": "0"}},
        {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
    ]

    assert volume_limits({"spec": {"volumes": volumes}}) == {"cache": GIB}
