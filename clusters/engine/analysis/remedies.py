"""What somebody could do about the volumes that keep a pod from every node, where the reason is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import name_of
from clusters.engine.plugins import volume_binding, volume_restrictions
from clusters.engine.registry import reads_volumes
from clusters.engine.volumes.claims import (
    WAIT_FOR_FIRST_CONSUMER,
    being_deleted,
    claim_uses,
    class_of,
    is_bound,
    volume_name_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.volumes.claims import ClaimUse

_CLAIM, _CLASS, _VOLUME = "PersistentVolumeClaim", "StorageClass", "PersistentVolume"


def volume_remedies(explanation: Explanation) -> list[str]:
    """Return a sentence for each claim of which it is known what is missing; none for a pod that fits."""
    if explanation.fits or not explanation.node_count:
        return []
    reasons = _reasons(explanation)
    if not reasons:
        return []
    uses = dict.fromkeys(claim_uses(explanation.pod.volumes, explanation.pod.name))
    return [remedy for use in uses for remedy in _of_claim(explanation, use, reasons)]


def _reasons(explanation: Explanation) -> set[str]:
    """Return everything that the volume plugins say against any node."""
    cycle = explanation.cycle
    statuses = [result.status for name, result in cycle.pre_filters.items() if reads_volumes(name)]
    for name, outcome in cycle.filters.items():
        if reads_volumes(name) and outcome.index is not None:
            # A table may hold statuses that no node has.
            statuses += [outcome.statuses[number] for number in set(outcome.index.tolist())]
    return {reason for status in statuses if not status.ok for reason in status.reasons}


def _of_claim(explanation: Explanation, use: ClaimUse, reasons: set[str]) -> Iterator[str]:
    snapshot, namespace = explanation.snapshot, explanation.pod.namespace
    claim = snapshot.object(_CLAIM, use.claim, namespace)
    if claim is None:
        yield _missing_claim(explanation, use)
    elif being_deleted(claim):
        yield f"Wait until the claim {use.claim} is deleted, then create it anew."
    elif (claim.get("status") or {}).get("phase") == "Lost":
        yield f"Create the claim {use.claim} anew: it has lost its volume {volume_name_of(claim)}."
    elif is_bound(claim):
        volume = volume_name_of(claim)
        if snapshot.object(_VOLUME, volume) is None:
            yield (
                f"Restore the volume {volume}, which the claim {use.claim} is bound to and which does not exist, or "
                "create the claim anew."
            )
    else:
        yield from _unbound(explanation, claim, reasons)
    if volume_restrictions.CLAIM_CONFLICT in reasons and claim is not None:
        yield from _held(explanation, use)


def _missing_claim(explanation: Explanation, use: ClaimUse) -> str:
    if use.ephemeral:
        return f"Wait for the claim {use.claim}, which the ephemeral volume controller creates for the pod."
    created = f"Create the claim {use.claim} in the namespace {explanation.pod.namespace}"
    if next(iter(explanation.snapshot.objects(_CLAIM)), None) is None:
        return f"{created}, or upload the claims too: there are none here."
    return f"{created}: there is none of this name."


def _unbound(explanation: Explanation, claim: Document, reasons: set[str]) -> Iterator[str]:
    """Say what an unbound claim waits for."""
    name, class_name = name_of(claim), class_of(claim)
    storage_class = explanation.snapshot.object(_CLASS, class_name)
    if storage_class is None and not class_name:
        yield f"Bind the claim {name} to a volume, or give it a storage class: it names none."
    elif storage_class is None:
        yield f"Create the storage class {class_name}, which the claim {name} names and which does not exist."
    elif volume_name_of(claim):
        yield f"Bind the claim {name}: it names the volume {volume_name_of(claim)} and is not bound to it yet."
    elif storage_class.get("volumeBindingMode") != WAIT_FOR_FIRST_CONSUMER:
        yield (
            f"Bind the claim {name}: its class {class_name} binds at once, and no volume has come. Or use a class with "
            f"volumeBindingMode {WAIT_FOR_FIRST_CONSUMER}."
        )
    elif volume_binding.NO_SPACE in reasons:
        yield f"Free or add storage of the class {class_name}: nowhere is enough for the claim {name}."
    elif volume_binding.BIND_CONFLICT in reasons:
        yield (
            f"Create a volume of the class {class_name} that suits the claim {name} and is reached from a node that "
            "takes the pod, or use a class that provisions volumes there."
        )


def _held(explanation: Explanation, use: ClaimUse) -> Iterator[str]:
    """Name the pods that keep a ReadWriteOncePod claim for themselves."""
    for compared in explanation.evidence(0).get(volume_restrictions.VolumeRestrictions.name, ()):
        if isinstance(compared, volume_restrictions.ExclusiveClaimComparison) and compared.claim == use.claim:
            holders = ", ".join(holder.key for holder in compared.holders)
            if holders:
                yield f"Let {holders} end first: the claim {use.claim} may be used by one pod only."
