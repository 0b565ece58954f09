"""Quotas and pods in few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.engine.builders import Document, a_pod

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.quotas import QuotaLedger


def a_quota(
    name: str = "quota",
    namespace: str = "default",
    *,
    hard: Mapping[str, str],
    used: Mapping[str, str] | None = None,
    **spec: Any,
) -> Document:
    status = {} if used is None else {"status": {"hard": dict(hard), "used": {**dict.fromkeys(hard, "0"), **used}}}
    return {
        "kind": "ResourceQuota",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"hard": dict(hard), **spec},
        **status,
    }


def of_class(name: str) -> Document:
    """The scopeSelector of pods of a PriorityClass."""
    return {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": [name]}]}


def used(ledger: QuotaLedger, name: str) -> dict[str, str]:
    (quota,) = (each for each in ledger if each.name == name)
    return {resource: str(amount) for resource, amount in quota.used.items()}


def limited(
    name: str, *, requests: Mapping[str, str], limits: Mapping[str, str] | None = None, **spec: Any
) -> Document:
    """A pod whose container has requests and limits."""
    resources = {"requests": dict(requests), "limits": dict(limits or {})}
    return a_pod(name, containers=[{"name": "main", "resources": resources}], **spec)
