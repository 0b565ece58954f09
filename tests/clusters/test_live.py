"""What a batch does to the mirror."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connection

from clusters.documents.problems import worded_gap
from clusters.engine.problems import Quoted
from clusters.models import Change, Cluster, Event, Node, Pod, WatchedKind, WatchLease
from clusters.services.ingest import ingest as change_log, ingest as mirror
from clusters.services.ingest.ingest import ingest_path
from clusters.services.lanes import LeaseLostError
from clusters.services.mirror.snapshots import between
from clusters.services.watching.watcher import Batch, Lease, acquire, apply_batch, holder_of, release
from clusters.signals import snapshot_ready
from tests.clusters.dumps import node, pod
from tests.clusters.live_batches import apply, followed_cluster, list_kind, row, statuses
from tests.support.problems import refused

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoCaptureOnCommitCallbacks, Settings


pytestmark = pytest.mark.django_db


@pytest.fixture
def lease() -> Lease:
    return followed_cluster()[1]


def revision() -> int:
    return Cluster.objects.get().revision


def namespaced_names() -> set[str]:
    return {str(pod) for pod in Pod.objects.all()}


def test_a_batch_is_one_revision(lease: Lease) -> None:
    applied = apply(lease, put=(node("n1"), pod("a", on="n1"), pod("b")))

    assert (applied.revision, applied.kinds) == (1, ("Node", "Pod"))
    assert namespaced_names() == {"shop/a", "shop/b"}
    assert Node.objects.get().cpu_milli == 4000
    assert Cluster.objects.get().last_sync is not None


def test_objects_change_and_go(lease: Lease) -> None:
    apply(lease, put=(pod("a"), pod("b"), pod("c")))
    assert apply(lease, put=(pod("a", on="n1"),), gone=(pod("b"), pod("never-seen"))).revision == 2
    assert {(pod.name, pod.node_name) for pod in Pod.objects.all()} == {("a", "n1"), ("c", "")}


def test_a_name_passes_from_one_object_to_another_within_a_batch(lease: Lease) -> None:
    first, second = pod("db-0", on="n1"), pod("db-0", on="n2")
    second["metadata"]["uid"] = "second"
    apply(lease, put=(first,))
    apply(lease, put=(second,), gone=(first,))

    assert [(pod.uid, pod.node_name) for pod in Pod.objects.all()] == [("second", "n2")]


def test_names_pass_on_across_statements(lease: Lease, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large batch takes several statements, and each of them must find the names free."""
    monkeypatch.setattr(mirror, "_KEYS_AT_ONCE", 1)
    first, second = pod("db-0", on="n1"), pod("db-0", on="n2")
    second["metadata"]["uid"] = "second"
    apply(lease, put=(first,))
    batch = Batch(changes={"Pod": {"second": row(second), "pod-shop-db-0": None}}, statuses=statuses("Pod"))
    apply_batch(lease=lease, batch=batch)

    assert [pod.uid for pod in Pod.objects.all()] == ["second"]


