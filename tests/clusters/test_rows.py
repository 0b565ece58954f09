"""The columns of a row say what the object says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from clusters.adapters.bad_input import Limits
from clusters.adapters.rows import table_of
from clusters.adapters.state import ClusterState, Found, ObjectOrigin
from tests.clusters.dumps import node, pod


def columns(document: dict[str, Any]) -> dict[str, Any]:
    """Return an object's row as a map."""
    state = ClusterState(Limits())
    state.add(Found(ObjectOrigin("dump.json", 1), -1, document))
    ((kind, rows),) = state.rows.items()
    (row,) = rows.values()
    return dict(zip(table_of(kind).columns, row, strict=True))


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
