"""Pods that are not what their phase says: on their page, in the list, on the overview, in the API and the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

KILLED = {"terminated": {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-11-20T08:00:00Z"}}
REJECTED = {
    "phase": "Failed",
    "reason": "OutOfcpu",
    "message": "Pod was rejected: Node didn't have enough resource: cpu",
}
CASES: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "rejected": (
        "Failed",
        "Rejected by the kubelet of n1: OutOfcpu: Node didn't have enough resource: cpu.",
        "a kubelet rejected 1 pod",
        ("Ran on n1.",),
    ),
    "by-hand": (
        "Cannot start",
        "Cannot start on n1: the claim data is not bound,",
        "1 pod cannot start: its claim is not bound",
        ("Scheduled to n1.",),
    ),
    "web-0": (
        "Terminating",
        "Terminating since 2026-11-20 04:05:35 UTC: lost is unreachable.",
        "1 pod is terminating on an unreachable node",
        ("Runs on lost.",),
    ),
    "leaky": (
        "Running",
        "main: OOMKilled, exit code 137 (SIGKILL), 2026-11-20 08:00:00 UTC; 5 restarts",
        "a container of 1 pod was OOMKilled",
        (),
    ),
}


def objects() -> list[dict[str, Any]]:
    lost = node("lost", "b")
    lost["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    kept = {"kind": "StatefulSet", "apiVersion": "apps/v1", "name": "web", "uid": "s", "controller": True}
    gone = pod("web-0", nodeName="lost")
    gone["metadata"] |= {"deletionTimestamp": "2026-11-20T04:05:35Z", "ownerReferences": [kept]}
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]
    ends = [{"name": "main", "restartCount": 5, "state": {"running": {}}, "lastState": KILLED}]
    return [
        node("n1", "a"),
        lost,
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": "local"},
            "provisioner": "local.csi.example.io",
            "volumeBindingMode": "WaitForFirstConsumer",
        },
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": "data", "namespace": "shop"},
            "spec": {"storageClassName": "local", "accessModes": ["ReadWriteOnce"]},
            "status": {"phase": "Pending"},
        },
        pod("rejected", nodeName="n1", status=REJECTED),
        pod("by-hand", nodeName="n1", volumes=volumes, status={"phase": "Pending"}),
        gone,
        pod("leaky", nodeName="n1", status={"phase": "Running", "containerStatuses": ends}),
        pod("well", nodeName="n1"),
    ]


@pytest.fixture
def ask(tmp_path: Path, admin_client: Client) -> Callable[..., str]:
    load(tmp_path, "prod", objects())

    def get(view: str, query: str = "", **place: str) -> str:
        address = reverse(view, kwargs={"cluster": "prod", **place})
        return text(admin_client, f"{address}?{query}")

    return get


def test_page_of_a_pod_says_what_became_of_it(ask: Callable[..., str]) -> None:
    for name in CASES:
        word, said, _, never = CASES[name]
        page = ask("decision", namespace="shop", name=name)
        assert said in page
        assert word in page
        assert not any(each in page for each in never)


def test_overview_counts_them_and_a_pod_that_is_well_is_none(ask: Callable[..., str]) -> None:
    page = ask("cluster")

    assert all(counted in page for _, _, counted, _ in CASES.values())
    assert "Nothing is wrong" not in page


def test_list_has_their_reason_and_finds_them_by_it(ask: Callable[..., str]) -> None:
    for state, name, reason in [("rejected", "rejected", "OutOfcpu"), ("killed", "leaky", "OOMKilled")]:
        found = ask("pods", f"state={state}")
        assert f"shop/ {name}" in found
        assert reason in found
        assert "shop/ well" not in found


def test_api_says_the_same_and_the_last_termination_of_each_container(
    ask: Callable[..., str], admin_client: Client
) -> None:
    for name in ["rejected", "by-hand", "web-0"]:
        assert ask("pods")
        answer = admin_client.get(f"/api/v1/clusters/prod/pods/shop/{name}/explanation").json()
        assert answer["words"]["verdict"].startswith(CASES[name][1])
        assert answer["state"] == "rejected"

    assert ask("pods")
    answer = admin_client.get("/api/v1/clusters/prod/pods/shop/leaky/explanation").json()
    assert answer["terminations"] == [
        {
            "container": "main",
            "reason": "OOMKilled",
            "exitCode": 137,
            "finishedAt": "2026-11-20T08:00:00Z",
            "restarts": 5,
        }
    ]


def with_devices_and_resize() -> list[dict[str, Any]]:
    gpu, full = node("gpu", "a"), node("full", "b", cpu="8")
    gpu["status"]["capacity"] = {**gpu["status"]["capacity"], "example.com/gpu": "8"}
    gpu["status"]["allocatable"] = {**gpu["status"]["allocatable"], "example.com/gpu": "0"}
    train = pod("train")
    train["spec"]["containers"][0]["resources"]["requests"]["example.com/gpu"] = "1"
    condition = {"type": "PodResizePending", "status": "True", "reason": "Deferred", "message": "no room"}
    has = {"cpu": "2", "memory": "256Mi"}
    ends = [{"name": "main", "allocatedResources": has, "resources": {"requests": has}, "state": {"running": {}}}]
    status = {"phase": "Running", "conditions": [condition], "containerStatuses": ends}
    return [gpu, full, train, pod("cache", cpu="7", nodeName="full", status=status), pod("worker", cpu="5")]


@pytest.fixture
def ask_of_nodes(tmp_path: Path, admin_client: Client) -> Callable[..., str]:
    load(tmp_path, "prod", with_devices_and_resize())

    def get(view: str, **place: str) -> str:
        return text(admin_client, reverse(view, kwargs={"cluster": "prod", **place}))

    return get


def test_page_of_a_pending_pod_names_the_device_plugin_and_the_resize(ask_of_nodes: Callable[..., str]) -> None:
    assert "Repair the device plugin of gpu: 0 of 8 example.com/gpu are allocatable." in ask_of_nodes(
        "decision", namespace="shop", name="train"
    )
    assert "Revert the deferred resize of shop/cache on full, or wait for it: 5 CPU is counted for it" in ask_of_nodes(
        "decision", namespace="shop", name="worker"
    )


def test_page_of_the_node_and_of_the_pod_itself_say_the_same(ask_of_nodes: Callable[..., str]) -> None:
    assert "example.com/gpu: capacity 8, allocatable 0;" in ask_of_nodes("node", name="gpu")
    assert "The scheduler counts 5 CPU more for deferred resizes of shop/cache." in ask_of_nodes("node", name="full")
    assert "Deferred: no room; the scheduler counts 5 CPU for it" in ask_of_nodes(
        "decision", namespace="shop", name="cache"
    )


# -- which restart comes when ------------------------------------------------------------------------------------------


def crashing(message: str = "", **last: object) -> dict[str, Any]:
    waiting = {"reason": "CrashLoopBackOff", "message": message}
    status = {"name": "main", "restartCount": 3, "state": {"waiting": waiting}, "lastState": {"terminated": last}}
    document = pod("web-0", nodeName="n1")
    return {**document, "status": {"phase": "Running", "containerStatuses": [status]}}


def test_the_pods_page_says_which_restart_comes_when(signed_in_client: Client, tmp_path: Path) -> None:
    for document, said in [
        (
            crashing("back-off 20s restarting failed container=main pod=web-0", finishedAt="2026-01-01T00:00:50Z"),
            "main: CrashLoopBackOff; restart 4 20s after it ended, 00:01:10 UTC",
        ),
        (
            crashing(finishedAt="2026-01-01T00:00:50Z"),
            "main: CrashLoopBackOff; restart 4 ≤ 40s after it ended, ≤ 00:01:30 UTC",
        ),
        (
            crashing(f"back-off {9 * 10**9}h0m0s restarting failed container", finishedAt="2026-01-01T00:00:50Z"),
            "main: CrashLoopBackOff; restart 4 ≤ 40s after it ended, ≤ 00:01:30 UTC",
        ),
        (
            crashing("back-off 20s restarting failed container=main pod=web-0"),
            "main: CrashLoopBackOff; restart 4 20s after it ended",
        ),
        (crashing(), "main: CrashLoopBackOff; restart 4 ≤ 40s after it ended"),
    ]:
        load(tmp_path, "prod", [node("n1", "a"), document])
        assert said in text(signed_in_client, "/clusters/prod/pods/shop/web-0/")


# -- where the page of a pod leads -------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_mirrored", [True, False])
def test_a_pod_leads_to_its_node_and_its_deployment(
    tmp_path: Path, signed_in_client: Client, is_mirrored: bool
) -> None:
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "web", "controller": True}
    replica_set = {**deployment, "kind": "ReplicaSet", "name": "web-5f", "uid": "web-5f"}
    metadata = {"name": "web-5f", "namespace": "shop", "uid": "web-5f", "ownerReferences": [deployment]}
    of_deployment = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"replicas": 1}}
    made = pod("web-5f-x", nodeName="ash")
    made["metadata"] |= {"ownerReferences": [replica_set], "labels": {"app": "web", "pod-template-hash": "5f"}}
    load(tmp_path, "prod", [node("ash", "north"), made, *([of_deployment] if is_mirrored else [])])

    page = signed_in_client.get("/clusters/prod/pods/shop/web-5f-x/").text

    assert 'Node <a href="/clusters/prod/nodes/ash/">ash</a>' in page
    assert 'Workload <a href="/clusters/prod/workloads/Deployment/shop/web/">Deployment web</a>' in page
    assert signed_in_client.get("/clusters/prod/workloads/Deployment/shop/web/").status_code == 200
