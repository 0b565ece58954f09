"""Extended resources for which a DeviceClass stands: who gives them on which node, and what is asked of devices."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.adapters.prune.kinds import resource_claim
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.devices import claim_names
from clusters.engine.devices.claims import (
    ANNOTATION,
    served_resources,
    special_claim,
)
from clusters.engine.edits import LowerRequest
from clusters.engine.objects import Pod
from clusters.engine.plugins.dynamic_resources import ExtendedResourceComparison, ExtendedResourceSubject
from clusters.engine.plugins.node_resources_fit import ResourceComparison
from clusters.engine.scheduling.preemption import answer_of
from clusters.engine.simulation import Portion, headroom
from clusters.engine.versions import release_with
from clusters.wording.plugins import lifting_of
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import CLASS, DRIVER, a_class, a_cluster, a_device, a_slice, explained
from tests.support.answers import known

GPU = "example.com/gpu"
MINORS = ("1.35", "1.36", "1.37")
ON = {"DRAExtendedResource": True}


def a_serving_class(resource: str = GPU, name: str = CLASS, created: str = "") -> Document:
    found = a_class(name=name)
    if resource:
        found["spec"]["extendedResourceName"] = resource
    if created:
        found["metadata"]["creationTimestamp"] = created
    return found


def offers(*nodes: str, devices: int = 1, **allocatable: str) -> list[Document]:
    """Nodes with devices, and the class that stands for the resource."""
    found: list[Document] = [a_serving_class()]
    for name in nodes:
        found += [
            a_node(name, allocatable={GPU: allocatable[name]} if name in allocatable else {}),
            a_slice(*(a_device(f"gpu-{place}") for place in range(devices)), node=name),
        ]
    return found


def a_container(name: str, resources: dict[str, str], **fields: Any) -> Document:
    return {"name": name, "image": "x", "resources": {"requests": resources}, **fields}


def rejections(explanation: Any) -> dict[str, str]:
    return {f"{name}: {status.texts[0]}": status.code.value for name, status in explanation.rejections_of(0).items()}


def gates(minor: str) -> dict[str, bool]:
    return {} if minor == "1.37" else ON


def test_in_1_34_a_device_plugin_that_offers_none_counts_as_one() -> None:
    pod = a_pod(requests={GPU: "1"})

    assert explained(pod, *offers("n0"), minor="1.34", gates=ON).conclusion == "fits"
    empty = explained(pod, *offers("n0", n0="0"), minor="1.34", gates=ON)
    assert rejections(empty) == {f"NodeResourcesFit: Insufficient {GPU}": "UnschedulableAndUnresolvable"}


def test_what_neither_a_plugin_nor_a_class_gives_does_not_fit() -> None:
    pod = a_pod(requests={GPU: "1", "example.com/other": "1"})
    profile = {"profiles": [{"pluginConfig": [
        {"name": "NodeResourcesFit", "args": {"ignoredResources": ["example.com/other"]}}
    ]}]}  # fmt: skip
    release = release_with("v1.36.0", {})
    read = SchedulerConfiguration.from_dict(
        {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **profile}, release
    )
    found = explain(Snapshot.from_objects(offers("n0"), release), pod, read.profile_for(pod))
    assert rejections(found) == {"DynamicResources: cannot fit resource": "UnschedulableAndUnresolvable"}


# -- the requests ------------------------------------------------------------------------------------------------------


def requests(minor: str, spec: Document, *classes: Document) -> list[tuple[str, str, int]]:
    pod = Pod(a_pod(**spec))
    snapshot = Snapshot.from_objects(classes or [a_serving_class()], release_with(f"v{minor}.0", ON))
    claim = special_claim(snapshot, pod, served_resources(snapshot, pod))
    assert claim.key == "default/<extended-resources>"
    return [(request.name, request.device_class, request.count) for (request,) in claim.requests]


def test_each_container_has_a_request_named_by_its_place() -> None:
    spec = {
        "containers": [
            a_container("a", {"cpu": "1", GPU: "2"}),
            a_container("b", {"memory": "1Gi"}),
            a_container("c", {GPU: "1", "aaa.com/x": "1"}),
        ]
    }
    expected = [("container-0-request-1", CLASS, 2), ("container-2-request-1", CLASS, 1)]
    for minor in ("1.34", *MINORS):
        assert requests(minor, spec) == expected


def test_a_sidecar_keeps_its_devices_and_lends_them_to_init_containers_before_it_alone() -> None:
    spec = {
        "initContainers": [
            a_container("early", {GPU: "2"}),
            a_container("side", {GPU: "2"}, restartPolicy="Always"),
            a_container("late", {GPU: "2"}),
        ],
        "containers": [a_container("main", {GPU: "1"})],
    }
    expected = [
        ("container-1-request-0", CLASS, 2),
        ("container-2-request-0", CLASS, 1),
        ("container-3-request-0", CLASS, 1),
    ]
    assert requests("1.36", spec) == expected


# -- claims that are there ---------------------------------------------------------------------------------------------


def a_made_claim(pod: str, *devices: str, node: str = "n0") -> Document:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "name": f"{pod}-extended-resources-x7k2p",
            "namespace": "default",
            "annotations": {ANNOTATION: "true"},
            "ownerReferences": [{"kind": "Pod", "name": pod, "uid": f"uid-{pod}", "controller": True}],
        },
        "spec": {"devices": {"requests": [{"name": "container-0-request-0"}]}},
        "status": {
            "allocation": {
                "devices": {
                    "results": [
                        {"request": "container-0-request-0", "driver": DRIVER, "pool": node, "device": device}
                        for device in devices
                    ]
                },
                "nodeSelector": {
                    "nodeSelectorTerms": [
                        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
                    ]
                },
            }
        },
    }


@pytest.mark.parametrize("minor", MINORS)
def test_a_claim_that_an_earlier_try_left_behind_is_deleted_first(minor: str) -> None:
    found = explained(
        a_pod(requests={GPU: "1"}), *offers("n0", devices=2), a_made_claim("pod", "gpu-0"), minor=minor,
        gates=gates(minor),
    )  # fmt: skip
    assert rejections(found) == {
        "DynamicResources: cannot schedule extended resource claim": "UnschedulableAndUnresolvable"
    }
    assert known(answer_of(found.cycle, "DynamicResources")).texts == ("deletion of ResourceClaim completed",)


def test_a_pod_that_has_its_devices_goes_where_they_are() -> None:
    pod = a_pod(requests={GPU: "1"})
    pod["status"]["extendedResourceClaimStatus"] = {"resourceClaimName": "pod-extended-resources-x7k2p"}
    assert explained(pod, *offers("n0", "n1"), a_made_claim("pod", "gpu-0"), minor="1.37").feasible == ["n0"]


# -- what placing changes ----------------------------------------------------------------------------------------------


def test_headroom_counts_the_devices_of_some_nodes_and_the_amounts_of_others() -> None:
    snapshot, configuration = a_cluster(*offers("n0", "n1", devices=3, n1="2"))

    assert headroom(snapshot, configuration, [Portion(a_pod(requests={GPU: "1"}))]).nodes == {"n0": 3, "n1": 2}


# -- evidence and lifts ------------------------------------------------------------------------------------------------


def test_the_evidence_says_who_gives_the_resource() -> None:
    found = explained(a_pod(requests={GPU: "1"}), *offers("n0", "n1", n1="2"), minor="1.36")
    devices, plugin = (found.cycle.plugins["DynamicResources"].evidence(row) for row in (0, 1))

    assert devices[0] == ExtendedResourceComparison(GPU, 1, CLASS, is_offered=False)
    assert [each.kind for each in devices[1:]] == ["device-request", "device", "devices-together"]
    assert plugin == (ExtendedResourceComparison(GPU, 1, "", is_offered=True),)
    amounts = [found.cycle.plugins["NodeResourcesFit"].evidence(row) for row in (0, 1)]
    assert [[each.resource for each in own if isinstance(each, ResourceComparison)] for own in amounts] == [
        ["pods"],
        ["pods", GPU],
    ]


def test_the_request_can_be_lifted() -> None:
    found = explained(a_pod(requests={GPU: "2"}), *offers("n0"), minor="1.36")
    assert found.conclusion == "unschedulable"
    subjects = [each.subject.kind for each in found.cycle.plugins["DynamicResources"].constraints() if each.subject]
    assert subjects == ["extended-resource"]
    (lift,) = found.relaxations.singles
    assert [each.subject for each in lift.lifted] == [ExtendedResourceSubject(GPU, CLASS)]
    assert (lift.gained, lift.edits) == (1, (LowerRequest(GPU, 0),))
    words = lifting_of(lift.lifted[0].subject or ExtendedResourceSubject("", ""))
    assert words == f"request no {GPU} (device class {CLASS})"


def test_scoring_counts_devices_where_no_plugin_offers_the_resource() -> None:
    arguments = {"scoringStrategy": {"type": "LeastAllocated", "resources": [{"name": GPU, "weight": 1}]}}
    release = release_with("v1.36.0", {})
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": arguments}]}],
        },
        release,
    )
    objects = [*offers("n0", "n1", "n2", devices=4, n2="10"), a_made_claim("other", "gpu-0")]
    pod = a_pod(requests={GPU: "1"})
    found = explain(Snapshot.from_objects(objects, release), pod, configuration.profile_for(pod))
    (fit,) = [score for score in found.scores if score.plugin == "NodeResourcesFit"]

    assert dict(zip(found.feasible, fit.raw.tolist(), strict=True)) == {"n0": 50, "n1": 75, "n2": 90}


def test_the_claim_of_a_pod_is_among_its_claims() -> None:
    pod = a_pod(requests={GPU: "1"})
    pod["status"]["extendedResourceClaimStatus"] = {"resourceClaimName": "pod-extended-resources-x7k2p"}

    assert list(claim_names(Pod(pod))) == [("pod-extended-resources-x7k2p", True)]


def test_its_annotation_is_kept() -> None:
    assert resource_claim(a_made_claim("pod", "gpu-0"))["metadata"]["annotations"] == {ANNOTATION: "true"}
