"""One ingest is one transaction: it replaces the state, or it changes nothing."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies as st

from clusters.adapters.bad_input import BadInput, Limits
from clusters.adapters.rows import table_of
from clusters.adapters.state import ClusterState, Found, ObjectOrigin
from clusters.documents.problems import worded_gap, worded_skip
from clusters.models import Cluster, Event, Ingest, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.services.ingest import ingest as service
from clusters.services.ingest.ingest import ingest_path
from clusters.signals import snapshot_ready
from tests.clusters.dumps import (
    as_json,
    as_yaml,
    listed,
    node,
    pod,
    small_cluster,
    state_of,
    tar,
)
from tests.support.problems import refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    Take = Callable[..., Ingest]


MIRRORED: tuple[Any, ...] = (Node, Pod, Event, PodDisruptionBudget, KubeObject)
MOMENT = "2026-01-01T12:00:00.123456Z"


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="prod")


@pytest.fixture
def take(cluster: Cluster, tmp_path: Path) -> Take:
    """Return a function that ingests objects or a text."""

    def run(content: list[dict[str, Any]] | bytes, name: str = "dump.json") -> Ingest:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else as_json(listed(content)))
        return ingest_path(cluster=cluster, path=path)

    return run


def mirrored() -> dict[str, list[dict[str, Any]]]:
    """Return every row of the mirror, keys included."""
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in MIRRORED}


def everything() -> list[dict[str, Any]]:
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "shop", "creationTimestamp": MOMENT},
        "spec": {"minAvailable": 1, "selector": {}},
    }
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "web.1", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web"},
        "eventTime": MOMENT,
        "message": 'quoted "text", back\\slash,\ttab, \u00e4\u2028 and 100 %s',
    }
    return [*small_cluster(), budget, event]


def test_objects_arrive_in_their_tables(take: Take, cluster: Cluster) -> None:
    run = take(everything())

    waiting = Pod.objects.get(cluster=cluster, name="waiting")
    event = Event.objects.get()
    assert (waiting.namespace, waiting.is_pending, waiting.cpu_milli) == ("shop", True, 100)
    assert waiting.object["spec"]["containers"][0]["image"] == "app:1"
    assert event.message == event.object["message"] == 'quoted "text", back\\slash,\ttab, \u00e4\u2028 and 100 %s'
    assert event.last_seen is not None
    assert event.last_seen.isoformat() == "2026-01-01T12:00:00.123456+00:00"
    assert (Node.objects.count(), KubeObject.objects.get().kind) == (2, "Namespace")
    assert PodDisruptionBudget.objects.get().min_available == "1"
    cluster.refresh_from_db()
    assert (cluster.revision, run.revision, run.state) == (1, 1, Ingest.State.DONE)
    assert cluster.last_sync == run.finished_at
    assert (run.rows_added, run.rows_changed, run.rows_removed) == (7, 0, 0)
    assert (run.objects_read, run.objects_kept, run.bytes_read) == (7, 7, run.bytes_total)
    assert run.kept == {"Event": 1, "Namespace": 1, "Node": 2, "Pod": 2, "PodDisruptionBudget": 1}


def test_same_dump_again_touches_nothing(take: Take, cluster: Cluster) -> None:
    take(everything())
    before = mirrored()

    for content, name in (
        (as_json(listed(everything()), None), "again.json"),
        (as_yaml(listed(everything())), "again.yaml"),
    ):
        run = take(content, name)
        assert (run.rows_added, run.rows_changed, run.rows_removed, run.revision) == (0, 0, 0, 1)

    assert mirrored() == before
    cluster.refresh_from_db()
    assert cluster.revision == 1
    assert cluster.last_sync == Ingest.objects.latest("pk").finished_at


def test_newer_dump_replaces_the_state(take: Take, cluster: Cluster) -> None:
    take(everything())
    unchanged = Node.objects.get(name="n1").pk
    recreated = {**pod("web"), "metadata": {**pod("web")["metadata"], "uid": "another"}}

    run = take([node("n1"), node("n3"), recreated, pod("waiting", on="n1")])

    assert (run.rows_added, run.rows_changed, run.rows_removed, run.revision) == (2, 1, 5, 2)
    assert Node.objects.get(name="n1").pk == unchanged
    assert set(Node.objects.values_list("name", flat=True)) == {"n1", "n3"}
    assert Pod.objects.get(name="web").uid == "another"
    assert Pod.objects.get(name="waiting").node_name == "n1"
    assert not Event.objects.exists()


def test_clusters_do_not_touch_each_other(take: Take, tmp_path: Path) -> None:
    take(everything())
    other = Cluster.objects.create(name="other")
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed(everything())))
    ingest_path(cluster=other, path=path)
    path.write_bytes(as_json(listed([node("n9")])))
    ingest_path(cluster=other, path=path)

    assert Node.objects.filter(cluster=other).get().name == "n9"
    assert Pod.objects.filter(cluster__name="prod").count() == 2


def test_bad_input_changes_nothing_and_is_recorded(take: Take, cluster: Cluster) -> None:
    take(everything())
    before = mirrored()

    with pytest.raises(BadInput):
        take([pod(overhead={"cpu": "1.5Gi "})])

    run = Ingest.objects.latest("pk")
    assert mirrored() == before
    assert (run.state, run.revision, cluster.revision) == (Ingest.State.FAILED, None, 1)
    error = run.error or {}
    assert (error["file"], error["document"]) == ("dump.json", 1)
    assert (error["subject"], error["field"]) == ("Pod shop/web", "items[0].spec.overhead.cpu")
    assert run.finished_at is not None


def test_failure_in_the_middle_of_writing_leaves_the_old_state(take: Take) -> None:
    take(everything())
    before = mirrored()

    def break_off(execute: Any, sql: str, *rest: Any) -> Any:
        """Fail once all rows are replaced, as a server does that goes away."""
        if sql.startswith('UPDATE "clusters_cluster"'):
            raise OperationalError("the server went away")
        return execute(sql, *rest)

    with pytest.raises(OperationalError), connection.execute_wrapper(break_off):
        take([node("n7"), pod("new")])

    run = Ingest.objects.latest("pk")
    assert mirrored() == before
    assert run.state == Ingest.State.FAILED


def test_dump_without_nodes_and_pods_does_not_empty_a_cluster(take: Take) -> None:
    take(everything())

    with refused("neither nodes nor pods"):
        take([small_cluster()[0]])

    assert Node.objects.count() == 2


def test_configuration_is_kept_and_counts_as_a_change(take: Take, cluster: Cluster) -> None:
    configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}

    assert take([node(), configuration]).revision == 1
    assert take([node(), {**configuration, "percentageOfNodesToScore": 50}]).revision == 2
    cluster.refresh_from_db()
    assert cluster.scheduler_configuration == {**configuration, "percentageOfNodesToScore": 50}
    assert take([node()]).revision == 3


def test_kube_version_is_the_newest_kubelet(take: Take, cluster: Cluster) -> None:
    def of_version(name: str, version: str) -> dict[str, Any]:
        return node(name, status={"nodeInfo": {"kubeletVersion": version}})

    take([of_version("a", "v1.9.3"), of_version("b", "v1.34.1-eks-1"), of_version("c", "v1.33.9")])

    assert cluster.kube_version == "v1.34.1-eks-1"


def test_listeners_hear_of_it_after_the_commit(
    take: Take, cluster: Cluster, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[tuple[int, int, bool]] = []

    def listen(cluster_id: int, revision: int, changed: bool, **_: object) -> None:
        heard.append((cluster_id, revision, changed))

    snapshot_ready.connect(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            take(everything())
            assert heard == []
        with django_capture_on_commit_callbacks(execute=True):
            take(everything())
    finally:
        snapshot_ready.disconnect(listen)

    assert heard == [(cluster.pk, 1, True), (cluster.pk, 1, False)]


def test_progress_is_reported_and_written(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_SECONDS_BETWEEN_REPORTS", 0.0)
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed([node(f"n{index}") for index in range(2000)])))
    seen = []

    def look(run: Ingest) -> None:
        stored = Ingest.objects.get(pk=run.pk)
        seen.append((stored.state, stored.objects_read, stored.fraction_read))

    ingest_path(cluster=cluster, path=path, progress=look)

    states, counts, fractions = zip(*seen, strict=True)
    assert set(states) == {Ingest.State.READING, Ingest.State.DONE}
    assert list(counts) == sorted(counts)
    assert list(fractions) == sorted(fractions)
    assert 0 < fractions[1] < 1
    assert (counts[-1], fractions[-1]) == (2000, 1)


def test_number_of_queries_does_not_grow_with_the_dump(take: Take) -> None:
    def queries(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            take([node(), *(pod(f"web-{index}") for index in range(count))])
        # How often the row of the ingest is brought up to date is a matter of time.
        counted = [query["sql"] for query in captured if Ingest._meta.db_table not in query["sql"]]
        return len([sql for sql in counted if "SAVEPOINT" not in sql])

    queries(1)
    assert queries(800) == queries(400)


def test_limits_come_from_the_settings(take: Take, settings: Settings) -> None:
    settings.BERTH_OBJECTS_LIMIT = 3

    with refused("more than 3 objects"):
        take(everything())


def test_missing_path_is_bad_input(cluster: Cluster, tmp_path: Path) -> None:
    with refused("No such file"):
        ingest_path(cluster=cluster, path=tmp_path / "nothing.json")


def test_device_kinds_are_gaps_only_where_devices_are_asked_for(take: Take) -> None:
    claim = {"name": "gpu", "resourceClaimName": "gpu"}

    assert "ResourceSlice" not in {gap["kind"] for gap in take([node(), pod()]).gaps}
    assert "ResourceSlice" in {gap["kind"] for gap in take([node(), pod(resourceClaims=[claim])]).gaps}


def test_nodes_that_only_pods_name_are_a_gap(take: Take) -> None:
    run = take([node("n1"), pod("a", on="n1"), pod("b", on="n2"), pod("c", on="n2")])

    assert [gap.why for gap in map(worded_gap, run.gaps) if gap.kind == "missing-node"] == [
        "Pods run on nodes that the source lacks: n2."
    ]


def test_odd_names_are_stored_as_far_as_they_can_be_shown(cluster: Cluster, tmp_path: Path) -> None:
    odd = {"apiVersion": "v1", "kind": "Odd\x00\x1b]0;"}
    path = tmp_path / os.fsdecode(b"dump\xff.tar")
    path.write_bytes(tar({"a.json": as_json(listed([*small_cluster(), odd])), "b.\udcfe": b""}))

    run = ingest_path(cluster=cluster, path=path)

    run.refresh_from_db()
    assert run.file_name == "dump\ufffd.tar"
    assert {skip.what for skip in map(worded_skip, run.skipped)} == {"Odd\ufffd\ufffd]0;", "*.\ufffd files"}


def columns(document: dict[str, Any]) -> dict[str, Any]:
    """Return an object's row as a map."""
    state = ClusterState(Limits())
    state.add(Found(ObjectOrigin("dump.json", 1), -1, document))
    ((kind, rows),) = state.rows.items()
    (row,) = rows.values()
    return dict(zip(table_of(kind).columns, table_of(kind).row(row), strict=True))


