"""Pods that are deleted for taints NoExecute of their devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import device_evictions, devices_of
from clusters.wording.amounts import moment
from clusters.wording.devices import evictions as words
from clusters.wording.devices.states import more_pods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.models import Pod
    from clusters.services.mirror.state import DeviceEviction

MOST_PODS: Final = 20


@dataclass(frozen=True, slots=True)
class DeviceEvictionView:
    """A pod, for which taint of which device it is deleted and when, and whether its request tolerates that in vain."""

    namespace: str
    name: str
    sentence: str
    remark: str


@dataclass(frozen=True, slots=True)
class DeviceEvictionsView:
    """Some pods that are deleted for taints of devices, how many more are, and where that holds."""

    rows: tuple[DeviceEvictionView, ...]
    more: str
    gate: str


def evictions_view(evictions: Sequence[DeviceEviction]) -> DeviceEvictionsView | None:
    """Present the first of such pods; None where there are none."""
    if not evictions:
        return None
    more = len(evictions) - MOST_PODS
    return DeviceEvictionsView(
        rows=tuple(map(_view, evictions[:MOST_PODS])),
        more=more_pods(more) if more > 0 else "",
        gate=str(words.GATE),
    )


def _view(eviction: DeviceEviction) -> DeviceEvictionView:
    pod, at, stay = eviction
    return DeviceEvictionView(
        namespace=pod.namespace,
        name=pod.name,
        sentence=words.deleted(stay, since=stay.added, at=moment(at)),
        remark=str(words.REQUESTED) if stay.is_requested else "",
    )


def evictions_of_pod(pod: Pod) -> DeviceEvictionsView | None:
    """Present why a pod on a node is deleted for a device; None where it is not, or that cannot be computed now."""
    if not pod.node_name or not (pod.object.get("spec") or {}).get("resourceClaims"):
        return None
    try:
        return evictions_view(device_evictions(devices_of(cluster=pod.cluster), [pod]))
    except ChangingTooFastError:
        return None
