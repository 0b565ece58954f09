"""What decides about devices and is not known: expressions, and whether features are on that are off by default.

Upstream: v1.34.1 and v1.35.4, in which DRAConsumableCapacity, DRADeviceBindingConditions and DRAExtendedResource are
off unless somebody turns them on. The API server stores their fields only where they are on there; whether they are on
in kube-scheduler too, which decides, cannot be seen unless somebody says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.devices.binding_conditions import has_conditions, may_have_waited_too_long
from clusters.engine.devices.pod_claims import CLAIM, CLASS, SLICE, TAINT_RULE, allocation_of
from clusters.engine.devices.pools import slices_of, unknown_taint_rules
from clusters.engine.devices.requests import Claim, ClaimFault
from clusters.engine.devices.selecting import CompileError, UnsupportedExpressionError, compiled
from clusters.engine.devices.suitability import Suitability, uses_of
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.devices.inventory import Device, DeviceSlice
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release


def holds_devices(snapshot: Snapshot) -> bool:
    """Whether there is any object about devices: where there is none, the source most likely has left them out."""
    return snapshot.derived(_any_object, CLAIM, CLASS, SLICE)


def _any_object(snapshot: Snapshot) -> bool:
    return any(snapshot.objects(kind) for kind in (CLAIM, CLASS, SLICE))


def is_known(snapshot: Snapshot, claims: Sequence[Document]) -> bool:
    """Whether all that decides about devices for these claims is computed."""
    if any(_is_open(each, snapshot.release) for each in claims):
        return False
    wanted = [Claim.from_dict(each) for each in claims if allocation_of(each) is None]
    return not wanted or is_request_known(snapshot, wanted)


def is_request_known(snapshot: Snapshot, wanted: Sequence[Claim]) -> bool:
    """Whether all that decides about devices for what claims request is computed."""
    if unknown_taint_rules(snapshot):
        return False
    if any(claim.shares_capacity for claim in wanted) and not snapshot.release.decides(Gate.DRA_CONSUMABLE_CAPACITY):
        return False
    return _are_selectors_known(snapshot, wanted) and not _selects_gated(snapshot, wanted)


def _is_open(claim: Document, release: Release) -> bool:
    """Whether it is open if a claim is rejected, for devices with conditions that fail, or do not come in time."""
    if not release.decides(Gate.DRA_DEVICE_BINDING_CONDITIONS):
        return has_conditions(claim)
    return release.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS) and may_have_waited_too_long(claim)


def _are_selectors_known(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether every expression by which claims select is supported; one that is no CEL fails, which is known."""
    requests = ((claim, request) for claim in claims for choices in claim.requests for request in choices)
    for claim, request in requests:
        for use in uses_of(snapshot, claim, request):
            try:
                compiled(use.expression)
            except UnsupportedExpressionError:
                return False
            except CompileError:
                continue
    return True


def is_gated(device: Device, release: Release) -> bool:
    """Whether it is open how kube-scheduler treats a device, for a feature that is off by default."""
    is_open = device.is_shared and not release.decides(Gate.DRA_CONSUMABLE_CAPACITY)
    return is_open or (device.has_conditions and not release.decides(Gate.DRA_DEVICE_BINDING_CONDITIONS))


def _selects_gated(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether a request selects a device that is treated by features."""
    gated = snapshot.derived(_gated_devices, SLICE, TAINT_RULE, CLASS)
    if not gated:
        return False
    suitability = Suitability(snapshot)
    for claim in claims:
        for request in (request for choices in claim.requests for request in choices):
            for each, device in gated:
                try:
                    if suitability.excluding(claim, request, each, device) is None:
                        return True
                except (ClaimFault, UnsupportedExpressionError):
                    return True
    return False


def _gated_devices(snapshot: Snapshot) -> list[tuple[DeviceSlice, Device]]:
    return [
        (each, device) for each in slices_of(snapshot) for device in each.devices if is_gated(device, snapshot.release)
    ]
