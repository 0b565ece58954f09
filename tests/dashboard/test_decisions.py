"""The page of one pod's decision, and each of its parts."""

from __future__ import annotations

import gzip
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import Cluster, Event
from clusters.services.explain import explain_pod, forget_explanations
from clusters.services.ingest import ingest_path
from clusters.services.snapshots import forget_snapshots
from tests.support.decision_cluster import RECORDED, ZONE, decision_cluster, node, pod

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

    from clusters.engine import Explanation

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NOWHERE = "Cannot be scheduled: 0 of 6 nodes fit."


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Forget snapshots: rolled back tests use the same keys again."""
    forget_snapshots()
    forget_explanations()


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return decision_cluster(tmp_path)


def address(name: str, part: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/{part}"


def explained(cluster: Cluster, name: str) -> Explanation:
    return explain_pod(cluster=cluster, namespace="shop", name=name)


def text(response: Response) -> str:
    """Return what a reader sees, with single blanks."""
    body = re.sub(r"<(script|style).*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", body)))


# -- the verdict -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "word", "sentence"),
    [
        ("plain", "Fits", "Fits on 4 of 6 nodes; best is cedar with 486 points."),
        ("only", "Fits", "Fits on 1 of 6 nodes: birch."),
        (
            "huge",
            "Cannot be scheduled",
            f"{NOWHERE} 4 lack CPU; 1 has the untolerated taint dedicated=gpu; 1 is cordoned.",
        ),
        (
            "urgent",
            "Fits only by preemption",
            (
                f"{NOWHERE} 2 lack CPU; 2 do not match the pod's node selector or affinity; "
                "1 has the untolerated taint dedicated=gpu; 1 is cordoned."
            ),
        ),
        (
            "gated",
            "Gated",
            (
                "Waits for shop.example/budget and shop.example/audit: the scheduler does not look at a pod with "
                "scheduling gates. Without them: fits on 4 of 6 nodes; best is cedar with 486 points."
            ),
        ),
        ("foreign", "Another scheduler", "batch-scheduler places this pod, and how it decides is not known here."),
        ("device", "Not certain", "Fits on 4 of 6 nodes; best is cedar with 486 points."),
        (
            "web-1",
            "Placed",
            "Lies on ash with 449 points, rank 2 of the 3 nodes that it fits on; best is birch with 461 points.",
        ),
        ("web-2", "Placed", "Lies on birch, the best of the 3 nodes that it fits on: 486 points."),
    ],
)
def test_verdict_in_a_sentence(signed_in_client: Client, cluster: Cluster, name: str, word: str, sentence: str) -> None:
    response = signed_in_client.get(address(name))

    assert response.status_code == 200
    assert f"{word} {sentence}" in text(response)


def test_points_of_the_sentence_are_the_engines(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "plain")
    best = explanation.snapshot.nodes.index["cedar"]

    assert explanation.best == ["cedar"]
    assert f"with {explanation.total_of(best)} points" in text(signed_in_client.get(address("plain")))


def test_tie_is_told_and_left_open(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [node(f"n-{number}", "north") for number in range(4)] + [pod("plain")])

    shown = text(signed_in_client.get(address("plain")))

    assert "best is n-0 with " in shown
    assert "tied with 3 others" in shown
    assert "picks one of the nodes with the highest total at random" in shown


def test_finished_pod_is_judged_free_of_its_node(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get(address("done")))

    assert "Finished Lies on ash with " in shown
    assert "The pod has succeeded and holds no room; judged as if it started anew." in shown


def test_placed_pod_is_judged_without_itself(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get(address("web-1")))

    assert "Judged as of now and without itself" in shown
    assert "lies here" in shown


def test_nominated_pod_says_where_it_waits(signed_in_client: Client, cluster: Cluster) -> None:
    assert "The scheduler has nominated cedar for it" in text(signed_in_client.get(address("nominee")))


def test_pod_on_a_node_that_is_not_mirrored(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [node("ash", "north"), pod("lost", nodeName="gone")])

    assert "Is bound to gone, a node that the mirror does not hold. Fits on 1 of 1 node: ash." in text(
        signed_in_client.get(address("lost"))
    )


def test_waiting_pod_that_names_a_node_that_is_gone(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [node("ash", "north"), pod("canary", nodeName="gone", status={"phase": "Pending"})])

    shown = text(signed_in_client.get(address("canary")))

    assert "0 of 1 node fit. 1 is not the node that the pod names." in shown
    assert "A pod that names its node does not pass the scheduler" in shown
    assert "If the pod did not name a node, 1 node would take it." in shown


def test_several_taints_are_one_clause(signed_in_client: Client, tmp_path: Path) -> None:
    tainted = [
        node(f"n-{key}", "north", taints=[{"key": key, "effect": "NoSchedule"}]) for key in ("gpu", "search", "data")
    ]
    ingested(tmp_path, [*tainted, pod("plain")])

    assert "3 have taints that the pod does not tolerate." in text(signed_in_client.get(address("plain")))


def test_cluster_without_nodes(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, [pod("plain")])

    assert "Cannot be scheduled: the cluster has no nodes." in text(signed_in_client.get(address("plain")))


def test_pod_that_prefilter_stops(signed_in_client: Client, tmp_path: Path) -> None:
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}
    ingested(tmp_path, [node("ash", "north"), pod("plain", volumes=[volume])])

    shown = text(signed_in_client.get(address("plain")))

    assert 'ends it before any node is looked at: persistentvolumeclaim "data" not found.' in shown
    assert "Not asked: the cycle had ended." in shown


# -- reported and computed ---------------------------------------------------------------------------------------------


def test_failed_scheduling_text_stands_as_the_scheduler_writes_it(signed_in_client: Client, cluster: Cluster) -> None:
    message = explained(cluster, "huge").message

    assert message is not None
    assert message.startswith(f"{RECORDED} preemption: ")
    assert message in text(signed_in_client.get(address("huge")))


def test_recorded_condition_and_event_are_compared(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get(address("huge")))

    assert "Agrees about the nodes; what it says about preemption is worded otherwise." in shown
    assert "FailedScheduling by default-scheduler" in shown
    assert "Differs from what is computed here" in shown


def test_same_words_agree_to_the_letter(signed_in_client: Client, cluster: Cluster) -> None:
    message = explained(cluster, "choosy").message
    Event.objects.filter(cluster=cluster).update(involved_name="choosy", message=message)

    assert "Agrees to the letter" in text(signed_in_client.get(address("choosy")))


def test_cut_event_agrees_as_far_as_it_goes(signed_in_client: Client, cluster: Cluster) -> None:
    message = explained(cluster, "choosy").message or ""
    Event.objects.filter(cluster=cluster).update(involved_name="choosy", message=f"{message[:60]}...")

    assert "Agrees with what is computed here, as far as the event was kept." in text(
        signed_in_client.get(address("choosy"))
    )


def test_markup_in_texts_is_shown_not_run(signed_in_client: Client, cluster: Cluster) -> None:
    body = signed_in_client.get(address("markup")).content

    assert b"<script>alert(1)" not in body
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in body


# -- other schedulers, unknown plugins, gaps ---------------------------------------------------------------------------


def test_other_schedulers_pod_is_explained_on_request(signed_in_client: Client, cluster: Cluster) -> None:
    assert b'href="?profile=default-scheduler"' in signed_in_client.get(address("foreign")).content

    response = signed_in_client.get(address("foreign", "?profile=default-scheduler"))

    assert "Fits on 4 of 6 nodes" in text(response)
    assert "in truth batch-scheduler does" in text(response)
    # Parts are asked for under the same profile.
    assert b'groups/0/?profile=default-scheduler"' in response.content


@pytest.mark.parametrize("part", ["?profile=none-such", "scores/"])
def test_other_schedulers_pod_has_no_parts_of_its_own(signed_in_client: Client, cluster: Cluster, part: str) -> None:
    assert signed_in_client.get(address("foreign", part)).status_code == 404


def test_unknown_plugin_is_told(signed_in_client: Client, cluster: Cluster) -> None:
    assert "What DynamicResources would say is not computed" in text(signed_in_client.get(address("device")))


def test_extender_is_told(signed_in_client: Client, cluster: Cluster) -> None:
    cluster.scheduler_configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [{"urlPrefix": "https://extender.example", "filterVerb": "filter"}],
    }
    cluster.save()

    assert "asks 1 extender (https://extender.example)" in text(signed_in_client.get(address("plain")))


def test_unreadable_configuration_says_where(signed_in_client: Client, cluster: Cluster) -> None:
    cluster.scheduler_configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "Deployment"}
    cluster.save()

    shown = text(signed_in_client.get(address("plain")))

    assert "This pod cannot be explained." in shown
    assert "kind: is 'Deployment'; write KubeSchedulerConfiguration" in shown


def test_only_gaps_that_matter_are_told(signed_in_client: Client, cluster: Cluster) -> None:
    plain, urgent = (text(signed_in_client.get(address(name))) for name in ("plain", "urgent"))

    assert "PodDisruptionBudget Preemption and drains" in urgent
    assert "PodDisruptionBudget" not in plain
    assert "PersistentVolume " not in plain


# -- nodes -------------------------------------------------------------------------------------------------------------


def test_groups_hold_every_node_once(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "spread")
    listed: list[str] = []
    for number in range(len(explanation.groups)):
        part = signed_in_client.get(address("spread", f"groups/{number}/"), headers=HTMX).content.decode()
        listed += re.findall(r'hx-get="/clusters/shop/pods/shop/spread/nodes/([^/]+)/"', part)

    assert sorted(listed) == explanation.snapshot.nodes.names


def test_reported_and_everything_stand_side_by_side(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client.get(address("spread")))

    assert (
        "As the scheduler reports it Rejected; removing pods cannot help TaintToleration node(s) had untolerated taint "
        "{dedicated: gpu} Everything that would fail TaintToleration node(s) had untolerated taint {dedicated: gpu} "
        "PodTopologySpread node(s) didn't match pod topology spread constraints "
        "InterPodAffinity node(s) didn't match pod anti-affinity rules" in shown
    )


@pytest.mark.parametrize(
    "part",
    [
        "groups/",
        "groups/0/",
        "nodes/?node=ash",
        "nodes/ash/",
        "scores/",
        "nodes/ash/scores/NodeResourcesFit/",
        "relaxations/single/0/",
    ],
)
def test_part_is_a_fragment_for_htmx_and_a_page_otherwise(
    signed_in_client: Client, cluster: Cluster, part: str
) -> None:
    fragment = signed_in_client.get(address("plain", part), headers=HTMX)
    page = signed_in_client.get(address("plain", part))

    assert fragment.status_code == page.status_code == 200
    assert b"<html" not in fragment.content
    assert b"<h1>" in page.content
    assert "HX-Request" in page["Vary"]


@pytest.mark.parametrize(
    "part",
    [
        "groups/99/",
        "nodes/none-such/",
        "nodes/oak/scores/NodeResourcesFit/",
        "nodes/ash/scores/NodePorts/",
        "relaxations/single/99/",
        "relaxations/none-such/0/",
    ],
)
def test_part_that_there_is_not(signed_in_client: Client, cluster: Cluster, part: str) -> None:
    assert signed_in_client.get(address("plain", part)).status_code == 404


def test_node_shows_what_was_compared(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "huge")
    evidence = explanation.evidence(explanation.snapshot.nodes.index["ash"])["NodeResourcesFit"][1]
    facts = {fact.name: fact.value for fact in evidence.facts}
    assert (evidence.about, facts) == ("cpu", {"asked": 9000, "allocatable": 4000, "used": 2000, "short by": 7000})

    shown = text(signed_in_client.get(address("huge", "nodes/ash/"), headers=HTMX))

    assert "cpu asked 9 CPU allocatable 4 CPU used 2 CPU short by 7 CPU" in shown
    assert "asked ≤ allocatable − used 9 CPU ≤ 4 CPU − 2 CPU" in shown


def test_node_kept_for_a_nominated_pod(signed_in_client: Client, cluster: Cluster) -> None:
    assert "pods that are nominated for it come first" in text(signed_in_client.get(address("spread", "nodes/cedar/")))


def test_search_finds_a_node_by_name_or_part_of_it(signed_in_client: Client, cluster: Cluster) -> None:
    named = text(signed_in_client.get(address("huge", "nodes/?node=ash"), headers=HTMX))
    several = signed_in_client.get(address("huge", "nodes/?node=r"), headers=HTMX).content.decode()
    nothing = text(signed_in_client.get(address("huge", "nodes/?node=zzz"), headers=HTMX))

    assert "The scheduler reports NodeResourcesFit: Insufficient cpu." in named
    assert re.findall(r">(\w+)</a></li>", several) == ["birch", "cedar", "fir"]
    assert "No node has “zzz” in its name." in nothing


# -- scores ------------------------------------------------------------------------------------------------------------


def test_score_table_holds_the_engines_numbers(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "plain")
    shown = text(signed_in_client.get(address("plain", "scores/"), headers=HTMX))

    for row in explanation.ranking().tolist():
        cells = " ".join(f"{cell.weighted} {cell.raw} → {cell.normalised}" for cell in explanation.cells_of(row))
        assert f"{explanation.snapshot.nodes.names[row]} {explanation.total_of(row)} {cells}" in shown


@pytest.mark.parametrize("plugin", ["TaintToleration", "NodeResourcesFit", "NodeResourcesBalancedAllocation"])
def test_arithmetic_ends_in_the_cell(signed_in_client: Client, cluster: Cluster, plugin: str) -> None:
    explanation = explained(cluster, "plain")
    row = explanation.snapshot.nodes.index["birch"]
    cell = next(cell for cell in explanation.cells_of(row) if cell.plugin == plugin)

    shown = text(signed_in_client.get(address("plain", f"nodes/birch/scores/{plugin}/"), headers=HTMX))

    assert f"Raw score {cell.raw}" in shown
    assert f"Normalised {cell.normalised}" in shown
    weight = explanation.profile.weights[plugin]
    assert f"Times weight: {cell.normalised} × {weight} = {cell.weighted}" in shown


def test_single_feasible_node_is_not_scored_by_the_scheduler(signed_in_client: Client, cluster: Cluster) -> None:
    assert "so the scheduler takes it without scoring" in text(signed_in_client.get(address("only")))


# -- what would help ---------------------------------------------------------------------------------------------------


def test_relaxation_opens_to_its_nodes(signed_in_client: Client, cluster: Cluster) -> None:
    page = signed_in_client.get(address("huge"))
    part = signed_in_client.get(address("huge", "relaxations/single/0/"), headers=HTMX)

    assert "If the pod requested no CPU, 4 nodes would take it." in text(page)
    assert "Asking for 7 CPU instead of 9 CPU, it would fit on birch." in text(page)
    assert re.findall(r"<strong>(\w+)</strong>", part.content.decode()) == ["ash", "birch", "cedar", "elm"]


def test_preemption_names_victim_and_criterion(signed_in_client: Client, cluster: Cluster) -> None:
    preemption = explained(cluster, "urgent").preemption
    assert preemption is not None
    assert preemption.selected is not None
    assert (preemption.selected.node, preemption.selected.victims) == ("ash", ("shop/web-1",))

    shown = text(signed_in_client.get(address("urgent")))

    assert "Removing 1 pod of lower priority from ash would make room." in shown
    assert "ash would be taken because its most important victim has the lowest priority." in shown


# -- size --------------------------------------------------------------------------------------------------------------


def ingested(folder: Path, objects: list[dict[str, Any]]) -> Cluster:
    path = folder / "own.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    cluster = Cluster.objects.create(name="shop")
    ingest_path(cluster=cluster, path=path)
    return cluster


def crowd(nodes: int) -> list[dict[str, Any]]:
    """Return nodes of few kinds with a pod each, and two pods that wait."""
    zones = ("north", "south", "west")
    return [
        *(node(f"n-{number:04}", zones[number % 3], cpu=str(4 + number % 2)) for number in range(nodes)),
        *(pod(f"p-{number}", nodeName=f"n-{number:04}", priority=0) for number in range(nodes)),
        pod("plain"),
        pod("urgent", cpu="4", nodeSelector={ZONE: "north"}, priority=10),
    ]


@pytest.mark.parametrize("name", ["plain", "urgent"])
def test_page_of_a_large_cluster_stays_small(signed_in_client: Client, tmp_path: Path, name: str) -> None:
    ingested(tmp_path, crowd(1500))

    body = signed_in_client.get(address(name)).content

    assert len(gzip.compress(body)) < 60_000
    assert len(set(re.findall(rb"n-\d{4}", body))) < 60


def test_queries_do_not_grow_with_the_cluster(signed_in_client: Client, tmp_path: Path) -> None:
    counts = []
    for nodes in (3, 60):
        Cluster.objects.all().delete()
        ingested(tmp_path, crowd(nodes))
        signed_in_client.get(address("plain"))
        with CaptureQueriesContext(connection) as queries:
            signed_in_client.get(address("plain"))
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 10


@pytest.mark.parametrize("part", ["", "groups/0/", "nodes/ash/", "scores/"])
def test_stranger_sees_nothing(client: Client, cluster: Cluster, part: str) -> None:
    response = client.get(address("plain", part))

    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/")


def test_pod_that_there_is_not(signed_in_client: Client, cluster: Cluster) -> None:
    assert signed_in_client.get(address("none-such")).status_code == 404
