"""Quotas against what is used of them, and the bounds and defaults that namespaces set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.quantity import QuantityError, milli_value, whole_value
from clusters.engine.quotas import Quota, QuotaLedger, QuotaUse, QuotaUser, counted_resource, fullest_first, quota_uses
from clusters.models import Cluster, KubeObject
from clusters.services.mirror.state import quotas_of, users_of_quotas
from clusters.services.reports import subject as tables

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot
    from clusters.services.reports.subject import Row

# Of a quota more than this is used up: the next deployment may be refused.
TIGHT = 0.9
# Of so many quotas it is told who uses them, the first workloads of each.
_MOST_TOLD, _MOST_USERS = 20, 3
_MEASURES = ("min", "max", "default", "defaultRequest")


def quotas(cluster: Cluster, snapshot: Snapshot) -> Row:
    """Every ResourceQuota's resources, the fullest first, who uses the fullest of them, and every LimitRange's."""
    found = KubeObject.objects.filter(cluster=cluster).order_by("namespace", "name")
    ledger = QuotaLedger(quotas_of(cluster=cluster, snapshot=snapshot))
    rows = [_row(use) for use in quota_uses(ledger)]
    fullest = fullest_first(ledger)[:_MOST_TOLD]
    users = [
        _user(quota, user)
        for quota, found_users in zip(fullest, users_of_quotas(cluster=cluster, quotas=fullest), strict=True)
        for user in found_users[:_MOST_USERS]
    ]
    rows.sort(key=lambda row: (-(row["share"] or 0.0), row["namespace"], row["name"], row["resource"]))
    limits = [row for each in found.filter(kind="LimitRange") for row in _of_range(each)]
    facts = {
        "quotas": len({(row["namespace"], row["name"]) for row in rows}),
        "limit_ranges": len({(row["namespace"], row["name"]) for row in limits}),
        "tight": sum((row["share"] or 0.0) > TIGHT for row in rows),
        "tight_share": TIGHT,
        # A dump may be without the kind; one that is followed names what may not be read among its gaps.
        "may_be_missing": not rows and not cluster.is_live,
    }
    head = [*map(tables.name, ("namespace", "name", "resource")), tables.text("unit")]
    amounts = [{"key": key, "kind": "amount"} for key in ("used", "hard")]
    bounds = [{"key": _key(measure), "kind": "amount"} for measure in _MEASURES]
    share = {"key": "share", "kind": "share"}
    return tables.section(
        "quotas",
        facts,
        [
            tables.table("quotas", [*head, *amounts, share, tables.names("scopes")], rows),
            tables.table(
                "quota_users",
                [
                    *map(tables.name, ("namespace", "name")),
                    tables.name("workload"),
                    *map(tables.number, ("pods",)),
                    share,
                    tables.number("further_pods"),
                    tables.names("unspecified"),
                ],
                users,
            ),
            tables.table("limits", [*head[:2], tables.text("type"), *head[2:], *bounds], limits),
        ],
    )


def _row(use: QuotaUse) -> Row:
    return {
        "namespace": use.namespace,
        "name": use.quota,
        "resource": use.resource,
        "unit": tables.unit_of(use.counted),
        "used": use.used,
        "hard": use.hard,
        "share": tables.ratio(use.used, use.hard) if use.hard else use.share,
        "scopes": [str(scope) for scope in use.scopes],
    }


def _user(quota: Quota, user: QuotaUser) -> Row:
    """A workload that uses a quota, and how many further pods like its largest the quota lets in."""
    return {
        "namespace": quota.namespace,
        "name": quota.name,
        "workload": f"{user.workload.kind}/{user.workload.name}" if user.workload.kind else "",
        "pods": user.pods,
        "share": round(user.share, 4),
        "further_pods": user.more,
        "unspecified": list(user.unspecified),
    }


def _of_range(each: KubeObject) -> list[Row]:
    rows = []
    for limit in (each.object.get("spec") or {}).get("limits") or ():
        for resource in sorted({name for measure in _MEASURES for name in limit.get(measure) or ()}):
            amounts = {
                _key(measure): _amount(resource, (limit.get(measure) or {}).get(resource)) for measure in _MEASURES
            }
            rows.append(
                {
                    "namespace": each.namespace,
                    "name": each.name,
                    "type": str(limit.get("type", "")),
                    "resource": resource,
                    "unit": tables.unit_of(counted_resource(resource)),
                    **amounts,
                }
            )
    return rows


def _amount(resource: str, quantity: Any) -> int | None:
    """A quantity in base units; None of none, and of one that the mirror took but cannot be read."""
    if quantity is None:
        return None
    try:
        return milli_value(quantity) if counted_resource(resource) == "cpu" else whole_value(quantity)
    except QuantityError:
        return None


def _key(measure: str) -> str:
    return "default_request" if measure == "defaultRequest" else measure
