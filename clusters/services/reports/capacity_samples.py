"""Compact samples of how full clusters are, hour by hour: what trends in capacity reviews are drawn from."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import Max
from django.utils import timezone

from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.simulation import measures_of
from clusters.models import PENDING, CapacitySample, Cluster, Pod
from clusters.services.mirror.snapshots import ChangingTooFastError, last_moment, snapshot_at_revision

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Snapshot
    from clusters.engine.status import Index, Ints

_log = logging.getLogger(__name__)

# The namespaces that request the most; the others are counted in the totals only.
MOST_NAMESPACES = 50
_ZONED = (CPU, MEMORY, PODS)


def bound_slots(snapshot: Snapshot) -> Index:
    """Return the slots of all pods on nodes."""
    found: Index = np.flatnonzero(snapshot.pods.node >= 0)
    return found


def requested_by(snapshot: Snapshot, slots: Index, codes: Ints, count: int) -> list[dict[str, int]]:
    """Add up what pods request, for each of so many groups; `codes` says which group the pod of each slot is in."""
    shapes, _ = snapshot.shape_amounts()
    sums = np.zeros((count, shapes.shape[1]), np.int64)
    np.add.at(sums, codes, shapes[snapshot.pods.shape[slots]])
    members = np.bincount(codes, minlength=count).tolist()
    names = snapshot.nodes.resources
    return [
        {**{name: int(amount) for name, amount in zip(names, row, strict=False) if amount}, PODS: pods}
        for row, pods in zip(sums.tolist(), members, strict=True)
    ]


def by_name(snapshot: Snapshot, slots: Index, names: Iterable[str]) -> dict[str, dict[str, int]]:
    """Add up what pods request by a name that each has, such as its namespace; in the order of the names."""
    found, codes = np.unique(np.array(list(names), dtype=object).astype(str), return_inverse=True)
    return dict(zip(found.tolist(), requested_by(snapshot, slots, codes.ravel(), len(found)), strict=True))


def namespaces(snapshot: Snapshot, slots: Index) -> dict[str, dict[str, int]]:
    """Return what the pods of each namespace request, the one that requests most CPU first, then memory."""
    pods = snapshot.pods
    numbers: dict[str, int] = {}
    of_set = np.array([numbers.setdefault(each.namespace, len(numbers)) for each in pods.label_sets], np.intp)
    found = zip(numbers, requested_by(snapshot, slots, of_set[pods.label_set[slots]], len(numbers)), strict=True)
    present = [(name, asked) for name, asked in found if asked[PODS]]
    ranked = sorted(present, key=lambda item: (-item[1].get(CPU, 0), -item[1].get(MEMORY, 0), item[0]))
    return dict(ranked)


def measured(snapshot: Snapshot, *, pending: int) -> dict[str, Any]:
    """Return a sample: pairs are what is requested and what is allocatable, in base units."""
    found = measures_of(snapshot)
    largest = list(namespaces(snapshot, bound_slots(snapshot)).items())[:MOST_NAMESPACES]
    return {
        "nodes": found.nodes,
        "usable": found.usable,
        "pods": found.pods,
        "pending": pending,
        "resources": {name: [each.requested, each.allocatable] for name, each in found.amounts.items()},
        "zones": {
            zone.name: {name: [zone.amounts[name].requested, zone.amounts[name].allocatable] for name in _ZONED}
            for zone in found.zones
        },
        "namespaces": {name: [asked.get(resource, 0) for resource in _ZONED] for name, asked in largest},
    }


def sample(*, cluster: Cluster) -> CapacitySample | None:
    """Take the sample of the present hour, or of the hour of a dump's last moment; None of a cluster never read.

    An hour that has a sample of the same state keeps it. Raises ChangingTooFastError.
    """
    if cluster.is_unread:
        return None
    at = (last_moment(cluster) or timezone.now()).replace(minute=0, second=0, microsecond=0)
    kept = CapacitySample.objects.filter(cluster=cluster, at=at).first()
    # What a followed cluster was like at the beginning of the hour stands for the hour.
    if kept is not None and (cluster.is_live or kept.amounts["revision"] == cluster.revision):
        return kept
    revision, snapshot = snapshot_at_revision(cluster)
    pending = Pod.objects.filter(PENDING, cluster=cluster).count()
    taken = CapacitySample(cluster=cluster, at=at)
    taken.amounts = {"revision": revision, **measured(snapshot, pending=pending)}
    found, _ = CapacitySample.objects.update_or_create(
        cluster=cluster, at=at, defaults={"packed_amounts": taken.packed_amounts}
    )
    return found


def sample_all() -> int:
    """Take a sample of every cluster and return of how many; one that cannot be read keeps no other from it."""
    count = 0
    for cluster in Cluster.objects.order_by("pk"):
        try:
            count += sample(cluster=cluster) is not None
        except ChangingTooFastError as error:
            _log.warning("No sample of %s: %s", cluster, error)
        except Exception:  # noqa: BLE001 - whatever one cluster holds, the others are sampled
            _log.exception("No sample of %s", cluster)
    return count


def prune(*, keep: timedelta) -> int:
    """Remove samples that are older than they are kept, but for the latest of each cluster; return how many."""
    limit = timezone.now() - keep
    old = CapacitySample.objects.filter(at__lt=limit)
    latest = CapacitySample.objects.order_by().values("cluster").annotate(last=Max("at")).values_list("cluster", "last")
    for cluster_id, last in latest.filter(last__lt=limit) if old.exists() else ():
        old = old.exclude(cluster=cluster_id, at=last)
    return old.delete()[0]


def samples_between(cluster: Cluster, start: datetime, end: datetime) -> list[tuple[datetime, dict[str, Any]]]:
    """Return the samples of a stretch of time in order, with that of the hour in which it begins."""
    rows = CapacitySample.objects.filter(cluster=cluster, at__gt=start - timedelta(hours=1), at__lte=end)
    return [(each.at, each.amounts) for each in rows.order_by("at")]
