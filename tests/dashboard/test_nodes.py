"""The pages about nodes, compared with the engine's own answers."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import SchedulerConfiguration, explain
from clusters.engine.kubelet.containers import pressure_order
from clusters.models import Decision, Node, Pod
from clusters.services.mirror.snapshots import snapshot_of
from clusters.wording import nodes as words
from tests.dashboard.rows import a_cluster, a_node
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster
    from dashboard.pictures.verdict_map.spec import VerdictMap

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NODES = "/clusters/shop/nodes/"
HTMX = {"HX-Request": "true"}
GPU = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}


def controlled(document: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


def running(name: str, on: str, **more: Any) -> dict[str, Any]:
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return pod(name, nodeName=on, status=status, **more)


def budget(allowed: int) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "shop", "uid": "budget-web", "generation": 1},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "minAvailable": 1},
        "status": {"observedGeneration": 1, "expectedPods": 2, "currentHealthy": 2, "desiredHealthy": 1,
                   "disruptionsAllowed": allowed},
    }  # fmt: skip


def shop() -> list[dict[str, Any]]:
    """Return two nodes, what is on them, and pods that wait."""
    ash = node("ash", "north")
    ash["status"]["allocatable"] = {**ash["status"]["allocatable"], "nvidia.com/gpu": "2", "ephemeral-storage": "10Gi"}
    ash["status"]["images"] = [{"names": ["shop/web@sha256:1", "shop/web:1"], "sizeBytes": 300 * 2**20}]
    csi_node = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {"name": "ash", "uid": "csinode-ash"},
        "spec": {"drivers": [{"name": "ebs.example", "nodeID": "ash", "allocatable": {"count": 25}}]},
    }
    return [
        ash,
        node("birch", "south", taints=[GPU, NOT_READY]),
        csi_node,
        budget(1),
        controlled(running("web-1", "ash", cpu="2"), "ReplicaSet", "web"),
        controlled(running("web-2", "ash", cpu="1"), "ReplicaSet", "web"),
        running("bare", "ash", cpu="500m", app="other", volumes=[{"name": "scratch", "emptyDir": {}}]),
        controlled(running("agent", "ash", cpu="100m", app="agent"), "DaemonSet", "agent"),
        running("ill", "birch", app="other"),
        controlled(pod("small-1", cpu="100m"), "Job", "small"),
        controlled(pod("small-2", cpu="100m"), "Job", "small"),
        pod("large", cpu="1", app="other"),
        pod("picky", cpu="3", app="other", nodeSelector={"disk": "nvme"}),
        pod("gated", app="other", schedulingGates=[{"name": "shop.example/budget"}]),
        pod("foreign", app="other", schedulerName="other-scheduler"),
    ]


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return load(tmp_path, "shop", shop())


# -- one node ------------------------------------------------------------------------------------------------------


def test_node_page_says_how_full_it_is_and_what_taints_do(cluster: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, f"{NODES}ash/")
    assert (
        "Its 4 pods request 90 % of its CPU and 12 % of its memory. Free: 0.4 CPU, 7 GiB "
        "of memory, 16 more pods and 2 nvidia.com/gpu. "
        "CPU runs out first, after about 0 average pods."
    ) in said
    assert "0 B of 10 GiB 0 % 10 GiB" in said
    assert "ebs.example 0 of 25" in said

    said = text(signed_in_client, f"{NODES}birch/")
    # What is free on a node that is NotReady does not run out.
    assert "It accepts no pods. Its 1 pod requests" in said
    assert "runs out first, after" not in said
    assert "gpu=yes:NoSchedule" in said
    assert "NoExecute taints evict 1 pod at once." in said


def test_pods_of_a_node_are_sorted_by_what_the_address_names(cluster: Cluster, signed_in_client: Client) -> None:
    def names(sort: str) -> list[str]:
        html = signed_in_client.get(f"{NODES}ash/?sort={sort}", headers=HTMX).text
        assert "<html" not in html
        return re.findall(r'data-key="shop/([^"]+)"', html)

    assert names("") == ["agent", "bare", "web-1", "web-2"]
    assert names("-cpu") == ["web-1", "web-2", "bare", "agent"]


def test_unknown_node_leads_nowhere(cluster: Cluster, signed_in_client: Client) -> None:
    for part in ("", "pending/", "drain/", "pressure/", "oom/", "shutdown/"):
        assert signed_in_client.get(f"{NODES}gone/{part}").status_code == 404


# -- who would come ------------------------------------------------------------------------------------------------


def test_pending_pods_are_grouped_by_what_the_node_says_of_them(cluster: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, f"{NODES}ash/pending/")

    assert words.FITTING(fitting=2, pods=6, node="ash") in said
    assert "Fits 2 pods of Job shop/small" in said
    assert words.ROOM_FOR(fitting=2, pods=2) in said
    assert "NodeResourcesFit : Insufficient cpu (insufficient cpu: 0.6 CPU missing)" in said
    assert str(words.FOREIGN) in said


def test_demo_nodes_take_exactly_the_pods_that_the_engine_lets_in(demo: Cluster, signed_in_client: Client) -> None:
    snapshot, configuration = snapshot_of(demo), SchedulerConfiguration.default()
    name = "general-b-08"
    row = snapshot.nodes.index[name]
    fitting = set()
    for waiting in Pod.objects.filter(cluster=demo, is_pending=True, scheduler_name="default-scheduler"):
        explanation = explain(snapshot, waiting.object, configuration.profile_for(waiting.object))
        if explanation.verdict_of(row) is None and explanation.gates.ok:
            fitting.add(f"{waiting.namespace}/{waiting.name}")
    html = "".join(signed_in_client.get(f"/clusters/demo/nodes/{name}/pending/?page={page}").text for page in (1, 2))

    entries = re.findall(r"<li>\s*<div class=\"taker-head\">.*?</ul>\s*</li>", html, re.DOTALL)
    shown = {
        found
        for entry in entries
        if re.search(r"verdict-fits", entry)
        for found in re.findall(r'pods/[^"]*">\s*([^<\s]+)', entry)
    }
    assert fitting
    assert shown == fitting


# -- who would go --------------------------------------------------------------------------------------------------


def test_drain_preview_is_the_plan_of_the_node(cluster: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, f"{NODES}ash/drain/")

    assert "ash cannot be drained. Nothing would be evicted." in said
    assert "Cannot drain ash without --force: nothing controls shop/bare." in said
    assert "shop/ agent Stays Stays: a DaemonSet's pod." in said
    assert "shop/ web-1 Not requested kubectl drain does not begin: other pods need a flag." in said


def test_drain_preview_charges_budgets_from_eviction_to_eviction(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [each for each in shop() if each["metadata"]["name"] != "bare"])

    said = text(signed_in_client, f"{NODES}ash/drain/")

    assert "shop/ web-1 Allowed (200)" in said
    assert "shop/ web-2 Refused by a budget (429)" in said


def test_memory_pressure_ranks_as_the_engine_does(cluster: Cluster, signed_in_client: Client) -> None:
    documents = Pod.objects.filter(cluster=cluster, node_name="ash").values_list("object", flat=True)
    said = text(signed_in_client, f"{NODES}ash/pressure/")

    assert words.EVICTABLE(resource="Memory", pods=4) in said
    for rank in pressure_order(documents):
        assert f"shop/ {rank.key.partition('/')[2]} {rank.earliest} to {rank.latest} " in said


def test_parts_are_fragments_for_htmx_and_pages_for_everybody_else(cluster: Cluster, signed_in_client: Client) -> None:
    for part in ("pending", "drain", "pressure", "oom", "shutdown"):
        fragment = signed_in_client.get(f"{NODES}ash/{part}/", headers=HTMX)
        page = signed_in_client.get(f"{NODES}ash/{part}/")

        assert "<html" not in fragment.text
        assert "<html" in page.text
        assert re.search(r'aria-current="true"[^<]*>\s*(<[^>]*>)*\s*Nodes', page.text)
        assert "HX-Request" in page.headers["Vary"]


def test_latest_decisions_about_the_node_are_listed(cluster: Cluster, signed_in_client: Client) -> None:
    for number, place in enumerate(("ash", "birch")):
        Decision.objects.create(
            cluster=cluster, kind="bound", pod_uid=str(number), namespace="shop", name=f"on-{place}",
            heard_at="2026-01-01T00:00:00Z", last_heard_at="2026-01-01T00:00:00Z", node_name=place,
        )  # fmt: skip

    html = signed_in_client.get(f"{NODES}ash/").text

    assert "on-ash" in html
    assert "on-birch" not in html
    assert 'href="/clusters/shop/journal/?node=ash"' in html


# -- the list ------------------------------------------------------------------------------------------------------


def drawn(client: Client, query: str = "") -> VerdictMap:
    found: VerdictMap = client.get(f"{NODES}heat-map?{query}").context["map"].found
    return found


def test_map_fades_the_nodes_that_the_filter_hides_and_opens_a_zone(cluster: Cluster, signed_in_client: Client) -> None:
    every, filtered = drawn(signed_in_client), drawn(signed_in_client, "zone=south")
    assert every.names == filtered.names == ("ash", "birch")
    assert every.lines[0] == "3.6 CPU of 4 CPU requested, 90 %"
    assert [(each.label, each.nodes) for each in filtered.keys if each.nodes] == [
        ("partly full", 1),
        ("filtered out", 1),
    ]
    assert filtered.sentence == "CPU requested: 0.5 CPU of 4 CPU (12 %)."

    assert drawn(signed_in_client, "zone=south&map-zone=north").names == ("ash",)
    assert signed_in_client.get(f"{NODES}heat-map?map-zone=none").status_code == 404


def test_map_shows_the_resource_that_the_address_names(cluster: Cluster, signed_in_client: Client) -> None:
    for resource, lines in [
        ("memory", ("1 GiB of 8 GiB requested, 12 %", "256 MiB of 8 GiB requested, 3 %")),
        ("pods", ("4 of 20 requested, 20 %", "1 of 20 requested, 5 %")),
        ("nvidia.com/gpu", ("0 of 2 requested, 0 %", "0 of 0 requested, –")),
        ("nothing-like-this", ("3.6 CPU of 4 CPU requested, 90 %", "0.5 CPU of 4 CPU requested, 12 %")),
    ]:
        assert drawn(signed_in_client, f"map={resource}").lines == lines


def rows_of(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_nodes_as_a_file_have_every_amount(cluster: Cluster, signed_in_client: Client) -> None:
    ash, birch = rows_of(signed_in_client, f"{NODES}nodes.csv")

    assert (ash["node"], ash["zone"], ash["ready"], ash["cordoned"]) == ("ash", "north", "yes", "no")
    assert [ash[f"cpu (milli-CPU) {what}"] for what in ("allocatable", "requested", "free")] == ["4000", "3600", "400"]
    assert [ash[f"pods {what}"] for what in ("allocatable", "requested", "free")] == ["20", "4", "16"]
    assert [ash["nvidia.com/gpu allocatable"], birch["nvidia.com/gpu allocatable"]] == ["2", "0"]
    assert birch["taints"] == "gpu=yes:NoSchedule node.kubernetes.io/not-ready=:NoExecute"
    assert [row["node"] for row in rows_of(signed_in_client, f"{NODES}nodes.csv?zone=south")] == ["birch"]


def test_pods_as_a_file_follow_the_filter(
    cluster: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.views.pods._CHUNK", 2)
    every = rows_of(signed_in_client, "/clusters/shop/pods.csv")
    waiting = rows_of(signed_in_client, "/clusters/shop/pods.csv?state=pending&q=small")

    assert [row["pod"] for row in every] == sorted(Pod.objects.filter(cluster=cluster).values_list("name", flat=True))
    assert [row["pod"] for row in waiting] == ["small-1", "small-2"]
    assert (waiting[0]["CPU request (milli-CPU)"], waiting[0]["workload kind"]) == ("100", "Job")
    assert "/clusters/shop/pods.csv?state=pending" in signed_in_client.get("/clusters/shop/pods/?state=pending").text


def test_node_that_only_the_table_holds_leads_nowhere(signed_in_client: Client) -> None:
    a_node(a_cluster("shop", revision=91), "ghost", object={"metadata": {"name": "ghost"}})

    assert Node.objects.filter(name="ghost").exists()
    assert signed_in_client.get(f"{NODES}ghost/").status_code == 404


def test_node_says_when_its_pods_are_evicted_once_it_fails(cluster: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, f"{NODES}ash/faults/")

    # birch is not ready by its taint alone, so that the controller still counts it.
    assert "If ash stops reporting, 4 of its 4 pods are evicted after 50 s." in said
    assert "Unknown after 50 s (--node-monitor-grace-period of 1.34)" in said
    assert "50 s 0 s" in said
    assert "<svg" in signed_in_client.get(f"{NODES}ash/faults/").content.decode()
