"""The page of one pod's decision: its verdict, and what qualifies it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.http import Http404

from clusters.models import Cluster, Event
from clusters.services.decisions.explain import explain_pod
from dashboard.explained import explained as explained_case, pod_of
from tests.support.decision_cluster import ZONE, ingested, node, pod, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.engine import Explanation

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NOWHERE = "0 of 6 nodes fit."
UNTRIED = "Nothing blocks it; no attempt is known. Check that default-scheduler runs."


def address(name: str, part: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/{part}"


def explained(cluster: Cluster, name: str) -> Explanation:
    return explain_pod(cluster=cluster, namespace="shop", name=name)


# -- the verdict -------------------------------------------------------------------------------------------------------


def test_verdict_in_a_sentence(signed_in_client: Client, cluster: Cluster) -> None:
    for name, word, sentence in [
        ("plain", f"Fits {UNTRIED}", "Fits on 4 of 6 nodes. The best is cedar with 486 points."),
        ("only", f"Fits {UNTRIED}", "Fits on 1 of 6 nodes. The scheduler would choose birch."),
        (
            "huge",
            "Unschedulable",
            (
                f"{NOWHERE} Insufficient CPU on 4 nodes; untolerated taint dedicated=gpu on 1 node; "
                "unschedulable (cordoned) on 1 node."
            ),
        ),
        (
            "urgent",
            "Fits by preemption",
            (
                "Fits by preemption: removing shop/web-1 makes room on ash. Without preemption 0 of 6 nodes fit. "
                "Insufficient CPU on 2 nodes; no match for the pod's node selector or affinity on 2 nodes; "
                "untolerated taint dedicated=gpu on 1 node; unschedulable (cordoned) on 1 node."
            ),
        ),
        (
            "gated",
            "SchedulingGated",
            (
                "The scheduling gates shop.example/budget and shop.example/audit keep the pod out of "
                "the queue. Without its gates it would fit on 4 nodes. The best is cedar with 486 points."
            ),
        ),
        (
            "foreign",
            "Another scheduler",
            "Scheduled by batch-scheduler, which is not computed",
        ),
        (
            "device",
            "Uncertain",
            (
                "Uncertain: resource claims are not computed (DynamicResources). It passes the computed "
                "filters on 4 of 6 nodes. The best is cedar with 486 points."
            ),
        ),
        (
            "web-1",
            "Running",
            "Runs on ash. With 449 points it ranks 2 of 3 feasible nodes. The best is birch with 461 points.",
        ),
        ("web-2", "Running", "Runs on birch. It is the best of 3 feasible nodes: 486 points."),
    ]:
        response = signed_in_client.get(address(name))
        assert response.status_code == 200
        assert f"{word} {sentence}" in text(response)


@pytest.mark.parametrize(
    ("version", "number", "sentence"),
    [
        ("v1.34.1", 4, "The scheduler picks one of them at random."),
        (
            "v1.37.2",
            4,
            "Kubernetes 1.37 takes the first of its search: n-000, if that goes",
        ),
        ("v1.37.2", 120, "Kubernetes 1.37 takes the first of its search, whose start is unknown"),
    ],
)
def test_tie_is_told_as_the_release_breaks_it(
    signed_in_client: Client, tmp_path: Path, version: str, number: int, sentence: str
) -> None:
    nodes = [node(f"n-{each:03}", "north") for each in range(number)]
    for each in nodes:
        each["status"]["nodeInfo"] = {"kubeletVersion": version}
    ingested(tmp_path, [*nodes, pod("plain")])

    shown = text(signed_in_client.get(address("plain")))

    assert f"The best are n-000, n-001, n-002 and {number - 3} more with " in shown
    assert sentence in shown
    api = signed_in_client.get("/api/v1/clusters/shop/pods/shop/plain/explanation").json()
    likely = api["explanation"]["choice"]["likely"]
    assert likely == ("n-000" if (version, number) == ("v1.37.2", 4) else None)


def test_a_pod_with_a_node_is_judged_without_itself(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get(address("done")))
    assert "Succeeded Ran on ash. With " in shown
    assert "The pod has ended; it is evaluated as if it were new." in shown

    shown = text(signed_in_client.get(address("web-1")))
    assert "Evaluated without the pod itself" in shown
    assert "runs here" in shown

    nominated = "Nominated to cedar, which has room now."
    assert nominated in text(signed_in_client.get(address("nominee")))


def test_pod_on_a_node_that_is_not_mirrored(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [node("ash", "north"), pod("lost", nodeName="gone")])

    assert "Bound to gone, which is not known here. Fits on 1 of 1 node. The scheduler would choose ash." in text(
        signed_in_client.get(address("lost"))
    )


def test_waiting_pod_that_names_a_node_that_is_gone(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [node("ash", "north"), pod("canary", nodeName="gone", status={"phase": "Pending"})])

    shown = text(signed_in_client.get(address("canary")))

    assert "0 of 1 node fits. Not the node that the pod names on 1 node." in shown
    assert "spec.nodeName bypasses the scheduler" in shown
    assert "Remove nodeName: it fits on 1 node." in shown


def test_cluster_without_nodes(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [pod("plain")])

    shown = text(signed_in_client.get(address("plain")))

    assert "No nodes The cluster has no nodes here. Take the dump again with its nodes." in shown
    # Nothing that could be read as advice about the pod, and nothing about nodes.
    for heading in ("Ways to make it schedulable", "Nodes by verdict", "Nodes remaining after each filter"):
        assert heading not in shown


def test_pod_that_prefilter_stops(signed_in_client: Client, tmp_path: Path) -> None:
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}
    ingested(tmp_path, [node("ash", "north"), pod("plain", volumes=[volume])])

    shown = text(signed_in_client.get(address("plain")))

    assert 'rejects the pod before Filter: persistentvolumeclaim "data" not found.' in shown
    assert "NodeResourcesFit not reached" in shown


# -- reported and computed ---------------------------------------------------------------------------------------------


def test_recorded_condition_and_event_are_compared(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get(address("huge")))

    assert "Agrees about the nodes; preemption is worded otherwise." in shown
    assert "FailedScheduling by default-scheduler" in shown
    assert "Differs: the cluster has changed since" in shown


def test_what_fits_and_was_never_tried_says_so(signed_in_client: Client, cluster: Cluster) -> None:
    assert UNTRIED in text(signed_in_client.get(address("plain")))
    Event.objects.filter(cluster=cluster).update(involved_name="plain", involved_uid="shop-plain")
    assert UNTRIED not in text(signed_in_client.get(address("plain")))


def test_same_words_agree_and_cut_ones_as_far_as_they_go(signed_in_client: Client, cluster: Cluster) -> None:
    message = explained(cluster, "choosy").message
    Event.objects.filter(cluster=cluster).update(involved_name="choosy", message=message)
    shown = text(signed_in_client.get(address("choosy")))
    assert "The cluster's own message is the same, letter for letter. FailedScheduling by default-scheduler, " in shown
    assert shown.count(message or "-") == 1

    message = explained(cluster, "choosy").message or ""
    Event.objects.filter(cluster=cluster).update(involved_name="choosy", message=f"{message[:60]}...")
    assert "Agrees, as far as the event was kept." in text(signed_in_client.get(address("choosy")))


def test_words_of_an_earlier_scheduler_are_compared_by_their_reasons(
    signed_in_client: Client, cluster: Cluster
) -> None:
    Event.objects.filter(cluster=cluster).update(message="Failed for reason PodExceedsFreeCPU and possibly others")

    shown = text(signed_in_client.get(address("huge")))
    assert "Agrees about the reasons, worded by an earlier scheduler." in shown
    assert "Differs: the cluster has changed since" not in shown


def test_markup_in_texts_is_shown_not_run(signed_in_client: Client, cluster: Cluster) -> None:
    body = signed_in_client.get(address("markup")).content

    assert b"<script>alert(1)" not in body
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in body


# -- other schedulers, unknown plugins, gaps ---------------------------------------------------------------------------


def test_other_schedulers_pod_is_explained_on_request(signed_in_client: Client, cluster: Cluster) -> None:
    assert b'href="?profile=default-scheduler"' in signed_in_client.get(address("foreign")).content

    response = signed_in_client.get(address("foreign", "?profile=default-scheduler"))

    assert "Fits on 4 of 6 nodes" in text(response)
    assert "batch-scheduler may decide otherwise." in text(response)
    # Parts are asked for under the same profile.
    assert b'groups/0/?profile=default-scheduler"' in response.content


def test_part_that_the_decision_does_not_have_leads_nowhere(signed_in_client: Client, cluster: Cluster) -> None:
    for part in ["?profile=none-such", "scores/"]:
        assert signed_in_client.get(address("foreign", part)).status_code == 404

    for name, part in [("huge", "scores/"), ("plain", "preemption/")]:
        assert signed_in_client.get(address(name, part)).status_code == 404


def test_only_gaps_that_matter_are_told(signed_in_client: Client, cluster: Cluster) -> None:
    plain, urgent = (text(signed_in_client.get(address(name))) for name in ("plain", "urgent"))

    assert "PodDisruptionBudget Preemption and drains" in urgent
    assert "PodDisruptionBudget" not in plain
    assert "PersistentVolume " not in plain


def test_missing_node_matters_only_to_those_who_would_count_its_pods(signed_in_client: Client, tmp_path: Path) -> None:
    spread = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    selecting = {**spread, "labelSelector": {"matchLabels": {"app": "web"}}}
    waiting = [pod("spread", topologySpreadConstraints=[selecting]), pod("alone", app="batch")]
    ingested(tmp_path, [node("ash", "north"), pod("lost", nodeName="gone"), *waiting])

    spread_page, alone = (text(signed_in_client.get(address(name))) for name in ("spread", "alone"))

    assert "shop/lost counts for spreading or affinity, but its node is unknown." in spread_page
    assert "Pods run on nodes that the source lacks: gone." in spread_page
    assert "Missing node" not in alone


def test_pod_that_goes_between_two_looks_is_not_there(cluster: Cluster) -> None:
    pod_gone, cluster_gone = (pod_of(cluster, "shop", name) for name in ("plain", "huge"))

    pod_gone.delete()
    with pytest.raises(Http404):
        explained_case(pod_gone, "")
    Cluster.objects.filter(pk=cluster.pk).delete()
    with pytest.raises(Http404):
        explained_case(cluster_gone, "")
