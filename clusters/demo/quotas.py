"""ResourceQuotas and a LimitRange, and a workload that was scaled beyond its quota this morning.

What quotas count, and what the API server says of the pod that is one too many, is computed by the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.demo.identity import Document, ago, event, metadata, suffix
from clusters.engine.quotas import QuotaLedger, counted_quotas, pod_charge

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Quota(Struct, frozen=True):
    """A ResourceQuota and what there is to see about it; ``priority``: of pods with this PriorityClass alone."""

    namespace: str
    name: str
    hard: Mapping[str, str]
    shows: str
    priority: str = ""


QUOTAS = (
    Quota(
        "content",
        "team-content",
        {"requests.cpu": "12", "requests.memory": "20Gi", "limits.memory": "20Gi", "pods": "40"},
        shows="lets further pods in",
    ),
    Quota(
        "mobile",
        "team-mobile",
        {"requests.cpu": "8500m", "requests.memory": "12Gi", "pods": "40"},
        shows="keeps four pods of mobile-bff from being created",
    ),
    Quota(
        "support",
        "standard-priority",
        {"requests.cpu": "5", "pods": "30"},
        priority="standard",
        shows="counts pods of one PriorityClass",
    ),
)
# Somebody scaled it before the day's campaign.
_SCALED_NAMESPACE, _SCALED_NAME, _SCALED_TO = "mobile", "mobile-bff", 20


def limit_ranges() -> list[Document]:
    """Return the LimitRange of the support team: nothing that runs there is near its bounds."""
    container = {
        "type": "Container",
        "defaultRequest": {"cpu": "100m", "memory": "128Mi"},
        "default": {"memory": "256Mi"},
        "max": {"memory": "1Gi"},
    }
    return [
        {
            "apiVersion": "v1",
            "kind": "LimitRange",
            "metadata": metadata("LimitRange", "containers", "support"),
            "spec": {"limits": [container]},
        }
    ]


def quotas(pods: Iterable[Document]) -> list[Document]:
    """Return the quotas with their status as the quota controller would write it."""
    return [dict(quota) for quota in counted_quotas(map(_document, QUOTAS), pods, ())]


def refuse(counted: Iterable[Document], controllers: Iterable[Document], pods: Iterable[Document]) -> list[Document]:
    """Scale a Deployment beyond its quota; it, its ReplicaSet and an event say why pods cannot be created."""
    replica_set, deployment = (
        next(each for each in controllers if each["kind"] == kind and _is_scaled(each))
        for kind in ("ReplicaSet", "Deployment")
    )
    like = next(
        pod for pod in pods if pod["metadata"].get("ownerReferences", [{}])[0].get("name") == _name(replica_set)
    )
    further = f"{_name(replica_set)}-{suffix(f'{_SCALED_NAMESPACE}/{_SCALED_NAME}/refused', 5)}"
    refusal = QuotaLedger(counted).refusal(pod_charge(like).of_another(_SCALED_NAMESPACE, further))
    if refusal is None:
        raise AssertionError("the quota has room for what it should refuse")
    condition = {
        "type": "ReplicaFailure",
        "status": "True",
        "reason": "FailedCreate",
        "message": refusal.message,
        "lastTransitionTime": ago(minutes=25),
    }
    for each in (replica_set, deployment):
        each["spec"] = {**each["spec"], "replicas": _SCALED_TO}
        each["status"] = {**each["status"], "conditions": [condition]}
    deployment["status"]["unavailableReplicas"] = _SCALED_TO - deployment["status"]["replicas"]
    name = _name(replica_set)
    return [
        event("ReplicaSet", _SCALED_NAMESPACE, name, "FailedCreate", f"Error creating: {refusal.message}", minutes=4)
    ]


def _document(quota: Quota) -> Document:
    spec: dict[str, Any] = {"hard": dict(quota.hard)}
    if quota.priority:
        match = {"scopeName": "PriorityClass", "operator": "In", "values": [quota.priority]}
        spec["scopeSelector"] = {"matchExpressions": [match]}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata("ResourceQuota", quota.name, quota.namespace),
        "spec": spec,
    }


def _is_scaled(document: Document) -> bool:
    owners = document["metadata"].get("ownerReferences", ())
    names = {_name(document), *(owner["name"] for owner in owners)}
    return document["metadata"].get("namespace") == _SCALED_NAMESPACE and _SCALED_NAME in names


def _name(document: Document) -> str:
    return str(document["metadata"]["name"])
