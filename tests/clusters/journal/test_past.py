"""A cluster at moments of its past: what went is there again, what came is not, and nodes are as they were."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from clusters.demo.identity import NOW
from clusters.engine.simulation import PodEnding
from clusters.models import Cluster, Decision, Departure, NodeChange
from clusters.problems.orders import ManyDecisions, ManyNodeChanges, NoDecisionsThen, PeriodEndsFirst
from clusters.services.journal import replays as stretches
from clusters.services.journal.replays import ReplayedDecision, StretchError, StretchReplay, replay_of
from clusters.services.journal.timeline import Mark, Marks, latest, marks_of, neighbours
from clusters.services.journal.writing import prune, write_departures
from clusters.services.mirror.past import UnknownPastError, known_since, state_at
from clusters.services.studies.asking import AS_IS, NO_PREEMPTION, preset_configuration
from tests.clusters.journal.decisions import a_decision
from tests.clusters.live_batches import apply, followed_cluster, list_kind
from tests.dashboard.rows import a_cluster
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import DEMO_OF_DAY, load, load_demo

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine import Snapshot
    from clusters.services.watching.watcher import Lease


pytestmark = pytest.mark.django_db
MOMENT = timedelta(microseconds=1)


def placements(snapshot: Snapshot) -> dict[str, str | None]:
    return {key: snapshot.placed_on(key) for key in snapshot.pods.slot_of if snapshot.placed_on(key)}


def at(cluster: Cluster, moment: datetime) -> Snapshot:
    return state_at(cluster=cluster, at=moment).snapshot


def named(document: dict[str, Any], **status: Any) -> dict[str, Any]:
    """Return an object as an API server has it."""
    name = document["metadata"]["name"]
    metadata = {"uid": f"uid-{name}", "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {
        **document,
        "metadata": {**metadata, **document["metadata"]},
        "status": {**document.get("status", {}), **status},
    }


def listed() -> tuple[Cluster, Lease]:
    cluster, lease = followed_cluster()
    list_kind(lease, "Node", named(node("a", "north")), named(node("b", "south")))
    list_kind(lease, "Pod", named(pod("web", nodeName="a")), named(pod("old", nodeName="b")), named(pod("queued")))
    cluster.refresh_from_db()
    return cluster, lease


def test_pods_and_nodes_that_went_from_a_followed_cluster_are_there_before() -> None:
    cluster, lease = listed()
    before = timezone.now()
    apply(lease, gone=(named(pod("web", nodeName="a")), named(pod("queued"))))
    between = timezone.now()
    apply(lease, gone=(named(pod("old", nodeName="b")), named(node("b", "south"))), put=(named(node("c", "north")),))
    after = timezone.now()
    cluster.refresh_from_db()

    assert placements(at(cluster, before)) == {"shop/web": "a", "shop/old": "b"}
    assert placements(at(cluster, between)) == {"shop/old": "b"}
    assert placements(at(cluster, after)) == {}
    assert [sorted(at(cluster, moment).nodes.names) for moment in (before, between, after)] == [
        ["a", "b"], ["a", "b"], ["a", "c"],
    ]  # fmt: skip
    assert {(each.kind, each.name) for each in Departure.objects.all()} == {
        ("Pod", "web"),
        ("Pod", "old"),
        ("Pod", "queued"),
        ("Node", "b"),
    }
    assert state_at(cluster=cluster, at=before).late == 0
    assert [list(state_at(cluster=cluster, at=moment).pending) for moment in (before, between)] == [["shop/queued"], []]


def test_what_a_later_list_lacks_is_counted_as_late() -> None:
    cluster, lease = listed()
    before = timezone.now()
    list_kind(lease, "Pod", named(pod("old", nodeName="b")))
    cluster.refresh_from_db()

    state = state_at(cluster=cluster, at=before)

    assert placements(state.snapshot) == {"shop/web": "a", "shop/old": "b"}
    assert state.late == 1


def test_nothing_is_known_of_the_time_before_the_first_list() -> None:
    cluster, _ = listed()

    since = known_since(cluster)
    assert since is not None
    with pytest.raises(UnknownPastError) as told:
        state_at(cluster=cluster, at=since - MOMENT)
    assert told.value.since == since
    dump = Cluster.objects.create(name="dump")
    with pytest.raises(UnknownPastError):
        state_at(cluster=dump, at=timezone.now())


def test_a_finished_pod_is_on_its_node_until_it_finished() -> None:
    cluster, lease = listed()
    ended = timezone.now()
    job = named(
        pod("job", nodeName="a"), phase="Succeeded",
        conditions=[{"type": "Ready", "status": "False", "lastTransitionTime": ended.isoformat()}],
    )  # fmt: skip
    apply(lease, put=(job,))
    apply(lease, gone=(job,))
    cluster.refresh_from_db()

    assert "shop/job" in placements(at(cluster, ended - MOMENT))
    assert "shop/job" not in placements(at(cluster, ended))


def test_moments_lead_to_those_around_them() -> None:
    cluster, lease = listed()
    start = timezone.now()
    apply(lease, gone=(named(pod("web", nodeName="a")),))
    NodeChange.objects.create(cluster=cluster, kind="cordoned", node_name="a", heard_at=timezone.now())
    end = timezone.now()
    first, second = Departure.objects.get(), NodeChange.objects.get()

    assert neighbours(cluster, start, start, end) == (None, first.heard_at, None, None)
    assert neighbours(cluster, first.heard_at, start, end) == (None, second.heard_at, None, None)
    assert neighbours(cluster, end, start, end).previous == second.heard_at
    assert latest(cluster, start, first.heard_at) == first
    assert latest(cluster, start, end) == second
    assert latest(cluster, start, start) is None


def test_departures_are_pruned_with_the_journal() -> None:
    _, lease = listed()
    apply(lease, gone=(named(pod("web", nodeName="a")),))

    prune(keep=timedelta(days=1))
    assert Departure.objects.count() == 1
    Departure.objects.update(heard_at=timezone.now() - timedelta(days=2))
    prune(keep=timedelta(days=1))
    assert not Departure.objects.exists()


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

    assert problem(begin=70, end=70) == PeriodEndsFirst()
    assert problem(begin=70, end=80) == NoDecisionsThen()
    monkeypatch.setattr(stretches, "MOST_DECISIONS", 4)
    assert problem() == ManyDecisions(5, 4)
    monkeypatch.setattr(stretches, "MOST_NODE_MOMENTS", 0)
    NodeChange.objects.create(cluster=shop, kind="cordoned", node_name="b", heard_at=after(5))
    assert problem() == ManyNodeChanges(1, 0)
    with pytest.raises(UnknownPastError):
        replayed(shop, begin=-1)


@pytest.mark.unmeasured
def test_the_demos_day_comes_out_mostly_alike_and_otherwise_without_preemption(tmp_path: Path) -> None:
    cluster = load_demo(tmp_path, key=DEMO_OF_DAY, with_day=True)

    def of_hours(first: int, last: int, preset: str) -> StretchReplay:
        start, end = (NOW - timedelta(hours=24 - hours) for hours in (first, last))
        configuration = preset_configuration(cluster, preset)
        return replay_of(cluster=cluster, start=start, end=end, configuration=configuration, name=preset)

    morning = of_hours(0, 6, AS_IS).total
    assert morning.same == morning.pods
    without = of_hours(0, 24, NO_PREEMPTION)
    assert without.total.pods > 150
    assert (without.preempted_here, without.preempted_there, without.not_computed) == (24, 0, 0)


Kind = Decision.Kind
MARKS_NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster(source=Cluster.Source.LIVE)


def marks(cluster: Cluster, length: timedelta, *, nodes: list[str] | None = None) -> Marks:
    return marks_of(
        Decision.objects.filter(cluster=cluster),
        cluster=cluster,
        nodes=nodes,
        start=MARKS_NOON,
        end=MARKS_NOON + length,
    )


def marks_decided(cluster: Cluster, number: int, minutes: float, kind: Decision.Kind = Kind.BOUND) -> Decision:
    at = MARKS_NOON + timedelta(minutes=minutes)
    return a_decision(cluster, f"pod-{number}", kind=kind, heard_at=at)


@pytest.mark.parametrize(
    ("length", "step"),
    [
        (timedelta(hours=1), timedelta(minutes=1)),
        (timedelta(hours=4), timedelta(minutes=5)),
        (timedelta(hours=24), timedelta(minutes=15)),
        (timedelta(days=3), timedelta(hours=1)),
        (timedelta(days=60), timedelta(days=1)),
        (timedelta(days=400), timedelta(days=7)),
    ],
)
def test_the_step_suits_the_length(cluster: Cluster, length: timedelta, step: timedelta) -> None:
    assert marks(cluster, length).step == step


def test_decisions_of_a_kind_in_one_step_are_one_mark_with_the_first_of_them(cluster: Cluster) -> None:
    first = marks_decided(cluster, 1, 16)
    marks_decided(cluster, 2, 29.9)
    later = marks_decided(cluster, 3, 30)
    other = marks_decided(cluster, 4, 17, Kind.EVICTED)
    marks_decided(cluster, 5, -1)
    marks_decided(cluster, 6, 24 * 60)

    found = marks(cluster, timedelta(hours=24))

    quarter = MARKS_NOON + timedelta(minutes=15)
    assert found.marks == [
        Mark(quarter, "bound", 2, first.pk),
        Mark(quarter, "evicted", 1, other.pk),
        Mark(MARKS_NOON + timedelta(minutes=30), "bound", 1, later.pk),
    ]


def test_changes_are_of_the_time_the_cluster_and_the_nodes_that_are_asked_for(cluster: Cluster) -> None:
    for where, name, minutes in (
        (cluster, "a", 5),
        (cluster, "b", 4),
        (cluster, "a", -5),
        (a_cluster("other"), "a", 5),
    ):
        at = MARKS_NOON + timedelta(minutes=minutes)
        NodeChange.objects.create(cluster=where, kind="cordoned", node_name=name, heard_at=at)

    every, some = marks(cluster, timedelta(hours=1)), marks(cluster, timedelta(hours=1), nodes=["a"])

    assert [each.node_name for each in every.changes] == ["b", "a"]
    assert [each.node_name for each in some.changes] == ["a"]
