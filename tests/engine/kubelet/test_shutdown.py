"""Graceful node shutdown: groups by priority, and how long pods get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.kubelet import shutdown_groups
from clusters.engine.kubelet.settings import ShutdownPeriod

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.engine.builders import Document

CRITICAL = 2_000_000_000
TWO = (ShutdownPeriod(0, 20), ShutdownPeriod(CRITICAL, 10))


def a_pod(name: str, priority: int = 0, grace: int | None = 30, phase: str = "Running") -> Document:
    spec: Document = {"priority": priority}
    if grace is not None:
        spec = {**spec, "terminationGracePeriodSeconds": grace}
    return {"metadata": {"name": name, "namespace": "shop"}, "spec": spec, "status": {"phase": phase}}


def test_critical_pods_go_last_and_each_gets_no_more_than_its_group() -> None:
    usual, critical = shutdown_groups(
        [a_pod("web"), a_pod("short", grace=5), a_pod("dns", CRITICAL + 1000, None), a_pod("low", -10)], TWO
    )

    assert [(each.key, each.wanted, each.given, each.is_cut) for each in usual.pods] == [
        ("shop/low", 30, 20, True), ("shop/web", 30, 20, True), ("shop/short", 5, 5, False),
    ]  # fmt: skip
    assert (usual.start, usual.seconds) == (0, 20)
    assert [(each.key, each.given) for each in critical.pods] == [("shop/dns", 10)]
    assert (critical.start, critical.seconds) == (20, 10)


def test_group_without_pods_is_not_waited_for() -> None:
    usual, critical = shutdown_groups([a_pod("dns", CRITICAL), a_pod("done", phase="Succeeded")], TWO)

    assert usual.pods == ()
    assert critical.start == 0


def test_without_periods_nothing_is_terminated() -> None:
    assert shutdown_groups([a_pod("web")], ()) == []


@pytest.mark.parametrize(
    ("priority", "group"),
    [(-1, 0), (0, 0), (9_999, 0), (10_000, 10_000), (99_999, 10_000), (100_000, 100_000), (CRITICAL, 100_000)],
)
def test_pod_between_two_priorities_is_in_the_lower_group(priority: int, group: int) -> None:
    periods = (ShutdownPeriod(0, 60), ShutdownPeriod(10_000, 30), ShutdownPeriod(100_000, 10))
    found = shutdown_groups([a_pod("web", priority)], periods)

    assert [each.priority for each in found if each.pods] == [group]


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
    found = shutdown_groups([a_pod("web", priority)], periods)

    assert [bool(each.pods) for each in found].index(True) == upstream_group(sorted(priorities), priority)
