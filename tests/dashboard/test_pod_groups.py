"""Pages, API and lists say of pods of a group what becomes of the group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.services.ingest.configurations import set_feature_gates
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster


def node(name: str, cpu: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": {"kubernetes.io/hostname": name}},
        "status": {
            "allocatable": {"cpu": cpu, "memory": "16Gi", "pods": "110"},
            "nodeInfo": {"kubeletVersion": "v1.37.2"},
        },
    }


def member(name: str) -> dict[str, Any]:
    container = {"name": "main", "image": "a:1", "resources": {"requests": {"cpu": "1"}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "ml", "uid": name},
        "spec": {
            "containers": [container],
            "schedulerName": "default-scheduler",
            "priority": 0,
            "schedulingGroup": {"podGroupName": "train"},
        },
        "status": {"phase": "Pending"},
    }


def group(least: int) -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "train", "namespace": "ml", "uid": "train"},
        "spec": {"schedulingPolicy": {"gang": {"minCount": least}}},
    }


@pytest.fixture
def cluster(request: pytest.FixtureRequest, tmp_path: Path, db: None) -> Cluster:
    least, cpu = request.param
    found = load(tmp_path, "ml", [node("n1", cpu), group(least), member("a"), member("b")])
    set_feature_gates(cluster=found, settings="GenericWorkload=true")
    return found


def answer(client: Client, pod: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/v1/clusters/ml/pods/ml/{pod}/explanation").json()
    return found


@pytest.mark.parametrize("cluster", [(2, "2")], indirect=True)
def test_a_gang_that_has_room_fits(cluster: Cluster, signed_in_client: Client) -> None:
    found = answer(signed_in_client, "a")["explanation"]

    assert found["conclusion"] == "fits"
    assert found["podGroup"]["verdict"] == "scheduled"
    page = signed_in_client.get("/clusters/ml/pods/ml/a/", follow=True).text
    assert "Its group ml/train is scheduled: 2 pods of at least 2." in page


@pytest.mark.parametrize("cluster", [(2, "1")], indirect=True)
def test_a_gang_without_room_is_unschedulable_with_the_pod_that_blocks_it(
    cluster: Cluster, signed_in_client: Client
) -> None:
    found = answer(signed_in_client, "a")["explanation"]

    assert (found["conclusion"], found["feasibleCount"]) == ("unschedulable", 1)
    assert found["message"].startswith("pod group is unschedulable, ")
    page = signed_in_client.get("/clusters/ml/pods/ml/a/", follow=True).text
    assert "its group ml/train is not schedulable" in page
    pending = signed_in_client.get("/clusters/ml/pending/").text
    assert "gang ml/train not scheduled as a whole" in pending
    assert "Nodes would take it, but not its group" in pending


@pytest.mark.parametrize("cluster", [(3, "9")], indirect=True)
def test_a_gang_that_lacks_pods_is_gated_everywhere(cluster: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get("/clusters/ml/pods/ml/a/", follow=True).text
    assert "GangScheduling keeps the pod out of the queue: waiting for minCount pods from a gang" in page
    pending = signed_in_client.get("/clusters/ml/pending/").text
    assert "waiting for the gang ml/train, 2 of 3 pods exist" in pending
    assert "pending ones stay out of the queue until all do" in pending
    assert "when its group is complete" in pending
    queue = signed_in_client.get("/clusters/ml/pending/queue/").text
    assert "Waiting for the gang ml/train, 2 of 3 pods exist" in queue
