"""The lease on a live cluster: one watcher mirrors it, and whoever lost the lease can write nothing more.

A lease changes hands by one conditional UPDATE. Each change of hands has a token of its own, and every batch is written
in a transaction that first looks, with the row locked, whether its token is still the present one: a watcher that was
suspended, and wakes up after another took over, fails there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from clusters.models import Cluster, WatchLease
from clusters.services.leases.rows import LeaseLostError, from_now, take, write

if TYPE_CHECKING:
    from django.db.models import QuerySet

LIFETIME = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Lease:
    """What a watcher shows to be allowed to write."""

    cluster_id: int
    token: int


def acquire(*, cluster_id: int, holder: str) -> Lease | None:
    """Take the lease if nobody holds it; return None if somebody does. Raises LeaseLostError without a cluster."""
    with transaction.atomic():
        # Makes those who come at the same time wait for each other, also where there is no row to lock yet.
        if not Cluster.objects.select_for_update().filter(pk=cluster_id, source=Cluster.Source.LIVE).exists():
            raise LeaseLostError("there is no such live cluster any more")
        held = WatchLease.objects.filter(cluster_id=cluster_id)
        values = {"holder": holder[:255], "acquired_at": Now(), "expires_at": from_now(LIFETIME)}
        if not held.exists():
            WatchLease.objects.create(cluster_id=cluster_id, token=1, heartbeat_at=Now(), **values)
        elif not take(held.filter(expires_at__lte=Now()), token=F("token") + 1, **values):
            return None
        return Lease(cluster_id, held.values_list("token", flat=True).get())


def prolong(lease: Lease, *, lag_ms: int | None = None) -> None:
    """Keep the lease for another LIFETIME from now on. Raises LeaseLostError."""
    write(_held(lease), expires_at=from_now(LIFETIME), **({} if lag_ms is None else {"lag_ms": lag_ms}))


def release(lease: Lease) -> None:
    """Give the lease back, so that the next watcher need not wait; one that was lost is let be."""
    _held(lease).update(expires_at=Now())


def holder_of(cluster_id: int) -> str:
    """Return who holds the lease, empty when nobody does."""
    held = WatchLease.objects.filter(cluster_id=cluster_id, expires_at__gt=Now())
    return held.values_list("holder", flat=True).first() or ""


def _held(lease: Lease) -> QuerySet[WatchLease]:
    return WatchLease.objects.filter(cluster_id=lease.cluster_id, token=lease.token)
