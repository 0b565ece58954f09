"""What nodes have and do not offer is named where it would take the pod: devices, and room for deferred resizes."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import RepairDevicePlugin, RevertResize, advice, remedies_of
from clusters.engine.kubelet import PendingResize, resize_of
from clusters.engine.versions import match_release

GPU = "example.com/gpu"
RELEASES = ("v1.34.0", "v1.35.0", "v1.36.0", "v1.37.0")


def node(name: str, *, cpu: str = "8", gpus: tuple[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    capacity, offered = gpus or (None, None)
    amounts = {"cpu": cpu, "memory": "16Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": spec,
        "status": {
            "capacity": {**amounts, **({GPU: capacity} if capacity else {})},
            "allocatable": {**amounts, **({GPU: offered} if offered else {})},
        },
    }


def pod(name: str, *, on: str = "", **requests: str) -> dict[str, Any]:
    placed = {"nodeName": on} if on else {}
    asked = {key.replace("_gpu", GPU): value for key, value in requests.items()}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": name},
        "spec": {"containers": [{"name": "app", "resources": {"requests": asked, "limits": asked}}], **placed},
        "status": {"phase": "Running" if on else "Pending"},
    }


def resized(name: str, *, on: str, runs_with: str, reason: str = "Deferred", cpu: str = "7") -> dict[str, Any]:
    found = pod(name, on=on, cpu=cpu)
    condition = {"type": "PodResizePending", "status": "True", "reason": reason, "message": "no room"}
    container = {"name": "app", "allocatedResources": {"cpu": runs_with}, "resources": {"requests": {"cpu": runs_with}}}
    found["status"] |= {"conditions": [condition], "containerStatuses": [container]}
    return found


def remedies(pending: dict[str, Any], *objects: dict[str, Any], version: str = "v1.34.0") -> list[Any]:
    release = match_release(version).release
    snapshot = Snapshot.from_objects([*objects, pending], release)
    explanation = explain(snapshot, pending, SchedulerConfiguration.default(release).profile_for(pending))
    return [each for each in remedies_of(explanation) if isinstance(each, RepairDevicePlugin | RevertResize)]


def test_device_plugin_that_offers_nothing_is_named_with_both_amounts() -> None:
    found = remedies(pod("train", _gpu="1"), node("a", gpus=("8", "0")), node("b"))

    assert found == [RepairDevicePlugin(GPU, ("a",), 1, 8, 0)]


def test_devices_that_are_unhealthy_in_part_count_with_those_that_are_taken() -> None:
    nodes = (node("a", gpus=("8", "6")), node("b", gpus=("8", "2")))
    taken = (pod("one", on="a", _gpu="6"), pod("two", on="b", _gpu="2"))

    assert remedies(pod("train", _gpu="4"), *nodes, *taken) == [RepairDevicePlugin(GPU, ("b",), 1, 8, 2)]
    assert remedies(pod("train", _gpu="7"), *nodes, *taken) == []


@pytest.mark.parametrize(
    "other",
    [
        node("a", gpus=("8", "0"), unschedulable=True),
        node("a", gpus=("8", "0"), taints=[{"key": "k", "effect": "NoSchedule"}]),
        node("a", gpus=("8", "0"), cpu="1"),
        node("a", gpus=("8", "8")),
    ],
)
def test_node_that_would_not_take_the_pod_even_so_is_no_remedy(other: dict[str, Any]) -> None:
    full = pod("full", on="a", _gpu="8")

    assert remedies(pod("train", cpu="2", _gpu="1"), other, full) == []


@pytest.mark.parametrize("version", RELEASES)
def test_deferred_resize_that_holds_room_is_named_with_what_it_holds(version: str) -> None:
    objects = (node("n"), resized("cache", on="n", runs_with="2"), pod("api", on="n", cpu="1"))

    found = remedies(pod("worker", cpu="2"), *objects, version=version)

    assert found == [RevertResize("n", ("shop/cache",), 1, (("cpu", 5000),))]


def test_resize_that_holds_too_little_or_nothing_is_no_remedy() -> None:
    base = (node("n"), pod("api", on="n", cpu="1"))

    assert remedies(pod("worker", cpu="6"), *base, resized("cache", on="n", runs_with="2")) == []
    assert remedies(pod("worker", cpu="2"), *base, resized("cache", on="n", runs_with="6", reason="Infeasible")) == []
    assert remedies(pod("worker", cpu="1"), *base, pod("cache", on="n", cpu="7")) == []


def test_both_come_before_what_changes_the_pod() -> None:
    release = match_release("v1.34.0").release
    pending = pod("train", _gpu="1")
    snapshot = Snapshot.from_objects([node("a", gpus=("8", "0")), pending], release)
    explanation = explain(snapshot, pending, SchedulerConfiguration.default(release).profile_for(pending))

    assert advice(explanation)[0].ways == (RepairDevicePlugin(GPU, ("a",), 1, 8, 0),)


@pytest.mark.parametrize(("reason", "held"), [("Deferred", (("cpu", 5000),)), ("Infeasible", ()), ("", ())])
def test_resize_of_a_pod_says_what_it_holds(reason: str, held: tuple[tuple[str, int], ...]) -> None:
    assert resize_of(resized("cache", on="n", runs_with="2", reason=reason)) == PendingResize(reason, "no room", held)
    assert resize_of(pod("api", on="n", cpu="1")) is None
