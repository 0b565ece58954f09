"""NodeVolumeLimits: how many volumes of a CSI driver a node can have attached.

Upstream: ``pkg/scheduler/framework/plugins/nodevolumelimits`` v1.34.1. As there, what the pods on a node use counts
once, attachments that no pod on the node uses count too, and a volume that the pod brings counts as new unless a pod
on the node uses it already. Placed pods' ephemeral claims are recognised by their owner's name, upstream by its UID.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from clusters.engine.csi_migration import (
    PLUGIN_BY_NAME,
    PORTWORX,
    InTreePlugin,
    TranslationError,
    in_tree_plugin,
    inline_handle,
    volume_handle,
)
from clusters.engine.evidence import Evidence, Fact, text
from clusters.engine.objects import Document, metadata, name_of, namespace_of
from clusters.engine.plugin import NOTHING_LIFTED, PROCEED, SKIP_FILTER, Constraint, Plugin, PreFilter
from clusters.engine.pod_table import NOWHERE
from clusters.engine.status import SUCCESS, Code, Index, Ints, Mask, Outcome, Status, unresolvable, unschedulable
from clusters.engine.storage import (
    ClaimUse,
    StorageError,
    claim_not_found,
    claim_use,
    class_of,
    controller_of,
    migrated_plugins,
    not_created_for,
    spec_of,
    volume_name_of,
)
from clusters.engine.world import World, no_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.snapshot import Snapshot

REASON = "node(s) exceed max volume count"

_UNLIMITED = np.iinfo(np.int64).max
# No handle of a real volume starts like this.
_NOT_PROVISIONED = "\0"

Entry = TypeVar("Entry")

# Names of attached volumes (driver/handle) with their drivers.
Attached = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Situation:
    """What of a node decides how volumes are read there: whether it has a CSINode, and what that says of Portworx."""

    has_csi_node: bool
    portworx_migrated: bool

    def migrates(self, plugin: InTreePlugin) -> bool:
        """Portworx alone needs the node's word; the others have been migrated everywhere for long."""
        return self.has_csi_node and plugin.scheduled and (plugin.name != PORTWORX or self.portworx_migrated)


_SITUATIONS = (_Situation(False, False), _Situation(True, False), _Situation(True, True))


@dataclass(frozen=True, slots=True)
class _CsiNode:
    """What a CSINode says: the limit of each driver that has one, and whether Portworx has been migrated."""

    portworx_migrated: bool
    limits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Owner:
    """The pod whose volumes are read. A placed pod's missing claims are passed over."""

    namespace: str
    name: str
    uid: str | None = None

    @property
    def is_placed(self) -> bool:
        return self.uid is None

    def owns(self, claim: Document) -> bool:
        controller = controller_of(claim)
        if not controller:
            return False
        if self.is_placed:
            return bool(controller.get("name") == self.name)
        return (controller.get("uid") or "") == self.uid


