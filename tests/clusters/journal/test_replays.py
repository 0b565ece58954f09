"""Stretches of the journal scheduled again: what is replayed, what is left out, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from clusters.demo.identity import NOW
from clusters.engine.simulation import PodEnding
from clusters.models import Cluster, Decision, NodeChange
from clusters.problems.orders import BackwardStretch, ManyDecisions, ManyNodeChanges, NoDecisionsThen
from clusters.services.ingest.demo import load_demo, record_demo_day
from clusters.services.journal import replays as stretches
from clusters.services.journal.past import UnknownPastError
from clusters.services.journal.replays import ReplayedDecision, StretchError, StretchReplay, replay_of
from clusters.services.journal.writing import write_departures
from clusters.services.studies.asking import AS_IS, NO_PREEMPTION, preset_configuration
from tests.clusters.journal.decisions import a_decision
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PACKING = "most-allocated"


def after(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def aged(document: dict[str, Any], minutes: int) -> dict[str, Any]:
    """An object that was created so many minutes after noon."""
    created = {"creationTimestamp": after(minutes).isoformat().replace("+00:00", "Z")}
    return {**document, "metadata": {**document["metadata"], **created}}


def decided(cluster: Cluster, name: str, minutes: int, *, node_name: str = "", **fields: Any) -> Decision:
    kind = Decision.Kind.BOUND if node_name else Decision.Kind.UNSCHEDULABLE
    times = {"heard_at": after(minutes), "last_heard_at": after(minutes)}
    given: dict[str, Any] = {"kind": kind, "pod_uid": f"shop-{name}", "node_name": node_name, **times, **fields}
    return a_decision(cluster, name, **given)


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    """A dump whose journal holds two hours of a and b.

    hog was on a and went, after which slow got a, which had been pending before the journal's first moment. web and
    batch were bound to b, which batch left. late was deleted while it was pending; another scheduler bound until.
    """
    load(
        tmp_path,
        "shop",
        [
            node("a", "north"),
            node("b", "south"),
            aged(pod("base", nodeName="b", cpu="1"), -60),
            aged(pod("web", nodeName="b"), 30),
            aged(pod("slow", nodeName="a", cpu="3500m"), -30),
            aged(pod("until", nodeName="b", schedulerName="other"), 119),
        ],
    )
    cluster = Cluster.objects.get(name="shop")
    cluster.departures_since = NOON
    cluster.save()
    decided(cluster, "slow", -20, last_heard_at=after(10), message="0/2 nodes are available.")
    decided(cluster, "web", 30, node_name="b")
    decided(cluster, "batch", 32, node_name="b")
    decided(cluster, "late", 40, message="0/2 nodes are available.")
    gone = aged(pod("hog", nodeName="a", cpu="3500m"), -90), aged(pod("batch", nodeName="b", cpu="1"), 32)
    write_departures(cluster, "Pod", gone, after(60), is_late=False)
    decided(cluster, "slow", 61, node_name="a")
    decided(cluster, "until", 119, node_name="b")
    return cluster


def replayed(cluster: Cluster, preset: str = AS_IS, begin: int = 0, end: int = 120) -> StretchReplay:
    return replay_of(
        cluster=cluster,
        start=after(begin),
        end=after(end),
        configuration=preset_configuration(cluster, preset),
        name=preset,
    )


def by_name(found: StretchReplay) -> dict[str, ReplayedDecision]:
    return {row.decision.name: row for row in found.rows}


def test_the_same_configuration_comes_to_the_same(shop: Cluster) -> None:
    found = replayed(shop)

    ends = {name: (row.pod.left, row.pod.right, row.is_alike) for name, row in by_name(found).items()}
    assert ends == {"web": ("b", "b", True), "batch": ("b", "b", True), "slow": ("a", "a", True)}
    assert found.total == (3, 3, 0, 0, 0, 0)
    assert found.moved.pods == ()
    assert found.lost == found.not_computed == found.preempted_here == found.preempted_there == 0


def test_another_configuration_ends_elsewhere(shop: Cluster) -> None:
    found = replayed(shop, PACKING)

    web = by_name(found)["web"]
    assert (web.pod.left, web.pod.right, web.is_alike) == ("b", "a", False)
    assert (web.decision.kind, web.decision.heard_at) == (Decision.Kind.BOUND, after(30))
    assert found.total == (3, 2, 1, 0, 0, 0)
    assert [each.pod for each in found.moved.pods] == ["shop/web"]
    assert [each.name for each in found.moved.nodes] == ["a", "b"]
    assert found.by_workload[0][0].name == "web"


def test_what_is_not_known_is_left_out_and_counted(shop: Cluster) -> None:
    found = replayed(shop)

    assert set(by_name(found)) == {"web", "batch", "slow"}
    assert found.left_out == (1, 1, 0, 0)
    assert found.total.pods == 3
    assert sum(counted.pods for _, counted in found.by_workload) == 3


def test_a_pod_that_came_without_a_decision_is_counted(shop: Cluster) -> None:
    Decision.objects.filter(name="until").delete()

    assert replayed(shop).left_out.without_decision == 1


def test_nodes_change_when_it_was_recorded(shop: Cluster) -> None:
    NodeChange.objects.create(cluster=shop, kind="cordoned", node_name="b", heard_at=after(5))
    NodeChange.objects.create(cluster=shop, kind="uncordoned", node_name="b", heard_at=after(119))

    found = replayed(shop)

    rows = by_name(found)
    assert {name: row.pod.right for name, row in rows.items()} == {"web": "a", "batch": "", "slow": "a"}
    assert rows["batch"].pod.right_end is PodEnding.PENDING
    assert "1 node(s) were unschedulable" in rows["batch"].message
    assert found.total == (3, 1, 1, 1, 0, 0)


@pytest.mark.parametrize("changes", [{"ready": 50}, {"not-ready": 20, "ready": 50}])
def test_nodes_that_were_not_ready_take_no_pods(shop: Cluster, changes: dict[str, int]) -> None:
    for kind, minutes in changes.items():
        NodeChange.objects.create(cluster=shop, kind=kind, node_name="b", heard_at=after(minutes))

    rows = by_name(replayed(shop))

    assert rows["web"].pod.right == "a"
    # It gets room on b once that is ready, as web took what a had.
    assert rows["batch"].pod.right == "b"


def test_nodes_under_pressure_take_no_pods(shop: Cluster) -> None:
    change = {"kind": "relieved", "condition": "MemoryPressure", "node_name": "b", "heard_at": after(50)}
    NodeChange.objects.create(cluster=shop, **change)

    assert by_name(replayed(shop))["web"].pod.right == "a"


def test_stretches_that_cannot_be_replayed_are_refused(shop: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def problem(begin: int = 0, end: int = 120) -> object:
        with pytest.raises(StretchError) as error:
            replayed(shop, begin=begin, end=end)
        return error.value.problem

    assert problem(begin=70, end=70) == BackwardStretch()
    assert problem(begin=70, end=80) == NoDecisionsThen()
    monkeypatch.setattr(stretches, "MOST_DECISIONS", 4)
    assert problem() == ManyDecisions(5, 4)
    monkeypatch.setattr(stretches, "MOST_NODE_MOMENTS", 0)
    NodeChange.objects.create(cluster=shop, kind="cordoned", node_name="b", heard_at=after(5))
    assert problem() == ManyNodeChanges(1, 0)
    with pytest.raises(UnknownPastError):
        replayed(shop, begin=-1)


@pytest.mark.unmeasured
def test_the_demos_day_comes_out_mostly_alike_and_otherwise_without_preemption() -> None:
    load_demo()
    record_demo_day(again=True)
    cluster = Cluster.objects.get(name="demo")

    def of_hours(first: int, last: int, preset: str) -> StretchReplay:
        start, end = (NOW - timedelta(hours=24 - hours) for hours in (first, last))
        configuration = preset_configuration(cluster, preset)
        return replay_of(cluster=cluster, start=start, end=end, configuration=configuration, name=preset)

    morning = of_hours(0, 6, AS_IS).total
    assert morning.same == morning.pods
    day, without = of_hours(0, 24, AS_IS), of_hours(0, 24, NO_PREEMPTION)
    assert day.total.pods == without.total.pods > 150
    assert day.preempted_here == without.preempted_here == 24
    assert day.preempted_there > without.preempted_there == 0
    assert without.total.pending_there > day.total.pending_there
    assert day.not_computed == 0
