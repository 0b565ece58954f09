"""How the followed clusters are doing, as their watchers last wrote it down."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.models import Cluster, WatchedKind, WatchLease

if TYPE_CHECKING:
    from collections.abc import Iterable


class WatchState(NamedTuple):
    """What is known of one live cluster's watcher, and of the kinds that it follows, by name."""

    lease: WatchLease | None
    kinds: list[WatchedKind]


def watch_states(clusters: Iterable[Cluster]) -> dict[int, WatchState]:
    """Return the states of the live ones among some clusters by primary key, with two queries at most."""
    live = [cluster.pk for cluster in clusters if cluster.is_live]
    if not live:
        return {}
    leases = WatchLease.objects.in_bulk(live)
    kinds: dict[int, list[WatchedKind]] = {pk: [] for pk in live}
    for kind in WatchedKind.objects.filter(cluster__in=live).order_by("kind"):
        kinds[kind.cluster_id].append(kind)
    return {pk: WatchState(leases.get(pk), kinds[pk]) for pk in live}
