"""One snapshot per process, cluster and revision."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings as hypothesis_settings, strategies as st

from clusters.engine import Snapshot
from clusters.models import Change, Cluster, Pod
from clusters.services.disruption import drains_of
from clusters.services.ingest.ingest import ingest_path
from clusters.services.mirror import snapshots
from clusters.services.mirror.snapshots import forget_snapshots, snapshot_at_revision, snapshot_of
from clusters.services.mirror.state import utilisation_of
from clusters.services.watching.watcher import Batch, Lease, apply_batch
from tests.clusters.dumps import as_json, listed, node, pod, small_cluster
from tests.clusters.live_batches import apply, followed_cluster, list_kind, row, statuses
from tests.engine.strategies import changes

if TYPE_CHECKING:
    from pathlib import Path


def mirror(name: str, folder: Path, objects: list[dict[str, object]]) -> Cluster:
    cluster, _ = Cluster.objects.get_or_create(name=name)
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(objects)))
    ingest_path(cluster=cluster, path=path)
    return cluster


@pytest.mark.django_db
def test_snapshot_is_kept_until_the_revision_changes(tmp_path: Path) -> None:
    cluster = mirror("prod", tmp_path, small_cluster())
    first = snapshot_of(cluster)

    mirror("prod", tmp_path, small_cluster())
    assert snapshot_of(cluster) is first

    mirror("prod", tmp_path, [node("n9")])
    assert snapshot_of(cluster) is not first


@pytest.mark.django_db
def test_a_newer_dump_that_differs_in_little_is_not_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def called(name: str, kind: str = "PriorityClass") -> dict[str, object]:
        return {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": kind,
            "metadata": {"name": name, "uid": "kept"},
            "value": 1,
        }

    same = [node("n1"), node("n2"), *(pod(f"same-{number}", on="n1") for number in range(40))]
    cluster = mirror("prod", tmp_path, [*same, pod("moves", on="n1"), pod("goes", on="n1"), called("before")])
    snapshot_of(cluster)

    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "_objects", lambda _: pytest.fail("all rows were read"))
        for renamed in (called("after"), called("after", "RuntimeClass")):
            mirror("prod", tmp_path, [*same, pod("moves", on="n2"), pod("comes", on="n2"), renamed])
            assert snapshot_of(cluster).placed_on("shop/moves") == "n2"
    assert snapshot_of(cluster).content() == fresh(cluster).content()

    # Where much differs, reading all is the shorter way.
    cluster = mirror("prod", tmp_path, same[:20])
    assert not Change.objects.filter(cluster=cluster, revision=cluster.revision).exists()
    assert snapshot_of(cluster).content() == fresh(cluster).content()


@pytest.mark.django_db
def test_answers_keep_no_state_of_a_large_cluster_that_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "_MANY_PODS", 0)
    cluster, other = (mirror(name, tmp_path, small_cluster()) for name in ("prod", "other"))
    kept = utilisation_of(cluster=other)
    first = ref(snapshot_of(cluster))
    utilisation_of(cluster=cluster)
    drains_of(cluster=cluster)
    assert first() is not None

    mirror("prod", tmp_path, [*small_cluster(), node("n9")])
    snapshot_of(cluster)
    gc.collect()

    assert first() is None
    assert utilisation_of(cluster=other) is kept


@pytest.mark.django_db
def test_longest_unused_snapshot_makes_room(tmp_path: Path) -> None:
    most = settings.BERTH_SNAPSHOTS_IN_MEMORY
    clusters = [mirror(f"c{number}", tmp_path, small_cluster()) for number in range(most + 1)]
    first, second, *_ = [snapshot_of(cluster) for cluster in clusters[:most]]
    assert snapshot_of(clusters[0]) is first

    snapshot_of(clusters[most])

    assert snapshot_of(clusters[0]) is first
    assert snapshot_of(clusters[1]) is not second


@pytest.mark.django_db(transaction=True)
def test_threads_that_ask_at_once_get_the_same_snapshot(tmp_path: Path) -> None:
    cluster = mirror("prod", tmp_path, small_cluster())
    start = Barrier(4)

    def ask() -> Snapshot:
        start.wait(timeout=10)
        try:
            return snapshot_of(cluster)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(4)]]

    assert len({id(snapshot) for snapshot in found}) == 1


@pytest.mark.django_db
def test_rows_of_two_revisions_never_mix(tmp_path: Path) -> None:
    """An ingest is committed between two of the statements that read the rows."""
    cluster = mirror("prod", tmp_path, [node("n1"), pod("web", on="n1")])
    statements = 0

    def interfere(execute: object, sql: str, *rest: object) -> object:
        nonlocal statements
        assert callable(execute)
        if sql.startswith("SELECT") and '"clusters_pod"."object"' in sql:
            statements += 1
            if statements == 1:
                mirror("prod", tmp_path, [node("n2"), pod("web", on="n2")])
        return execute(sql, *rest)

    with connection.execute_wrapper(interfere):
        snapshot = snapshot_of(cluster)

    assert statements == 2
    assert list(snapshot.nodes.names) == ["n2"]
    assert snapshots.snapshot_of(cluster) is snapshot


Object = dict[str, Any]
Step = tuple[str, Object]


def fresh(cluster: Cluster) -> Snapshot:
    pods = Pod.objects.filter(cluster=cluster).values_list("object", flat=True)
    return Snapshot.from_objects([*snapshots._objects(cluster), *pods])


def other(kind: str, name: str, namespace: str = "") -> Object:
    place = {"namespace": namespace} if namespace else {}
    return {"kind": kind, "metadata": {"name": name, "uid": f"{kind}-{namespace}-{name}", **place}}


def others() -> st.SearchStrategy[Step]:
    documents = st.sampled_from(
        [
            other("Namespace", "shop"),
            other("PriorityClass", "high"),
            other("Service", "web", "shop"),
            other("Deployment", "web", "shop"),
            other("Event", "web.1", "shop"),
            other("DeviceTaintRule", "broken"),
            other("CSINode", "n1"),
        ]
    )
    return st.tuples(st.sampled_from(["upsert", "delete"]), documents)


def batch_of(steps: list[Step], living: dict[tuple[str, str], str], number: int) -> Batch:
    """Turn steps into a batch as a watcher would; an object that comes again has a new UID."""
    batch = Batch()
    for position, (action, document) in enumerate(steps):
        key = document["kind"], document["metadata"]["name"]
        kind_changes = batch.changes.setdefault(document["kind"], {})
        if action == "delete":
            if key in living:
                kind_changes[living.pop(key)] = None
            continue
        uid = living.setdefault(key, f"uid-{number}-{position}")
        kind_changes[uid] = row({**document, "metadata": {**document["metadata"], "uid": uid}})
    batch.statuses = statuses(*batch.changes)
    return batch


@pytest.mark.django_db(transaction=True)
@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.tuples(st.lists(st.one_of(changes(), others()), max_size=8), st.booleans()), max_size=8))
def test_following_leads_where_reading_afresh_leads(batches: list[tuple[list[Step], bool]]) -> None:
    Cluster.objects.all().delete()
    forget_snapshots()
    cluster, lease = followed_cluster()
    living: dict[tuple[str, str], str] = {}
    snapshot_of(cluster)
    for number, (steps, is_read) in enumerate(batches):
        apply_batch(lease=lease, batch=batch_of(steps, living, number))
        if is_read:
            assert snapshot_of(cluster).content() == fresh(cluster).content()
    assert snapshot_of(cluster).content() == fresh(cluster).content()


@pytest.fixture
def followed(db: None) -> tuple[Cluster, Lease]:
    cluster, lease = followed_cluster()
    apply(lease, put=(node("n1"), node("n2"), pod("a", on="n1")))
    return cluster, lease


def test_following_reads_what_changed_and_nothing_else(
    followed: tuple[Cluster, Lease], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, lease = followed
    snapshot_of(cluster)
    monkeypatch.setattr(snapshots, "_objects", lambda _: pytest.fail("all rows were read"))

    apply(lease, put=(pod("b", on="n2"),))
    list_kind(lease, "Node", node("n2"))
    snapshot = snapshot_of(cluster)

    assert list(snapshot.nodes.names) == ["n2"]
    assert snapshot.placed_on("shop/b") == "n2"
    assert snapshot.placed_on("shop/a") is None


def test_whoever_holds_the_earlier_snapshot_sees_no_change(followed: tuple[Cluster, Lease]) -> None:
    cluster, lease = followed
    earlier = snapshot_of(cluster)
    before = earlier.content()
    apply(lease, put=(pod("a", on="n2"), pod("b", on="n2")))

    assert snapshot_of(cluster).placed_on("shop/a") == "n2"
    assert earlier.content() == before


def test_a_cluster_that_is_held_is_answered_of_one_state(followed: tuple[Cluster, Lease]) -> None:
    cluster, lease = followed
    held = Cluster.objects.get(pk=cluster.pk)
    held.is_held = True
    first = snapshot_at_revision(held)
    apply(lease, put=(pod("a", on="n2"),))

    with CaptureQueriesContext(connection) as captured:
        assert snapshot_at_revision(held) is first
        assert snapshot_of(held) is first[1]
    assert not captured.captured_queries
    assert snapshot_of(cluster).placed_on("shop/a") == "n2"


def test_what_no_rule_reads_leaves_the_snapshot_as_it_is(followed: tuple[Cluster, Lease]) -> None:
    """So explanations that were computed on it stay good while events pour in."""
    cluster, lease = followed
    earlier = snapshot_of(cluster)
    apply(lease, put=(other("Event", "a.1", "shop"), other("Job", "a", "shop")))

    assert snapshot_of(cluster) is earlier


def test_a_cluster_that_changes_all_the_time_is_read_nevertheless(
    followed: tuple[Cluster, Lease], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch comes with every single look at the revision, as they do at full speed."""
    cluster, lease = followed
    look = snapshots._revision
    batches = 0

    def look_and_change(cluster: Cluster) -> int:
        nonlocal batches
        batches += 1
        revision = look(cluster)
        apply(lease, put=(pod("busy", on=f"n{1 + batches % 2}"), pod(f"p{batches}", on="n1")))
        return revision

    monkeypatch.setattr(snapshots, "_revision", look_and_change)
    snapshot = snapshot_of(cluster)

    assert batches > 5
    assert snapshot.content() == fresh(cluster).content()


def test_rows_that_change_while_all_are_read_are_read_again(followed: tuple[Cluster, Lease]) -> None:
    cluster, lease = followed
    done = False

    def interfere(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal done
        if sql.startswith("SELECT") and '"clusters_pod"."object"' in sql and not done:
            done = True
            apply(lease, put=(node("n3"), pod("a", on="n3")))
        return execute(sql, *rest)

    with connection.execute_wrapper(interfere):
        snapshot = snapshot_of(cluster)

    assert done
    assert snapshot.placed_on("shop/a") == "n3"
    assert snapshot.content() == fresh(cluster).content()
