"""None"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.engine.analysis import absent_neighbours
from clusters.models import Cluster, KubeObject
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import Hit, search
from tests.dashboard.rows import a_cluster, a_node, a_pod
from tests.engine.builders import ZONE, Document, a_node as absences_a_node, a_pod as absences_a_pod, explanation_of
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.django_db


def pods(cluster: Cluster, text: str, most: int = 10) -> list[str]:
    return [f"{hit.namespace}/{hit.name}" for hit in search(cluster=cluster, text=text, most=most).pods.hits]


def a_workload(cluster: Cluster, kind: str, name: str) -> None:
    KubeObject.objects.create(
        cluster=cluster, kind=kind, api_version="apps/v1", namespace="shop", name=name, uid=f"{kind}-{name}", object={}
    )


def test_whole_name_comes_before_its_beginning_and_that_before_a_part() -> None:
    cluster = a_cluster()
    for name in ("a-web", "web-1", "web", "cart"):
        a_pod(cluster, name)
    a_pod(cluster, "log", namespace="web")

    assert pods(cluster, "web") == ["shop/web", "shop/web-1", "shop/a-web", "web/log"]


def test_pending_pods_come_before_those_that_run_and_a_whole_name_before_all() -> None:
    cluster = a_cluster()
    for name, phase in (("web", "Succeeded"), ("web-done", "Succeeded"), ("web-runs", "Running")):
        a_pod(cluster, name, on="n1", phase=phase)
    a_pod(cluster, "a-web-pending")
    a_pod(cluster, "log", namespace="web")

    found = search(cluster=cluster, text="web", most=10).pods.hits

    assert [hit.name for hit in found] == ["web", "a-web-pending", "web-runs", "web-done", "log"]
    assert [hit.is_pending for hit in found] == [False, True, False, False, True]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("shop/eb", ["shop/web"]),
        ("ho/", ["shop/web", "shop/x_y"]),
        ("web ops", ["ops/web"]),
        ("WEB shop", ["shop/web"]),
        ("%", []),
        ("_", ["shop/x_y"]),
        ("\0", []),
        ("   ", []),
        ("/", []),
    ],
)
def test_every_word_has_to_be_there(text: str, found: list[str]) -> None:
    cluster = a_cluster()
    a_pod(cluster, "web")
    a_pod(cluster, "web", namespace="ops")
    a_pod(cluster, "x_y")

    assert pods(cluster, text) == found


def test_nodes_and_workloads_are_found_and_replica_sets_are_not() -> None:
    cluster = a_cluster()
    a_node(cluster, "web-node")
    a_workload(cluster, "Deployment", "web")
    a_workload(cluster, "ReplicaSet", "web-7f9")

    found = search(cluster=cluster, text="web", most=10)

    assert found.workloads.hits == (Hit("Deployment", "shop", "web"),)
    assert found.nodes.hits == (Hit("", "", "web-node"),)
    assert search(cluster=cluster, text="shop/web", most=10).nodes.hits == ()


def test_what_is_not_listed_is_counted_and_other_clusters_are_not() -> None:
    cluster, other = a_cluster(), a_cluster("other")
    for number in range(5):
        a_pod(cluster, f"web-{number}")
        a_pod(other, f"web-{number}")

    found = search(cluster=cluster, text="web", most=3).pods

    assert ([hit.name for hit in found.hits], found.total) == (["web-0", "web-1", "web-2"], 5)


NINE = datetime(2026, 1, 1, 9, tzinfo=UTC)


def born(document: dict[str, Any], at: datetime) -> dict[str, Any]:
    return {**document, "metadata": {**document["metadata"], "creationTimestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ")}}


def an_event(last: datetime) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"namespace": "default", "name": "seen", "uid": "seen"},
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "web"},
        "lastTimestamp": last.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


@pytest.mark.parametrize("latest", ["node", "placed pod", "event"])
def test_it_is_the_last_time_of_whatever_the_dump_holds(tmp_path: Path, latest: str) -> None:
    def at(what: str) -> datetime:
        return NINE if what == latest else NINE - timedelta(hours=1)

    placed = born(pod("web", nodeName="n1"), at("placed pod"))
    cluster = load(tmp_path, "shop", [born(node("n1", "a"), at("node")), placed, an_event(at("event"))])

    assert last_moment(cluster) == NINE


def test_a_dump_goes_no_further_than_when_it_was_read(tmp_path: Path) -> None:
    ahead = born(node("n1", "a"), datetime.now(UTC) + timedelta(days=30))
    cluster = load(tmp_path, "shop", [ahead])

    assert cluster.last_sync is not None
    assert last_moment(cluster) == cluster.last_sync


def test_a_newer_dump_moves_it_and_the_same_state_is_asked_once(tmp_path: Path) -> None:
    cluster = load(tmp_path, "shop", [born(node("n1", "a"), NINE - timedelta(hours=2))])
    before = last_moment(cluster)
    cluster = load(tmp_path, "shop", [born(node("n1", "a"), NINE - timedelta(hours=2)), an_event(NINE)])

    assert (before, last_moment(cluster)) == (NINE - timedelta(hours=2), NINE)
    with CaptureQueriesContext(connection) as asked:
        last_moment(cluster)
    assert not len(asked)


def test_it_goes_back_where_what_mentioned_it_is_gone(tmp_path: Path) -> None:
    old, late = (born(node(name, "a"), NINE - timedelta(hours=hours)) for name, hours in (("n1", 2), ("n2", 1)))
    moments = [last_moment(load(tmp_path, "shop", nodes)) for nodes in ([old], [old, late], [old])]

    assert moments == [NINE - timedelta(hours=hours) for hours in (2, 1, 2)]


def test_of_what_changed_the_rows_of_that_alone_are_looked_at(tmp_path: Path) -> None:
    nodes = [born(node(f"n{number}", "a"), NINE) for number in range(3)]
    last_moment(load(tmp_path, "shop", nodes))
    cluster = load(tmp_path, "shop", [*nodes, born(pod("web", nodeName="n1"), NINE + timedelta(hours=1))])

    with CaptureQueriesContext(connection) as asked:
        assert last_moment(cluster) == NINE + timedelta(hours=1)
    sums = [each["sql"] for each in asked if "MAX(" in each["sql"]]
    assert sums
    assert all('"uid" IN' in statement for statement in sums)


def test_a_cluster_that_is_followed_is_about_now() -> None:
    assert last_moment(Cluster.objects.create(name="live", source=Cluster.Source.LIVE, last_sync=NINE)) is None


WEB: Document = {"matchLabels": {"app": "web"}}
TERM: Document = {"labelSelector": WEB, "topologyKey": ZONE}
RULE = "requiredDuringSchedulingIgnoredDuringExecution"
SPREAD: Document = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": WEB}
SERVICE: Document = {"kind": "Service", "metadata": {"name": "web", "namespace": "default"}}
SERVICE["spec"] = {"selector": {"app": "web"}}


@pytest.mark.parametrize(
    ("pod", "lost"),
    [
        pytest.param(absences_a_pod(), {"labels": {"app": "web"}}, id="nothing in common"),
        pytest.param(absences_a_pod(topologySpreadConstraints=[SPREAD]), {"labels": {"app": "db"}}, id="not selected"),
        pytest.param(
            absences_a_pod(topologySpreadConstraints=[SPREAD]),
            {"labels": {"app": "web"}, "namespace": "team"},
            id="elsewhere",
        ),
    ],
)
def test_pods_that_nobody_counts_do_not_matter(pod: Document, lost: Document) -> None:
    assert (
        absent_neighbours(explanation_of(pod, absences_a_node("n"), absences_a_pod("lost", node="gone", **lost))) == []
    )


@pytest.mark.parametrize(
    ("pod", "lost"),
    [
        pytest.param(absences_a_pod(topologySpreadConstraints=[SPREAD]), {"labels": {"app": "web"}}, id="spread"),
        pytest.param(absences_a_pod(labels={"app": "web"}), {"labels": {"app": "web"}}, id="spread by its service"),
        pytest.param(
            absences_a_pod(affinity={"podAffinity": {RULE: [TERM]}}), {"labels": {"app": "web"}}, id="affinity"
        ),
        pytest.param(
            absences_a_pod(labels={"app": "web"}),
            {"affinity": {"podAntiAffinity": {RULE: [TERM]}}},
            id="its anti-affinity",
        ),
    ],
)
def test_pods_that_would_count_are_named(pod: Document, lost: Document) -> None:
    explanation = explanation_of(pod, absences_a_node("n"), SERVICE, absences_a_pod("lost", node="gone", **lost))

    assert absent_neighbours(explanation) == ["default/lost"]


def test_pods_that_are_here_or_only_nominated_are_not_absent() -> None:
    placed = absences_a_pod("here", node="n", labels={"app": "web"})
    nominated = absences_a_pod("nominee", nominated="gone", labels={"app": "web"})

    explanation = explanation_of(
        absences_a_pod(topologySpreadConstraints=[SPREAD]), absences_a_node("n"), placed, nominated
    )

    assert absent_neighbours(explanation) == []