class NodeVolumeLimits(Plugin):
    """Counts volumes by CSI driver and node; only nodes that could be full are counted one by one."""

    name = "NodeVolumeLimits"
    reads_pods = True

    def pre_filter(self) -> PreFilter:
        return PROCEED if self._counted else SKIP_FILTER

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> Outcome:
        world = world or no_changes()
        statuses = [SUCCESS, unschedulable(REASON)]
        index = np.zeros(len(self.snapshot.nodes), np.intp)
        for number, situation in enumerate(_SITUATIONS):
            here = self._situation == number
            if not here.any():
                continue
            try:
                asked = self._asked(situation, lifted)
            except StorageError as error:
                index[here] = len(statuses)
                statuses.append(error.status)
                continue
            for row in np.flatnonzero(here & self._in_question(asked, world)):
                status = self._judge(int(row), asked, world)
                if status not in statuses:
                    statuses.append(status)
                index[row] = statuses.index(status)
        return Outcome.by_table(statuses, index)

    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(Constraint(self.name, number, self._about(volume)) for number, volume in enumerate(self._counted))

    def evidence(self, row: int) -> tuple[Evidence, ...]:
        situation = _SITUATIONS[self._situation[row]]
        try:
            asked = self._asked(situation, NOTHING_LIFTED)
            attached, counts = self._attached_on(row, no_changes())
        except StorageError as error:
            facts = tuple(text("problem", reason) for reason in error.status.reasons)
            return (Evidence(self.pod.key, facts, holds=False),)
        new = Counter(driver for volume, driver in asked.items() if volume not in attached)
        return tuple(
            _evidence(driver, counts[driver], new[driver], self._limits.get(row, {}).get(driver))
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

    def _about(self, volume: Document) -> str:
        use = claim_use(volume, self.pod.name)
        return str(volume.get("name", "")) if use is None else use.claim

    def _asked(self, situation: _Situation, lifted: frozenset[int]) -> Attached:
        """The volumes that the pod brings to a node. Raises StorageError."""
        volumes = (volume for number, volume in enumerate(self._counted) if number not in lifted)
        uid = str(metadata(self.pod.document).get("uid") or "")
        return self._read(volumes, _Owner(self.pod.namespace, self.pod.name, uid), situation)

    # -- nodes -------------------------------------------------------------------------------------------

    def _by_row(self, by_name: Mapping[str, Entry]) -> dict[int, Entry]:
        """What is known of nodes by name, by row."""
        rows = self.snapshot.nodes.index
        return {rows[name]: entry for name, entry in by_name.items() if name in rows}

    @cached_property
    def _csi_nodes(self) -> dict[int, _CsiNode]:
        return self._by_row(self.snapshot.derived(_csi_nodes, "CSINode"))

    @cached_property
    def _situation(self) -> Index:
        """Shape (N,): indices into _SITUATIONS."""
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
        return self._by_row(self.snapshot.derived(_attachments, "VolumeAttachment", "PersistentVolume"))

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
            return unschedulable(REASON)
        return SUCCESS

    # -- what is attached --------------------------------------------------------------------------------

    def _attached_on(self, row: int, world: World) -> tuple[Attached, Counter[str]]:
        """Volumes that pods use on a node, and by driver how many those and the other attachments are.

        Raises StorageError.
        """
        situation = _SITUATIONS[self._situation[row]]
        attached: Attached = {}
        for slot in self._pods_on(row, world):
            attached.update(self._volumes_of(slot, situation))
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

    def _volumes_of(self, slot: int, situation: _Situation) -> Attached:
        """The volumes of a placed or nominated pod, read once a cycle. Raises StorageError."""
        known = self._read_volumes.get((slot, situation))
        if known is None:
            pods = self.snapshot.pods
            owner = _Owner(pods.namespace(slot), pods.name(slot))
            known = self._read_volumes[slot, situation] = self._read(pods.volumes[slot], owner, situation)
        return known

    @cached_property
    def _read_volumes(self) -> dict[tuple[int, _Situation], Attached]:
        return {}

    # -- reading volumes ---------------------------------------------------------------------------------

    def _read(self, volumes: Iterable[Document], owner: _Owner, situation: _Situation) -> Attached:
        """The attachable volumes of a pod as a node in this situation sees them. Raises StorageError."""
        found: Attached = {}
        for volume in volumes:
            use = claim_use(volume, owner.name)
            known = self._inline(volume, situation) if use is None else self._known(use, owner, situation)
            if known is not None:
                driver, handle = known
                found[f"{driver}/{handle}"] = driver
        return found

    def _inline(self, volume: Document, situation: _Situation) -> tuple[str, str] | None:
        """Driver and handle of a volume that the pod names itself. Raises StorageError."""
        plugin = in_tree_plugin(volume)
        if plugin is None or not situation.migrates(plugin):
            return None
        try:
            return plugin.driver, inline_handle(plugin, volume)
        except TranslationError as error:
            name = volume.get("name", "")
            raise StorageError(_error(f"converting volume({name}) from inline to csi: {error}")) from None

    def _claimed(self, use: ClaimUse, owner: _Owner, situation: _Situation) -> tuple[str, str] | None:
        """Driver and handle of the volume behind a claim. Raises StorageError."""
        if not use.claim:
            raise StorageError(_error("PersistentVolumeClaim had no name"))
        claim = self.snapshot.object("PersistentVolumeClaim", use.claim, owner.namespace)
        if claim is None:
            if owner.is_placed:
                return None
            problem = f"looking up PVC {owner.namespace}/{use.claim}: {claim_not_found(use.claim)}"
            raise StorageError(unresolvable(problem))
        if use.ephemeral and not owner.owns(claim):
            raise StorageError(_error(not_created_for(claim, owner.namespace, owner.name)))
        volume = self.snapshot.object("PersistentVolume", volume_name_of(claim))
        known = self._to_be_provisioned(claim, situation) if volume is None else _provisioned(volume, situation)
        return known if known is not None and all(known) else None

    def _known(self, use: ClaimUse, owner: _Owner, situation: _Situation) -> tuple[str, str] | None:
        """Driver and handle of the volume behind a claim, read once for all pods and cycles. Raises StorageError."""
        if use.ephemeral or not owner.is_placed:
            return self._claimed(use, owner, situation)
        key = (owner.namespace, use.claim, situation)
        if key not in self._memory:
            self._memory[key] = self._claimed(use, owner, situation)
        return self._memory[key]

    @cached_property
    def _memory(self) -> dict[tuple[str, str, _Situation], tuple[str, str] | None]:
        return self.snapshot.derived(_no_memory, "PersistentVolumeClaim", "PersistentVolume", "StorageClass")

    def _to_be_provisioned(self, claim: Document, situation: _Situation) -> tuple[str, str] | None:
        """The driver that will provision a claim, and a handle of its own; None when nothing will."""
        storage_class = self.snapshot.object("StorageClass", class_of(claim))
        if storage_class is None:
            return None
        driver = str(storage_class.get("provisioner") or "")
        plugin = PLUGIN_BY_NAME.get(driver)
        if plugin is not None:
            if not situation.migrates(plugin):
                return None
            driver = plugin.driver
        return driver, f"{_NOT_PROVISIONED}{namespace_of(claim)}/{name_of(claim)}"


def _provisioned(volume: Document, situation: _Situation) -> tuple[str, str] | None:
    """Driver and handle of a persistent volume; None when no CSI driver attaches it."""
    spec = spec_of(volume)
    source = spec.get("csi")
    if source is not None:
        return str(source.get("driver") or ""), str(source.get("volumeHandle") or "")
    plugin = in_tree_plugin(spec)
    if plugin is None or not situation.migrates(plugin):
        return None
    try:
        return plugin.driver, volume_handle(plugin, volume)
    except TranslationError:
        return None


def _csi_nodes(snapshot: Snapshot) -> dict[str, _CsiNode]:
    """What CSINodes say, by name of the node."""
    return {
        name_of(document): _CsiNode(
            portworx_migrated=PORTWORX in migrated_plugins(document),
            limits={
                str(driver.get("name", "")): int(count)
                for driver in spec_of(document).get("drivers") or ()
                if (count := (driver.get("allocatable") or {}).get("count")) is not None
            },
        )
        for document in snapshot.objects("CSINode")
    }


def _attachments(snapshot: Snapshot) -> dict[str, Attached]:
    """The CSI volumes that VolumeAttachments attach, by name of the node."""
    found: dict[str, Attached] = {}
    for document in snapshot.objects("VolumeAttachment"):
        spec = spec_of(document)
        name = str((spec.get("source") or {}).get("persistentVolumeName") or "")
        volume = snapshot.object("PersistentVolume", name)
        source = None if volume is None else spec_of(volume).get("csi")
        driver = str(spec.get("attacher") or "")
        if driver and source is not None:
            attached = found.setdefault(str(spec.get("nodeName") or ""), {})
            attached[f"{driver}/{source.get('volumeHandle') or ''}"] = driver
    return found


def _no_memory(snapshot: Snapshot) -> dict[tuple[str, str, _Situation], tuple[str, str] | None]:
    """An empty memory of claims, filled as they are read."""
    return {}


def _error(reason: str) -> Status:
    return Status(Code.ERROR, (reason,))


def _evidence(driver: str, attached: int, new: int, limit: int | None) -> Evidence:
    facts: Mapping[str, int] = {"attached": attached, "asked": new}
    if limit is None:
        return Evidence(driver, tuple(Fact(name, number) for name, number in facts.items()), holds=True)
    counted = tuple(Fact(name, number) for name, number in {**facts, "limit": limit}.items())
    return Evidence(driver, counted, holds=new == 0 or attached + new <= limit, formula="attached + asked ≤ limit")
