"""Rules by which later minors score and reject otherwise, beside the corpus: what it does not hold."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.plugins.node_resources_balanced_allocation import ResourceFraction
from clusters.engine.plugins.node_volume_limits import DriverComparison
from clusters.engine.resources import Counting, pod_amounts
from clusters.engine.versions import RELEASES, Gate
from clusters.wording.plugins.reasons import reason_phrases
from tests.engine.builders import a_node, a_pod


def explained(minor: str, pod: dict[str, Any], *objects: dict[str, Any]) -> Explanation:
    release = RELEASES[minor]
    return explain(Snapshot.from_objects(objects, release), pod, SchedulerConfiguration.default(release).profiles[0])


def waiting_claim(name: str, size: str) -> list[dict[str, Any]]:
    return [
        {
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"storageClassName": "local", "resources": {"requests": {"storage": size}}},
        },
        {
            "kind": "StorageClass",
            "metadata": {"name": "local"},
            "provisioner": "disk.example.com",
            "volumeBindingMode": "WaitForFirstConsumer",
        },
    ]


def with_claim(name: str) -> dict[str, Any]:
    pod = a_pod()
    pod["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": name}}]
    return pod


def capacity(node: str, free: str) -> dict[str, Any]:
    return {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": node, "namespace": "kube-system"},
        "storageClassName": "local",
        "capacity": free,
        "nodeTopology": {"matchLabels": {"kubernetes.io/hostname": node}},
    }


def hosts(*names: str) -> list[dict[str, Any]]:
    return [a_node(name, labels={"kubernetes.io/hostname": name}) for name in names]


def cell(explanation: Explanation, plugin: str, node: str) -> int | None:
    """The raw score of a plugin for a feasible node."""
    place = explanation.feasible.index(node)
    return next((int(each.raw[place]) for each in explanation.cycle.scores if each.plugin == plugin), None)


def test_a_driver_may_ask_for_nodes_that_have_it() -> None:
    driver = {
        "kind": "CSIDriver",
        "metadata": {"name": "disk.example.com"},
        "spec": {"preventPodSchedulingIfMissing": True},
    }
    csi_node = {"kind": "CSINode", "metadata": {"name": "b"}, "spec": {"drivers": [{"name": "disk.example.com"}]}}
    objects = [*hosts("a", "b"), *waiting_claim("data", "20Gi"), driver, csi_node]

    later, earlier = (explained(minor, with_claim("data"), *objects) for minor in ("1.37", "1.36"))

    row = later.snapshot.nodes.index["a"]
    rejection = later.verdict_of(row)
    assert later.feasible == ["b"]
    assert rejection is not None
    assert rejection.status.texts == ("disk.example.com CSI driver is not installed on the node",)
    (compared,) = later.cycle.plugins["NodeVolumeLimits"].evidence(row)
    assert isinstance(compared, DriverComparison)
    assert compared.is_lacking
    assert reason_phrases(rejection.status.reasons) == "CSI driver disk.example.com not installed"
    assert earlier.feasible == ["a", "b"]


@pytest.mark.parametrize(("minor", "feasible"), [("1.35", ["b"]), ("1.36", ["a", "b"])])
def test_in_1_35_nodes_need_every_driver_where_the_gate_is_on(minor: str, feasible: list[str]) -> None:
    release = RELEASES[minor].with_gates({Gate.VOLUME_LIMIT_SCALING: True})
    driver = {"kind": "CSIDriver", "metadata": {"name": "disk.example.com"}, "spec": {}}
    csi_node = {"kind": "CSINode", "metadata": {"name": "b"}, "spec": {"drivers": [{"name": "disk.example.com"}]}}
    snapshot = Snapshot.from_objects([*hosts("a", "b"), *waiting_claim("data", "20Gi"), driver, csi_node], release)

    assert (
        explain(snapshot, with_claim("data"), SchedulerConfiguration.default(release).profiles[0]).feasible == feasible
    )


def test_the_balance_of_a_node_is_compared_with_that_before() -> None:
    even = a_node("even", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"})
    filling = a_pod("there", node="tilted", requests={"cpu": "0", "memory": "4Gi"})
    tilted = a_node("tilted", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"})

    later = explained("1.36", a_pod(requests={"cpu": "2", "memory": "0"}), even, tilted, filling)

    # From 100 to 75 on the one, from 75 to 100 on the other.
    plugin = "NodeResourcesBalancedAllocation"
    assert [cell(later, plugin, node) for node in ("even", "tilted")] == [62, 87]
    parts = later.cycle.plugins[plugin].score_evidence(later.snapshot.nodes.index["tilted"])
    changes = [part.change for part in parts if isinstance(part, ResourceFraction)]
    assert [(each.balance, each.balance_before) for each in changes if each] == [(100, 75)] * 2


@pytest.mark.parametrize(
    ("size", "free", "fits"),
    [
        ("1500m", "1600m", {"1.37": True, "1.38": True}),
        # In whole bytes both are 2.
        ("1600m", "1500m", {"1.37": True, "1.38": False}),
        # Beyond int64 a decimal number wraps around.
        ("20E", "10E", {"1.37": True, "1.38": False}),
        ("10E", "20E", {"1.37": True, "1.38": True}),
    ],
)
def test_from_1_38_storage_is_compared_exactly(size: str, free: str, fits: dict[str, bool]) -> None:
    driver = {"kind": "CSIDriver", "metadata": {"name": "disk.example.com"}, "spec": {"storageCapacity": True}}
    objects = [*hosts("a"), *waiting_claim("data", size), driver, capacity("a", free)]

    assert {minor: explained(minor, with_claim("data"), *objects).feasible == ["a"] for minor in fits} == fits


LONG = "x" * 64


@pytest.mark.parametrize(
    ("minor", "unit", "kind"), [("1.34", "characters", "a qualified name"), ("1.35", "bytes", "a valid label key")]
)
def test_what_is_too_long_of_a_label_is_told_in_bytes_from_1_35(minor: str, unit: str, kind: str) -> None:
    def said(selector: dict[str, Any]) -> str:
        terms = [{"topologyKey": "zone", "labelSelector": selector}]
        rules = {"requiredDuringSchedulingIgnoredDuringExecution": terms}
        affinity = explained(minor, a_pod(affinity={"podAntiAffinity": rules}), *hosts("a"))
        constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
        spread = a_pod(topologySpreadConstraints=[{**constraint, "labelSelector": selector}])
        (told,) = affinity.as_recorded()["preFilter"]["InterPodAffinity"]["reasons"]
        (error,) = explained(minor, spread, *hosts("a")).as_recorded()["preFilter"]["PodTopologySpread"]["reasons"]
        fault: str = told.removeprefix("parsing pod: requiredAntiAffinityTerms: ")
        assert error.endswith(f": {fault}")
        return fault

    assert (
        said({"matchLabels": {"role": LONG}})
        == f'values[0][role]: Invalid value: "{LONG}": must be no more than 63 {unit}'
    )
    assert said({"matchExpressions": [{"key": f"{LONG[1:]}y", "operator": "Exists"}]}).endswith(
        f"name part must be no more than 63 {unit}"
    )
    assert said({"matchLabels": {f"{'p' * 254}/role": "a"}}).endswith(f"prefix part must be no more than 253 {unit}")
    assert f'"a/b/c": {kind} must consist of' in said({"matchLabels": {"a/b/c": "d"}})


OF_POD = Counting(reads_pod_status=True)


def resized(spec: list[int], allocated: list[int], actual: list[int], **status: Any) -> dict[str, Any]:
    """A pod whose containers request, were allocated, and have so many milli-CPU."""
    return {
        "spec": {
            "containers": [
                {"name": f"c{number}", "resources": {"requests": {"cpu": f"{amount}m"}}}
                for number, amount in enumerate(spec)
            ]
        },
        "status": {
            "containerStatuses": [
                {
                    "name": f"c{number}",
                    "resources": {"requests": {"cpu": f"{have}m"}},
                    "allocatedResources": {"cpu": f"{given}m"},
                }
                for number, (given, have) in enumerate(zip(allocated, actual, strict=True))
            ],
            **status,
        },
    }


def test_what_a_pod_requests_as_a_whole_counts_with_its_status() -> None:
    pod = resized([100], [100], [100], resources={"requests": {"cpu": "3"}}, allocatedResources={"cpu": "4"})
    pod["spec"]["resources"] = {"requests": {"cpu": "2"}}

    assert pod_amounts(pod)["cpu"] == 2000
    assert pod_amounts(pod, counting=OF_POD)["cpu"] == 4000
    assert pod_amounts(pod, counting=Counting(is_of_whole_pod=True, reads_pod_status=True))["cpu"] == 4000


def test_a_volume_that_is_there_is_scored_by_how_much_of_it_is_taken() -> None:
    volume = {
        "kind": "PersistentVolume",
        "metadata": {"name": "disk"},
        "spec": {"capacity": {"storage": "100Gi"}, "storageClassName": "local", "accessModes": ["ReadWriteOnce"]},
        "status": {"phase": "Available"},
    }
    claim, storage_class = waiting_claim("data", "25Gi")
    claim["spec"]["accessModes"] = ["ReadWriteOnce"]

    assert (
        cell(explained("1.37", with_claim("data"), *hosts("a"), claim, storage_class, volume), "VolumeBinding", "a")
        == 75
    )
