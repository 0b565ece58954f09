"""What somebody could do about the volumes that keep a pod from every node, where the reason is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from clusters.engine.objects import name_of

# VolumeBinding by name: what to do about a claim follows from what it says of the claim.
# VolumeRestrictions by name: what to do about a claim follows from what it says of the claim.
from clusters.engine.plugins import volume_restrictions
from clusters.engine.plugins.volume_binding import VolumeBinding
from clusters.engine.plugins.volume_binding.evidence import ProvisioningComparison, SelectedNodeComparison
from clusters.engine.registry import reads_volumes
from clusters.engine.status import Code
from clusters.engine.volumes.claims import (
    WAIT_FOR_FIRST_CONSUMER,
    being_deleted,
    claim_uses,
    class_of,
    is_bound,
    volume_name_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.volumes.claims import ClaimUse

_CLAIM, _CLASS, _VOLUME = "PersistentVolumeClaim", "StorageClass", "PersistentVolume"


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing to do about a claim; ``kind`` names its type in documents."""

    kind: ClassVar[str]

    claim: str


@dataclass(frozen=True, slots=True)
class AwaitDeletion(Remedy):
    """The claim is being deleted: it can be created anew once it is gone."""

    kind: ClassVar[str] = "await-deletion"


@dataclass(frozen=True, slots=True)
class RecreateLost(Remedy):
    """The claim has lost its volume."""

    kind: ClassVar[str] = "recreate-lost-claim"

    volume: str


@dataclass(frozen=True, slots=True)
class RestoreVolume(Remedy):
    """The claim is bound to a volume that does not exist."""

    kind: ClassVar[str] = "restore-volume"

    volume: str


@dataclass(frozen=True, slots=True)
class AwaitEphemeral(Remedy):
    """The ephemeral volume controller has not created the claim yet."""

    kind: ClassVar[str] = "await-ephemeral-claim"


@dataclass(frozen=True, slots=True)
class CreateClaim(Remedy):
    """There is no such claim; with ``is_none_known`` there is none at all, as where claims were not uploaded."""

    kind: ClassVar[str] = "create-claim"

    namespace: str
    is_none_known: bool


@dataclass(frozen=True, slots=True)
class BindOrSetClass(Remedy):
    """The claim is not bound and names no storage class."""

    kind: ClassVar[str] = "bind-or-set-class"


@dataclass(frozen=True, slots=True)
class CreateClass(Remedy):
    """The storage class that the claim names does not exist."""

    kind: ClassVar[str] = "create-storage-class"

    storage_class: str


@dataclass(frozen=True, slots=True)
class CompleteBinding(Remedy):
    """The claim names a volume and is not bound to it."""

    kind: ClassVar[str] = "complete-binding"

    volume: str


@dataclass(frozen=True, slots=True)
class BindImmediate(Remedy):
    """The claim's class binds immediately, and no volume has come."""

    kind: ClassVar[str] = "bind-immediate"

    storage_class: str


@dataclass(frozen=True, slots=True)
class AddStorage(Remedy):
    """No node reaches enough storage of the class."""

    kind: ClassVar[str] = "add-storage"

    storage_class: str


@dataclass(frozen=True, slots=True)
class CreateVolume(Remedy):
    """No node that the pod could go to reaches a volume of the class that suits the claim."""

    kind: ClassVar[str] = "create-volume"

    storage_class: str


@dataclass(frozen=True, slots=True)
class AwaitPods(Remedy):
    """The claim may be used by one pod only, and ``pods`` use it."""

    kind: ClassVar[str] = "await-pods"

    pods: tuple[str, ...]


REMEDIES: Final[Mapping[str, type[Remedy]]] = {
    each.kind: each
    for each in (
        AddStorage,
        AwaitDeletion,
        AwaitEphemeral,
        AwaitPods,
        BindImmediate,
        BindOrSetClass,
        CompleteBinding,
        CreateClaim,
        CreateClass,
        CreateVolume,
        RecreateLost,
        RestoreVolume,
    )
}
"""All remedies by kind."""


