"""Quotas that no controller has counted yet, counted from the objects that there are.

Upstream: ``syncResourceQuota`` of ``pkg/controller/resourcequota/resource_quota_controller.go``, v1.34.1; of pods and
claims, of workloads, and of the kinds that have a plain name in quotas; Services not by their type.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from clusters.engine.devices.claim_lifecycle import owner_of
from clusters.engine.objects import key_of, namespace_of
from clusters.engine.quotas.charge import claim_charge, device_claim_charge, object_charge, pod_charge
from clusters.engine.quotas.device_rules import CLASSES_ALONE
from clusters.engine.quotas.ledger import QuotaLedger

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.quotas.charge import QuotaAmount
    from clusters.engine.quotas.device_rules import DeviceQuotaRules

# Kinds of which no more than the number is charged, with their names in addresses of the API, and their groups.
_PLURALS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "ConfigMap": ("configmaps", ""),
        "ReplicationController": ("replicationcontrollers", ""),
        "ResourceQuota": ("resourcequotas", ""),
        "Secret": ("secrets", ""),
        "Service": ("services", ""),
        "DaemonSet": ("daemonsets", "apps"),
        "Deployment": ("deployments", "apps"),
        "ReplicaSet": ("replicasets", "apps"),
        "StatefulSet": ("statefulsets", "apps"),
        "CronJob": ("cronjobs", "batch"),
        "Job": ("jobs", "batch"),
    }
)


def is_counted(quota: Document) -> bool:
    """Whether a quota's status says what is used."""
    return "used" in (quota.get("status") or {})


def counted_quotas(
    quotas: Iterable[Document],
    pods: Iterable[Document],
    claims: Iterable[Document],
    device_claims: Iterable[Document] = (),
    rules: DeviceQuotaRules = CLASSES_ALONE,
    others: Iterable[Document] = (),
) -> Iterator[Document]:
    """Those of the quotas that have no status, with the one that these objects give them.

    ``others``: objects of any kind; those that no quota counts by itself, pods and claims among them, are passed over.
    """
    uncounted = [quota for quota in quotas if not is_counted(quota)]
    ledger = QuotaLedger(uncounted)
    charged = [each for each in device_claims if ledger.has(namespace_of(each))] if uncounted else []
    owners = {f"{namespace_of(claim)}/{owner_of(claim)}" for claim in charged}
    paid: dict[str, Mapping[str, QuotaAmount]] = {}
    for pod in pods if uncounted else ():
        if ledger.has(namespace_of(pod)):
            charge = pod_charge(pod, rules)
            ledger.count(charge)
            if key_of(pod) in owners:
                paid[key_of(pod)] = charge.amounts
    for claim in claims if uncounted else ():
        if ledger.has(namespace_of(claim)):
            ledger.count(claim_charge(claim))
    for claim in charged:
        ledger.count(device_claim_charge(claim, rules, paid.get(f"{namespace_of(claim)}/{owner_of(claim)}", {})))
    for document in others if uncounted else ():
        kind = str(document.get("kind"))
        if kind in _PLURALS and ledger.has(namespace_of(document)):
            ledger.count(object_charge(document, *_PLURALS[kind]))
    return with_status(uncounted, ledger)


def with_status(quotas: Iterable[Document], ledger: QuotaLedger) -> Iterator[Document]:
    """Those of the quotas that a ledger has, with its amounts as their status."""
    found = {f"{quota.namespace}/{quota.name}": quota for quota in ledger}
    for document in quotas:
        quota = found.get(key_of(document))
        if quota is not None:
            hard, used = (
                {resource: str(amount) for resource, amount in amounts.items()} for amounts in (quota.hard, quota.used)
            )
            yield {**document, "status": {"hard": hard, "used": used}}
