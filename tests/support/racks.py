"""A cluster of Kubernetes 1.37 with gangs that ask for one rack: refused, placed, preempting, in an error, gated."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tests.support.gangs import NAMESPACE, Object, group, member
from tests.support.mirrored import load
from tests.support.training import CREATED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clusters.models import Cluster

RACK: Final = "example.com/rack"
GATES: Final = {"GenericWorkload": True, "TopologyAwareWorkloadScheduling": True}
# Nodes of each rack, of 8 CPU each.
RACKS: Final = {"r1": 4, "r2": 3, "r3": 2}


def _node(name: str, **labels: str) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"node-{name}", "labels": {"kubernetes.io/hostname": name, **labels}},
        "spec": {},
        "status": {
            "allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True"}],
            "nodeInfo": {"kubeletVersion": "v1.37.2"},
        },
    }


def gang(name: str, least: int, pods: int, cpu: str, **spec: Any) -> list[Object]:
    """A PodGroup and its pods, of its priority."""
    members = [member(f"{name}-{number}", name, cpu=cpu) for number in range(pods)]
    for each in members:
        each["metadata"]["creationTimestamp"] = CREATED
        each["spec"]["priority"] = spec.get("priority", 0)
    return [group(name, least, spec=spec), *members]


def one_rack(**spec: Any) -> Object:
    """Fields of a group whose pods have to go to one rack."""
    return {"schedulingConstraints": {"topology": [{"key": RACK}]}, **spec}


def racks_objects(racks: Mapping[str, int] | None = None) -> list[Object]:
    """Nodes in racks and one in none, of which each runs a pod of 3 CPU, in r1 with a budget that allows no disruption.

    ``wide`` fits in no rack, ``small`` in each, ``urgent`` in r1 once three pods are removed; of ``leaving`` one pod is
    being deleted, of ``held`` one is gated.
    """
    nodes = [
        _node(f"{rack}-{number}", **{RACK: rack, "topology.kubernetes.io/zone": f"z{place % 2}"})
        for place, (rack, count) in enumerate((RACKS if racks is None else racks).items())
        for number in range(1, count + 1)
    ]
    running = [member(f"db-{each['metadata']['name']}", "", on=each["metadata"]["name"], cpu="3") for each in nodes]
    for each in running:
        del each["spec"]["schedulingGroup"]
        each["metadata"]["labels"] = {"app": "db"}
        each["spec"]["priority"] = 0
    leaving, held = gang("leaving", 3, 3, "1"), gang("held", 2, 2, "1")
    leaving[1]["metadata"]["deletionTimestamp"] = CREATED
    held[1]["spec"]["schedulingGates"] = [{"name": "example.com/quota"}]
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "db", "namespace": NAMESPACE, "uid": "budget-db"},
        "spec": {"minAvailable": "100%", "selector": {"matchLabels": {"app": "db"}}},
        "status": {
            "disruptionsAllowed": 0,
            "currentHealthy": len(nodes),
            "desiredHealthy": len(nodes),
            "expectedPods": len(nodes),
        },
    }
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "uid": "ns-ml"}},
        *nodes,
        _node("spare"),
        *running,
        budget,
        *gang("wide", 8, 8, "4", **one_rack()),
        *gang("small", 2, 2, "2", **one_rack()),
        *gang("urgent", 4, 4, "6", **one_rack(priority=1000)),
        *leaving,
        *held,
    ]


def load_racks(
    folder: Path,
    racks: Mapping[str, int] | None = None,
    *,
    more: Sequence[Object] = (),
    gates: Mapping[str, bool] = MappingProxyType({}),
) -> Cluster:
    """Mirror the cluster and ``more``, with the gates that have its gangs placed in one rack, and others."""
    cluster = load(folder, "racks", [*racks_objects(racks), *more])
    cluster.chosen_feature_gates = {**GATES, **gates}
    cluster.save()
    return cluster
