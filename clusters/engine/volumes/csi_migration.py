"""In-tree volumes as the CSI drivers that replaced them know them.

Upstream: ``k8s.io/csi-translation-lib`` v1.34.1. Only what scheduling compares is translated: the driver, the volume
handle and the node affinity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.objects import Document, labels_of
from clusters.engine.volumes.claims import spec_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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


@dataclass(frozen=True, slots=True)
class InTreePlugin:
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
