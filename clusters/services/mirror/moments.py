"""The moment that a cluster's state is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Max

from clusters.models import Event, Node, Pod
from clusters.services.computing.caches import Cache

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.models import Cluster

# Of so many clusters the answer is kept for the state that was asked about last.
_MOST_KEPT = 256
_last_moments: Cache[int, datetime | None] = Cache("last moments", _MOST_KEPT)
_MENTIONED = ((Event, "last_seen"), (Pod, "created_at"), (Node, "created_at"))


def last_moment(cluster: Cluster) -> datetime | None:
    """Return the last time that a dump mentions, or else when it was read, as it goes no further than that.

    None for a cluster that is followed, whose last moment is now, and for one that was never read.
    """
    if cluster.is_live or cluster.last_sync is None:
        return None
    # When the cluster was made tells apart two that had the same key one after the other.
    version = cluster.created_at, cluster.revision
    mentioned = _last_moments.get(cluster.pk, lambda: _last_mentioned(cluster.pk), version=version)
    return cluster.last_sync if mentioned is None else min(mentioned, cluster.last_sync)


def _last_mentioned(cluster_id: int) -> datetime | None:
    """Return the last time of any event, pod or node; asked once a revision, as it walks an index of all pods."""
    told = [
        model._default_manager.filter(cluster_id=cluster_id).aggregate(last=Max(field))["last"]
        for model, field in _MENTIONED
    ]
    return max((time for time in told if time is not None), default=None)
