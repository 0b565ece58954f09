"""Which pods the device taint eviction controller deletes, and when, for taints NoExecute of devices that they have.

Upstream: ``evictionTime`` and ``handlePod`` of ``pkg/controller/devicetainteviction`` v1.34.1, which runs where the
feature gate DRADeviceTaints is on. It reads the tolerations of a claim's allocation, and kube-scheduler v1.34.1 does
not copy those of the request there. Of these only ones with the effect NoExecute count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.devices.inventory import DeviceId
from clusters.engine.devices.pod_claims import allocation_of, claim_names, is_made_for
from clusters.engine.matching.nodes import tolerates
from clusters.engine.matching.taints import Toleration
from clusters.engine.resources.quantity import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.devices.claim_states import ResourceClaimState
    from clusters.engine.devices.inventory import Device
    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Pod

NO_EXECUTE = "NoExecute"
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class DeviceTaintStay:
    """A taint NoExecute of a device that a claim has: its pods are deleted ``seconds`` after it was ``added``.

    ``added`` is in RFC 3339, empty where it is not told. ``seconds`` is None where the allocation does not tolerate the
    taint at all. ``is_requested``: the request tolerates the taint, and the allocation does not say so.
    """

    claim: str
    device: DeviceId
    taint: Taint
    added: str
    seconds: int | None
    is_requested: bool


def claim_stays(claim: ResourceClaimState, devices: Mapping[DeviceId, Device]) -> tuple[DeviceTaintStay, ...]:
    """The taints NoExecute for which pods with a claim are deleted; ``devices`` are those that are offered now."""
    return tuple(_stays(claim, devices))


def _stays(claim: ResourceClaimState, devices: Mapping[DeviceId, Device]) -> Iterator[DeviceTaintStay]:
    requests = {request.full_name: request for alternatives in claim.claim.requests for request in alternatives}
    for result in ((allocation_of(claim.document) or {}).get("devices") or {}).get("results") or ():
        name = DeviceId(str(result.get("driver")), str(result.get("pool")), str(result.get("device")))
        device = devices.get(name)
        if device is None:
            continue
        request = requests.get(str(result.get("request") or ""))
        for taint, added in zip(device.taints, device.taints_added, strict=True):
            if taint.effect != NO_EXECUTE:
                continue
            tolerated = tuple(_tolerated(taint, result.get("tolerations") or ()))
            if None in tolerated:
                continue
            seconds = min((each for each in tolerated if each is not None), default=None)
            is_requested = seconds is None and request is not None and tolerates(request.tolerations, taint)
            yield DeviceTaintStay(claim.key, name, taint, added, seconds, is_requested)


def _tolerated(taint: Taint, tolerations: Sequence[Mapping[str, Any]]) -> Iterator[int | None]:
    """For how many seconds each toleration that matches tolerates a taint, None for ever."""
    for each in tolerations:
        toleration = Toleration.from_dict(each)
        if toleration.effect == NO_EXECUTE and toleration.tolerates(taint):
            seconds = each.get("tolerationSeconds")
            # As a duration of Go it is counted in nanoseconds.
            yield None if seconds is None else wrapped(max(int(seconds), 0) * _NANOSECONDS) // _NANOSECONDS


def pod_stays(
    pod: Pod, claims: Mapping[str, ResourceClaimState], devices: Mapping[DeviceId, Device]
) -> tuple[DeviceTaintStay, ...]:
    """The taints for which a pod is deleted: of each claim that it uses and has reserved; none without a node."""
    if not pod.node_name:
        return ()
    found: list[DeviceTaintStay] = []
    for name, is_generated in claim_names(pod):
        claim = claims.get(f"{pod.namespace}/{name}")
        if claim is None or (is_generated and not is_made_for(claim.document, pod)):
            continue
        if any(each.uid == pod.owner_uid for each in claim.reservations):
            found += claim_stays(claim, devices)
    return tuple(found)
