"""Why not this node: the answer for any node, and what to do about a name that there is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusters.services.decisions.explain import explain_pod
from dashboard.presenters.decisions.nodes import why_not
from tests.support.decision_cluster import ZONE, ingested, node, pod, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HTMX = {"HX-Request": "true"}


def asked(client: Client, name: str, node: str) -> str:
    return text(client.get(f"/clusters/shop/pods/shop/{name}/why-not/?node={node}", headers=HTMX))


def test_what_stands_against_a_node_is_told_with_what_would_do(signed_in_client: Client, cluster: Cluster) -> None:
    shown = asked(signed_in_client, "huge", "ash")
    assert "ash rejects the pod: insufficient CPU. Reasons in detail " in shown
    assert "NodeResourcesFit: insufficient cpu: 7 CPU missing" in shown
    assert "Required changes Request at most 2 CPU: it fits on ash." in shown
    assert "“Insufficient cpu” (reported)" in shown
    assert "request 9 CPU allocatable 4 CPU requested 2 CPU missing 7 CPU" in shown

    shown = asked(signed_in_client, "huge", "fir")
    assert "fir rejects the pod: untolerated taint dedicated=gpu, insufficient CPU." in shown
    assert "Tolerate dedicated=gpu:NoSchedule and request at most 4 CPU: it fits on fir." in shown
    assert "Preemption is not helpful: the reasons do not depend" in shown


def test_a_node_that_fits_says_how_far_it_is_behind(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explain_pod(cluster=cluster, namespace="shop", name="plain")
    totals = {name: explanation.total_of(explanation.snapshot.nodes.index[name]) for name in ("ash", "cedar")}
    behind = (totals["cedar"] or 0) - (totals["ash"] or 0)
    shown = asked(signed_in_client, "plain", "ash")
    assert behind > 0
    assert f"ash is feasible, but {behind} points behind cedar. " in shown
    assert re.search(r"behind cedar\. Mostly \w+: −\d+", shown)
    assert "cedar is the best: " in asked(signed_in_client, "plain", "cedar")

    assert "The pod is on it. ash is feasible, but 12 points behind birch." in asked(signed_in_client, "web-1", "ash")


def test_preemption_on_this_very_node(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explain_pod(cluster=cluster, namespace="shop", name="urgent")
    assert explanation.preemption is not None
    assert {each.node for each in explanation.preemption.candidates} == {"ash", "elm"}
    ash, elm, birch = (asked(signed_in_client, "urgent", name) for name in ("ash", "elm", "birch"))
    assert "Removing 1 pod of lower priority from ash makes room. The scheduler would select this node." in ash
    assert "shop/web-1 (priority 0)" in ash
    assert "The scheduler would select ash instead." in elm
    assert "Preemption is not helpful: the reasons do not depend" in birch

    assert "the node has no pod of lower priority" in asked(signed_in_client, "choosy", "ash")


def test_what_rejects_only_because_of_nominated_pods_is_told_too(signed_in_client: Client, tmp_path: Path) -> None:
    nominee = pod("nominee", status={"phase": "Pending", "nominatedNodeName": "ash"}, priority=10, cpu="3500m")
    ingested(tmp_path, [node("ash", "north"), nominee, pod("plain", cpu="1", nodeSelector={ZONE: "west"})])

    shown = asked(signed_in_client, "plain", "ash")

    assert (
        "ash rejects the pod: no match for the pod's node selector or affinity. With "
        "shop/nominee, nominated to it, also: insufficient CPU." in shown
    )
    assert "With the nominated pods NodeResourcesFit would reject the pod too." in shown


def test_part_of_a_name_or_none(signed_in_client: Client, cluster: Cluster) -> None:
    several = signed_in_client.get("/clusters/shop/pods/shop/huge/why-not/?node=r", headers=HTMX).content.decode()

    assert re.findall(r">(\w+)</a></li>", several) == ["birch", "cedar", "fir"]
    assert "The only node with “lm” in its name." in asked(signed_in_client, "huge", "lm")
    near = asked(signed_in_client, "huge", "brich")
    assert "shop has no node named like “brich”. Similar names: birch" in near
    assert "shop has no node named like “zzz”." in asked(signed_in_client, "huge", "zzz")
    assert "Write a node's name, or a part of it." in asked(signed_in_client, "huge", "")


def test_every_node_has_an_answer(cluster: Cluster) -> None:
    for name in ("plain", "huge", "urgent", "spread", "gated", "device", "web-1", "only"):
        explanation = explain_pod(cluster=cluster, namespace="shop", name=name)
        its_pod = cluster.pods.get(namespace="shop", name=name)
        for row, node_name in enumerate(explanation.snapshot.nodes.names):
            found = why_not(explanation, row, its_pod.node_name)
            assert node_name in found.sentence
            assert bool(found.change) == (explanation.total_of(row) is None)


def test_names_are_offered_a_few_at_a_time(signed_in_client: Client, tmp_path: Path) -> None:
    ingested(
        tmp_path,
        [*(node(f"n-{number:04}", "north") for number in range(100, 140)), pod("plain", nodeSelector={ZONE: "north"})],
    )

    for field in ("node", "a", "b"):
        offered = signed_in_client.get(f"/clusters/shop/pods/shop/plain/nodes/?{field}=n-01", headers=HTMX).content
        assert re.findall(rb'<option value="([^"]+)"', offered) == [f"n-01{number:02}".encode() for number in range(20)]
    assert b'<option value="n-' not in signed_in_client.get("/clusters/shop/pods/shop/plain/").content
