"""Claims that are bound, and get devices, because their pod was placed.

Upstream: ``AssumePodVolumes`` and ``BindPodVolumes`` of ``plugins/volumebinding`` v1.34.1. A claim that takes a volume
which is there has it from now on, and nobody else does. A volume that a provisioner would make is not there: nobody
knows from where else it could be reached, and its claim stays open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.devices.extended_resources import uses_devices
from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.plugin import Context

# VolumeBinding by name: it alone binds claims in PreBind.
from clusters.engine.plugins.volume_binding import VolumeBinding
from clusters.engine.reserving import ReservedClaims, reserve_devices
from clusters.engine.volumes.claims import BIND_COMPLETED, annotations_of, spec_of

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot


def bind_claims(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> ReservedClaims:
    """Give the claims of a pod that is placed on a row the volumes and devices that they take there."""
    reserved = reserve_devices(snapshot, pod, profile, row)
    if not pod.volumes or VolumeBinding.name not in profile.filter:
        return reserved
    plugin = VolumeBinding(Context(snapshot, pod, profile.args))
    if plugin.pre_filter().status.ok:
        for claim, volume in plugin.volumes_taken(row):
            snapshot.upsert(_taken(volume, claim))
            snapshot.upsert(_bound(claim, volume))
    return reserved


def has_claims(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether a pod has claims of its own, for volumes or for devices, or gets some with its extended resources."""
    return bool(pod.volumes) or uses_devices(snapshot, pod)


def _taken(volume: Document, claim: Document) -> dict[str, Any]:
    reference = {
        "kind": "PersistentVolumeClaim",
        "namespace": namespace_of(claim),
        "name": name_of(claim),
        "uid": metadata(claim).get("uid"),
    }
    return {**volume, "spec": {**spec_of(volume), "claimRef": reference}, "status": {"phase": "Bound"}}


def _bound(claim: Document, volume: Document) -> dict[str, Any]:
    fields = {**metadata(claim), "annotations": {**annotations_of(claim), BIND_COMPLETED: "yes"}}
    spec = {**spec_of(claim), "volumeName": name_of(volume)}
    return {**claim, "metadata": fields, "spec": spec, "status": {"phase": "Bound"}}