def test_node_columns() -> None:
    document = node(
        "n1",
        spec={"unschedulable": True, "taints": [{"key": "a", "effect": "NoSchedule"}]},
        status={
            "allocatable": {"cpu": "3920m", "memory": "1Ki", "pods": "110"},
            "conditions": [{"type": "DiskPressure", "status": "True"}, {"type": "Ready", "status": "Unknown"}],
            "nodeInfo": {"kubeletVersion": "v1.34.1"},
        },
    )
    document["metadata"] |= {
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": {
            "topology.kubernetes.io/zone": "z1",
            "failure-domain.beta.kubernetes.io/zone": "old",
            "failure-domain.beta.kubernetes.io/region": "r1",
            "node.kubernetes.io/instance-type": "m5.large",
        },
    }

    assert columns(document) | {"digest": "", "object": ""} == {
        "uid": "node-n1",
        "name": "n1",
        "digest": "",
        "object": "",
        "zone": "z1",
        "region": "r1",
        "instance_type": "m5.large",
        "ready": False,
        "unschedulable": True,
        "cpu_milli": 3920,
        "memory_bytes": 1024,
        "pods_allocatable": 110,
        "taint_count": 1,
        "kubelet_version": "v1.34.1",
        "created_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    assert columns(node(status={}))["ready"] is None
    assert columns(node(status={"conditions": [{"type": "Ready", "status": "True"}]}))["ready"] is True


def test_pod_columns() -> None:
    document = pod(
        priority=7,
        priorityClassName="high",
        schedulerName="packing",
        containers=[
            {"name": "a", "resources": {"requests": {"cpu": "100m", "memory": "1Mi"}}},
            {"name": "b", "resources": {"requests": {"cpu": "0.2"}}},
        ],
        initContainers=[{"name": "i", "resources": {"requests": {"memory": "2Mi"}}}],
        overhead={"cpu": "5m"},
    )
    message = "0/5 nodes are available: " + "5 Insufficient cpu. " * 200
    document["metadata"] |= {
        "ownerReferences": [
            {"kind": "Widget", "name": "w", "uid": "1"},
            {"kind": "ReplicaSet", "name": "web-1", "uid": "2", "controller": True},
        ],
    }
    document["status"] |= {
        "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}],
        "nominatedNodeName": "n9",
        "qosClass": "Burstable",
    }

    row = columns(document)

    assert row["namespace"] == "shop"
    assert (row["cpu_milli"], row["memory_bytes"]) == (305, 2 << 20)
    assert (row["priority"], row["priority_class"], row["scheduler_name"]) == (7, "high", "packing")
    assert (row["owner_kind"], row["owner_name"]) == ("ReplicaSet", "web-1")
    assert (row["nominated_node_name"], row["qos_class"]) == ("n9", "Burstable")
    assert row["unschedulable_message"] == message
    assert (row["is_pending"], row["is_gated"], row["deleted_at"]) == (True, False, None)


def test_pending_is_neither_placed_nor_finished_nor_leaving() -> None:
    leaving = pod()
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    finished = pod()
    finished["status"]["phase"] = "Failed"

    assert columns(pod())["is_pending"] is True
    assert columns(pod(status=None))["is_pending"] is True
    assert columns(pod(schedulingGates=[{"name": "wait"}]))["is_gated"] is True
    assert [columns(each)["is_pending"] for each in (leaving, finished, pod(on="n1"))] == [False] * 3


def test_amounts_beyond_the_column_stop_at_its_end() -> None:
    huge = {"resources": {"requests": {"memory": "9Ei"}}}

    row = columns(pod(containers=[{"name": str(index), **huge} for index in range(5)]))

    assert abs(row["memory_bytes"]) <= 2**63 - 1


def test_event_columns_of_both_apis() -> None:
    shared = {"kind": "Event", "reason": "FailedScheduling", "type": "Warning", "action": "Scheduling"}
    metadata = {"name": "web.1", "namespace": "shop", "creationTimestamp": "2026-01-01T00:00:00Z"}
    about = {"kind": "Pod", "namespace": "shop", "name": "web", "uid": "u"}
    core = {
        **shared,
        "apiVersion": "v1",
        "metadata": metadata,
        "involvedObject": about,
        "message": "no",
        "source": {"component": "default-scheduler"},
        "count": 3,
        "firstTimestamp": "2026-01-01T00:00:01Z",
        "lastTimestamp": "2026-01-01T00:00:02Z",
    }
    new = {
        **shared,
        "apiVersion": "events.k8s.io/v1",
        "metadata": metadata,
        "regarding": about,
        "note": "no",
        "reportingController": "default-scheduler",
        "eventTime": "2026-01-01T00:00:01.000000Z",
        "deprecatedFirstTimestamp": None,
        "deprecatedCount": None,
        "series": {"count": 3, "lastObservedTime": "2026-01-01T00:00:02.000000Z"},
    }

    for document in (core, new):
        row = columns(document)
        assert (row["involved_kind"], row["involved_namespace"], row["involved_name"]) == ("Pod", "shop", "web")
        assert (row["message"], row["count"], row["reporting_component"]) == ("no", 3, "default-scheduler")
        assert row["first_seen"] == datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)
        assert row["last_seen"] == datetime(2026, 1, 1, 0, 0, 2, tzinfo=UTC)


