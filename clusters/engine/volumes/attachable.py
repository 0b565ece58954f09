"""Which CSI driver attaches a volume, and under which handle, as a node sees it.

Upstream: ``pkg/scheduler/framework/plugins/nodevolumelimits/csi.go`` v1.34.1, v1.37.2 (filterAttachableVolumes).
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clusters.engine.objects import Document, key_of, name_of, namespace_of
from clusters.engine.status import Code, Status, unresolvable
from clusters.engine.volumes.claim_problems import ClaimProblem, StorageError
from clusters.engine.volumes.claims import (
    ClaimUse,
    claim_use,
    class_of,
    controller_of,
    migrated_plugins,
    spec_of,
    volume_name_of,
)
from clusters.engine.volumes.csi_migration import (
    PLUGIN_BY_NAME,
    PORTWORX,
    InTreePlugin,
    TranslationError,
    in_tree_plugin,
    inline_handle,
    volume_handle,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.snapshot import Snapshot

# No handle of a real volume starts like this.
_NOT_PROVISIONED = "\0"

# Names of attached volumes (driver/handle) with their drivers.
Attached = dict[str, str]


@dataclass(frozen=True, slots=True)
class NodeMigration:
    """What of a node decides how volumes are read there: whether it has a CSINode, and whether Portworx is migrated."""

    has_csi_node: bool
    portworx_migrated: bool

    def migrates(self, plugin: InTreePlugin) -> bool:
        """Whether kube-scheduler counts volumes of a plugin on the node as those of the CSI driver."""
        return self.has_csi_node and plugin.scheduled and (plugin.name != PORTWORX or self.portworx_migrated)


NODE_MIGRATIONS = (NodeMigration(False, False), NodeMigration(True, False), NodeMigration(True, True))


@dataclass(frozen=True, slots=True)
class CsiNode:
    """What a CSINode says: its drivers, the limit of each that has one, and whether Portworx has been migrated.

    Until 1.35 Portworx needs the word of the node; the others have been migrated everywhere for long.
    """

    portworx_migrated: bool
    limits: Mapping[str, int]
    drivers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Owner:
    """The pod whose volumes are read. A placed pod's missing claims are passed over."""

    namespace: str
    name: str
    uid: str
    is_placed: bool = False

    def owns(self, claim: Document) -> bool:
        controller = controller_of(claim)
        return bool(controller) and (controller.get("uid") or "") == self.uid


