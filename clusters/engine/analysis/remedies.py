"""What somebody could do about what keeps a pod from every node, where the reason is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing to do; ``kind`` names its type in documents."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class ClaimRemedy(Remedy):
    """One thing to do about a claim."""

    claim: str


@dataclass(frozen=True, slots=True)
class AwaitDeletion(ClaimRemedy):
    """The claim is being deleted: it can be created anew once it is gone."""

    kind: ClassVar[str] = "await-deletion"


@dataclass(frozen=True, slots=True)
class RecreateLost(ClaimRemedy):
    """The claim has lost its volume."""

    kind: ClassVar[str] = "recreate-lost-claim"

    volume: str


@dataclass(frozen=True, slots=True)
class RestoreVolume(ClaimRemedy):
    """The claim is bound to a volume that does not exist."""

    kind: ClassVar[str] = "restore-volume"

    volume: str


@dataclass(frozen=True, slots=True)
class AwaitEphemeral(ClaimRemedy):
    """The ephemeral volume controller has not created the claim yet."""

    kind: ClassVar[str] = "await-ephemeral-claim"


@dataclass(frozen=True, slots=True)
class CreateClaim(ClaimRemedy):
    """There is no such claim; with ``is_none_known`` there is none at all, as where claims were not uploaded."""

    kind: ClassVar[str] = "create-claim"

    namespace: str
    is_none_known: bool


@dataclass(frozen=True, slots=True)
class BindOrSetClass(ClaimRemedy):
    """The claim is not bound and names no storage class."""

    kind: ClassVar[str] = "bind-or-set-class"


@dataclass(frozen=True, slots=True)
class CreateClass(ClaimRemedy):
    """The storage class that the claim names does not exist."""

    kind: ClassVar[str] = "create-storage-class"

    storage_class: str


@dataclass(frozen=True, slots=True)
class CompleteBinding(ClaimRemedy):
    """The claim names a volume and is not bound to it."""

    kind: ClassVar[str] = "complete-binding"

    volume: str


@dataclass(frozen=True, slots=True)
class BindImmediate(ClaimRemedy):
    """The claim's class binds immediately, and no volume has come."""

    kind: ClassVar[str] = "bind-immediate"

    storage_class: str


@dataclass(frozen=True, slots=True)
class AddStorage(ClaimRemedy):
    """No node reaches enough storage of the class."""

    kind: ClassVar[str] = "add-storage"

    storage_class: str


@dataclass(frozen=True, slots=True)
class CreateVolume(ClaimRemedy):
    """No node that the pod could go to reaches a volume of the class that suits the claim."""

    kind: ClassVar[str] = "create-volume"

    storage_class: str


@dataclass(frozen=True, slots=True)
class AwaitPods(ClaimRemedy):
    """The claim may be used by one pod only, and ``pods`` use it."""

    kind: ClassVar[str] = "await-pods"

    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FreeClaim(ClaimRemedy):
    """The claim may be used by one pod only, and ``pods`` use it that do not end by themselves."""

    kind: ClassVar[str] = "free-claim"

    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddNodeAtVolume(ClaimRemedy):
    """The claim is bound to a volume that no node reaches: none has one of ``values`` of the label ``key``.

    ``like``: a node that would take the pod if it had; empty where that is not sure.
    """

    kind: ClassVar[str] = "add-node-at-volume"

    volume: str
    key: str
    values: tuple[str, ...]
    like: str


@dataclass(frozen=True, slots=True)
class AddNodeForClass(ClaimRemedy):
    """The storage class provisions volumes only where the label ``key`` is one of ``values``, which no node has."""

    kind: ClassVar[str] = "add-node-for-class"

    storage_class: str
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FreeVolume(ClaimRemedy):
    """The ``volume`` suits the claim, and is reserved for an earlier one that is gone."""

    kind: ClassVar[str] = "free-volume"

    volume: str


@dataclass(frozen=True, slots=True)
class GatherVolumes(ClaimRemedy):
    """Each of ``volumes`` of several claims, of which the claim is the first, is on nodes; none reaches all."""

    kind: ClassVar[str] = "gather-volumes"

    volumes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RestoreHost(ClaimRemedy):
    """The only ``volumes`` for the claim are on ``hosts`` that do not exist; ``is_bound``: it is bound to the one."""

    kind: ClassVar[str] = "restore-host"

    volumes: tuple[str, ...]
    hosts: tuple[str, ...]
    is_bound: bool


@dataclass(frozen=True, slots=True)
class MatchHostLabel(ClaimRemedy):
    """The volume asks for a ``host`` name that is not the label of the ``node`` that it means, ``label``."""

    kind: ClassVar[str] = "match-host-label"

    volume: str
    host: str
    node: str
    label: str


