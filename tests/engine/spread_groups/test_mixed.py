"""Pods that a constraint counts and that do not have it, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.owners import Workload
from tests.engine.builders import HOSTNAME, Document, a_pod
from tests.engine.spread_groups.test_groups import ZONES, by_zone, controlled, spreading, web_pods

if TYPE_CHECKING:
    from clusters.engine.spreading import SpreadGroup


def other_pod(*constraints: Document, name: str = "other", app: str = "web", **labels: str) -> Document:
    made = a_pod(name, node="b1", labels={"app": app, **labels}, topologySpreadConstraints=list(constraints))
    return controlled(made, "StatefulSet", name)


def unlike(*pods: Document) -> list[tuple[str, bool, int]]:
    """Return what the group of the pods named web-… finds."""
    groups = spreading(*ZONES, *pods).groups
    return [
        (each.workload.name, each.has_another, each.pods) for group in groups if _is_web(group) for each in group.unlike
    ]


def _is_web(group: SpreadGroup) -> bool:
    return Workload("default", "", "") in group.workloads


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ([by_zone()], []),
        ([by_zone(), by_zone(maxSkew=5, whenUnsatisfiable="ScheduleAnyway")], []),
        ([by_zone(maxSkew=2)], [("other", True, 1)]),
        ([by_zone(whenUnsatisfiable="ScheduleAnyway")], [("other", True, 1)]),
        ([by_zone(labelSelector={"matchLabels": {"app": "else"}})], [("other", True, 1)]),
        ([by_zone(topologyKey=HOSTNAME)], [("other", False, 1)]),
        ([], [("other", False, 1)]),
        ([by_zone(labelSelector="broken")], [("other", True, 1)]),
    ],
)
def test_counted_pods_that_have_another_constraint_or_none(
    theirs: list[Document], expected: list[tuple[str, bool, int]]
) -> None:
    assert unlike(*web_pods("a1", "c1"), other_pod(*theirs)) == expected


def test_pods_that_the_selector_does_not_match_are_not_unlike() -> None:
    assert unlike(*web_pods("a1", "c1"), other_pod(by_zone(maxSkew=2), app="cache")) == []


def test_revisions_that_do_not_count_each_other_are_not_mixed() -> None:
    def revision(name: str, **fields: Any) -> Document:
        constraint = by_zone(matchLabelKeys=["revision"], **fields)
        return a_pod(name, node="a1", labels={"app": "web", "revision": name}, topologySpreadConstraints=[constraint])

    assert unlike(revision("one"), revision("two", maxSkew=3)) == []


def test_pods_of_a_daemon_set_and_default_constraints_are_left_out() -> None:
    daemon = controlled(a_pod("agent", node="b1", labels={"app": "web"}), "DaemonSet", "agent")
    service = {
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    plain = other_pod(name="plain")
    groups = spreading(*ZONES, service, *web_pods("a1"), daemon, plain).groups

    assert unlike(*web_pods("a1"), daemon) == []
    assert [(group.source, len(group.unlike)) for group in groups if not _is_web(group)] == [("System", 0)] * 2