def test_a_heartbeat_changes_nothing(lease: Lease, django_capture_on_commit_callbacks: Any) -> None:
    quiet = node("n1")
    quiet["metadata"]["resourceVersion"] = "7"
    quiet["status"]["conditions"] = [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-01-01T00:00:00Z"}]
    apply(lease, put=(quiet,))
    beating = deepcopy(quiet)
    beating["metadata"]["resourceVersion"] = "8"
    beating["status"]["conditions"][0]["lastHeartbeatTime"] = "2026-01-01T00:00:10Z"

    with django_capture_on_commit_callbacks() as callbacks:
        applied = apply(lease, put=(beating,))

    assert (applied.revision, applied.kinds) == (1, ())
    assert callbacks == []


def test_a_list_replaces_its_kind_alone(lease: Lease) -> None:
    apply(lease, put=(node("n1"), pod("a"), pod("b")))
    service = {"kind": "Service", "metadata": {"name": "web", "namespace": "shop", "uid": "s"}, "spec": {}}
    claim = {"kind": "LimitRange", "metadata": {"name": "web", "namespace": "shop", "uid": "l"}, "spec": {}}
    apply(lease, put=(service, claim))

    list_kind(lease, "Pod", pod("b"), pod("c"))
    list_kind(lease, "Service")

    assert namespaced_names() == {"shop/b", "shop/c"}
    assert [node.name for node in Node.objects.all()] == ["n1"]
    assert [str(other) for other in Cluster.objects.get().kubeobjects.all()] == ["LimitRange shop/web"]
    assert WatchedKind.objects.get(kind="Pod").objects_count == 2
    assert WatchedKind.objects.get(kind="Service").objects_count == 0


def test_what_changed_is_announced_after_the_commit(
    lease: Lease, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    heard: list[dict[str, Any]] = []

    def listen(**arguments: Any) -> None:
        heard.append({name: arguments[name] for name in ("cluster_id", "revision", "changed", "kinds")})

    snapshot_ready.connect(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            apply(lease, put=(pod("a"), node("n1")))
    finally:
        snapshot_ready.disconnect(listen)

    # The journal tells of the node that was added.
    kinds = ("Node", "Pod", "Decision")
    assert heard == [{"cluster_id": lease.cluster_id, "revision": 1, "changed": True, "kinds": kinds}]


def test_lag_is_stored(lease: Lease, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clusters.services.watching.watcher.monotonic", lambda: 107.5)
    batch = Batch(changes={"Pod": {"pod-shop-web": row(pod())}}, statuses=statuses("Pod"), first_arrival=105.0)

    assert apply_batch(lease=lease, batch=batch).lag_ms == 2500
    assert WatchLease.objects.get().lag_ms == 2500


def test_forbidden_kinds_are_gaps_and_heal(lease: Lease) -> None:
    forbidden = statuses("PersistentVolume", state=WatchedKind.State.FORBIDDEN, problem=Quoted("Not allowed."))
    apply_batch(lease=lease, batch=Batch(statuses=forbidden))
    gap = worded_gap(Cluster.objects.get().gaps[0])
    assert (gap.kind, gap.why) == ("PersistentVolume", "Not allowed.")
    assert "VolumeBinding" in gap.affects

    list_kind(lease, "PersistentVolume")
    assert Cluster.objects.get().gaps == []
    assert revision() == 0


def test_a_batch_that_contradicts_the_mirror_leaves_it_alone(lease: Lease) -> None:
    apply(lease, put=(pod("a"),))
    usurper = pod("a")
    usurper["metadata"]["uid"] = "usurper"

    with pytest.raises(IntegrityError):
        apply(lease, put=(node("n1"), usurper))

    assert (Node.objects.count(), Pod.objects.get().uid, revision()) == (0, "pod-shop-a", 1)


def test_events_are_rows_too(lease: Lease) -> None:
    event = {
        "kind": "Event",
        "metadata": {"name": "web.1", "namespace": "shop", "uid": "e1"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web"},
        "reason": "FailedScheduling",
        "message": "0/2 nodes are available",
    }

    assert apply(lease, put=(event,)).kinds == ("Event",)
    assert Event.objects.get().reason == "FailedScheduling"
    apply(lease, gone=(event,))
    assert not Event.objects.exists()


def test_a_dump_is_not_taken_for_a_live_cluster(lease: Lease, tmp_path: Path) -> None:
    with refused("prod is followed live"):
        ingest_path(cluster=Cluster.objects.get(), path=tmp_path)


# -- the lease -------------------------------------------------------------------------------------------


def expire() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE clusters_watchlease SET expires_at = acquired_at")


def test_one_watcher_holds_the_lease(lease: Lease) -> None:
    assert acquire(cluster_id=lease.cluster_id, holder="other") is None
    assert holder_of(lease.cluster_id) == "test"


def test_who_lost_the_lease_writes_nothing(lease: Lease) -> None:
    """A watcher was suspended, its lease ran out, another took over, and the first wakes up."""
    expire()
    taken = acquire(cluster_id=lease.cluster_id, holder="other")
    assert taken is not None
    assert taken.token == lease.token + 1

    with pytest.raises(LeaseLostError):
        apply(lease, put=(pod(),))
    release(lease)

    assert not Pod.objects.exists()
    assert holder_of(lease.cluster_id) == "other"
    apply(taken, put=(pod(),))


def test_a_lease_that_ran_out_unnoticed_goes_on(lease: Lease) -> None:
    expire()

    apply(lease, put=(pod(),))

    assert holder_of(lease.cluster_id) == "test"


def test_a_deleted_cluster_has_no_lease(lease: Lease) -> None:
    Cluster.objects.get().delete()

    with pytest.raises(LeaseLostError, match="deleted"):
        apply(lease, put=(pod(),))
    with pytest.raises(LeaseLostError, match="no such live cluster"):
        acquire(cluster_id=lease.cluster_id, holder="test")


# -- the log of changes ----------------------------------------------------------------------------------


def test_the_log_says_what_each_revision_touched(lease: Lease) -> None:
    apply(lease, put=(pod("a"), node("n1")))
    apply(lease, put=(pod("b"),), gone=(pod("a"),))

    assert between(lease.cluster_id, after=0, upto=2) == {
        ("Node", "", "n1"): "node-n1",
        ("Pod", "shop", "a"): "",
        ("Pod", "shop", "b"): "pod-shop-b",
    }
    assert between(lease.cluster_id, after=2, upto=2) == {}
    assert between(lease.cluster_id, after=1, upto=3) is None


def test_the_log_is_bounded(lease: Lease, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(change_log, "KEPT_REVISIONS", 20)
    for number in range(100):
        apply(lease, put=(pod(f"p{number}"),))

    assert Change.objects.count() <= 70
    assert between(lease.cluster_id, after=10, upto=100) is None
    assert len(between(lease.cluster_id, after=90, upto=100) or ()) == 10


def test_a_very_large_change_is_not_logged(lease: Lease, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_log, "_MOST_OBJECTS_A_REVISION", 3)
    apply(lease, put=tuple(pod(f"p{number}") for number in range(4)))

    assert between(lease.cluster_id, after=0, upto=1) is None
