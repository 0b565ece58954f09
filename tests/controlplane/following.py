"""Berth following the control plane with nothing but its own ClusterRole, and the question whether it has the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from clusters.adapters.kube import API_KINDS, live_row
from clusters.adapters.rows import DIGEST, UID
from clusters.models import Cluster, WatchedKind
from tests.support.waiting import wait_until
from tests.support.watching import mirrored

if TYPE_CHECKING:
    from tests.controlplane.api import Api
    from tests.controlplane.plane import ControlPlane

PATIENCE = 90


def create_cluster(plane: ControlPlane) -> Cluster:
    path = plane.berth_kubeconfig(settings.BASE_DIR / "deploy/clusterrole.yaml")
    return Cluster.objects.create(name="real", source=Cluster.Source.LIVE, kubeconfig=str(path), context="berth-test")


def served(api: Api) -> dict[str, str]:
    """Return what the mirror must hold: the digest of every object by its UID."""
    found = {}
    for kind in WatchedKind.objects.filter(state=WatchedKind.State.OK):
        version = kind.api_version.split("/")[-1]
        for document in api.objects(kind.api_version, kind.kind):
            row = live_row(API_KINDS[kind.kind], version, document)
            found[row[UID]] = row[DIGEST]
    return found


def wait_until_equal(cluster: Cluster, api: Api, *, seconds: float = PATIENCE) -> int:
    """Wait until the mirror is what the API server holds, object by object; return how many objects that are."""

    def is_equal() -> bool:
        # Leases are not mirrored, and nothing else changes by itself for long.
        before = mirrored(cluster)
        return before == served(api) and bool(before)

    wait_until(is_equal, seconds=seconds, otherwise="the mirror is not what the API server holds")
    return len(mirrored(cluster))
