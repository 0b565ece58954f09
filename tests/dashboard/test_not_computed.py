"""One pod that cannot be computed costs its own row: on every page that explains many pods, and in the API."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.analysis.causes import Kind
from clusters.engine.disruption.drains import Block
from clusters.services.decisions.explain import counted_failures, escaped, explain_pod
from clusters.services.decisions.takers import takers_of
from clusters.services.disruption import DrainChoice, PlannedDrain, plan_of
from clusters.services.pending.pods import pending_of
from dashboard.live.parts import LivePart
from dashboard.live.rendering import render
from dashboard.live.topics import Topic
from tests.support.decision_cluster import node, pod
from tests.support.defects import ERROR, LATER, broken, defect
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

__all__ = ["defect"]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("defect")]

TOKEN = "0123456789abcdef"


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    """Mirror one node, a pod that fits, one that is too large, and three that cannot be computed."""
    waiting = [
        pod("plain"),
        pod("huge", cpu="9"),
        broken(pod("bad-1")),
        broken(pod("bad-2")),
        broken(pod("late"), LATER),
    ]
    large = {**waiting[-1], "spec": {**waiting[-1]["spec"], "nodeSelector": {"zone": "nowhere"}}}
    return load(tmp_path, "shop", [node("ash", "north"), *waiting[:-1], large])


def reference(cluster: Cluster, name: str) -> str:
    groups = pending_of(cluster=cluster).groups.values()
    (found,) = [group.cause for group in groups for waiting in group.pods if waiting.name == name]
    assert found.kind is Kind.NOT_COMPUTED
    return found.reference


def test_the_list_of_waiting_pods_stands(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client, "/clusters/shop/pending/")

    assert "1 pod could not be computed" in shown
    assert "2 pods could not be computed" in shown
    assert reference(cluster, "bad-1") == reference(cluster, "bad-2") != reference(cluster, "late")
    assert f"Berth's log has the error under {reference(cluster, 'bad-1')}." in shown
    # The others are explained as ever.
    assert "1 pod pending: insufficient CPU" in shown
    assert "Fits on 1 of 1 node." in shown


PAGES = ("", "pending/", "pending/queue/", "pods/", "nodes/", "nodes/ash/", "spread/", "budgets/", "workloads/")


def test_every_page_stands(signed_in_client: Client, cluster: Cluster) -> None:
    for address in PAGES:
        assert "shop" in text(signed_in_client, f"/clusters/shop/{address}")


def test_what_a_node_would_take(cluster: Cluster) -> None:
    found = takers_of(cluster=cluster, node="ash").candidates

    states = {name: (each.fits, bool(each.failed)) for each in found for _, name in each.names}
    assert states["plain"] == (True, False)
    assert states["huge"] == (False, False)
    assert states["bad-1"] == states["bad-2"] == (False, True)


def test_its_own_page_says_what_to_do_and_a_late_part_too(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client, "/clusters/shop/pods/shop/bad-1/")
    assert "This pod cannot be explained." in shown
    assert "Could not be computed: Berth's log has the error under" in shown

    shown = text(signed_in_client, "/clusters/shop/pods/shop/late/")
    part = signed_in_client.get("/clusters/shop/pods/shop/bad-1/groups/", headers={"HX-Request": "true"})
    assert "This page could not be computed" in shown
    assert part.status_code == 200
    assert "This could not be computed." in part.text
    assert "<html" not in part.text


def test_the_api_says_why_there_is_no_answer(signed_in_client: Client, cluster: Cluster) -> None:
    at_once = signed_in_client.get("/api/v1/clusters/shop/pods/shop/bad-1/explanation")
    later = signed_in_client.get("/api/v1/clusters/shop/pods/shop/late/explanation")
    other = signed_in_client.get("/api/v1/clusters/shop/pods/shop/plain/explanation")

    assert (at_once.status_code, later.status_code, other.status_code) == (409, 409, 200)
    assert at_once.json()["error"]["what"] == f"The answer could not be computed: {ERROR}"
    assert reference(cluster, "bad-1") in at_once.json()["error"]["remedy"]


def test_a_drain_is_planned_around_it(
    signed_in_client: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
    lying = [pod("web-1", nodeName="ash"), broken(pod("web-2", nodeName="ash"))]
    owned = [{**each, "metadata": {**each["metadata"], "ownerReferences": [owner]}} for each in lying]
    drained = load(tmp_path, "shop", [node("ash", "north"), node("elm", "north"), *owned])

    found = plan_of(cluster=drained, choice=DrainChoice(nodes=("ash",)))
    shown = text(signed_in_client, "/clusters/shop/drain/?node=ash")

    assert isinstance(found, PlannedDrain)
    assert found.plan is not None
    (stuck,) = found.plan.blocked
    (blocker,) = stuck.blockers
    assert (blocker.pod, blocker.kind) == ("shop/web-2", Block.NO_ROOM)
    assert blocker.landing is not None
    assert blocker.landing.failed
    assert "Could not be computed: Berth's log has the error under" in shown
    assert "The place of shop/" in caplog.text
    assert f"[{blocker.landing.failed}]" in caplog.text


def test_it_is_logged_once_and_counted_each_time(
    signed_in_client: Client, cluster: Cluster, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.BERTH_METRICS_TOKEN = TOKEN
    before = dict(counted_failures())
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            signed_in_client.get("/clusters/shop/pods/shop/bad-1/")

    (line,) = [record.getMessage() for record in caplog.records if ERROR in record.getMessage()]
    assert "shop/bad-1 could not be computed" in line
    assert "Traceback" in line
    named = line.partition("]")[0].removeprefix("[")
    assert counted_failures()[named] - before.get(named, 0) == 3
    metrics = signed_in_client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    assert f'berth_not_computed_total{{reference="{named}"}}' in metrics


def test_a_failure_outside_of_the_engine_stays_one(signed_in_client: Client, cluster: Cluster) -> None:
    assert escaped(OverflowError()) is None
    with pytest.raises(LookupError) as caught:
        Snapshot.from_objects([]).nodes.index["nowhere"]
    assert escaped(caught.value) is None


def test_a_live_part_tells_it_in_its_place(cluster: Cluster) -> None:
    def context(cluster: Cluster, query: Any) -> dict[str, Any]:
        return {"found": explain_pod(cluster=cluster, namespace="shop", name="late").relaxations}

    part = LivePart("test", "pending/_answer.html", context, frozenset(), None, frozenset(), ages=None)

    assert "This could not be computed." in render(Topic(part, cluster.pk, "", "")).html
