"""A cluster's state as the scheduler of another Kubernetes minor reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

from clusters.engine.upgrading.subjects import resized_pods
from clusters.engine.versions import release_with
from clusters.models import Pod
from clusters.services.computing.caches import Cache
from clusters.services.mirror.configurations import gates_of, release_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.versions import Release
    from clusters.models import Cluster

_ROWS_AT_ONCE = 2_000
_latest: Cache[tuple[int, str], Snapshot] = Cache("other-releases", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def release_as(cluster: Cluster, version: str) -> Release:
    """Return the release of a version with the cluster's gates, as far as it has them; the cluster's own for none."""
    return release_with(version, gates_of(cluster)) if version else release_of(cluster)


def snapshot_as(cluster: Cluster, snapshot: Snapshot, release: Release) -> Snapshot:
    """Return a state of the cluster under a release; it is shared, so leave it as it is."""
    if release == snapshot.release:
        return snapshot
    return _latest.get(
        (cluster.pk, release.first_version),
        lambda: snapshot.read_as(release, _resized(cluster, snapshot, release)),
        version=(snapshot, tuple(release.changed_gates.items())),
    )


def _resized(cluster: Cluster, snapshot: Snapshot, release: Release) -> Sequence[Document]:
    """Return the pods that the release may count otherwise; what is read may be a moment newer than the snapshot."""
    return [] if release.counting == snapshot.release.counting else resized_pods(_placed(cluster))


def _placed(cluster: Cluster) -> Iterator[dict[str, Any]]:
    rows = Pod.objects.filter(cluster=cluster).exclude(node_name="").order_by("pk").values_list("object", flat=True)
    return rows.iterator(_ROWS_AT_ONCE)
