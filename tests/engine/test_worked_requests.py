"""Worked examples of the documentation, by number: what pods request and what nodes have for them."""

from __future__ import annotations

import pytest

from clusters.engine import Snapshot
from clusters.engine.admission import admit
from clusters.engine.nodes import amounts_of
from clusters.engine.resources import pod_amounts
from clusters.engine.status import unresolvable, unschedulable
from tests.engine.builders import Document, a_node, a_pod, explanation_of

FOO = "example.com/foo"
MIB = 1024**2


def test_e24_the_overhead_of_a_runtime_class_counts_with_the_containers() -> None:
    overhead = {"podFixed": {"cpu": "250m", "memory": "120Mi"}}
    runtime = {"kind": "RuntimeClass", "metadata": {"name": "kata-fc"}, "handler": "kata-fc", "overhead": overhead}
    limits = ({"cpu": "500m", "memory": "100Mi"}, {"cpu": "1500m", "memory": "100Mi"})
    containers = [{"name": f"c{n}", "image": "app:1", "resources": {"limits": each}} for n, each in enumerate(limits)]
    given = a_pod("test-pod", runtimeClassName="kata-fc", containers=containers)

    pod = dict(admit(given, Snapshot.from_objects([runtime])).pod)
    assert pod["spec"]["overhead"] == {"cpu": "250m", "memory": "120Mi"}
    # Requests default to limits: 0.5 + 1.5 + 0.25 CPU, and 100 + 100 + 120 MiB.
    assert pod_amounts(pod) == {"cpu": 2250, "memory": 320 * MIB}
    nodes = [a_node(f"with-{cpu}", allocatable={"cpu": cpu, "memory": "320Mi"}) for cpu in ("2249m", "2250m")]
    assert explanation_of(pod, *nodes).feasible == ["with-2250m"]


def test_e32_a_pod_larger_than_every_node_is_never_scheduled() -> None:
    nodes = [a_node(f"node-{number}", allocatable={"cpu": "1"}) for number in range(3)]
    found = explanation_of(a_pod("frontend", requests={"cpu": "1100m"}), *nodes)

    assert found.fit_error == "0/3 nodes are available: 3 Insufficient cpu."
    # No pod that leaves could make room for it.
    assert found.rejections_of(0) == {"NodeResourcesFit": unresolvable("Insufficient cpu")}


E2E = a_node("e2e-test-node-pool-4lw4", allocatable={"cpu": "1800m", "memory": "7474992Ki"})
ON_E2E = [
    a_pod(name, node="e2e-test-node-pool-4lw4", requests=requests)
    for name, requests in {
        "fluentd": {"cpu": "100m", "memory": "200Mi"},
        "kube-dns": {"cpu": "260m", "memory": "100Mi"},
        "kube-proxy": {"cpu": "100m"},
        "influxdb-grafana": {"cpu": "200m", "memory": "600Mi"},
        "node-problem-detector": {"cpu": "20m", "memory": "20Mi"},
    }.items()
]


def test_e33_what_is_allocated_on_a_node() -> None:
    amounts = amounts_of(Snapshot.from_objects([E2E, *ON_E2E]))

    assert {name: amounts[name].requested.tolist() for name in ("cpu", "memory")} == {
        "cpu": [680],
        "memory": [920 * MIB],
    }
    assert {name: amounts[name].left.tolist() for name in ("cpu", "memory")} == {
        "cpu": [1120],
        "memory": [7474992 * 1024 - 920 * MIB],
    }


@pytest.mark.parametrize(
    ("requests", "lacking"),
    [
        ({"cpu": "1120m"}, None),
        ({"cpu": "1121m"}, "cpu"),
        ({"memory": "6532912Ki"}, None),
        ({"memory": "6532913Ki"}, "memory"),
        ({"memory": "6.23Gi"}, None),
        ({"memory": "6.24Gi"}, "memory"),
    ],
)
def test_e33_what_still_fits_there(requests: dict[str, str], lacking: str | None) -> None:
    rejected = explanation_of(a_pod(requests=requests), E2E, *ON_E2E).rejections_of(0)

    assert rejected == ({"NodeResourcesFit": unschedulable(f"Insufficient {lacking}")} if lacking else {})


def test_e38_an_extended_resource_counts_once_it_is_allocatable() -> None:
    pod = a_pod("my-pod", requests={"cpu": "2", FOO: "1"})

    def node(foo: int | None) -> Document:
        return a_node("k8s-node-1", allocatable={} if foo is None else {FOO: str(foo)})

    assert explanation_of(pod, node(None)).fit_error == f"0/1 nodes are available: 1 Insufficient {FOO}."
    assert explanation_of(pod, node(5)).feasible == ["k8s-node-1"]
    running = [a_pod(f"running-{n}", node="k8s-node-1", requests={FOO: "1"}) for n in range(5)]
    assert explanation_of(pod, node(5), *running[:4]).fits
    assert explanation_of(pod, node(5), *running).rejections_of(0) == {
        "NodeResourcesFit": unschedulable(f"Insufficient {FOO}")
    }