class AttachableVolumes:
    """Reads the volumes of pods, claims of placed pods once for all cycles of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def read(self, volumes: Iterable[Document], owner: Owner, migration: NodeMigration) -> Attached:
        """The attachable volumes of a pod as a node in this migration sees them. Raises StorageError."""
        found: Attached = {}
        for volume in volumes:
            use = claim_use(volume, owner.name)
            known = self._inline(volume, migration) if use is None else self._known(use, owner, migration)
            if known is not None:
                driver, handle = known
                found[f"{driver}/{handle}"] = driver
        return found

    def _inline(self, volume: Document, migration: NodeMigration) -> tuple[str, str] | None:
        """Driver and handle of a volume that the pod names itself. Raises StorageError."""
        plugin = in_tree_plugin(volume)
        if plugin is None or not migration.migrates(plugin):
            return None
        try:
            return plugin.driver, inline_handle(plugin, volume)
        except TranslationError as error:
            name = volume.get("name", "")
            raise StorageError(_error(f"converting volume({name}) from inline to csi: {error}")) from None

    def _claimed(self, use: ClaimUse, owner: Owner, migration: NodeMigration) -> tuple[str, str] | None:
        """Driver and handle of the volume behind a claim. Raises StorageError."""
        if not use.claim:
            raise StorageError(_error(ClaimProblem.UNNAMED.said))
        claim = self.snapshot.object("PersistentVolumeClaim", use.claim, owner.namespace)
        if claim is None:
            if owner.is_placed:
                return None
            problem = f"looking up PVC {owner.namespace}/{use.claim}: {ClaimProblem.NOT_FOUND.said_of(use.claim)}"
            raise StorageError(unresolvable(problem))
        if use.ephemeral and not owner.owns(claim):
            raise StorageError(_error(ClaimProblem.NOT_OWNED.said_of(key_of(claim), f"{owner.namespace}/{owner.name}")))
        volume = self.snapshot.object("PersistentVolume", volume_name_of(claim))
        known = self._to_be_provisioned(claim, migration) if volume is None else _provisioned(volume, migration)
        return known if known is not None and all(known) else None

    def _known(self, use: ClaimUse, owner: Owner, migration: NodeMigration) -> tuple[str, str] | None:
        """Driver and handle of the volume behind a claim, read once for all pods and cycles. Raises StorageError."""
        if use.ephemeral or not owner.is_placed:
            return self._claimed(use, owner, migration)
        key = (owner.namespace, use.claim, migration)
        if key not in self._memory:
            self._memory[key] = self._claimed(use, owner, migration)
        return self._memory[key]

    @cached_property
    def _memory(self) -> dict[tuple[str, str, NodeMigration], tuple[str, str] | None]:
        return self.snapshot.derived(_no_memory, "PersistentVolumeClaim", "PersistentVolume", "StorageClass")

    def _to_be_provisioned(self, claim: Document, migration: NodeMigration) -> tuple[str, str] | None:
        """The driver that will provision a claim, and a handle of its own; None when nothing will."""
        storage_class = self.snapshot.object("StorageClass", class_of(claim))
        if storage_class is None:
            return None
        driver = str(storage_class.get("provisioner") or "")
        plugin = PLUGIN_BY_NAME.get(driver)
        if plugin is not None:
            if not migration.migrates(plugin):
                return None
            driver = plugin.driver
        return driver, f"{_NOT_PROVISIONED}{namespace_of(claim)}/{name_of(claim)}"


def _provisioned(volume: Document, migration: NodeMigration) -> tuple[str, str] | None:
    """Driver and handle of a persistent volume; None when no CSI driver attaches it."""
    spec = spec_of(volume)
    source = spec.get("csi")
    if source is not None:
        return str(source.get("driver") or ""), str(source.get("volumeHandle") or "")
    plugin = in_tree_plugin(spec)
    if plugin is None or not migration.migrates(plugin):
        return None
    try:
        return plugin.driver, volume_handle(plugin, volume)
    except TranslationError:
        return None


def csi_nodes(snapshot: Snapshot) -> dict[str, CsiNode]:
    """What CSINodes say, by name of the node."""
    asks = snapshot.release.rules.asks_nodes_about_portworx
    return {
        name_of(document): CsiNode(
            portworx_migrated=not asks or PORTWORX in migrated_plugins(document),
            limits={
                str(driver.get("name", "")): int(count)
                for driver in spec_of(document).get("drivers") or ()
                if (count := (driver.get("allocatable") or {}).get("count")) is not None
            },
            drivers=frozenset(str(driver.get("name", "")) for driver in spec_of(document).get("drivers") or ()),
        )
        for document in snapshot.objects("CSINode")
    }


def attachments(snapshot: Snapshot) -> dict[str, Attached]:
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


def _no_memory(snapshot: Snapshot) -> dict[tuple[str, str, NodeMigration], tuple[str, str] | None]:
    """An empty memory of claims, filled as they are read."""
    return {}


def _error(reason: str) -> Status:
    return Status(Code.ERROR, (reason,))


@dataclass(frozen=True, slots=True)
class DriverUse:
    """How many volumes of one driver a node has attached. ``limit`` is None where the node names none.

    ``by_pods``: those that pods on the node use; ``others``: attachments that no pod there uses, which count too.
    """

    driver: str
    by_pods: int
    others: int
    limit: int | None

    @property
    def attached(self) -> int:
        return self.by_pods + self.others


def drivers_on(snapshot: Snapshot, node: str) -> list[DriverUse]:
    """What is attached to a node, driver by driver in order of name; volumes that cannot be read are left out."""
    csi_node = snapshot.derived(csi_nodes, "CSINode").get(node)
    migration = NodeMigration(csi_node is not None, csi_node is not None and csi_node.portworx_migrated)
    limits = {} if csi_node is None else csi_node.limits
    reader, pods = AttachableVolumes(snapshot), snapshot.pods
    used: Attached = {}
    for slot in pods.on_node(snapshot.nodes.index[node]).tolist():
        for volume in pods.volumes.get(slot, ()):
            owner = Owner(pods.namespace(slot), pods.name(slot), pods.owner_uids[slot], is_placed=True)
            with suppress(StorageError):
                used.update(reader.read((volume,), owner, migration))
    attached = snapshot.derived(attachments, "VolumeAttachment", "PersistentVolume").get(node, {})
    by_pods = Counter(used.values())
    others = Counter(driver for volume, driver in attached.items() if volume not in used)
    return [
        DriverUse(driver, by_pods[driver], others[driver], limits.get(driver))
        for driver in sorted({*limits, *by_pods, *others})
    ]
