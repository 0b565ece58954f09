"""The demo's controllers make the pods that it has, and its devices are held by those that claim them."""

from __future__ import annotations

from typing import Any

from clusters.engine.admission import admit
from clusters.engine.plugins.dynamic_resources import DeviceSelectorSubject, DeviceTaintSubject
from tests.clusters.test_demo import objects, of, of_kind, pods, snapshot


def test_pods_are_those_of_their_controllers_templates() -> None:
    """What the API server makes of each template is the spec that the pods have, apart from what controllers add."""
    templates = {
        each["metadata"]["uid"]: each["spec"]["template"]
        for each in objects()
        if "template" in each.get("spec", {}) and each["kind"] != "Deployment"
    }
    compared = 0
    for key, pod in pods().items():
        for owner in pod["metadata"].get("ownerReferences", ()):
            template = templates[owner["uid"]]
            labels = template["metadata"]["labels"]
            made = admit(
                {"kind": "Pod", "metadata": {**pod["metadata"], "labels": labels}, "spec": template["spec"]}, snapshot()
            )
            assert not made.refusals, key
            assert _written(pod, owner["kind"]) == _written(made.pod, owner["kind"]), key
            assert labels.items() <= pod["metadata"]["labels"].items(), key
            compared += 1

    assert compared == len(pods()) - 1


def _written(pod: dict[str, Any], owner: str) -> dict[str, Any]:
    """The spec with what the API server fills in, without what a controller or the scheduler adds to one pod."""
    spec = dict(admit(pod, snapshot()).pod["spec"])
    spec.pop("nodeName", None)
    if owner == "StatefulSet":
        spec.pop("volumes", None)
    if owner == "DaemonSet":
        spec.pop("affinity", None)
        spec.pop("tolerations", None)
    return spec


def test_pods_that_run_hold_the_devices_that_their_node_has() -> None:
    held: dict[str, str] = {}
    for claim in of_kind("ResourceClaim"):
        for result in claim["status"].get("allocation", {"devices": {"results": []}})["devices"]["results"]:
            (reserved,) = claim["status"]["reservedFor"]
            pod = pods()[f"ml/{reserved['name']}"]
            assert reserved["uid"] == pod["metadata"]["uid"]
            assert pod["status"]["resourceClaimStatuses"][0]["resourceClaimName"] == claim["metadata"]["name"]
            assert result["pool"] == pod["spec"]["nodeName"]
            held[f"{result['pool']}/{result['device']}"] = pod["metadata"]["labels"]["app"]

    offered = {
        f"{each['spec']['pool']['name']}/{device['name']}"
        for each in of_kind("ResourceSlice")
        for device in each["spec"]["devices"]
    }
    assert set(held.values()) == {"inference"}
    assert held.keys() < offered
    assert offered - held.keys() == {"gpu-a-02/gpu-3", "gpu-b-02/gpu-3"}


def test_devices_of_a_driver_are_not_counted_as_an_extended_resource_too() -> None:
    with_driver = {each["spec"]["nodeName"] for each in of_kind("ResourceSlice")}
    with_plugin = {
        each["metadata"]["name"] for each in of_kind("Node") if "nvidia.com/gpu" in each["status"]["allocatable"]
    }

    assert with_driver | with_plugin == {f"gpu-{zone}-0{number}" for zone in "ab" for number in (1, 2)}
    assert not with_driver & with_plugin


def test_a_pod_waits_for_a_larger_gpu_than_the_free_one() -> None:
    nodes = snapshot().nodes
    opened = {
        type(constraint.subject): [nodes.names[row] for row in lift.rows]
        for lift in of("ml/video-captions").relaxations.singles
        for constraint in lift.lifted
    }

    assert opened[DeviceSelectorSubject] == ["gpu-a-02"]
    assert opened[DeviceTaintSubject] == ["gpu-b-02"]
