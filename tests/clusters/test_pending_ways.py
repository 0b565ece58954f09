"""Which single change is told for pods that wait for the same: the one that is enough for most of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusters.engine import Snapshot
from clusters.engine.analysis.causes import UNREALISTIC, PendingFinding, SuggestedChange
from clusters.engine.matching.taints import Taint
from clusters.engine.plugin import Constraint
from clusters.engine.plugins.node_affinity import SelectorSubject
from clusters.engine.plugins.node_resources_fit import ResourceSubject
from clusters.engine.plugins.taint_toleration import TaintSubject
from clusters.engine.workloads.pod_template import Workload
from clusters.services.pending.pods import WaitingPod, findings_of, grouped_by_cause
from tests.clusters.dumps import node
from tests.clusters.test_pending_causes import CONFIGURATION, CPU, asking

if TYPE_CHECKING:
    from collections.abc import Hashable


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


def test_of_ways_that_free_as_many_one_to_the_cause_itself_is_told() -> None:
    gpu = TaintSubject(Taint("gpu", "", "NoSchedule"))
    taint = SuggestedChange(0, lifted=(Constraint("TaintToleration", gpu),), gained=9)
    pods_limit = SuggestedChange(1, lifted=(Constraint("NodeResourcesFit", ResourceSubject("pods")),), gained=1)
    nothing = SuggestedChange(UNREALISTIC, lifted=(Constraint("NodeResourcesFit", ResourceSubject("cpu")),), gained=9)

    assert way_of((taint, pods_limit)) == (pods_limit.key, 1, True)
    assert way_of((taint, nothing)) == (taint.key, 1, True)
    assert way_of((taint,), (taint, pods_limit)) == (taint.key, 2, True)


def test_asking_for_less_is_found_as_a_way() -> None:
    waiting = [asking("a", "3"), asking("b", "3500m")]
    snapshot = Snapshot.from_objects([node("n1"), asking("web", "2", nodeName="n1")])
    findings = findings_of(snapshot, CONFIGURATION, waiting)

    assert [found.cause for found in findings] == [CPU, CPU]
    assert way_of(*(found.changes for found in findings)) == (("cpu",), 2, False)