def test_event_as_the_scheduler_writes_it_into_the_core_api() -> None:
    """Count and both times are null there; the time is in eventTime, the repetitions in series."""
    row = columns(
        {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": "web.1", "namespace": "shop"},
            "involvedObject": {"kind": "Pod"},
            "count": None,
            "firstTimestamp": None,
            "lastTimestamp": None,
            "eventTime": "2026-01-01T00:00:00.123456Z",
            "series": None,
            "reportingComponent": "default-scheduler",
        }
    )

    assert row["count"] == 1
    assert row["first_seen"] == row["last_seen"] == datetime(2026, 1, 1, 0, 0, 0, 123456, tzinfo=UTC)


def test_budget_columns() -> None:
    row = columns(
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {"minAvailable": 0, "maxUnavailable": "50%", "selector": {}},
            "status": {"expectedPods": 3, "currentHealthy": 2, "desiredHealthy": 2, "disruptionsAllowed": 0},
        }
    )

    assert (row["min_available"], row["max_unavailable"]) == ("0", "50%")
    assert (row["expected_pods"], row["current_healthy"], row["desired_healthy"], row["disruptions_allowed"]) == (
        3,
        2,
        2,
        0,
    )


def test_objects_without_uid_get_one_that_stays() -> None:
    document = pod()
    del document["metadata"]["uid"]

    assert columns(document)["uid"] == columns(document)["uid"] == "name:Pod/shop/web"


