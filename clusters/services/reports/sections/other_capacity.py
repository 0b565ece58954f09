"""What else there is to run out of: devices of ResourceSlices, volumes that nodes can attach, and storage by class."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from clusters.engine.devices import DeviceState, pool_states
from clusters.engine.quantity import whole_value
from clusters.engine.spreading import ZONE
from clusters.engine.volumes import DriverUse, drivers_on
from clusters.services.reports import subject as tables

if TYPE_CHECKING:
    from clusters.engine import Snapshot
    from clusters.services.reports.subject import Column, Row

_USED = (DeviceState.HELD, DeviceState.SHARED)


def other_capacity(snapshot: Snapshot) -> list[Row]:
    """Return tables of devices by driver, attachable volumes by driver, and storage by class and by zone."""
    return [_devices(snapshot), _volumes(snapshot), *_storage(snapshot)]


def _devices(snapshot: Snapshot) -> Row:
    """The devices of ResourceSlices; those that are neither used nor free are tainted, or lack a counter."""
    states: defaultdict[str, Counter[DeviceState]] = defaultdict(Counter)
    pools: Counter[str] = Counter()
    for pool in pool_states(snapshot):
        states[pool.pool.driver] += pool.counts
        pools[pool.pool.driver] += 1
    rows = [
        {
            "driver": driver,
            "pools": pools[driver],
            "devices": sum(counts.values()),
            "used": sum(counts[state] for state in _USED),
            "free": counts[DeviceState.FREE],
        }
        for driver, counts in sorted(states.items())
    ]
    numbers = map(tables.number, ("pools", "devices", "used", "free"))
    return tables.table("devices", [tables.name("driver"), *numbers], rows)


def _volumes(snapshot: Snapshot) -> Row:
    """What the nodes that name a limit have attached of each driver, as NodeVolumeLimits counts it."""
    found: defaultdict[str, list[tuple[DriverUse, int]]] = defaultdict(list)
    for node in snapshot.nodes.names:
        for use in drivers_on(snapshot, node):
            if use.limit is not None:
                found[use.driver].append((use, use.limit))
    rows = [
        {
            "driver": driver,
            "nodes": len(uses),
            "used": sum(use.attached for use, _ in uses),
            "hard": sum(limit for _, limit in uses),
            "left": sum(max(limit - use.attached, 0) for use, limit in uses),
            "nodes_full": sum(use.attached >= limit for use, limit in uses),
        }
        for driver, uses in sorted(found.items())
    ]
    numbers = map(tables.number, ("nodes", "used", "hard", "left", "nodes_full"))
    return tables.table("volumes", [tables.name("driver"), *numbers], rows)


def _storage(snapshot: Snapshot) -> list[Row]:
    claims: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    requested: Counter[str] = Counter()
    for claim in snapshot.objects("PersistentVolumeClaim"):
        spec = claim.get("spec") or {}
        name = str(spec.get("storageClassName") or "")
        claims[name] += 1
        waiting[name] += not spec.get("volumeName")
        requested[name] += whole_value(((spec.get("resources") or {}).get("requests") or {}).get("storage", 0))
    free: Counter[tuple[str, str]] = Counter()
    for each in snapshot.objects("CSIStorageCapacity"):
        if each.get("capacity") is not None:
            labels = (each.get("nodeTopology") or {}).get("matchLabels") or {}
            zone = next((str(labels[key]) for key in sorted(labels) if key == ZONE or key.endswith("/zone")), "")
            free[str(each.get("storageClassName") or ""), zone] += whole_value(each["capacity"])
    of_class: list[Column] = [tables.name("storage_class")]
    amounts = {key: {"key": key, "kind": "amount"} for key in ("requested", "free")}
    by_class = [
        {
            "storage_class": name,
            "unit": "bytes",
            "claims": claims[name],
            "pending": waiting[name],
            "requested": requested[name],
        }
        for name in sorted(claims)
    ]
    by_zone = [
        {"storage_class": name, "zone": zone, "unit": "bytes", "free": amount}
        for (name, zone), amount in sorted(free.items())
    ]
    counted = [*map(tables.number, ("claims", "pending")), amounts["requested"]]
    return [
        tables.table("storage_classes", [*of_class, tables.text("unit"), *counted], by_class),
        tables.table("storage_zones", [*of_class, tables.name("zone"), tables.text("unit"), amounts["free"]], by_zone),
    ]