@dataclass(frozen=True, slots=True)
class ForgetSelectedNode(ClaimRemedy):
    """A volume is to be provisioned for a ``node`` that does not take the pod, or does not even exist.

    Promised to none, the pod fits on ``gained`` nodes.
    """

    kind: ClassVar[str] = "forget-selected-node"

    node: str
    exists: bool
    gained: int


@dataclass(frozen=True, slots=True)
class PublishCapacity(ClaimRemedy):
    """The ``driver`` of the class is to publish what it can provision, and has published nothing."""

    kind: ClassVar[str] = "publish-capacity"

    storage_class: str
    driver: str


@dataclass(frozen=True, slots=True)
class AwaitNodes(Remedy):
    """The ``nodes`` take the pod once components have removed their ``taints``, which they do by themselves."""

    kind: ClassVar[str] = "await-nodes"

    nodes: tuple[str, ...]
    taints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AwaitTerminating(Remedy):
    """The ``node`` takes the pod once ``pods``, which are terminating there, are gone."""

    kind: ClassVar[str] = "await-terminating"

    node: str
    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleaseFinalizers(Remedy):
    """The ``node`` takes the pod once ``pods``, whose containers have ended there, are gone: finalizers hold them."""

    kind: ClassVar[str] = "release-finalizers"

    node: str
    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeStrategy(Remedy):
    """``pods`` of an earlier revision of the pod's own workload hold what it needs, and stay until it is available.

    ``max_surge`` and ``max_unavailable`` are the workload's, as written or by default.
    """

    kind: ClassVar[str] = "change-strategy"

    workload_kind: str
    namespace: str
    name: str
    pods: tuple[str, ...]
    max_surge: int | str
    max_unavailable: int | str


@dataclass(frozen=True, slots=True)
class ReplaceOutdated(Remedy):
    """The pod is of an earlier revision of its StatefulSet, which does not replace it by itself.

    It waits until the pod is Ready (OrderedReady), with ``is_on_delete`` until somebody deletes it, and replaces none
    below its partition: ``lower_to`` is then what the partition has to be. Made of the template as it is, the pod fits
    on ``gained`` nodes.
    """

    kind: ClassVar[str] = "replace-outdated"

    namespace: str
    name: str
    pod: str
    is_on_delete: bool
    lower_to: int | None
    gained: int


@dataclass(frozen=True, slots=True)
class DeleteStaying(Remedy):
    """``pods`` of the pod's own StatefulSet hold what it needs, and stay until the pod is Ready.

    With ``are_surplus`` the StatefulSet is scaled below them; else they are of an earlier revision, and those that
    replace them fit beside the pod.
    """

    kind: ClassVar[str] = "delete-staying"

    namespace: str
    name: str
    pods: tuple[str, ...]
    are_surplus: bool


@dataclass(frozen=True, slots=True)
class RepairDevicePlugin(Remedy):
    """The ``nodes``, the first of ``number``, have devices of ``resource`` that they do not offer.

    With the whole ``capacity`` of these nodes allocatable, and not ``allocatable`` alone, they would take the pod.
    """

    kind: ClassVar[str] = "repair-device-plugin"

    resource: str
    nodes: tuple[str, ...]
    number: int
    capacity: int
    allocatable: int


@dataclass(frozen=True, slots=True)
class MovePods(Remedy):
    """The ``node`` takes the pod once ``pods`` are gone, which may be evicted now and fit on the nodes ``onto``."""

    kind: ClassVar[str] = "move-pods"

    node: str
    pods: tuple[str, ...]
    onto: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RevertResize(Remedy):
    """The ``node`` takes the pod without the deferred resizes of ``pods``, the first of ``number``.

    ``held``: amounts by resource that are counted for them and that the pods do not run with.
    """

    kind: ClassVar[str] = "revert-resize"

    node: str
    pods: tuple[str, ...]
    number: int
    held: tuple[tuple[str, int], ...]


REMEDIES: Final[Mapping[str, type[Remedy]]] = {
    each.kind: each
    for each in (
        AddNodeAtVolume,
        AddNodeForClass,
        AddStorage,
        AwaitDeletion,
        AwaitEphemeral,
        AwaitNodes,
        AwaitPods,
        AwaitTerminating,
        BindImmediate,
        BindOrSetClass,
        ChangeStrategy,
        CompleteBinding,
        CreateClaim,
        CreateClass,
        CreateVolume,
        DeleteStaying,
        ForgetSelectedNode,
        FreeClaim,
        FreeVolume,
        GatherVolumes,
        MatchHostLabel,
        MovePods,
        PublishCapacity,
        RecreateLost,
        ReleaseFinalizers,
        RepairDevicePlugin,
        ReplaceOutdated,
        RestoreHost,
        RestoreVolume,
        RevertResize,
    )
}
"""All remedies by kind."""
