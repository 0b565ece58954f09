"""Volumes, claims and storage classes: what the volume plugins compare."""

from __future__ import annotations

import enum
import re
from collections import Counter
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from clusters.engine.evidence import NodeTerm
from clusters.engine.labels import LabelIndex, LabelSet
from clusters.engine.matching import compared, requirement_mask
from clusters.engine.objects import Document, Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.quantity import nano_units, whole_value
from clusters.engine.selectors import (
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    Operator,
    Requirement,
    SelectorError,
    key_fault,
    value_fault,
)
from clusters.engine.status import Index, Ints, Mask, QuotedReason, Reason, Status, failure, unresolvable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.columns import NodeTable
    from clusters.engine.snapshot import Snapshot

# What can be wrong with the volumes of a pod before any node is looked at, and how the scheduler says so.
#
# Upstream: PreFilter of ``plugins/volumebinding``, ``plugins/volumerestrictions`` and ``plugins/volumezone`` v1.34.1.

_NAME: Final = "%s"


class ClaimProblem(enum.StrEnum):
    """Why a pod is rejected for a claim, whatever the node."""

    NOT_FOUND = "not-found"
    NOT_CREATED = "not-created"
    LOST = "lost"
    BEING_DELETED = "being-deleted"
    NOT_OWNED = "not-owned"
    NOT_BOUND = "not-bound"
    UNNAMED = "unnamed"
    VOLUME_NOT_FOUND = "volume-not-found"
    VOLUME_UNNAMED = "volume-unnamed"
    CLASS_NOT_FOUND = "class-not-found"
    CLASS_UNNAMED = "class-unnamed"
    CLASS_WITHOUT_MODE = "class-without-mode"

    @property
    def said(self) -> str:
        """What the scheduler says, the names of objects left out, which differ from pod to pod."""
        return " ".join(_SAID[self].replace(f'"{_NAME}"', "").replace(_NAME, "").split())

    def said_of(self, *names: str) -> str:
        """What the scheduler says of objects of these names, as many as it mentions."""
        return _SAID[self] % names

    def error(self, *names: str) -> StorageError:
        """The problem of objects of these names as an error."""
        return StorageError(unresolvable(ClaimRefused(self, names)))


_SAID: Final[Mapping[ClaimProblem, str]] = {
    ClaimProblem.NOT_FOUND: 'persistentvolumeclaim "%s" not found',
    ClaimProblem.NOT_CREATED: 'waiting for ephemeral volume controller to create the persistentvolumeclaim "%s"',
    ClaimProblem.LOST: 'persistentvolumeclaim "%s" bound to non-existent persistentvolume "%s"',
    ClaimProblem.BEING_DELETED: 'persistentvolumeclaim "%s" is being deleted',
    ClaimProblem.NOT_OWNED: "PVC %s was not created for pod %s (pod is not owner)",
    ClaimProblem.NOT_BOUND: "pod has unbound immediate PersistentVolumeClaims",
    ClaimProblem.UNNAMED: "PersistentVolumeClaim had no name",
    ClaimProblem.VOLUME_NOT_FOUND: 'persistentvolume "%s" not found',
    ClaimProblem.VOLUME_UNNAMED: "PersistentVolume had no name",
    ClaimProblem.CLASS_NOT_FOUND: 'storageclass.storage.k8s.io "%s" not found',
    ClaimProblem.CLASS_UNNAMED: "PersistentVolumeClaim had no pv name and storageClass name",
    ClaimProblem.CLASS_WITHOUT_MODE: 'VolumeBindingMode not set for StorageClass "%s"',
}


class ClaimRefused(Reason, frozen=True):
    """What is wrong with a claim of the pod, whatever the node; without ``names`` where pods of others share it."""

    kind = "claim-refused"

    problem: ClaimProblem
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.problem.said_of(*self.names) if self.names else self.problem.said


class StorageError(Exception):
    """A claim or volume that cannot be read; ``status`` is what the scheduler reports of it."""

    def __init__(self, status: Status) -> None:
        super().__init__(*status.reasons)
        self.status = status


# Claims, volumes and storage classes as the volume plugins read them.
#
# Upstream: ``k8s.io/component-helpers/storage`` (packages ``volume`` and ``ephemeral``) v1.34.1.

_BETA_CLASS = "volume.beta.kubernetes.io/storage-class"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
_MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_STORAGE = "storage"

WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"
# The annotation of a claim that has its volume.
BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
_DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
# How UIDs of claims begin that come with simulated pods, and are in no cluster.
IMAGINED_CLAIM = "imagined:claim/"


class ClaimUse(Struct, frozen=True):
    """A volume of a pod that stands for a claim, by name or generated for the pod (ephemeral)."""

    claim: str
    ephemeral: bool