def test_times_at_the_ends_of_the_calendar_are_left_out() -> None:
    """In another time zone they would lie outside of it, and PostgreSQL would hand out what Python cannot hold."""
    first = {**pod()["metadata"], "creationTimestamp": "0001-01-01T00:00:00+12:00"}
    last = {**pod()["metadata"], "creationTimestamp": "9999-12-31T23:59:59-12:00"}

    assert columns({**pod(), "metadata": first})["created_at"] is None
    assert columns({**pod(), "metadata": last})["created_at"] is None


def _zip(content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("dump.json", content)
    return target.getvalue()


WHOLE = listed(small_cluster())
FORMS = {
    "dump.json": as_json(WHOLE, None),
    "dump.yaml": as_yaml(WHOLE),
    "dump.json.gz": gzip.compress(as_json(WHOLE), mtime=0),
    "dump.tar": tar({"nodes.json": as_json(WHOLE), "pods.yaml": as_yaml(WHOLE)}),
    "dump.zip": _zip(as_json(WHOLE)),
}
BITS = st.sampled_from(
    [b"\x00", b"\xff", b"{", b"}", b'"', b"\\", b"&a ", b"*a ", b"!!", b"? ", b"[", b"- ", b"\n", b"0x_", b"<<"]
)


@given(
    name=st.sampled_from(sorted(FORMS)),
    places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), BITS), min_size=1, max_size=4),
    cut=st.floats(0.5, 1.5),
)
def test_damage_is_refused_or_harmless(name: str, places: list[tuple[float, int, bytes]], cut: float) -> None:
    content = FORMS[name]
    for fraction, removed, added in places:
        place = int(fraction * len(content))
        content = content[:place] + added + content[place + removed :]
    content = content[: int(cut * len(content))]

    with TemporaryDirectory() as folder, contextlib.suppress(BadInput):
        state_of(content, Path(folder), name)
