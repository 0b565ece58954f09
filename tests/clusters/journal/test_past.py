"""A cluster at moments of its past: what went is there again, what came is not, and nodes are as they were."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from clusters.demo.day.happenings import BEGINNING, at_clock
from clusters.demo.identity import NOW
from clusters.engine.resources import CPU
from clusters.models import Cluster, Decision, Departure, NodeChange
from clusters.services.ingest.demo import load_demo, record_demo_day
from clusters.services.journal.past import UnknownPastError, known_since, latest, neighbours, state_at
from clusters.services.journal.writing import prune
from clusters.services.mirror.snapshots import snapshot_of
from tests.clusters.live_batches import apply, followed_cluster, list_kind
from tests.support.decision_cluster import node, pod

if TYPE_CHECKING:
    from clusters.engine import Snapshot
    from clusters.services.watching.watcher import Lease

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)


def placements(snapshot: Snapshot) -> dict[str, str | None]:
    return {key: snapshot.placed_on(key) for key in snapshot.pods.slot_of if snapshot.placed_on(key)}


def at(cluster: Cluster, moment: datetime) -> Snapshot:
    return state_at(cluster=cluster, at=moment).snapshot


@pytest.mark.unmeasured
def test_every_moment_of_the_demos_day_is_known() -> None:
    load_demo()
    record_demo_day(again=True)
    cluster = Cluster.objects.get(name="demo")
    decisions = list(Decision.objects.filter(cluster=cluster).defer("packed_explanation").order_by("heard_at"))
    bound, victims = (
        [each for each in decisions if each.kind in kinds][::stride]
        for kinds, stride in (({"bound"}, 40), ({"preempted", "evicted"}, 8))
    )

    assert placements(at(cluster, NOW)) == placements(snapshot_of(cluster))
    for each in bound:
        key = f"{each.namespace}/{each.name}"
        after = at(cluster, each.heard_at)
        assert after.placed_on(key) == each.node_name
        assert at(cluster, each.heard_at - MOMENT).placed_on(key) is None
        column = after.nodes.resources.index(CPU)
        assert (after.nodes.requested[:, column] <= after.nodes.allocatable[:, column]).all()
    for each in victims:
        key = f"{each.namespace}/{each.name}"
        assert at(cluster, each.heard_at - MOMENT).placed_on(key) == each.node_name
        assert at(cluster, each.heard_at).placed_on(key) is None
    assert known_since(cluster) == BEGINNING
    with pytest.raises(UnknownPastError):
        at(cluster, BEGINNING - MOMENT)

    names = {clock: at(cluster, at_clock(clock)).nodes.index.keys() for clock in ("17:00", "18:00", "22:00", "00:30")}
    assert ["general-a-10" in found for found in names.values()] == [False, True, False, False]
    assert ["spot-c-02" in found for found in names.values()] == [False, False, False, True]
    nodes = {clock: nodes_of(at(cluster, at_clock(clock))) for clock in ("18:00", "21:15", "00:50", "09:30")}
    assert [found["general-a-09"].unschedulable for found in nodes.values()] == [False, False, False, True]
    assert [nodes[clock]["general-a-10"].unschedulable for clock in ("18:00", "21:15")] == [False, True]
    assert nodes["00:50"]["spot-c-02"].conditions["Ready"] == "Unknown"
    assert nodes["09:30"]["general-b-09"].conditions["Ready"] == "True"
    assert not nodes["09:30"]["general-b-09"].taints
    on_lost = [key for key, name in placements(at(cluster, at_clock("09:30"))).items() if name == "general-b-09"]
    found = at(cluster, at_clock("09:30")).pods
    evening = at(cluster, at_clock("19:00")).pods
    assert not evening.starting[: len(evening.keys)].any()
    assert on_lost
    assert all(found.ready[found.slot_of[key]] for key in on_lost)


def nodes_of(snapshot: Snapshot) -> dict[str, Any]:
    return {each.name: each for each in snapshot.nodes.nodes}


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
        ("Node", "b"),
    }
    # Pods without a node are nowhere on the map.
    assert state_at(cluster=cluster, at=before).late == 0


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