def claim_use(volume: Document, pod_name: str) -> ClaimUse | None:
    """The claim behind a pod's volume, None for volumes of other kinds."""
    source = volume.get("persistentVolumeClaim")
    if source is not None:
        return ClaimUse(str(source.get("claimName") or ""), ephemeral=False)
    if volume.get("ephemeral") is not None:
        return ClaimUse(f"{pod_name}-{volume.get('name', '')}", ephemeral=True)
    return None


def claim_uses(volumes: Iterable[Document], pod_name: str) -> tuple[ClaimUse, ...]:
    """The claims that a pod uses, in the order of its volumes; one that is used twice is there twice."""
    return tuple(use for volume in volumes if (use := claim_use(volume, pod_name)) is not None)


def controller_of(document: Document) -> Document:
    """The owner reference of the controller, empty without one."""
    for owner in metadata(document).get("ownerReferences") or ():
        if owner.get("controller"):
            found: Document = owner
            return found
    return {}


def annotations_of(document: Document) -> Document:
    """An object's annotations, empty without any."""
    return metadata(document).get("annotations") or {}


def being_deleted(document: Document) -> bool:
    """Whether an object waits for its finalizers."""
    return metadata(document).get("deletionTimestamp") is not None


def class_of(document: Document) -> str:
    """The storage class of a claim or a volume; the old annotation has the last word. Empty: none."""
    annotations = annotations_of(document)
    if _BETA_CLASS in annotations:
        return str(annotations[_BETA_CLASS])
    return str(spec_of(document).get("storageClassName") or "")


def spec_of(document: Document) -> Document:
    """An object's spec, empty without one."""
    return document.get("spec") or {}


def volume_name_of(claim: Document) -> str:
    """The volume that a claim is bound to, or names to be bound to; empty: none."""
    return str(spec_of(claim).get("volumeName") or "")


def is_bound(claim: Document) -> bool:
    """Whether the binding of a claim is complete."""
    return bool(volume_name_of(claim)) and BIND_COMPLETED in annotations_of(claim)


def selected_node(claim: Document) -> str | None:
    """The node for which a volume is being provisioned, None before one is chosen."""
    annotations = annotations_of(claim)
    return str(annotations[SELECTED_NODE]) if SELECTED_NODE in annotations else None


def requested_size(claim: Document) -> str | float | None:
    """The quantity of storage that a claim requests; None when it names no size."""
    size: str | float | None = ((spec_of(claim).get("resources") or {}).get("requests") or {}).get(_STORAGE)
    return size


def requested_bytes(claim: Document) -> int | None:
    """The bytes that a claim requests; None when it names no size."""
    size = requested_size(claim)
    return None if size is None else whole_value(size)


def capacity_bytes(volume: Document) -> int:
    """The bytes that a volume holds."""
    return whole_value((spec_of(volume).get("capacity") or {}).get(_STORAGE, 0))


def reserving_claim(volume: Document) -> tuple[str, str]:
    """Namespace and name of the claim that a volume's claimRef names; empty without one."""
    reference = spec_of(volume).get("claimRef") or {}
    return str(reference.get("namespace") or ""), str(reference.get("name") or "")


def reserved_for(volume: Document, claim: Document) -> bool:
    """Whether a volume's claimRef means this claim; one without a UID means any claim of that name."""
    reference = spec_of(volume).get("claimRef")
    if reference is None or reserving_claim(volume) != (namespace_of(claim), name_of(claim)):
        return False
    return not reference.get("uid") or reference["uid"] == metadata(claim).get("uid")


def migrated_plugins(csi_node: Document) -> frozenset[str]:
    """The in-tree plugins that a node's kubelet has handed over to CSI drivers."""
    return frozenset(str(annotations_of(csi_node).get(_MIGRATED_PLUGINS) or "").split(","))


def default_class(snapshot: Snapshot) -> str:
    """The storage class of claims that name none: of several the newest; empty where there is none."""
    marked = [
        document
        for document in snapshot.objects("StorageClass")
        if any(annotations_of(document).get(key) == "true" for key in _DEFAULT)
    ]
    # Among classes of one age the first by name.
    marked.sort(key=name_of)
    newest = max(marked, key=lambda each: str(metadata(each).get("creationTimestamp") or ""), default=None)
    return "" if newest is None else name_of(newest)


def with_class(claim: Document, default: str) -> Document:
    """A claim as it is stored: one that names no class gets the default one."""
    spec = spec_of(claim)
    if not default or class_of(claim) or spec.get("storageClassName") is not None:
        return claim
    return {**claim, "spec": {**spec, "storageClassName": default}}


# In-tree volumes as the CSI drivers that replaced them know them.
#
# Upstream: ``k8s.io/csi-translation-lib`` v1.34.1. Only what scheduling compares is translated: the driver, the
# volume handle and the node affinity.

ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"
BETA_REGION = "failure-domain.beta.kubernetes.io/region"

PORTWORX = "kubernetes.io/portworx-volume"