def volume_remedies(explanation: Explanation) -> list[Remedy]:
    """Return a remedy for each claim of which it is known what is missing; none for a pod that fits."""
    if explanation.fits or not explanation.node_count or not _is_rejected(explanation):
        return []
    uses = dict.fromkeys(claim_uses(explanation.pod.volumes, explanation.pod.name))
    return [remedy for use in uses for remedy in _of_claim(explanation, use)]


def _is_rejected(explanation: Explanation) -> bool:
    """Whether a volume plugin rejects the pod, or a node."""
    cycle = explanation.cycle
    return any(
        not result.status.ok and result.status.code is not Code.SKIP
        for name, result in cycle.pre_filters.items()
        if reads_volumes(name)
    ) or any(
        bool((outcome.index > 0).any())
        for name, outcome in cycle.filters.items()
        if reads_volumes(name) and outcome.index is not None
    )


def _of_claim(explanation: Explanation, use: ClaimUse) -> Iterator[Remedy]:
    snapshot, namespace = explanation.snapshot, explanation.pod.namespace
    claim = snapshot.object(_CLAIM, use.claim, namespace)
    if claim is None:
        yield _missing_claim(explanation, use)
    elif being_deleted(claim):
        yield AwaitDeletion(use.claim)
    elif (claim.get("status") or {}).get("phase") == "Lost":
        yield RecreateLost(use.claim, volume_name_of(claim))
    elif is_bound(claim):
        volume = volume_name_of(claim)
        if snapshot.object(_VOLUME, volume) is None:
            yield RestoreVolume(use.claim, volume)
    else:
        yield from _unbound(explanation, claim)
    if claim is not None:
        yield from _held(explanation, use)


def _missing_claim(explanation: Explanation, use: ClaimUse) -> Remedy:
    if use.ephemeral:
        return AwaitEphemeral(use.claim)
    is_none_known = next(iter(explanation.snapshot.objects(_CLAIM)), None) is None
    return CreateClaim(use.claim, explanation.pod.namespace, is_none_known)


def _unbound(explanation: Explanation, claim: Document) -> Iterator[Remedy]:
    """Yield what an unbound claim waits for."""
    name, class_name = name_of(claim), class_of(claim)
    storage_class = explanation.snapshot.object(_CLASS, class_name)
    if storage_class is None and not class_name:
        yield BindOrSetClass(name)
    elif storage_class is None:
        yield CreateClass(name, class_name)
    elif volume_name_of(claim):
        yield CompleteBinding(name, volume_name_of(claim))
    elif storage_class.get("volumeBindingMode") != WAIT_FOR_FIRST_CONSUMER:
        yield BindImmediate(name, class_name)
    elif refused := _refused(explanation, name):
        yield AddStorage(name, class_name) if any(map(_lacks_space, refused)) else CreateVolume(name, class_name)


def _refused(explanation: Explanation, claim: str) -> list[ProvisioningComparison | SelectedNodeComparison]:
    """Return what VolumeBinding compared for a waiting claim where it fails, on a node of each group of like nodes."""
    outcome = explanation.cycle.filters.get(VolumeBinding.name)
    if outcome is None or outcome.index is None:
        return []
    plugin = explanation.cycle.plugins[VolumeBinding.name]
    rows = [int(group.rows[0]) for group in explanation.groups]
    return [
        compared
        for row in rows
        if outcome.index[row] > 0
        for compared in plugin.evidence(row)
        if isinstance(compared, ProvisioningComparison | SelectedNodeComparison)
        and compared.claim == claim
        and not compared.holds
    ]


def _lacks_space(compared: ProvisioningComparison | SelectedNodeComparison) -> bool:
    return (
        isinstance(compared, ProvisioningComparison)
        and compared.provisions
        and compared.is_allowed
        and not compared.has_capacity
    )


def _held(explanation: Explanation, use: ClaimUse) -> Iterator[Remedy]:
    """Name the pods that keep a ReadWriteOncePod claim for themselves."""
    for compared in explanation.evidence(0).get(volume_restrictions.VolumeRestrictions.name, ()):
        if isinstance(compared, volume_restrictions.ExclusiveClaimComparison) and compared.claim == use.claim:
            holders = tuple(holder.key for holder in compared.holders)
            if holders:
                yield AwaitPods(use.claim, holders)
