"""NodeVolumeLimits: how many volumes of a CSI driver a node can have attached.

Upstream: ``pkg/scheduler/framework/plugins/nodevolumelimits`` v1.34.1, and of v1.37.2 for drivers
that a node lacks. As there, what the pods on a node use counts
once, attachments that no pod on the node uses count too, and a volume that the pod brings counts as new unless a pod
on the node uses it already.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from clusters.engine.columns import NOWHERE
from clusters.engine.evidence import ClaimSubject, Comparison, Subject, UnreadableVolumes
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
from clusters.engine.status import SUCCESS, FilterAnswer, Index, Ints, Mask, Reason, Status, unschedulable
from clusters.engine.versions import Gate
from clusters.engine.volumes import (
    NODE_MIGRATIONS,
    AttachableVolumes,
    Attached,
    CsiNode,
    NodeMigration,
    Owner,
    StorageError,
    attachments,
    claim_use,
    csi_nodes,
    in_tree_plugin,
    spec_of,
)
from clusters.engine.world import World, no_changes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document


class VolumeLimitReached(Reason, frozen=True):
    """The node can take no more volumes of a driver."""

    kind = "volume-limit-reached"
    plugin = "NodeVolumeLimits"
    text = "node(s) exceed max volume count"


class DriverMissing(Reason, frozen=True):
    """The node has no such CSI driver."""

    kind = "driver-missing"
    plugin = "NodeVolumeLimits"

    driver: str

    def __str__(self) -> str:
        return f"{self.driver} CSI driver is not installed on the node"


_UNLIMITED = np.iinfo(np.int64).max
Entry = TypeVar("Entry")


class VolumeSubject(Subject, frozen=True):
    """A volume of the pod that needs no claim, by its name in the pod."""

    kind: ClassVar[str] = "volume"

    volume: str


class DriverComparison(Comparison, frozen=True):
    """Volumes of a CSI driver on the node, those that the pod adds (``requested``), and the limit, None without one.

    ``is_lacking``: the node does not have the driver, which asks not to be scheduled to such nodes.
    """

    kind = "volume-limit"

    driver: str
    attached: int
    requested: int
    limit: int | None
    is_lacking: bool = False

    @property
    def holds(self) -> bool:
        if self.is_lacking:
            return False
        return not self.requested or self.limit is None or self.attached + self.requested <= self.limit


class NodeVolumeLimits(Plugin):
    """Counts volumes by CSI driver and node; only nodes that could be full are counted one by one."""

    name = "NodeVolumeLimits"
    reads = Reads.PODS | Reads.VOLUMES
    requeue_on = (
        ClusterEvent.POD_DELETE,
        ClusterEvent.VOLUME_ATTACHMENT_DELETE,
        ClusterEvent.CSI_NODE_ADD,
        ClusterEvent.CSI_NODE_UPDATE,
        ClusterEvent.CLAIM_ADD,
    )
    colour = "indigo"
    is_lifted_on_nodes = True
    skips_for_good = True

    @cached_property
    def _reader(self) -> AttachableVolumes:
        return AttachableVolumes(self.snapshot)

    @property
    def counts_together(self) -> bool:
        return True

    def pre_filter(self) -> PreFilter:
        return PROCEED if self._counted else SKIP_FILTER

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        world = world or no_changes()
        statuses = [SUCCESS, unschedulable(VolumeLimitReached())]
        index = np.zeros(len(self.snapshot.nodes), np.intp)
        for number, migration in enumerate(NODE_MIGRATIONS):
            here = self._migration == number
            if not here.any():
                continue
            try:
                asked = self._asked(migration, lifted)
            except StorageError as error:
                index[here] = len(statuses)
                statuses.append(error.status)
                continue
            for driver, rows in self._lacking(asked).items():
                index[here & rows & (index == 0)] = len(statuses)
                statuses.append(unschedulable(DriverMissing(driver)))
            for row in np.flatnonzero(here & (index == 0) & self._in_question(asked, world)):
                status = self._judge(int(row), asked, world)
                if status not in statuses:
                    statuses.append(status)
                index[row] = statuses.index(status)
        return FilterAnswer.by_table(statuses, index)

    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(Constraint(self.name, self._subject(volume)) for volume in self._counted)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        migration = NODE_MIGRATIONS[self._migration[row]]
        try:
            asked = self._asked(migration, NOTHING_LIFTED)
            attached, counts = self._attached_on(row, world or no_changes())
        except StorageError as error:
            return (UnreadableVolumes(self.pod.key, error.status.texts),)
        new = Counter(driver for volume, driver in asked.items() if volume not in attached)
        lacking = {driver for driver, rows in self._lacking(asked).items() if rows[row]}
        return tuple(
            DriverComparison(
                driver, counts[driver], new[driver], self._limits.get(row, {}).get(driver), driver in lacking
            )
            for driver in sorted(set(asked.values()))
        )

    # -- what the pod asks -------------------------------------------------------------------------------

    @cached_property
    def _counted(self) -> tuple[Document, ...]:
        """The pod's volumes that can be attached."""
        return tuple(
            volume
            for volume in self.pod.volumes
            if claim_use(volume, self.pod.name) is not None or in_tree_plugin(volume) is not None
        )

    def _subject(self, volume: Document) -> Subject:
        use = claim_use(volume, self.pod.name)
        return VolumeSubject(str(volume.get("name", ""))) if use is None else ClaimSubject(use.claim)

    def _asked(self, migration: NodeMigration, lifted: frozenset[int]) -> Attached:
        """The volumes that the pod brings to a node. Raises StorageError."""
        volumes = (volume for number, volume in enumerate(self._counted) if number not in lifted)
        return self._reader.read(volumes, Owner(self.pod.namespace, self.pod.name, self.pod.owner_uid), migration)

    def _lacking(self, asked: Attached) -> dict[str, Mask]:
        """By driver that wants no pod where it is not installed: the nodes without it, shape (N,).

        In 1.35 drivers are not asked what they want. Of several that a node lacks the scheduler names any; here the
        first by name.
        """
        if not self.release.enables(Gate.VOLUME_LIMIT_SCALING):
            return {}
        found = {}
        for driver in sorted(set(asked.values())):
            known = self.snapshot.object("CSIDriver", driver)
            asks = self.release.rules.asks_drivers_to_prevent
            if known is not None and (not asks or spec_of(known).get("preventPodSchedulingIfMissing")):
                lacking = np.ones(len(self.snapshot.nodes), np.bool_)
                lacking[[row for row, node in self._csi_nodes.items() if driver in node.drivers]] = False
                found[driver] = lacking
        return found

    # -- nodes -------------------------------------------------------------------------------------------

    def _by_row(self, by_name: Mapping[str, Entry]) -> dict[int, Entry]:
        """What is known of nodes by name, by row."""
        rows = self.snapshot.nodes.index
        return {rows[name]: entry for name, entry in by_name.items() if name in rows}

    @cached_property
    def _csi_nodes(self) -> dict[int, CsiNode]:
        return self._by_row(self.snapshot.derived(csi_nodes, "CSINode"))

    @cached_property
    def _migration(self) -> Index:
        """Shape (N,): indices into NODE_MIGRATIONS."""
        index = np.zeros(len(self.snapshot.nodes), np.intp)
        for row, csi_node in self._csi_nodes.items():
            index[row] = 2 if csi_node.portworx_migrated else 1
        return index

    @cached_property
    def _limits(self) -> dict[int, Mapping[str, int]]:
        """For each row with limits the limit of each driver."""
        return {row: csi_node.limits for row, csi_node in self._csi_nodes.items() if csi_node.limits}

    @cached_property
    def _attachments(self) -> dict[int, Attached]:
        """By row the volumes that VolumeAttachments attach to the node."""
        return self._by_row(self.snapshot.derived(attachments, "VolumeAttachment", "PersistentVolume"))

    def _tightest(self, drivers: set[str]) -> Ints:
        """Shape (N,): the lowest limit that a node has for any of the drivers."""
        tightest = np.full(len(self.snapshot.nodes), _UNLIMITED, np.int64)
        for row, limits in self._limits.items():
            tightest[row] = min((limit for driver, limit in limits.items() if driver in drivers), default=_UNLIMITED)
        return tightest

    def _in_question(self, asked: Attached, world: World) -> Mask:
        """Shape (N,): nodes where counting could reject: if all that is mounted there were of one driver and distinct.

        Nodes with volumes that may turn out unreadable are in question whenever they have any limit.
        """
        nodes = len(self.snapshot.nodes)
        if not asked or not self._limits:
            return np.zeros(nodes, np.bool_)
        limited = np.zeros(nodes, np.bool_)
        limited[list(self._limits)] = True
        mounted, doubtful = self._mounted(world)
        attachments = np.zeros(nodes, np.int64)
        for row, attached in self._attachments.items():
            attachments[row] = len(attached)
        crowded = mounted + attachments + len(asked) > self._tightest(set(asked.values()))
        return limited & (crowded | (doubtful > 0))

    def _mounted(self, world: World) -> tuple[Ints, Ints]:
        """Shape (N,) each: volumes of the pods on each node, and how many of the pods have doubtful ones."""
        nodes, pods = len(self.snapshot.nodes), self.snapshot.pods
        slots, weights = self._weights
        bound = slots[pods.node[slots] != NOWHERE]
        sums = np.zeros((nodes, 2), np.int64)
        np.add.at(sums, pods.node[bound], weights[bound])
        sums += world.per_node(weights[world.slots], nodes)
        return sums[:, 0], sums[:, 1]

    @cached_property
    def _weights(self) -> tuple[Ints, Ints]:
        """Slots of the pods with volumes, and by slot (P, 2): how many they have, and whether one is doubtful."""
        pods = self.snapshot.pods
        weights = np.zeros((len(pods.keys), 2), np.int64)
        for slot, volumes in pods.volumes.items():
            doubtful = any(not (volume.get("persistentVolumeClaim") or {}).get("claimName") for volume in volumes)
            weights[slot] = len(volumes), doubtful
        return np.array(list(pods.volumes), np.int64), weights

    def _judge(self, row: int, asked: Attached, world: World) -> Status:
        """Count exactly on one node."""
        try:
            attached, counts = self._attached_on(row, world)
        except StorageError as error:
            return error.status
        new = Counter(driver for volume, driver in asked.items() if volume not in attached)
        limits = self._limits[row]
        if any(driver in limits and counts[driver] + count > limits[driver] for driver, count in new.items()):
            return unschedulable(VolumeLimitReached())
        return SUCCESS

    # -- what is attached --------------------------------------------------------------------------------

    def _attached_on(self, row: int, world: World) -> tuple[Attached, Counter[str]]:
        """Volumes that pods use on a node, and by driver how many those and the other attachments are.

        Raises StorageError.
        """
        migration = NODE_MIGRATIONS[self._migration[row]]
        attached: Attached = {}
        for slot in self._pods_on(row, world):
            known = self._read_volumes.get((slot, migration))
            if known is None:
                pods = self.snapshot.pods
                owner = Owner(pods.namespace(slot), pods.name(slot), pods.owner_uids[slot], is_placed=True)
                known = self._read_volumes[slot, migration] = self._reader.read(pods.volumes[slot], owner, migration)
            attached.update(known)
        unused = (driver for volume, driver in self._attachments.get(row, {}).items() if volume not in attached)
        return attached, Counter([*attached.values(), *unused])

    @cached_property
    def _slots_on(self) -> dict[int, list[int]]:
        """Slots of the bound pods with volumes by row, in order of arrival."""
        pods = self.snapshot.pods
        found: dict[int, list[int]] = {}
        for slot in sorted(pods.volumes, key=pods.arrival.__getitem__):
            found.setdefault(int(pods.node[slot]), []).append(slot)
        return found

    def _pods_on(self, row: int, world: World) -> list[int]:
        """Slots of the pods with volumes on a node in its own world."""
        changes = np.flatnonzero(world.rows == row)
        removed = {int(world.slots[change]) for change in changes if world.signs[change] < 0}
        added = [int(world.slots[change]) for change in changes if world.signs[change] > 0]
        stayed = [slot for slot in self._slots_on.get(row, ()) if slot not in removed]
        return stayed + [slot for slot in added if slot in self.snapshot.pods.volumes]

    @cached_property
    def _read_volumes(self) -> dict[tuple[int, NodeMigration], Attached]:
        return {}
