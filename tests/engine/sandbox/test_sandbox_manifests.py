"""Manifests of nodes and workloads from a few fields: each field is seen in what the scheduler decides."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.sandbox import GPU, Apart, NodeFields, Spread, WorkloadFields, WorkloadKind
from clusters.engine.taints import Taint
from tests.engine.sandbox.sandboxes import nodes_of, scheduled

DEDICATED = Taint("dedicated", "db", "NoSchedule")
NODES = (
    NodeFields("a-1", "4", "8Gi", zone="a").manifest(),
    NodeFields("a-2", "4", "8Gi", zone="a", gpus=2, labels={"disk": "ssd"}).manifest(),
    NodeFields("b-1", "4", "8Gi", zone="b", taint=DEDICATED).manifest(),
)


def placed(name: str = "web", **fields: Any) -> list[str]:
    """Return the nodes of the pods of a workload, empty for those that are pending."""
    asked = WorkloadFields(**{"kind": WorkloadKind.DEPLOYMENT, "name": name, "cpu": "100m", "memory": "64Mi", **fields})
    return sorted(nodes_of(scheduled(*NODES, *asked.manifests()), name))


@pytest.mark.parametrize(
    ("fields", "pending", "on"),
    [
        ({"gpus": 1, "replicas": 3}, 1, {"a-2"}),
        ({"node_selector": {"disk": "ssd"}}, 0, {"a-2"}),
        ({"zones": ("b",)}, 1, set()),
        ({"zones": ("b",), "tolerates": DEDICATED}, 0, {"b-1"}),
        ({"zones": ("b",), "tolerates": Taint("dedicated", "", "NoSchedule")}, 0, {"b-1"}),
        ({"apart": Apart.NODES, "replicas": 3}, 1, {"a-1", "a-2"}),
        ({"apart": Apart.NODES_PREFERRED, "replicas": 2}, 0, {"a-1", "a-2"}),
        ({"apart": Apart.ZONES, "replicas": 3, "tolerates": DEDICATED}, 1, {"a-1", "a-2", "b-1"}),
        ({"spread": Spread.ZONES, "replicas": 3}, 2, {"a-1", "a-2"}),
        ({"spread": Spread.ZONES_PREFERRED, "replicas": 3}, 0, {"a-1", "a-2"}),
        ({"spread": Spread.NODES, "replicas": 2, "zones": ("a",)}, 0, {"a-1", "a-2"}),
        ({"near": "nobody"}, 1, set()),
        ({"near": "web"}, 0, {"a-1", "a-2"}),
        ({"kind": WorkloadKind.DAEMON_SET}, 0, {"a-1", "a-2"}),
        ({"kind": WorkloadKind.POD, "cpu": "", "memory": ""}, 0, {"a-1", "a-2"}),
    ],
)
def test_each_field_decides_where_pods_go(fields: dict[str, Any], pending: int, on: set[str]) -> None:
    found = placed(**fields)

    assert found.count("") == pending
    assert set(found) - {""} <= on


@pytest.mark.parametrize("fields", [{"apart": Apart.NODES}, {"apart": Apart.NODES_PREFERRED}, {"spread": Spread.NODES}])
def test_pods_that_keep_apart_are_on_nodes_of_their_own(fields: dict[str, Any]) -> None:
    assert placed(replicas=2, zones=("a",), **fields) == ["a-1", "a-2"]


def test_amounts_labels_and_zone_are_those_of_the_node() -> None:
    manifest = NODES[1]

    assert manifest["status"]["allocatable"] == {"cpu": "4", "memory": "8Gi", "pods": "110", GPU: "2"}
    assert manifest["metadata"]["labels"]["topology.kubernetes.io/zone"] == "a"
    assert "taints" not in manifest["spec"]
    assert NODES[2]["spec"]["taints"] == [{"key": "dedicated", "value": "db", "effect": "NoSchedule"}]


def test_priority_and_budget_come_with_the_workload() -> None:
    fields = WorkloadFields(WorkloadKind.DEPLOYMENT, "web", "1", "64Mi", priority=-5, available=2, namespace="shop")
    priority, deployment, budget = fields.manifests()

    assert (priority["value"], priority["metadata"]["name"]) == (-5, "priority-minus-5")
    assert deployment["spec"]["template"]["spec"]["priorityClassName"] == "priority-minus-5"
    assert budget["spec"] == {"minAvailable": 2, "selector": {"matchLabels": {"app": "web"}}}
    assert budget["metadata"] == {"name": "web", "namespace": "shop"}
