"""A ResourceQuota as the API and the terminal write it: what is used of each resource, by whom, and what fits next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.quotas import Quota, QuotaUser, fullest_share, quota_uses

if TYPE_CHECKING:
    from collections.abc import Iterable


def quota_document(quota: Quota, users: Iterable[QuotaUser]) -> dict[str, Any]:
    """Return a quota with the workloads that use it."""
    return {
        "namespace": quota.namespace,
        "name": quota.name,
        "scopes": [str(scope) for scope in quota.scopes],
        "isExhausted": fullest_share(quota) >= 1,
        "resources": [
            {
                "resource": use.resource,
                "used": str(quota.used[use.resource]),
                "hard": str(quota.hard[use.resource]),
                "share": round(use.share, 4),
            }
            for use in quota_uses([quota])
        ],
        "users": [_user_document(user) for user in users],
    }


def _user_document(user: QuotaUser) -> dict[str, Any]:
    workload = {"namespace": user.workload.namespace, "kind": user.workload.kind, "name": user.workload.name}
    return {
        "workload": workload if user.workload.kind else None,
        "pods": user.pods,
        "used": {resource: str(amount) for resource, amount in sorted(user.amounts.items())},
        "share": round(user.share, 4),
        "more": user.more,
        "unspecified": list(user.unspecified),
    }
