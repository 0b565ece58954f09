"""Pods that are not what their phase says: on their page, in the list, on the overview, in the API and the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from tests.clusters.dumps import as_json, listed
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
        "main: OOMKilled, exit code 137 (SIGKILL), at 2026-11-20 08:00:00 UTC; 5 restarts",
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


@pytest.mark.parametrize("name", CASES)
def test_page_of_a_pod_says_what_became_of_it(name: str, ask: Callable[..., str]) -> None:
    word, said, _, never = CASES[name]
    page = ask("decision", namespace="shop", name=name)

    assert said in page
    assert word in page
    assert not any(each in page for each in never)


def test_overview_counts_them_and_a_pod_that_is_well_is_none(ask: Callable[..., str]) -> None:
    page = ask("cluster")

    assert all(counted in page for _, _, counted, _ in CASES.values())
    assert "Nothing is wrong" not in page


@pytest.mark.parametrize(
    ("state", "name", "reason"), [("rejected", "rejected", "OutOfcpu"), ("killed", "leaky", "OOMKilled")]
)
def test_list_has_their_reason_and_finds_them_by_it(
    state: str, name: str, reason: str, ask: Callable[..., str]
) -> None:
    found = ask("pods", f"state={state}")

    assert f"shop/ {name}" in found
    assert reason in found
    assert "shop/ well" not in found


def test_list_finds_pods_that_are_terminating(ask: Callable[..., str]) -> None:
    found = ask("pods", "state=terminating")

    assert "shop/ web-0" in found
    assert "shop/ well" not in found


@pytest.mark.parametrize("name", ["rejected", "by-hand", "web-0"])
def test_api_says_the_same(name: str, ask: Callable[..., str], admin_client: Client) -> None:
    assert ask("pods")

    answer = admin_client.get(f"/api/v1/clusters/prod/pods/shop/{name}/explanation").json()

    assert answer["words"]["verdict"].startswith(CASES[name][1])
    assert answer["state"] == "rejected"


def test_api_has_the_last_termination_of_each_container(ask: Callable[..., str], admin_client: Client) -> None:
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


@pytest.mark.parametrize("name", CASES)
def test_terminal_says_the_same(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed(objects())))

    for options in (("--pod", f"shop/{name}"), ("--all-pending",)):
        call_command("explain", str(path), *options)
        assert CASES[name][1] in " ".join(capsys.readouterr().out.split())


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


def test_terminal_names_them_where_no_pod_is_pending_and_none_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed(objects())))

    with pytest.raises(SystemExit):
        call_command("explain", str(path))

    printed = capsys.readouterr()
    assert all(said in " ".join(printed.out.split()) for _, said, _, _ in CASES.values())
    assert "No pod is pending." in printed.err


def test_pods_without_a_controller_are_at_risk_and_listed(tmp_path: Path, signed_in_client: Client) -> None:
    kept, leaving = pod("kept-0", nodeName="oak"), pod("leaving", nodeName="oak")
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "kept", "uid": "kept", "controller": True}
    kept["metadata"]["ownerReferences"] = [owner]
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    load(tmp_path, "shop", [node("oak", "north"), kept, leaving, pod("alone", nodeName="oak"), pod("waits")])

    overview = text(signed_in_client, "/clusters/shop/")
    listed = text(signed_in_client, "/clusters/shop/workloads/?kind=Pod")

    assert "At risk: 1 pod has no controller" in overview
    assert '/clusters/shop/workloads/?kind=Pod"' in signed_in_client.get("/clusters/shop/").text
    assert "alone" in listed
    assert "kept" not in listed


def test_pods_with_host_ports_are_at_risk_but_those_of_daemon_sets(tmp_path: Path, signed_in_client: Client) -> None:
    port = {"name": "main", "image": "app:1", "ports": [{"containerPort": 80, "hostPort": 80}]}
    edge, agent = pod("edge-0", nodeName="oak", containers=[port]), pod("agent", nodeName="ash", containers=[port])
    for each, kind in ((edge, "StatefulSet"), (agent, "DaemonSet")):
        owner = {"apiVersion": "apps/v1", "kind": kind, "name": "kept", "uid": f"u-{kind}", "controller": True}
        each["metadata"]["ownerReferences"] = [owner]
    alone = pod("alone", nodeName="oak", containers=[port])
    load(tmp_path, "shop", [node("oak", "north"), node("ash", "north"), edge, agent, alone, pod("waits")])

    # What is folded says how many pods it is about: one of them counts for both.
    folded = "At risk: 2 pods At risk: 1 pod has no controller; 2 pods have host ports."
    assert folded in text(signed_in_client, "/clusters/shop/")
