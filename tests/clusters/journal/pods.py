"""Pods in the states that tell decisions, as the API server has them one after the other."""

from __future__ import annotations

from typing import Any

from tests.clusters.dumps import pod

Object = dict[str, Any]

REFUSAL = "0/1 nodes are available: 1 Insufficient cpu."
PREEMPTING = {
    "type": "DisruptionTarget",
    "status": "True",
    "reason": "PreemptionByScheduler",
    "message": "default-scheduler: preempting to accommodate a higher priority pod",
    "lastTransitionTime": "2026-01-01T00:00:07Z",
}


def conditioned(document: Object, *conditions: Object, **status: Any) -> Object:
    return {**document, "status": {**document["status"], "conditions": list(conditions), **status}}


def refused(document: Object, message: str = REFUSAL, **status: Any) -> Object:
    """A pod that the scheduler found no node for."""
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": message,
        "lastTransitionTime": "2026-01-01T00:00:05Z",
    }
    return conditioned(document, condition, **status)


def bound(document: Object, node: str) -> Object:
    return {**document, "spec": {**document["spec"], "nodeName": node}}


def gated(document: Object) -> Object:
    gates = {"schedulingGates": [{"name": "example.com/quota"}]}
    condition = {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "message": "Gated."}
    return conditioned({**document, "spec": {**document["spec"], **gates}}, condition)


def event(name: str, about: Object, reason: str, note: str, **fields: Any) -> Object:
    metadata = about["metadata"]
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name, "namespace": metadata["namespace"], "uid": f"event-{name}"},
        "involvedObject": {"kind": "Pod", **{key: metadata[key] for key in ("namespace", "name", "uid")}},
        "reason": reason,
        "message": note,
        "source": {"component": "default-scheduler"},
        "lastTimestamp": "2026-01-01T00:00:06Z",
        **fields,
    }


def a_pod(name: str = "web", **spec: Any) -> Object:
    return pod(name, **spec)
