"""Which quotas would count a pod that is created, where what they still allow is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.conclusion import AppliedQuota
from clusters.engine.devices.claim_lifecycle import claims_from_templates, is_imagined
from clusters.engine.devices.pod_claims import CLAIM, made_for
from clusters.engine.objects import metadata, name_of
from clusters.engine.quotas.charge import claim_charge, device_claim_charge, pod_charge
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.quotas.ledger import QuotaLedger
from clusters.engine.volumes.claims import IMAGINED_CLAIM, claim_use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document, Pod
    from clusters.engine.quotas.ledger import Quota
    from clusters.engine.snapshot import Snapshot


def applied_quotas(snapshot: Snapshot, pod: Pod) -> tuple[AppliedQuota, ...]:
    """The quotas that would be charged for a pod, were it created now, by name.

    Also those that are charged for claims that come to be with it: of ephemeral volumes, and from templates.
    """
    ledger = QuotaLedger(snapshot.objects("ResourceQuota", pod.namespace))
    if not ledger:
        return ()
    rules = device_quota_rules(snapshot)
    charges = [
        pod_charge(pod.document, rules),
        *map(claim_charge, new_claims(snapshot, pod)),
        *(device_claim_charge(claim, rules) for claim in templated_claims(snapshot, pod) if is_imagined(claim)),
    ]
    found: dict[str, Quota] = {quota.name: quota for charge in charges for quota in ledger.counting(charge)}
    return tuple(AppliedQuota(pod.namespace, name) for name in sorted(found))


def new_claims(snapshot: Snapshot, pod: Pod) -> Iterator[Document]:
    """The claims that come to be with a pod: those of ephemeral volumes, and those that were made for it."""
    for volume in pod.spec.get("volumes") or ():
        use = claim_use(volume, pod.name)
        if use is None:
            continue
        claim = snapshot.object("PersistentVolumeClaim", use.claim, pod.namespace)
        if claim is None and use.ephemeral:
            template = volume["ephemeral"].get("volumeClaimTemplate") or {}
            yield {**template, "metadata": {"name": use.claim, "namespace": pod.namespace}}
        elif claim is not None and str(metadata(claim).get("uid") or "").startswith(IMAGINED_CLAIM):
            yield claim


def templated_claims(snapshot: Snapshot, pod: Pod) -> Iterator[Document]:
    """The ResourceClaims that a pod has from templates, as they are held, or as they come to be with it."""
    if not pod.spec.get("resourceClaims"):
        return
    names, claims = claims_from_templates(snapshot, pod.document)
    told, made = made_for(pod), {name_of(claim): claim for claim in claims}
    for entry, name in names.items():
        claim = snapshot.object(CLAIM, told.get(entry, name), pod.namespace) or made.get(name)
        if claim is not None:
            yield claim
