"""What decides about devices and is not known: expressions, and whether features are on that are off by default.

Upstream: v1.34.1 and v1.35.4, in which DRAConsumableCapacity, DRADeviceBindingConditions and DRAExtendedResource are
off unless somebody turns them on, and v1.36.3 and v1.37.2 with others. The API server stores their fields only where
they are on there; whether they are on in kube-scheduler too, which decides, cannot be seen unless somebody says so.
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
    """Whether all that decides about devices for those of these claims that have none is computed."""
    wanted = [Claim.from_dict(each) for each in claims if allocation_of(each) is None]
    return not wanted or is_request_known(snapshot, wanted)


def is_request_known(snapshot: Snapshot, wanted: Sequence[Claim]) -> bool:
    """Whether all that decides about devices for what claims request is computed."""
    if unknown_taint_rules(snapshot):
        return False
    release = snapshot.release
    if any(claim.shares_capacity for claim in wanted) and not release.decides(Gate.DRA_CONSUMABLE_CAPACITY):
        return False
    requests = [request for claim in wanted for choices in claim.requests for request in choices]
    if any(request.derives_attributes for request in requests) and _may_derive_attributes(release):
        return False
    if wanted and not _is_allocator_known(release):
        return False
    if _reads_lists(snapshot, wanted):
        return False
    return _are_selectors_known(snapshot, wanted) and not _selects_gated(snapshot, wanted)


def _may_derive_attributes(release: Release) -> bool:
    """Whether derived attributes of requests are computed from CEL, or may be: otherwise they are an error."""
    return release.enables(Gate.DRA_DERIVED_ATTRIBUTES) or not release.decides(Gate.DRA_DERIVED_ATTRIBUTES)


def _is_allocator_known(release: Release) -> bool:
    """Whether Berth follows the allocator: 1.34 takes an older one where devices of claims have no status."""
    is_older = not release.device_rules.sees_whole_pools and not release.enables(Gate.DRA_CLAIM_DEVICE_STATUS)
    newer = (Gate.DRA_CONSUMABLE_CAPACITY, Gate.DRA_DEVICE_BINDING_CONDITIONS)
    return not is_older or any(release.gates[gate] for gate in newer)


def is_open_for(claim: Document, release: Release) -> bool:
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
                compiled(use.expression, snapshot.release.dialect)
            except UnsupportedExpressionError:
                return False
            except CompileError:
                continue
    return True


def _is_gated(each: DeviceSlice, device: Device, release: Release) -> bool:
    """Whether it is open how kube-scheduler treats a device, for a feature that is off by default."""
    features = (
        (device.is_shared, Gate.DRA_CONSUMABLE_CAPACITY),
        (device.has_conditions, Gate.DRA_DEVICE_BINDING_CONDITIONS),
        (any(policy.is_fractional for policy in device.policies.values()), Gate.DRA_FRACTIONAL_CAPACITY),
        (device.is_ruled, Gate.DRA_DEVICE_TAINT_RULES),
        (bool(each.skipped_operations), Gate.DRA_OPTIONAL_NODE_OPERATIONS),
        (bool(device.node_resources) and release.device_rules.takes_of_nodes, Gate.DRA_NODE_RESOURCES),
    )
    if any(has_fields and not release.decides(gate) for has_fields, gate in features):
        return True
    # What 1.36 does with its own fields is not computed: known is only that nothing happens where the gate is set off.
    has_early_mappings = device.has_early_mappings and not release.device_rules.takes_of_nodes
    return has_early_mappings and (
        release.enables(Gate.DRA_NODE_RESOURCES) or not release.decides(Gate.DRA_NODE_RESOURCES)
    )


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
    slices, release = slices_of(snapshot), snapshot.release
    # One slice with groups decides whether its whole pool is complete.
    grouped: set[tuple[str, str]] = set()
    if not release.decides(Gate.DRA_DEVICE_COMPATIBILITY_GROUPS):
        grouped = {(each.driver, each.pool) for each in slices if each.has_groups}
    return [
        (each, device)
        for each in slices
        for device in each.devices
        if (each.driver, each.pool) in grouped or _is_gated(each, device, release)
    ]


def _reads_lists(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether claims compare or select by an attribute of which a device has several values."""
    if Gate.DRA_LIST_ATTRIBUTES not in snapshot.release.known_gates:
        return False
    names = snapshot.derived(_names_of_lists, SLICE, TAINT_RULE, CLASS)
    if not names:
        return False
    if any(rule.attribute.rpartition("/")[2] in names for claim in claims for rule in claim.constraints):
        return True
    requests = ((claim, request) for claim in claims for choices in claim.requests for request in choices)
    uses = (use for claim, request in requests for use in uses_of(snapshot, claim, request))
    return any(name in use.expression for use in uses for name in names)


def _names_of_lists(snapshot: Snapshot) -> frozenset[str]:
    devices = (device for each in slices_of(snapshot) for device in each.devices)
    return frozenset(name.rpartition("/")[2] for device in devices for name in device.lists)
