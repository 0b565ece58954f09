"""Preemption from the victims' side: a running pod's page, the page of all workloads, and the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.services.pending import queue as service
from clusters.services.pending.queue import preemptors_of
from tests.support.decision_cluster import node, pod, unschedulable
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LACKS_CPU = "0/2 nodes are available: 2 Insufficient cpu."


def priority_class(name: str, value: int, **fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name, "uid": name},
        "value": value,
        **fields,
    }


def budget(app: str, allowed: int) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": app, "namespace": "shop", "uid": f"budget-{app}", "generation": 1},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": app}}},
        "status": {"disruptionsAllowed": allowed, "observedGeneration": 1, "expectedPods": 1},
    }


def owned(made: dict[str, Any], name: str) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": name, "uid": name, "controller": True}
    made["metadata"]["ownerReferences"] = [owner]
    return made


def objects() -> list[dict[str, Any]]:
    waiting: dict[str, Any] = {"status": unschedulable(LACKS_CPU)}
    return [
        node("ash", "north"),
        node("elm", "south"),
        owned(pod("batch-0", cpu="3", app="batch", nodeName="ash", priority=0), "batch"),
        pod("helper", cpu="500m", app="helper", nodeName="ash", priority=5),
        owned(pod("shop-0", cpu="3", app="shop", nodeName="elm", priority=50), "shop"),
        owned(pod("urgent-0", cpu="3", priority=900, priorityClassName="high", **waiting), "urgent"),
        owned(pod("urgent-1", cpu="3", priority=900, priorityClassName="high", **waiting), "urgent"),
        pod("patient", cpu="3", priority=950, priorityClassName="calm", preemptionPolicy="Never", **waiting),
        pod("small", cpu="100m", priority=900),
        pod("gated", cpu="3", priority=900, schedulingGates=[{"name": "x/y"}]),
        pod("low", cpu="3", priority=0, **waiting),
        pod("huge", cpu="9", priority=900, **waiting),
        priority_class("high", 900),
        priority_class("calm", 950, preemptionPolicy="Never"),
        priority_class("none", 0),
        budget("shop", 0),
    ]


def test_a_pod_tells_who_preempts_it_and_why_the_others_do_not(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    said = text(signed_in_client, "/clusters/prod/pods/shop/batch-0/removal/")

    assert "2 pending pods would preempt this pod." in said
    assert "Preempts it StatefulSet shop/urgent priority 900 (high)" in said
    assert "1 victim on ash: this pod." in said
    assert "Their preemptionPolicy is Never 1" in said
    assert "Pods of high (900) may preempt it." in said
    assert "calm is above it, but never preempts." in said


def test_a_pod_on_another_candidate_node_tells_what_its_budget_is_worth(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "prod", objects())

    elsewhere = text(signed_in_client, "/clusters/prod/pods/shop/shop-0/removal/")
    spared = text(signed_in_client, "/clusters/prod/pods/shop/helper/removal/")

    assert "2 pending pods could preempt it, but prefer another node." in elsewhere
    assert "1 victim on elm; ash is preferred." in elsewhere
    assert "On elm 1 victim violates a budget; on ash fewer do." in elsewhere
    assert "No pending pod would preempt this pod now." in spared


def test_a_pod_that_runs_on_no_node_has_no_such_page(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    assert signed_in_client.get("/clusters/prod/pods/shop/low/removal/").status_code == 404
    assert "What removes this pod" not in text(signed_in_client, "/clusters/prod/pods/shop/low/")
    assert "What removes this pod" in text(signed_in_client, "/clusters/prod/pods/shop/helper/")


def test_workloads_at_risk_are_listed_with_whom_they_make_room_for(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    said = text(signed_in_client, "/clusters/prod/pending/preemption/")
    filtered = text(signed_in_client, "/clusters/prod/pending/preemption/?q=shop/shop")

    assert "Pods removed 1 Their workloads 1 Preempting pods 2" in said
    assert "StatefulSet shop/batch 1 shop/batch-0 shop/urgent-0 priority 900, on ash and 1 more pod like it 1" in said
    assert "StatefulSet shop/batch" not in filtered.split("Why the other")[0].split("Workloads that")[1]


def test_the_api_answers_the_same(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    cluster = signed_in_client.get("/api/v1/clusters/prod/preemption").json()
    one = signed_in_client.get("/api/v1/clusters/prod/pods/shop/shop-0/removal").json()
    pending = signed_in_client.get("/api/v1/clusters/prod/pods/shop/low/removal")

    urgent = next(each for each in cluster["preemptors"] if each["workload"]["name"] == "urgent")
    assert (urgent["number"], urgent["outcome"], urgent["candidates"]) == (2, "makes-room", 2)
    assert urgent["selected"] == {"node": "ash", "victims": ["shop/batch-0"], "violatedBudgets": 0}
    assert [(risk["workload"]["name"], risk["removed"], risk["possible"]) for risk in cluster["workloads"]] == [
        ("batch", 1, 1),
        ("shop", 0, 1),
    ]
    assert one["node"] == "elm"
    assert one["preemption"]["preemptors"][0]["threat"] == "candidate"
    assert pending.status_code == 404
    assert "runs on no node" in pending.json()["error"]["what"]


def test_what_is_not_looked_at_is_said_to_be_so(
    tmp_path: Path, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_VICTIMS", 0)

    found = preemptors_of(cluster=load(tmp_path, "prod", objects()))
    said = text(signed_in_client, "/clusters/prod/pending/preemption/")

    assert sum(each.number for each in found.preemptors) == found.total == 7
    assert "Not evaluated: too many victims" in said
