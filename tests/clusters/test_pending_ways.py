"""Which single change is told for pods that wait for the same: the one that is enough for most of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from clusters.engine import Snapshot
from clusters.engine.analysis import PendingFinding, SuggestedChange
from clusters.engine.owners import Workload
from clusters.engine.plugin import Constraint
from clusters.engine.plugins.node_affinity import SelectorSubject
from clusters.engine.plugins.node_resources_fit import ResourceSubject
from clusters.engine.plugins.taint_toleration import TaintSubject
from clusters.engine.simulation import MoreNodes, NodeLikeness, OneMoreNode, node_counts
from clusters.engine.taints import Taint
from clusters.services.pending.pods import WaitingPod, findings_of, grouped_by_cause, pending_of
from dashboard.presenters.pending import way
from tests.clusters.dumps import node
from tests.clusters.test_pending_causes import CONFIGURATION, CPU, asking
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path


def way_of(*changes: tuple[SuggestedChange, ...]) -> tuple[Hashable, int, bool]:
    """Return what would free most of a group whose pods have these changes each, for how many, and whether alike."""
    pods = [
        WaitingPod(
            str(number), "shop", str(number), Workload("shop", "", ""), None, "", PendingFinding(CPU, changes=each)
        )
        for number, each in enumerate(changes)
    ]
    (group,) = grouped_by_cause(pods)
    assert group.way is not None
    return group.way.change.key, group.way.frees, group.way.is_alike


def test_way_is_the_one_change_that_is_enough_for_most_pods() -> None:
    easy = SuggestedChange(0, lifted=(Constraint("NodeAffinity", SelectorSubject("a", "b")),), gained=1)
    hard = SuggestedChange(2, lifted=(Constraint("NodeName"),), gained=9)

    assert way_of((easy, hard), (hard,), ()) == (hard.key, 2, True)
    assert way_of((easy, hard), (hard, easy)) == (easy.key, 2, True)
    assert way_of((hard,), (replace(hard, gained=3),)) == (hard.key, 2, False)


def test_the_most_realistic_way_is_told_of_those_that_free_at_least_half_as_many() -> None:
    gpu = TaintSubject(Taint("gpu", "", "NoSchedule"))
    taint = SuggestedChange(0, lifted=(Constraint("TaintToleration", gpu),), gained=9)
    pods_limit = SuggestedChange(1, lifted=(Constraint("NodeResourcesFit", ResourceSubject("pods")),), gained=1)
    nothing = SuggestedChange(4, lifted=(Constraint("NodeResourcesFit", ResourceSubject("cpu")),), gained=9)

    assert way_of((pods_limit, taint)) == (taint.key, 1, True)
    assert way_of((taint, nothing), (nothing,), (nothing,)) == (taint.key, 1, True)
    assert way_of((taint, pods_limit), (pods_limit,)) == (taint.key, 1, True)
    assert way_of((taint, pods_limit), (pods_limit,), (pods_limit,)) == (pods_limit.key, 3, True)


def test_of_equally_realistic_ways_one_to_the_cause_itself_is_told() -> None:
    port = SuggestedChange(0, lifted=(Constraint("NodePorts"),), gained=9)
    request = SuggestedChange(0, lifted=(Constraint("NodeResourcesFit", ResourceSubject("pods")),), gained=1)
    selector = SuggestedChange(0, lifted=(Constraint("NodeAffinity", SelectorSubject("a", "b")),), gained=1)

    assert way_of((port, selector)) == (port.key, 1, True)
    assert way_of((selector, request)) == (request.key, 1, True)


def test_one_more_node_is_told_with_as_many_pods_as_are_really_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [asking("a", "2"), asking("b", "2"), asking("c", "2")]
    snapshot = Snapshot.from_objects([node("n1"), asking("web", "4", nodeName="n1")])
    more = MoreNodes(snapshot, [NodeLikeness(node("n1"))])
    documents = {pod["metadata"]["name"]: pod for pod in waiting}
    pods = [
        WaitingPod(name, "shop", name, Workload("shop", "", ""), None, "", found)
        for name, found in zip(documents, findings_of(snapshot, CONFIGURATION, waiting, more), strict=True)
    ]

    def placed(like: OneMoreNode, pods: Sequence[WaitingPod]) -> frozenset[str]:
        return more.freed(like, [documents[pod.name] for pod in pods], CONFIGURATION)

    (group,) = grouped_by_cause(pods, placed)
    assert group.way is not None
    assert (group.way.change.more, group.way.frees) == (OneMoreNode("n1"), 2)
    assert {key.partition("/")[2] for key in group.way.placed} == {"a", "b"}
    (without,) = grouped_by_cause(pods)
    assert without.way is None or without.way.change.more is None
    monkeypatch.setattr(node_counts, "MOST_PODS", 1)
    (cut,) = grouped_by_cause(pods, placed)
    assert way(group).endswith(": 2 of 3 would fit.")
    assert way(cut).endswith(": at least 1 of 3 would fit.")


def test_asking_for_less_is_found_as_a_way() -> None:
    waiting = [asking("a", "3"), asking("b", "3500m")]
    snapshot = Snapshot.from_objects([node("n1"), asking("web", "2", nodeName="n1")])
    findings = findings_of(snapshot, CONFIGURATION, waiting)

    assert [found.cause for found in findings] == [CPU, CPU]
    assert way_of(*(found.changes for found in findings)) == (("cpu",), 2, False)


@pytest.mark.django_db
def test_one_more_node_is_offered_with_the_pods_of_daemon_sets_that_run_on_its_likeness(tmp_path: Path) -> None:
    agent = asking("agent", "1", nodeName="n1")
    agent["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "a", "controller": True}
    ]
    waiting = [asking("a", "2"), asking("b", "1500m"), asking("c", "1")]
    cluster = load(tmp_path, "shop", [node("n1"), agent, asking("web", "3", nodeName="n1"), *waiting])

    (group,) = pending_of(cluster=cluster).groups.values()

    assert group.way is not None
    assert group.way.change.more == OneMoreNode("n1")
    assert sorted(group.way.placed) == ["shop/a", "shop/c"]
    assert group.way.frees == 2
