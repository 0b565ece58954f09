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
        (250, 256, 10, 35),
        (1000, 1024, 39, 100),
        (256_000, 262_144, 10_000, 10_000),
        (10**6, 262_144, 10_000, 10_000),
    ],
)
def test_e37_a_request_gives_shares_and_weights(milli: int, shares: int, weight: int, newer: int) -> None:
    assert cpu_shares(milli) == shares
    assert (cpu_weight(shares), newer_cpu_weight(shares)) == (weight, newer)


@given(st.integers(2, 262_143))
def test_weights_rise_with_shares_within_what_the_kernel_takes(shares: int) -> None:
    for convert in (cpu_weight, newer_cpu_weight):
        assert 1 <= convert(shares) <= convert(shares + 1) <= 10_000


@pytest.mark.parametrize(
    ("milli", "quota"), [(0, None), (1, 1000), (10, 1000), (11, 1100), (500, 50_000), (2500, 250_000)]
)
def test_e37_a_limit_gives_a_quota_of_at_least_a_millisecond(milli: int, quota: int | None) -> None:
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


def test_roles_are_told_apart() -> None:
    limits = found(
        container("main"),
        initContainers=[container("proxy", restartPolicy="Always"), container("setup")],
        ephemeralContainers=[{"name": "debug"}],
    )

    assert [each.role for each in limits.values()][1:] == [
        ContainerRole.MAIN, ContainerRole.SIDECAR, ContainerRole.INIT, ContainerRole.EPHEMERAL,
    ]  # fmt: skip


def test_volumes_in_memory_or_on_disk_have_limits_of_their_own() -> None:
    volumes = [
        {"name": "cache", "emptyDir": {"sizeLimit": "1Gi"}},
        {"name": "open", "emptyDir": {}},
        {"name": "none", "emptyDir": {"sizeLimit": "0"}},
        {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
    ]

    assert volume_limits({"spec": {"volumes": volumes}}) == {"cache": GIB}
