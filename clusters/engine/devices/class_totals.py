"""How many devices of a DeviceClass each node has, and how many of them are allocated: what scoring counts of them.

Upstream: ``calculateDRAResourceTotals`` of ``plugins/noderesources`` v1.35.4 to v1.37.2. It counts the devices of all
slices, those of older generations and of incomplete pools included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.devices.extended_resources import classes_by_resource
from clusters.engine.devices.holders import held_devices
from clusters.engine.devices.inventory import Reach
from clusters.engine.devices.pools import reach_rows, slices_of
from clusters.engine.devices.requests import AllocationMode, Claim, ClaimFault, DeviceRequest
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.devices.suitability import Suitability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.devices.inventory import Device, DeviceId, DeviceSlice
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

ClassTotals = tuple["Ints", "Ints"]
_EVERYWHERE = Reach(all_nodes=True)


def totals_of(snapshot: Snapshot, resources: Sequence[str], requested: Mapping[str, int]) -> dict[str, ClassTotals]:
    """The totals of those resources that a pod requests and a class stands for."""
    classes = classes_by_resource(snapshot)
    if not classes or not snapshot.release.device_rules.has_both_names_of_classes:
        return {}
    return {
        resource: _class_totals(snapshot, classes[resource])
        for resource in resources
        if resource in classes and requested.get(resource)
    }


def _class_totals(snapshot: Snapshot, name: str) -> ClassTotals:
    """Devices and allocated devices of each node, both shape (N,); a node for which an expression fails has none."""
    count = len(snapshot.nodes)
    devices, allocated, failed = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.bool_)
    request = DeviceRequest(name, name, AllocationMode.EXACT_COUNT, 1, (), (), admin_access=False)
    claim, suitability, held = Claim("", ((request,),), ()), Suitability(snapshot), held_devices(snapshot)
    for each, device, device_id, reach in _reached(slices_of(snapshot)):
        rows = reach_rows(snapshot.nodes, reach)
        try:
            is_selected = suitability.excluding(claim, request, each, device) is None
        except (ClaimFault, UnsupportedExpressionError):
            failed[rows] = True
            continue
        if is_selected:
            devices[rows] += 1
            allocated[rows] += device_id in held.whole or device_id in held.shares
    return np.where(failed, 0, devices), np.where(failed, 0, allocated)


def _reached(slices: tuple[DeviceSlice, ...]) -> Iterator[tuple[DeviceSlice, Device, DeviceId, Reach]]:
    for each in slices:
        # A slice that says nothing of nodes counts as reached from all of them here.
        whole = each.reach if each.reach.is_known else _EVERYWHERE
        for device, device_id in zip(each.devices, each.ids, strict=True):
            yield each, device, device_id, device.reach if each.has_reach_by_device else whole