_SEVERAL_ZONES = "__"
_UNSPECIFIED = "UNSPECIFIED"
_EBS_PATH = re.compile(r"^aws://[^/?#]*")


class TranslationError(ValueError):
    """An in-tree volume that has no counterpart; the message is the scheduler's."""


class InTreePlugin(Struct, frozen=True):
    """An in-tree volume plugin: the field that volumes carry, and the CSI driver that took over.

    ``topology_key`` is the driver's name for a zone where translation renames it. ``scheduled`` says whether
    kube-scheduler takes part in the migration; it leaves the volumes of the other plugins alone.
    """

    field: str
    name: str
    driver: str
    topology_key: str = ""
    scheduled: bool = True


_PLUGINS = (
    InTreePlugin("gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"),
    InTreePlugin("awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"),
    InTreePlugin(
        "cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"
    ),
    InTreePlugin("azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com"),
    InTreePlugin("portworxVolume", PORTWORX, "pxd.portworx.com"),
    InTreePlugin("azureFile", "kubernetes.io/azure-file", "file.csi.azure.com", scheduled=False),
    InTreePlugin("vsphereVolume", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", scheduled=False),
)
PLUGIN_BY_NAME: Mapping[str, InTreePlugin] = {plugin.name: plugin for plugin in _PLUGINS}


def in_tree_plugin(source: Document) -> InTreePlugin | None:
    """The migratable plugin of a pod's inline volume, or of a persistent volume's spec."""
    return next((plugin for plugin in _PLUGINS if source.get(plugin.field) is not None), None)


def inline_handle(plugin: InTreePlugin, volume: Document) -> str:
    """The CSI handle of a pod's inline volume of a scheduled plugin. Raises TranslationError."""
    return _HANDLES[plugin.field](volume[plugin.field], {})


def volume_handle(plugin: InTreePlugin, volume: Document) -> str:
    """The CSI handle of a persistent volume of a scheduled plugin. Raises TranslationError."""
    return _HANDLES[plugin.field](spec_of(volume)[plugin.field], labels_of(volume))


def _gce_handle(source: Document, labels: Mapping[str, str]) -> str:
    zones = (labels.get(BETA_ZONE) or labels.get(ZONE) or "").split(_SEVERAL_ZONES)
    place = f"zones/{zones[0] or _UNSPECIFIED}" if len(zones) == 1 else f"regions/{_gce_region(zones)}"
    return f"projects/{_UNSPECIFIED}/{place}/disks/{source.get('pdName', '')}"


def _gce_region(zones: Iterable[str]) -> str:
    """The region that zones such as us-central1-a have in common."""
    regions = set()
    for zone in zones:
        parts = zone.split("-")
        if len(parts) != 3:
            expected = "zone in unexpected format, expected: {locale}-{region}-{zone}"
            raise TranslationError(f"failed to get region from zones: {expected}, got: {zone}")
        regions.add("-".join(parts[:2]))
    if len(regions) != 1:
        shown = " ".join(f"{region}:{{}}" for region in sorted(regions))
        raise TranslationError(
            f"failed to get region from zones: multiple or no regions gotten from zones, got: map[{shown}]"
        )
    return regions.pop()


def _ebs_handle(source: Document, labels: Mapping[str, str]) -> str:
    """The bare volume ID, also where it is written as ``aws://zone/vol-…``."""
    given = str(source.get("volumeID") or "")
    if not given.startswith("aws://"):
        return given
    handle = _EBS_PATH.sub("", given).partition("?")[0].partition("#")[0].strip("/")
    if not handle.startswith("vol-") or "/" in handle:
        raise TranslationError(
            f"failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume ({given})"
        )
    return handle


def _azure_disk_handle(source: Document, labels: Mapping[str, str]) -> str:
    kind = source.get("kind")
    if kind is not None and str(kind).lower() != "managed":
        raise TranslationError(f"kind({kind}) is not supported in csi migration")
    return str(source.get("diskURI") or "")


def _volume_id(source: Document, labels: Mapping[str, str]) -> str:
    return str(source.get("volumeID") or "")


_HANDLES: Mapping[str, Callable[[Document, Mapping[str, str]], str]] = {
    "gcePersistentDisk": _gce_handle,
    "awsElasticBlockStore": _ebs_handle,
    "cinder": _volume_id,
    "azureDisk": _azure_disk_handle,
    "portworxVolume": _volume_id,
}

# A node selector term's match expressions, in the order of the document.
_Terms = list[dict[str, Any]]


def translated_affinity(plugin: InTreePlugin, volume: Document) -> Document | None:
    """A persistent volume's required node selector in the words of the CSI driver; None: no restriction."""
    required: Document | None = (spec_of(volume).get("nodeAffinity") or {}).get("required")
    if not plugin.topology_key:
        return required
    labels = labels_of(volume)
    terms: _Terms = [dict(term) for term in (required or {}).get("nodeSelectorTerms") or ()]
    zone_key, region_key = _topology_labels(terms, labels)
    if _has_values(terms, zone_key):
        _rename(terms, zone_key, plugin.topology_key)
    else:
        zones = {zone.strip() for zone in labels.get(zone_key, "").split(_SEVERAL_ZONES)} - {""}
        if zones:
            terms = _demanding(terms, plugin.topology_key, zones)
    if region_key == BETA_REGION and _has_values(terms, region_key):
        _rename(terms, region_key, REGION)
    return None if required is None and not terms else {"nodeSelectorTerms": terms}


def _topology_labels(terms: _Terms, labels: Mapping[str, str]) -> tuple[str, str]:
    """The pair of keys (zone, region) that a volume uses: today's unless only the old ones are there."""
    used = {expression.get("key") for term in terms for expression in term.get("matchExpressions") or ()}
    for found in (used, labels):
        if ZONE in found:
            return ZONE, REGION
        if BETA_ZONE in found:
            return BETA_ZONE, BETA_REGION
    return ZONE, REGION


def _has_values(terms: _Terms, key: str) -> bool:
    return any(
        expression.get("key") == key and expression.get("values")
        for term in terms
        for expression in term.get("matchExpressions") or ()
    )


def _rename(terms: _Terms, old: str, new: str) -> None:
    for term in terms:
        if expressions := term.get("matchExpressions"):
            term["matchExpressions"] = [
                {**expression, "key": new} if expression.get("key") == old else expression for expression in expressions
            ]


def _demanding(terms: _Terms, key: str, values: set[str]) -> _Terms:
    """The terms, each demanding one of the values as well."""
    demand = {"key": key, "operator": "In", "values": sorted(values)}
    return [{**term, "matchExpressions": [*(term.get("matchExpressions") or ()), demand]} for term in terms or [{}]]


# Which CSI driver attaches a volume, and under which handle, as a node sees it.
#
# Upstream: ``pkg/scheduler/framework/plugins/nodevolumelimits/csi.go`` v1.34.1, v1.37.2 (filterAttachableVolumes).

# No handle of a real volume starts like this.
_NOT_PROVISIONED = "\0"

# Names of attached volumes (driver/handle) with their drivers.
Attached = dict[str, str]


class NodeMigration(Struct, frozen=True):
    """What of a node decides how volumes are read there: whether it has a CSINode, and whether Portworx is migrated."""

    has_csi_node: bool
    portworx_migrated: bool

    def migrates(self, plugin: InTreePlugin) -> bool:
        """Whether kube-scheduler counts volumes of a plugin on the node as those of the CSI driver."""
        return self.has_csi_node and plugin.scheduled and (plugin.name != PORTWORX or self.portworx_migrated)


NODE_MIGRATIONS = (NodeMigration(False, False), NodeMigration(True, False), NodeMigration(True, True))


class CsiNode(Struct, frozen=True):
    """What a CSINode says: its drivers, the limit of each that has one, and whether Portworx has been migrated.

    Until 1.35 Portworx needs the word of the node; the others have been migrated everywhere for long.
    """

    portworx_migrated: bool
    limits: Mapping[str, int]
    drivers: frozenset[str]


class Owner(Struct, frozen=True):
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
            raise StorageError(failure(f"converting volume({name}) from inline to csi: {error}")) from None

    def _claimed(self, use: ClaimUse, owner: Owner, migration: NodeMigration) -> tuple[str, str] | None:
        """Driver and handle of the volume behind a claim. Raises StorageError."""
        if not use.claim:
            raise StorageError(failure(ClaimProblem.UNNAMED.said))
        claim = self.snapshot.object("PersistentVolumeClaim", use.claim, owner.namespace)
        if claim is None:
            if owner.is_placed:
                return None
            problem = f"looking up PVC {owner.namespace}/{use.claim}: {ClaimProblem.NOT_FOUND.said_of(use.claim)}"
            raise StorageError(unresolvable(QuotedReason(problem)))
        if use.ephemeral and not owner.owns(claim):
            raise StorageError(
                failure(ClaimProblem.NOT_OWNED.said_of(key_of(claim), f"{owner.namespace}/{owner.name}"))
            )
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


class DriverUse(Struct, frozen=True):
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


# How large a volume could be provisioned where, as storage systems tell it (CSIStorageCapacity).
#
# Upstream: ``hasEnoughCapacity`` and ``capacitySufficient`` in ``pkg/scheduler/framework/plugins/volumebinding``
# v1.34.1, and of v1.38.0-beta.0 for quantities that are compared exactly.

UNREACHED = -1


class StorageCapacities:
    """The capacities that the nodes of one cycle reach, found by storage class when first asked for."""

    def __init__(self, snapshot: Snapshot, topology: StorageTopology) -> None:
        self._snapshot, self._topology = snapshot, topology
        self._largest: dict[str, Ints] = {}
        self._free: dict[tuple[str, str | float], Ints] = {}

    def largest(self, class_name: str) -> Ints:
        """Shape (N,): bytes of the largest volume of a class that each node reaches capacity for, or ``UNREACHED``."""
        if class_name not in self._largest:
            largest = np.full(len(self._snapshot.nodes), UNREACHED, np.int64)
            for capacity in self._snapshot.derived(_by_class, "CSIStorageCapacity").get(class_name, ()):
                limit = _limit(capacity)
                if limit is not None:
                    rows = self._topology.rows_with_access(capacity.get("nodeTopology"))
                    largest[rows] = np.maximum(largest[rows], whole_value(limit))
            self._largest[class_name] = largest
        return self._largest[class_name]

    def enough(self, class_name: str, size: str | float) -> Mask:
        """Shape (N,): nodes that reach a capacity that takes a volume of a class and of this size."""
        enough: Mask = self.first_free(class_name, size) != UNREACHED
        return enough

    def first_free(self, class_name: str, size: str | float) -> Ints:
        """Shape (N,): what is free, in bytes, of the first capacity that a node reaches and that takes a volume of this
        size, or ``UNREACHED``.

        The scheduler takes any of those; where there are several, which one is not known.
        """
        if (class_name, size) in self._free:
            return self._free[class_name, size]
        found = self._free[class_name, size] = np.full(len(self._snapshot.nodes), UNREACHED, np.int64)
        for capacity in self._snapshot.derived(_by_class, "CSIStorageCapacity").get(class_name, ()):
            limit = _limit(capacity)
            if limit is not None and self._takes(limit, size):
                rows = self._topology.rows_with_access(capacity.get("nodeTopology"))
                free = 0 if capacity.get("capacity") is None else whole_value(capacity["capacity"])
                found[rows] = np.where(found[rows] == UNREACHED, free, found[rows])
        return found

    def _takes(self, limit: str | float, size: str | float) -> bool:
        if self._snapshot.release.rules.compares_exact_capacities:
            return nano_units(size) <= nano_units(limit)
        return whole_value(size) <= whole_value(limit)


def _by_class(snapshot: Snapshot) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = {}
    for capacity in snapshot.objects("CSIStorageCapacity"):
        found.setdefault(str(capacity.get("storageClassName") or ""), []).append(capacity)
    return found


def _limit(capacity: Document) -> str | float | None:
    """The size of the largest volume that can be created, None when that is unknown."""
    limit: str | float | None = capacity.get("maximumVolumeSize")
    return capacity.get("capacity") if limit is None else limit


# Which of the available volumes each unbound claim of a pod would take on each node.
#
# Upstream: ``k8s.io/component-helpers/storage/volume/pv_helpers.go`` (FindMatchingVolume) v1.34.1, with the feature
# gate VolumeAttributesClass on, as by default. Upstream walks volumes in random order; here the first by name wins a
# tie.

NOTHING_FOUND = -1
# Volumes that more nodes than this reach are handed out one by one.
_NARROW = 64

_NONE: Index = np.empty(0, np.intp)


class Volume(Struct, frozen=True):
    """What matching reads of a persistent volume; ``number`` is its place among the volumes of its class."""

    number: int
    document: Document
    capacity: int
    mode: str
    attributes_class: str
    is_reserved: bool
    is_available: bool
    access_modes: frozenset[str]
    required: NodeSelector | None


class ClassVolumes(Struct, frozen=True, eq=False):
    """The V volumes of one storage class that are not being deleted: smallest first, then by name.

    ``capacity`` (V,) in bytes; ``is_free`` (V,) marks those that are available and reserved for nobody; ``reserved``
    has the others by namespace and name of the claim. ``alike`` holds by volume mode and attributes class, and
    ``offering`` by access modes, which volumes have them, each (V,); ``labels`` has the numbers that they have here.
    """

    volumes: tuple[Volume, ...]
    capacity: Ints
    is_free: Mask
    reserved: Mapping[tuple[str, str], list[Volume]]
    alike: Mapping[tuple[str, str], Mask]
    offering: Mapping[frozenset[str], Mask]
    labels: LabelIndex

    @classmethod
    def of(cls, documents: Iterable[Document]) -> ClassVolumes:
        ordered = sorted(documents, key=lambda document: (capacity_bytes(document), name_of(document)))
        volumes = tuple(_parsed(number, document) for number, document in enumerate(ordered))
        reserved: dict[tuple[str, str], list[Volume]] = {}
        alike: dict[tuple[str, str], Mask] = {}
        offering: dict[frozenset[str], Mask] = {}
        labels = LabelIndex()
        for volume in volumes:
            labels.add(LabelSet("", labels_of(volume.document)))
            nobody = np.zeros(len(volumes), np.bool_)
            alike.setdefault((volume.mode, volume.attributes_class), nobody.copy())[volume.number] = True
            offering.setdefault(volume.access_modes, nobody)[volume.number] = True
            if volume.is_reserved:
                reserved.setdefault(reserving_claim(volume.document), []).append(volume)
        return cls(
            volumes=volumes,
            capacity=np.array([volume.capacity for volume in volumes], np.int64),
            is_free=np.array([volume.is_available and not volume.is_reserved for volume in volumes], np.bool_),
            reserved=reserved,
            alike=alike,
            offering=offering,
            labels=labels,
        )

    def suiting(self, wanted: _Wanted) -> Mask:
        """Shape (V,): what must hold for every volume, even for one that is reserved for the claim."""
        alike = self.alike.get((wanted.mode, wanted.attributes_class))
        return np.zeros(len(self.volumes), np.bool_) if alike is None else alike & (self.capacity >= wanted.size)

    def unasked(self, wanted: _Wanted) -> Mask:
        """Shape (V,): what must hold for a volume that nobody has reserved."""
        offering = np.zeros(len(self.volumes), np.bool_)
        for modes, mask in self.offering.items():
            if wanted.access_modes <= modes:
                offering |= mask
        offering &= self.is_free
        if wanted.selector is not None:
            selected = np.zeros_like(offering)
            selected[self.labels.select(wanted.selector, None)] = True
            offering &= selected
        return offering


def volumes_by_class(snapshot: Snapshot) -> dict[str, ClassVolumes]:
    """The volumes of each storage class."""
    found: dict[str, list[Document]] = {}
    for document in snapshot.objects("PersistentVolume"):
        if not being_deleted(document):
            found.setdefault(class_of(document), []).append(document)
    return {name: ClassVolumes.of(documents) for name, documents in found.items()}


def _parsed(number: int, document: Document) -> Volume:
    spec = spec_of(document)
    required = (spec.get("nodeAffinity") or {}).get("required")
    return Volume(
        number=number,
        document=document,
        capacity=capacity_bytes(document),
        mode=_mode(spec),
        attributes_class=_attributes_class(spec),
        is_reserved=spec.get("claimRef") is not None,
        is_available=(document.get("status") or {}).get("phase") == "Available",
        access_modes=frozenset(spec.get("accessModes") or ()),
        required=None if required is None else NodeSelector.from_dict(required),
    )


class Match(Struct, frozen=True):
    """The volumes among which a claim chose, and the place of its choice on each node, shape (N,), -1 for none."""

    volumes: tuple[Volume, ...]
    found: Ints

    @property
    def missing(self) -> Mask:
        """Shape (N,): nodes without a volume for the claim."""
        missing: Mask = self.found == NOTHING_FOUND
        return missing

    def at(self, row: int) -> Document | None:
        """The volume that the claim would take on one node."""
        number = int(self.found[row])
        return None if number == NOTHING_FOUND else self.volumes[number].document


class _Reach(Struct, frozen=True, eq=False):
    """Which nodes reach which free volumes of a class.

    Volumes of few nodes as pairs of rows and numbers, each (K,), in this order; those of many nodes in ``wide``: the
    rows that the same selector admits, and the numbers of its volumes.
    """

    pair_rows: Index
    pair_numbers: Index
    wide: tuple[tuple[Index, Index], ...]

    @classmethod
    def of(cls, volumes: ClassVolumes, topology: StorageTopology) -> _Reach:
        groups: dict[NodeSelector | None, list[int]] = {}
        for number in np.flatnonzero(volumes.is_free).tolist():
            groups.setdefault(volumes.volumes[number].required, []).append(number)
        rows, numbers, wide = [_NONE], [_NONE], []
        for required, members in groups.items():
            reached = topology.admitted_rows(required)
            if len(reached) > _NARROW:
                wide.append((reached, np.array(members, np.intp)))
            else:
                rows.append(np.repeat(reached, len(members)))
                numbers.append(np.tile(members, len(reached)))
        pair_rows, pair_numbers = np.concatenate(rows), np.concatenate(numbers)
        order = np.lexsort((pair_numbers, pair_rows))
        return cls(pair_rows[order], pair_numbers[order], tuple(wide))


class VolumeOffer:
    """What the nodes of one cycle reach of the volumes of each class, found when first asked for."""

    def __init__(self, snapshot: Snapshot, topology: StorageTopology) -> None:
        self._by_class = snapshot.derived(volumes_by_class, "PersistentVolume")
        self.topology = topology
        self._reaches: dict[str, _Reach] = {}

    def of(self, class_name: str) -> tuple[ClassVolumes, _Reach]:
        volumes = self._by_class.get(class_name) or ClassVolumes.of(())
        if class_name not in self._reaches:
            self._reaches[class_name] = _Reach.of(volumes, self.topology)
        return volumes, self._reaches[class_name]


class ClaimMatching:
    """Hands volumes out to the claims of one pod, one after the other: each volume at most once on each node."""

    def __init__(self, offer: VolumeOffer) -> None:
        self._offer = offer
        # By class which pairs are given away, and by class and number on which nodes other volumes are.
        self._taken_pairs: dict[str, Mask] = {}
        self._taken: dict[tuple[str, int], Mask] = {}

    def match(self, claim: Document, asking: Mask) -> Match:
        """Choose a volume for the claim on each asking node. Raises SelectorError when its selector is none."""
        class_name, wanted = class_of(claim), _Wanted.by(claim)
        volumes, reach = self._offer.of(class_name)
        suiting = volumes.suiting(wanted)
        found = np.full(len(asking), NOTHING_FOUND, np.int64)
        open_rows = asking.copy()
        for volume in volumes.reserved.get((namespace_of(claim), name_of(claim)), ()):
            if suiting[volume.number] and reserved_for(volume.document, claim):
                # The first reserved volume that is not taken decides, whether the node can reach it or not.
                deciding = open_rows & ~self._taken_rows(class_name, volume.number, len(asking))
                reached = self._offer.topology.admitted_rows(volume.required)
                self._give(class_name, volume.number, reached[deciding[reached]], found)
                open_rows &= ~deciding
        candidates = suiting & volumes.unasked(wanted)
        if candidates.any() and open_rows.any():
            self._choose(class_name, reach, candidates, open_rows, found)
        return Match(volumes.volumes, found)

    def _choose(self, class_name: str, reach: _Reach, candidates: Mask, open_rows: Mask, found: Ints) -> None:
        """Give every open node the first candidate that it reaches and has left."""
        nothing = len(candidates)
        best = np.full(len(found), nothing, np.intp)
        taken = self._taken_pairs.setdefault(class_name, np.zeros(len(reach.pair_rows), np.bool_))
        pairs = np.flatnonzero(candidates[reach.pair_numbers] & open_rows[reach.pair_rows] & ~taken)
        rows = reach.pair_rows[pairs]
        pairs = pairs[np.append(True, rows[1:] != rows[:-1])[: len(rows)]]
        best[reach.pair_rows[pairs]] = reach.pair_numbers[pairs]
        for reached, numbers in reach.wide:
            left = reached[open_rows[reached]]
            for number in numbers[candidates[numbers]].tolist():
                left = left[best[left] > number]
                if not len(left):
                    break
                gone = self._taken_rows(class_name, number, len(found))[left]
                best[left[~gone]] = number
                left = left[gone]
        taken[pairs] |= best[reach.pair_rows[pairs]] == reach.pair_numbers[pairs]
        winners = np.flatnonzero(best < nothing)
        found[winners] = best[winners]
        of_many = np.isin(best, np.concatenate([_NONE, *(numbers for _, numbers in reach.wide)]))
        for number in np.unique(best[of_many]).tolist():
            self._give(class_name, number, np.flatnonzero(best == number), found)

    def _taken_rows(self, class_name: str, number: int, nodes: int) -> Mask:
        taken = self._taken.get((class_name, number))
        return np.zeros(nodes, np.bool_) if taken is None else taken

    def _give(self, class_name: str, number: int, rows: Index, found: Ints) -> None:
        """Give a volume to some nodes."""
        if len(rows):
            found[rows] = number
            taken = self._taken.setdefault((class_name, number), np.zeros(len(found), np.bool_))
            taken[rows] = True


class _Wanted(Struct, frozen=True):
    """What a claim asks of a volume, parsed once."""

    size: int
    mode: str
    attributes_class: str
    selector: LabelSelector | None
    access_modes: frozenset[str]

    @classmethod
    def by(cls, claim: Document) -> _Wanted:
        spec = spec_of(claim)
        selector = spec.get("selector")
        return cls(
            size=requested_bytes(claim) or 0,
            mode=_mode(spec),
            attributes_class=_attributes_class(spec),
            selector=None if selector is None else LabelSelector.from_dict(selector),
            access_modes=frozenset(spec.get("accessModes") or ()),
        )


def _mode(spec: Document) -> str:
    return str(spec.get("volumeMode") or "Filesystem")


def _attributes_class(spec: Document) -> str:
    return str(spec.get("volumeAttributesClassName") or "")


# Volumes of a pod that no other node can attach until they are detached from the pod's own.
#
# Upstream: ``reconcile`` of ``pkg/controller/volume/attachdetach/reconciler`` and ``IsMultiAttachAllowed`` of
# ``pkg/volume/util`` v1.34.1. A volume is to be detached once no pod object on the node uses it that has not ended.
# The controller then waits until the node no longer reports it as mounted; on a node that is not ready it does so for
# 6 minutes, unless ``--disable-force-detach-on-timeout`` is set, and not at all once the node is tainted out-of-
# service.

# maxWaitForUnmountDuration, in seconds.
FORCE_DETACH_AFTER: Final = 360
_SHARED: Final = frozenset({"ReadWriteMany", "ReadOnlyMany"})


class ExclusiveVolume(Struct, frozen=True):
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


# Which nodes can reach a piece of storage, evaluated over all nodes at once.
#
# Upstream: ``k8s.io/component-helpers/storage/volume`` (CheckNodeAffinity), ``pkg/apis/core/v1/helper``
# (MatchTopologySelectorTerms) and ``pkg/scheduler/framework/plugins/volumebinding`` (nodeHasAccess), all v1.34.1.

_NO_ROWS: Index = np.empty(0, np.intp)


class StorageTopology:
    """The nodes of one cycle, asked by volumes, storage classes and capacities."""

    def __init__(self, nodes: NodeTable) -> None:
        self._nodes = nodes
        self._all_rows: Index = np.arange(len(nodes))
        self._rows_by_value: dict[str, dict[str, Index]] = {}

    def admitted_rows(self, required: NodeSelector | None) -> Index:
        """Rows of the nodes that a volume's required node selector admits; None admits all."""
        if required is None:
            return self._all_rows
        if len(required.terms) == 1:
            return self._rows_of_term(required.terms[0])
        mask = np.zeros(len(self._nodes), np.bool_)
        for term in required.terms:
            mask[self._rows_of_term(term)] = True
        return np.flatnonzero(mask)

    def admitted(self, required: Document | None) -> Mask:
        """Shape (N,): ``admitted_rows`` as a mask, of a selector that is not parsed yet."""
        mask = np.zeros(len(self._nodes), np.bool_)
        mask[self.admitted_rows(None if required is None else NodeSelector.from_dict(required))] = True
        return mask

    def allowed(self, topologies: Sequence[Document]) -> Mask:
        """Shape (N,): nodes that any of a storage class's allowed topologies means; no topology means all."""
        if not topologies:
            return np.ones(len(self._nodes), np.bool_)
        mask = np.zeros(len(self._nodes), np.bool_)
        for topology in topologies:
            demands = _demands(topology)
            if demands:
                mask |= self._all(demands)
        return mask

    def rows_with_access(self, node_topology: Document | None) -> Index:
        """Rows of the nodes that can reach a storage capacity; one without a topology is unreachable."""
        try:
            selector = LabelSelector.from_dict(node_topology)
        except SelectorError:
            return _NO_ROWS
        return _NO_ROWS if selector.matches_nothing else self._rows(selector.requirements)

    def _rows_of_term(self, term: NodeSelectorTerm) -> Index:
        """Upstream shows the selector a node without a name, to which conditions on fields do not apply."""
        return _NO_ROWS if term.errors or term.is_empty else self._rows(term.expressions)

    def _rows(self, requirements: Sequence[Requirement]) -> Index:
        """Rows of the nodes that meet all requirements.

        Most storage names one host or zone: thousands of volumes must not need as many passes over the nodes.
        """
        if len(requirements) == 1 and requirements[0].operator is Operator.IN:
            rows = self._rows_with(requirements[0].key)
            return np.concatenate([rows.get(value, _NO_ROWS) for value in requirements[0].values])
        return np.flatnonzero(self._all(requirements))

    def _all(self, requirements: Iterable[Requirement]) -> Mask:
        mask = np.ones(len(self._nodes), np.bool_)
        for requirement in requirements:
            mask &= requirement_mask(self._nodes, requirement)
        return mask

    def _rows_with(self, key: str) -> dict[str, Index]:
        """Rows by value of a label."""
        if key not in self._rows_by_value:
            column = self._nodes.label(key)
            order = np.argsort(column.codes, kind="stable")
            bounds = np.searchsorted(column.codes[order], np.arange(len(column.values) + 1))
            self._rows_by_value[key] = {
                value: order[bounds[code] : bounds[code + 1]] for code, value in enumerate(column.values)
            }
        return self._rows_by_value[key]


def compared_topologies(topologies: Sequence[Document], labels: Mapping[str, str]) -> tuple[NodeTerm, ...]:
    """Each allowed topology of a storage class and what it meets on a node with these labels."""
    demands = (_demands(topology) for topology in topologies)
    found = (tuple(compared(each, labels.get(each.key)) for each in every) for every in demands)
    return tuple(NodeTerm(every, bool(every) and all(each.matches for each in every)) for every in found)


def _demands(topology: Document) -> tuple[Requirement, ...]:
    """A topology term's requirements; none when one of them is not valid, as such a term means no node."""
    demands = []
    for expression in topology.get("matchLabelExpressions") or ():
        key, values = str(expression.get("key") or ""), tuple(expression.get("values") or ())
        if not values or key_fault(key) or any(value_fault(value) for value in values):
            return ()
        demands.append(Requirement.of(key, Operator.IN, values))
    return tuple(demands)
