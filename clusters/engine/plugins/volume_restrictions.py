"""VolumeRestrictions: disks that one node cannot mount twice, and claims that one pod at a time may use.

Upstream: ``pkg/scheduler/framework/plugins/volumerestrictions`` v1.34.1. As there, a disk counts per node, while a
ReadWriteOncePod claim that is in use anywhere rejects every node; and when nominated pods or victims are imagined,
their claims are compared by name alone, whatever their namespace.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from msgspec import Struct

from clusters.engine.columns import NOWHERE
from clusters.engine.edits import digest
from clusters.engine.evidence import ClaimSubject, Comparison, CountedPod, Subject
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.status import FilterAnswer, Ints, Reason, unschedulable
from clusters.engine.volumes import ClaimProblem, claim_uses, spec_of
from clusters.engine.world import World, no_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clusters.engine.objects import Document


class DiskTaken(Reason, frozen=True):
    """Another pod uses a disk of the pod."""

    kind = "disk-taken"
    plugin = "VolumeRestrictions"
    text = "node(s) had no available disk"


class ClaimTaken(Reason, frozen=True):
    """Another pod uses a ReadWriteOncePod claim of the pod."""

    kind = "claim-taken"
    plugin = "VolumeRestrictions"
    text = (
        "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another "
        "pod"
    )


def _both_read_only(one: Document, other: Document) -> bool:
    return bool(one.get("readOnly") and other.get("readOnly"))


def _same_gce_disk(one: Document, other: Document) -> bool:
    return one.get("pdName") == other.get("pdName") and not _both_read_only(one, other)


def _same_ebs_volume(one: Document, other: Document) -> bool:
    return bool(one.get("volumeID") == other.get("volumeID"))


def _same_iscsi_target(one: Document, other: Document) -> bool:
    return one.get("iqn") == other.get("iqn") and not _both_read_only(one, other)


def _same_rbd_image(one: Document, other: Document) -> bool:
    return (
        not set(one.get("monitors") or ()).isdisjoint(other.get("monitors") or ())
        and one.get("pool") == other.get("pool")
        and one.get("image") == other.get("image")
        and not _both_read_only(one, other)
    )


# The field of a volume's source, what tells its disks apart, and when two mounts of one disk exclude each other.
_DISKS: Mapping[str, tuple[str, Callable[[Document, Document], bool]]] = {
    "gcePersistentDisk": ("pdName", _same_gce_disk),
    "awsElasticBlockStore": ("volumeID", _same_ebs_volume),
    "iscsi": ("iqn", _same_iscsi_target),
    "rbd": ("image", _same_rbd_image),
}


class DiskSubject(Subject, frozen=True):
    """A disk that the pod mounts without a claim.

    ``field`` is that of the volume's source, ``disk`` what it names; ``content`` is a digest of all that it says, as
    two mounts of one disk can differ.
    """

    kind: ClassVar[str] = "disk"

    field: str
    disk: str
    content: str


class _Disk(Struct, frozen=True):
    """A disk that a pod mounts directly."""

    field: str
    source: Document

    @property
    def subject(self) -> DiskSubject:
        return DiskSubject(self.field, str(self.source.get(_DISKS[self.field][0], "")), digest(self.source))

    def conflicts(self, volumes: Iterable[Document]) -> bool:
        excludes = _DISKS[self.field][1]
        return any(
            volume.get(self.field) is not None and excludes(self.source, volume[self.field]) for volume in volumes
        )


class DiskComparison(Comparison, frozen=True):
    """A disk that the pod mounts directly, by its ``source`` field, and the pods of the node that exclude it."""

    kind = "disk"

    source: str
    disk: str
    holders: tuple[CountedPod, ...]

    @property
    def holds(self) -> bool:
        return not self.holders


class ExclusiveClaimComparison(Comparison, frozen=True):
    """A ReadWriteOncePod claim of the pod, and the pods that use it on any node."""

    kind = "exclusive-claim"

    claim: str
    holders: tuple[CountedPod, ...]

    @property
    def holds(self) -> bool:
        return not self.holders


class VolumeRestrictions(Plugin):
    """Its requirements are numbered disks first, then ReadWriteOncePod claims."""

    name = "VolumeRestrictions"
    reads = Reads.PODS | Reads.VOLUMES
    requeue_on = (ClusterEvent.POD_DELETE, ClusterEvent.NODE_ADD, ClusterEvent.CLAIM_ADD)
    colour = "lavender"
    skips_for_good = True
    unprepared = 'cannot read "PreFilterVolumeRestrictions" from cycleState'

    def pre_filter(self) -> PreFilter:
        for use in claim_uses(self.pod.volumes, self.pod.name):
            if not use.ephemeral and self._claim(use.claim) is None:
                return PreFilter(ClaimProblem.NOT_FOUND.error(use.claim).status)
        return PROCEED if self._disks or (self._exclusive and any(self._users.values())) else SKIP_FILTER

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        world = world or no_changes()
        disks = [number for number in range(len(self._disks)) if number not in lifted]
        claims = [claim for number, claim in enumerate(self._exclusive, start=len(self._disks)) if number not in lifted]
        pods, nodes = self.snapshot.pods, len(self.snapshot.nodes)
        excluding = np.zeros(len(pods.keys), np.int64)
        for disk in disks:
            excluding[self._holders[disk]] = 1
        rows = pods.node[np.flatnonzero(excluding)]
        return FilterAnswer.first_of(
            (
                (np.bincount(rows[rows != NOWHERE], minlength=nodes) + world.per_node(excluding[world.slots], nodes))
                > 0,
                unschedulable(DiskTaken()),
            ),
            (self._claim_users(claims, world) > 0, unschedulable(ClaimTaken())),
        )

    def constraints(self) -> tuple[Constraint, ...]:
        disks = (Constraint(self.name, disk.subject) for disk in self._disks)
        return (*disks, *(Constraint(self.name, ClaimSubject(claim)) for claim in self._exclusive))

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        found: list[Comparison] = []
        joining = self.joining(row, world)
        for disk, slots in zip(self._disks, self._holders, strict=True):
            here = [slot for slot in slots if self.snapshot.pods.node[slot] == row]
            coming = [slot for slot in joining if slot in slots]
            found.append(DiskComparison(disk.field, disk.subject.disk, self._counted(here, coming)))
        for claim, users in self._users.items():
            coming = [slot for slot in joining if slot in self._mounts[claim]]
            found.append(ExclusiveClaimComparison(claim, self._counted(users, coming)))
        return tuple(found)

    def _counted(self, holding: Iterable[int], nominated: Iterable[int]) -> tuple[CountedPod, ...]:
        keys = self.snapshot.pods.keys
        return (
            *(CountedPod(key) for key in sorted(keys[slot] for slot in holding)),
            *(CountedPod(key, nominated=True) for key in sorted(keys[slot] for slot in nominated)),
        )

    # -- disks -------------------------------------------------------------------------------------------

    @cached_property
    def _disks(self) -> tuple[_Disk, ...]:
        return tuple(
            _Disk(field, volume[field])
            for volume in self.pod.volumes
            for field in _DISKS
            if volume.get(field) is not None
        )

    @cached_property
    def _holders(self) -> tuple[list[int], ...]:
        """For each disk the slots of all pods, bound or nominated, whose mounts exclude the pod's."""
        placed = self.snapshot.pods.volumes
        return tuple([slot for slot, volumes in placed.items() if disk.conflicts(volumes)] for disk in self._disks)

    # -- claims of one pod -------------------------------------------------------------------------------

    def _claim(self, name: str) -> Document | None:
        return self.snapshot.object("PersistentVolumeClaim", name, self.pod.namespace)

    @cached_property
    def _exclusive(self) -> tuple[str, ...]:
        """Names of the pod's ReadWriteOncePod claims."""
        names = dict.fromkeys(use.claim for use in claim_uses(self.pod.volumes, self.pod.name) if not use.ephemeral)
        return tuple(
            name
            for name in names
            if (claim := self._claim(name)) is not None
            and "ReadWriteOncePod" in (spec_of(claim).get("accessModes") or ())
        )

    @cached_property
    def _mounts(self) -> dict[str, dict[int, int]]:
        """For each exclusive claim's name the slots of all pods that use such a name, and how often they do."""
        mounts: dict[str, dict[int, int]] = {name: {} for name in self._exclusive}
        if mounts:
            for slot, volumes in self.snapshot.pods.volumes.items():
                for use in claim_uses(volumes, ""):
                    if not use.ephemeral and use.claim in mounts:
                        mounts[use.claim][slot] = mounts[use.claim].get(slot, 0) + 1
        return mounts

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        """For each exclusive claim the slots of the bound pods that use it."""
        pods = self.snapshot.pods
        return {
            name: [slot for slot in mounts if pods.node[slot] != NOWHERE and pods.namespace(slot) == self.pod.namespace]
            for name, mounts in self._mounts.items()
        }

    def _claim_users(self, claims: Iterable[str], world: World) -> Ints:
        """Shape (N,): upstream's count of conflicting uses, seen from each node's own world."""
        claims = tuple(claims)
        weights = np.zeros(len(self.snapshot.pods.keys), np.int64)
        for name in claims:
            for slot, times in self._mounts[name].items():
                weights[slot] += times
        used = sum(bool(self._users[name]) for name in claims)
        return used + world.per_node(weights[world.slots], len(self.snapshot.nodes))
