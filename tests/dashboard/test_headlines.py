"""What pages say first: the cause, what helps, and what comes of it."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from clusters.wording import nodes as words
from tests.clusters.test_workloads import deployed
from tests.dashboard.test_nodes import budget, controlled, running
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NODE = "/clusters/shop/nodes/ash/"
WEB = "/clusters/shop/workloads/Deployment/shop/web/"


NEVER = {
    **budget(0),
    "spec": {"selector": {"matchLabels": {"app": "web"}}, "maxUnavailable": 0},
    "status": {**budget(0)["status"], "desiredHealthy": 2},
}


STARTING = controlled(
    pod("web-2", nodeName="birch", status={"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}),
    "ReplicaSet",
    "web",
)


def web(number: int) -> dict[str, object]:
    return controlled(running(f"web-{number}", "ash"), "ReplicaSet", "web")


@pytest.mark.parametrize(
    ("placed", "said"),
    [
        ([], words.DRAINABLE(pods=0)),
        ([web(1), node("birch", "north")], words.DRAINABLE(pods=1)),
        ([web(1)], words.NO_ROOM(pods="shop/web-1")),
        ([running("bare", "ash")], words.NEEDS_FORCE(pods=1)),
        ([web(1), web(2), NEVER], words.BLOCKED_UNTIL_CHANGED(budgets="shop/web")),
        ([web(1), node("birch", "north"), STARTING, budget(0)], words.BLOCKED_FOR_NOW(budgets="shop/web")),
    ],
)
def test_a_node_says_whether_it_can_be_drained(
    tmp_path: Path, signed_in_client: Client, placed: list[dict[str, object]], said: str
) -> None:
    load(tmp_path, "shop", [node("ash", "north"), *placed])

    assert said in text(signed_in_client, NODE)


def test_a_workload_says_what_would_help_its_pending_pods(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *deployed({"a1": 4}, waiting=2)])

    said = text(signed_in_client, WEB)

    assert "2 pods pending: insufficient CPU. Add one more node like a1: 2 of 2 would fit." in said


def test_budgets_say_first_which_can_never_be_met_and_what_that_blocks(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", [node("ash", "north"), web(1), web(2), NEVER])

    every, one = (text(signed_in_client, f"/clusters/shop/budgets/{page}") for page in ("", "shop/web/"))

    assert (
        "1 of 1 budgets never allow a disruption until changed: shop/web. Budgets block the drain of 1 of 1 node"
        in every
    )
    assert "Blocks the drain of 1 node. What helps: " in one


def test_a_nominated_pod_says_first_what_it_waits_for_and_never_to_request_less(
    tmp_path: Path, signed_in_client: Client
) -> None:
    gone = running("old", "ash", cpu="3")
    gone["metadata"] = {**gone["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}
    urgent = pod("urgent", cpu="3", priority=10)
    urgent["status"] = {**urgent.get("status", {}), "phase": "Pending", "nominatedNodeName": "ash"}
    load(tmp_path, "shop", [node("ash", "north"), gone, urgent])

    page = signed_in_client.get("/clusters/shop/pods/shop/urgent/").text
    verdict = words_of(page[page.index('id="verdict"') : page.index('id="map-card"')])

    assert "Wait for shop/old to terminate (nominated to ash)." in verdict
    assert "Nominated" in verdict
    assert "Request at most" not in verdict
    assert "Insufficient CPU on 1 node" in verdict


def test_one_more_node_leads_from_the_pod_s_headline_to_the_map_that_adds_it(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *deployed({"a1": 4}), pod("more", cpu="1")])

    page = signed_in_client.get("/clusters/shop/pods/shop/more/").text
    verdict = page[page.index('id="verdict"') : page.index('id="map-card"')]
    (address,) = re.findall(r'href="(/clusters/shop/\?change=[^"]*)"', verdict)

    assert "Add one more node like a1: it would fit." in words_of(verdict)
    assert "Add 1 node like a1" in text(signed_in_client, unescape(address))
