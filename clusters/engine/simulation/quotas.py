"""The quotas of a simulation as it begins: what the changes took away is free.

Upstream, v1.34.1: ``pkg/controller/resourcequota``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.devices.claim_lifecycle import claims_from_templates, is_imagined
from clusters.engine.devices.pod_claims import CLAIM
from clusters.engine.objects import metadata, namespace_of
from clusters.engine.quotas import QuotaLedger, device_claim_charge, pod_charge
from clusters.engine.quotas.counting import counted_quotas, is_counted, with_status
from clusters.engine.quotas.device_rules import device_quota_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

KIND: Final = "ResourceQuota"
# How UIDs of pods begin that a simulation makes.
_IMAGINED: Final = "imagined:"


def is_new(pod: Document) -> bool:
    """Whether a pod is made by a question, and none that the cluster has."""
    return str(metadata(pod).get("uid") or "").startswith(_IMAGINED)


def settle_quotas(snapshot: Snapshot, pods: Iterable[Document], gone: Iterable[Document]) -> None:
    """Write the status of every quota of a snapshot, as pods of the base are ``gone``; ``pods`` are those that remain.

    What the status had used stays used but for them and their claims from templates. A quota without a status is
    counted from its objects.
    """
    quotas = snapshot.objects(KIND)
    ledger = QuotaLedger(quota for quota in quotas if is_counted(quota))
    rules = device_quota_rules(snapshot)
    for pod in gone:
        if ledger.has(namespace_of(pod)):
            ledger.release(pod_charge(pod, rules))
            for claim in claims_from_templates(snapshot, pod)[1]:
                ledger.release(device_claim_charge(claim, rules))
    claims = (claim for claim in snapshot.objects("PersistentVolumeClaim") if not is_new(claim))
    devices = (claim for claim in snapshot.objects(CLAIM) if not is_imagined(claim))
    for document in (*with_status(quotas, ledger), *counted_quotas(quotas, pods, claims, devices, rules)):
        snapshot.upsert(document)
