"""Volumes of a pod that no other node can attach until they are detached from the pod's own.

Upstream: ``reconcile`` of ``pkg/controller/volume/attachdetach/reconciler`` and ``IsMultiAttachAllowed`` of
``pkg/volume/util`` v1.34.1. A volume is to be detached once no pod object on the node uses it that has not ended. The
controller then waits until the node no longer reports it as mounted; on a node that is not ready it does so for 6
minutes, unless ``--disable-force-detach-on-timeout`` is set, and not at all once the node is tainted out-of-service.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.volumes.attachable import AttachableVolumes, NodeMigration, Owner, csi_nodes
from clusters.engine.volumes.claim_problems import StorageError
from clusters.engine.volumes.claims import claim_use, spec_of, volume_name_of

if TYPE_CHECKING:
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot

# maxWaitForUnmountDuration, in seconds.
FORCE_DETACH_AFTER: Final = 360
OUT_OF_SERVICE_KEY: Final = "node.kubernetes.io/out-of-service"
_SHARED: Final = frozenset({"ReadWriteMany", "ReadOnlyMany"})


@dataclass(frozen=True, slots=True)
class ExclusiveVolume:
    """A claim of a pod whose volume is attached to one node at a time, and the driver that attaches it."""

    claim: str
    driver: str
    modes: tuple[str, ...]


def exclusive_volumes(snapshot: Snapshot, pod: Pod) -> list[ExclusiveVolume]:
    """The volumes of a placed pod that a replacement on another node has to wait for, in the order of the pod."""
    node = snapshot.derived(csi_nodes, "CSINode").get(pod.node_name)
    migration = NodeMigration(node is not None, node is not None and node.portworx_migrated)
    reader, owner = AttachableVolumes(snapshot), Owner(pod.namespace, pod.name, pod.owner_uid, is_placed=True)
    found = []
    for volume in pod.volumes:
        use = claim_use(volume, pod.name)
        claim = None if use is None else snapshot.object("PersistentVolumeClaim", use.claim, pod.namespace)
        stored = None if claim is None else snapshot.object("PersistentVolume", volume_name_of(claim))
        if use is None or stored is None:
            continue
        modes = tuple(str(mode) for mode in spec_of(stored).get("accessModes") or ())
        drivers = set[str]()
        with suppress(StorageError):
            drivers = set(reader.read((volume,), owner, migration).values())
        # Of a volume without access modes the driver itself would have to refuse the second node.
        if modes and _SHARED.isdisjoint(modes):
            found += [ExclusiveVolume(use.claim, driver, modes) for driver in drivers if _is_attached(snapshot, driver)]
    return found


def _is_attached(snapshot: Snapshot, driver: str) -> bool:
    """Whether a driver's volumes are attached at all; one that says nothing of it has them attached."""
    known = snapshot.object("CSIDriver", driver)
    return known is None or spec_of(known).get("attachRequired") is not False
