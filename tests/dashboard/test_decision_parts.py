"""The parts of a decision: nodes, scores, what would help; and how large the page may get."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.plugins.node_resources_fit import ResourceComparison
from clusters.services.decisions.explain import explain_pod
from dashboard.presenters.decisions.landscape import COLUMNS
from tests.support.decision_cluster import ZONE, ingested, node, pod, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.engine import Explanation
    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HTMX = {"HX-Request": "true"}


def address(name: str, part: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/{part}"


def explained(cluster: Cluster, name: str) -> Explanation:
    return explain_pod(cluster=cluster, namespace="shop", name=name)


# -- nodes -------------------------------------------------------------------------------------------------------------


def test_groups_hold_every_node_once(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "spread")
    listed: list[str] = []
    for number in range(len(explanation.groups)):
        part = signed_in_client.get(address("spread", f"groups/{number}/"), headers=HTMX).content.decode()
        listed += re.findall(r'hx-get="/clusters/shop/pods/shop/spread/nodes/([^/]+)/"', part)

    assert sorted(listed) == explanation.snapshot.nodes.names


def test_part_is_a_fragment_for_htmx_and_a_page_otherwise(signed_in_client: Client, cluster: Cluster) -> None:
    for part in [
        "groups/",
        "groups/0/",
        "nodes/?node=as",
        "why-not/?node=ash",
        "compare/?a=ash&b=birch",
        "nodes/ash/",
        "scores/",
        "nodes/ash/scores/NodeResourcesFit/",
        "relaxations/single/0/",
    ]:
        fragment = signed_in_client.get(address("plain", part), headers=HTMX)
        page = signed_in_client.get(address("plain", part))
        assert fragment.status_code == page.status_code == 200
        assert b"<html" not in fragment.content
        assert b"<h1>" in page.content
        assert "HX-Request" in page["Vary"]


def test_part_or_pod_that_there_is_not(signed_in_client: Client, cluster: Cluster) -> None:
    for part in [
        "groups/99/",
        "nodes/none-such/",
        "nodes/oak/scores/NodeResourcesFit/",
        "nodes/ash/scores/NodePorts/",
        "relaxations/single/99/",
        "relaxations/none-such/0/",
    ]:
        assert signed_in_client.get(address("plain", part)).status_code == 404

    assert signed_in_client.get(address("none-such")).status_code == 404


def test_node_shows_what_was_compared(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "huge")
    evidence = explanation.evidence(explanation.snapshot.nodes.index["ash"])["NodeResourcesFit"][1]
    assert evidence == ResourceComparison("cpu", requested=9000, allocatable=4000, used=2000)

    shown = text(signed_in_client.get(address("huge", "nodes/ash/"), headers=HTMX))

    assert "cpu request 9 CPU allocatable 4 CPU requested 2 CPU missing 7 CPU" in shown
    assert "request ≤ allocatable − requested 9 CPU ≤ 4 CPU − 2 CPU" in shown


def test_node_kept_for_a_nominated_pod(signed_in_client: Client, cluster: Cluster) -> None:
    part = text(signed_in_client.get(address("spread", "nodes/cedar/")))
    page = text(signed_in_client.get(address("spread")))

    assert "Counts shop/nominee, nominated to the node. Without nominated pods nothing does." in part
    assert "Counts shop/nominee, nominated here." in page


def test_room_that_is_kept_for_a_nominated_pod_is_in_the_sum(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "huge")
    row = explanation.snapshot.nodes.index["cedar"]
    evidence = explanation.evidence(row)["NodeResourcesFit"][1]
    assert isinstance(evidence, ResourceComparison)
    assert evidence.missing == 8500

    shown = text(signed_in_client.get(address("huge", "nodes/cedar/"), headers=HTMX))

    assert "9 CPU ≤ 4 CPU − 0 CPU − 3.5 CPU" in shown


# -- scores ------------------------------------------------------------------------------------------------------------


def test_score_table_holds_the_engines_numbers(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "plain")
    shown = text(signed_in_client.get(address("plain", "scores/"), headers=HTMX))

    differing = {score.plugin for score in explanation.scores if score.weighted.min() != score.weighted.max()}
    for score in explanation.scores:
        assert score.plugin in differing or f"{score.plugin} {score.weighted[0]}" in shown
    for row in explanation.ranking().tolist():
        cells = ", ".join(
            f"{cell.plugin} {cell.weighted}" for cell in explanation.cells_of(row) if cell.plugin in differing
        )
        assert re.search(
            rf"{explanation.snapshot.nodes.names[row]} (best )?{cells} {explanation.total_of(row)} ", shown
        )


# -- what would help ---------------------------------------------------------------------------------------------------


def test_relaxation_opens_to_its_nodes(signed_in_client: Client, cluster: Cluster) -> None:
    page = signed_in_client.get(address("huge"))
    part = signed_in_client.get(address("huge", "relaxations/single/0/"), headers=HTMX)

    assert "One change is enough. Request at most 7 CPU instead of 9 CPU: it fits on birch." in text(page)
    assert "Request none of a resource Request no CPU: it fits on 4 nodes." in text(page)
    assert re.findall(r"<strong>(\w+)</strong>", part.content.decode()) == ["ash", "birch", "cedar", "elm"]


# -- size --------------------------------------------------------------------------------------------------------------


def crowd(nodes: int) -> list[dict[str, Any]]:
    """Return nodes of few kinds with a pod each, and two pods that wait."""
    zones = ("north", "south", "west")
    return [
        *(node(f"n-{number:04}", zones[number % 3], cpu=str(4 + number % 2)) for number in range(nodes)),
        *(pod(f"p-{number}", nodeName=f"n-{number:04}", priority=0) for number in range(nodes)),
        pod("plain"),
        pod("urgent", cpu="4", nodeSelector={ZONE: "north"}, priority=10),
    ]


def test_page_of_a_large_cluster_stays_small(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(tmp_path, crowd(600))

    for name in ["plain", "urgent"]:
        body = signed_in_client.get(address(name)).content
        assert len(gzip.compress(body)) < 60_000
        # The ribbon names the node of each of its columns.
        assert len(set(re.findall(rb"n-\d{4}", body))) < 60 + COLUMNS
