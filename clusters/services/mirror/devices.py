"""The devices of a mirrored cluster and the claims for them, kept for each revision."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from django.conf import settings

from clusters.engine.devices.claim_states import claim_states
from clusters.engine.devices.pod_claims import claim_names
from clusters.engine.devices.states import class_states, pool_states
from clusters.engine.devices.taint_evictions import NO_EXECUTE, pod_stays
from clusters.engine.objects import Pod as ReadPod
from clusters.engine.objects import metadata
from clusters.models import Pod
from clusters.services.computing.caches import Cache
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Snapshot
    from clusters.engine.devices.claim_states import ResourceClaimState
    from clusters.engine.devices.inventory import Device, DeviceId
    from clusters.engine.devices.states import DeviceClassState, PoolState
    from clusters.engine.devices.taint_evictions import DeviceTaintStay
    from clusters.models import Cluster


class ClusterDevices(NamedTuple):
    """Every pool by ``driver/pool``, every DeviceClass, every claim by ``namespace/name``, and the pools' devices."""

    snapshot: Snapshot
    pools: Mapping[str, PoolState]
    classes: tuple[DeviceClassState, ...]
    claims: Mapping[str, ResourceClaimState]
    offered: Mapping[DeviceId, Device]


_AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)

_latest: Cache[int, ClusterDevices] = Cache("devices", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def devices_of(*, cluster: Cluster) -> ClusterDevices:
    """Return the devices of the cluster in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _latest.get(cluster.pk, lambda: _computed(snapshot), version=snapshot)


def _computed(snapshot: Snapshot) -> ClusterDevices:
    pools = pool_states(snapshot)
    return ClusterDevices(
        snapshot=snapshot,
        pools={pool.key: pool for pool in pools},
        classes=class_states(snapshot, pools),
        claims={claim.key: claim for claim in claim_states(snapshot)},
        offered={each.id: each.device for pool in pools for each in reversed(pool.devices)},
    )


class DeviceEviction(NamedTuple):
    """A pod that is deleted for a taint of a device: of several the one that is due first; ``at`` is None at once."""

    pod: Pod
    at: datetime | None
    stay: DeviceTaintStay


def device_evictions(found: ClusterDevices, pods: Iterable[Pod]) -> list[DeviceEviction]:
    """Return which of some pods are deleted for taints NoExecute of their devices, those that are due first first."""
    evictions = []
    for pod in pods:
        stays = pod_stays(ReadPod(pod.object), found.claims, found.offered)
        due = [(at, stay) for stay in stays if (at := _due(stay)) is not _NEVER]
        if due:
            at, stay = min(due, key=lambda each: each[0] or _AT_ONCE)
            evictions.append(DeviceEviction(pod, at, stay))
    return sorted(evictions, key=lambda each: (each.at or _AT_ONCE, each.pod.namespace, each.pod.name))


def evicted_from_node(*, cluster: Cluster, found: ClusterDevices, node: str) -> list[DeviceEviction]:
    """Return which pods of a node are deleted for taints NoExecute of their devices."""
    if not any(taint.effect == NO_EXECUTE for device in found.offered.values() for taint in device.taints):
        return []
    here = Pod.objects.filter(cluster=cluster, node_name=node, object__spec__resourceClaims__isnull=False)
    return device_evictions(found, here)


def _due(stay: DeviceTaintStay) -> datetime | None:
    """When pods are deleted for a taint; None where that is at once, or when it was added is not told.

    _NEVER where the calendar has no such moment.
    """
    if stay.seconds is None or not stay.added:
        return None
    try:
        return datetime.fromisoformat(stay.added) + timedelta(seconds=stay.seconds)
    except OverflowError:
        return _NEVER


def pods_claiming(*, cluster: Cluster, claim: ResourceClaimState, most: int) -> list[Pod]:
    """Return the pods that use a claim, by name and at most so many; one made for a pod is used by that one alone."""
    pods = Pod.objects.filter(cluster=cluster, namespace=claim.namespace).order_by("name")
    owners = metadata(claim.document).get("ownerReferences") or ()
    made = next((str(each.get("name")) for each in owners if each.get("controller") and each.get("kind") == "Pod"), "")
    named = pods.filter(name=made) if made else pods.filter(object__spec__resourceClaims__icontains=claim.name)
    return list(
        islice((pod for pod in named.iterator(100) if claim.name in dict(claim_names(ReadPod(pod.object)))), most)
    )
