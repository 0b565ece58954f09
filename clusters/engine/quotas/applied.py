"""Which quotas would count a pod that is created, where what they still allow is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.conclusion import AppliedQuota
from clusters.engine.objects import metadata
from clusters.engine.quotas.charge import claim_charge, pod_charge
from clusters.engine.quotas.ledger import QuotaLedger
from clusters.engine.volumes.claims import IMAGINED_CLAIM, claim_use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document, Pod
    from clusters.engine.quotas.ledger import Quota
    from clusters.engine.snapshot import Snapshot


def applied_quotas(snapshot: Snapshot, pod: Pod) -> tuple[AppliedQuota, ...]:
    """The quotas that would be charged for a pod, were it created now, by name.

    Also those that are charged for claims that come to be with it, such as those of ephemeral volumes.
    """
    ledger = QuotaLedger(snapshot.objects("ResourceQuota", pod.namespace))
    if not ledger:
        return ()
    found: dict[str, Quota] = {quota.name: quota for quota in ledger.counting(pod_charge(pod.document))}
    for claim in new_claims(snapshot, pod):
        found |= {quota.name: quota for quota in ledger.counting(claim_charge(claim))}
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
