"""Examples of the Kubernetes documentation as somebody asks them here: manifests as text, a scheduler that samples."""

from __future__ import annotations

from collections import Counter

import pytest

from clusters.engine.simulation import Base
from clusters.services.runs.cases import prepared_on, simulation_of
from clusters.services.runs.spec import read_spec
from tests.clusters.dumps import node
from tests.support.simulating import simulated_on

APART = """
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {label}}}}}
  template:
    metadata: {{labels: {{app: {label}}}}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution: [{own}]
{near}
      containers: [{{name: main, image: "{name}:1"}}]
"""
TERM = "{{labelSelector: {{matchLabels: {{app: {label}}}}}, topologyKey: kubernetes.io/hostname}}"
POD = "{apiVersion: v1, kind: Pod, metadata: {name: one}, spec: {containers: [{name: main, image: 'app:1'}]}}"


@pytest.mark.parametrize(("replicas", "left"), [(3, 0), (4, 2)])
def test_a_cache_and_a_web_server_on_each_node(replicas: int, left: int) -> None:
    cache, web = (TERM.format(label=label) for label in ("store", "web-store"))
    near = f"        podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{cache}]}}"
    text = APART.format(name="redis-cache", replicas=replicas, label="store", own=cache, near="")
    text += "---" + APART.format(name="web-server", replicas=replicas, label="web-store", own=web, near=near)
    spec = read_spec({"base": {"kind": "cluster"}, "changes": [{"change": "add-workload", "text": text}]})

    found = simulated_on([node(f"n{number}") for number in range(3)], spec)

    placed = [(each.key.split("/")[1].split("-")[0], each.node) for each in found.pods if each.outcome == "placed"]
    assert Counter(placed) == Counter({(app, f"n{number}"): 1 for app in ("redis", "web") for number in range(3)})
    assert (found.summary["origins"]["added"]["total"], found.summary["origins"]["added"]["pending"]) == (
        2 * replicas,
        left,
    )


@pytest.mark.parametrize(("percentage", "looked_at"), [(0, 230), (10, 100), (50, 250), (100, 500)])
def test_so_many_of_500_nodes_are_looked_at(percentage: int, looked_at: int) -> None:
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": percentage,
    }
    changes = [
        {"change": "add-nodes", "count": 500, "cpu": "4", "memory": "8Gi"},
        {"change": "add-workload", "text": f"---\n{POD}"},
    ]
    fields = {"configuration": configuration, "scheduler": {"samples": True}}

    spec = read_spec({"base": {"kind": "empty"}, "changes": changes, **fields})

    assert [
        step.looked_at
        for step in simulation_of(prepared_on(Base.of((), spec.scheduler_configuration().release), spec).case, spec)
    ] == [looked_at]
