"""Devices that a pod has because it was placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.devices.claim_lifecycle import reserved_for
from clusters.engine.plugin import Context

# DynamicResources by name: it alone allocates devices in Reserve.
from clusters.engine.plugins.dynamic_resources import DynamicResources

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot


def reserve_devices(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> list[Document]:
    """Allocate and reserve the claims of a pod that is placed on a row; returns these as they were before."""
    if not pod.spec.get("resourceClaims") or DynamicResources.name not in profile.filter:
        return []
    plugin = DynamicResources(Context(snapshot, pod, profile.args))
    if not plugin.pre_filter().status.ok:
        return []
    found = {id(claim): allocated for claim, allocated in plugin.allocations(row)}
    for claim in plugin.claims:
        snapshot.upsert(reserved_for(claim.document, pod, found.get(id(claim))))
    return [claim.document for claim in plugin.claims]
