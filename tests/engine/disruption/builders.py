"""Workloads with budgets, as the API stores them."""

from __future__ import annotations

from typing import Any

from clusters.engine import Snapshot
from clusters.engine.disruption import BudgetState, budget_states
from tests.engine.builders import Document, a_node, a_pod

WEB = {"app": "web"}


def a_budget(name: str = "web", *, labels: Document | None = None, generation: int = 1, **spec: Any) -> Document:
    """A budget over the pods with these labels; ``spec`` holds minAvailable, maxUnavailable and the like."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default", "generation": generation},
        "spec": {"selector": {"matchLabels": WEB if labels is None else labels}, **spec},
    }


def reporting(budget: Document, **status: Any) -> Document:
    """A budget with this status, which is about its present spec."""
    return {**budget, "status": {"observedGeneration": budget["metadata"]["generation"], **status}}


def an_owner(kind: str, name: str, *, replicas: int | None = None, of: Document | None = None) -> Document:
    """A controller, perhaps controlled by another one."""
    metadata: Document = {"name": name, "namespace": "default", "uid": f"{kind}-{name}"}
    if of is not None:
        metadata["ownerReferences"] = [reference(of)]
    version = "v1" if kind == "ReplicationController" else "apps/v1"
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": {"replicas": replicas}}


def reference(owner: Document) -> Document:
    """How a controlled object names its controller."""
    metadata = owner["metadata"]
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
    }


def running(
    name: str,
    node: str | None = None,
    *,
    owner: Document | None = None,
    ready: bool = True,
    phase: str = "Running",
    labels: Document | None = None,
) -> Document:
    """A pod that runs, ready or not."""
    pod = a_pod(name, node=node, labels=WEB if labels is None else labels)
    pod["status"] = {"phase": phase, "conditions": [{"type": "Ready", "status": "True" if ready else "False"}]}
    if owner is not None:
        pod["metadata"]["ownerReferences"] = [reference(owner)]
    return pod


def leaving(pod: Document) -> Document:
    """A pod that is being deleted."""
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}


def a_deployment(replicas: int, name: str = "web") -> tuple[Document, Document]:
    """A Deployment and its ReplicaSet."""
    deployment = an_owner("Deployment", name, replicas=replicas)
    return deployment, an_owner("ReplicaSet", f"{name}-1", replicas=replicas, of=deployment)


def the_state(*objects: Document, others: list[Document] | None = None) -> BudgetState:
    """The state of the only budget."""
    (state,) = budget_states(Snapshot.from_objects(objects), others or [])
    return state


def synced(budget: Document, *objects: Document, others: list[Document] | None = None) -> Document:
    """A budget with the status that the disruption controller would write."""
    computed = the_state(*objects, budget, others=others).computed
    status = budget.get("status") or {}
    kept = {
        name: moment
        for name, moment in (status.get("disruptedPods") or {}).items()
        if any(each["kind"] == "Pod" and each["metadata"]["name"] == name for each in objects)
    }
    return reporting(
        budget,
        expectedPods=computed.expected,
        currentHealthy=computed.healthy,
        desiredHealthy=computed.desired,
        disruptionsAllowed=computed.allowed,
        disruptedPods=kept,
    )


NODES = tuple(a_node(f"node-{number}", zone="ab"[number % 2]) for number in range(1, 5))
