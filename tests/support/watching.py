"""A watcher process beside the tests, and the question whether the mirror holds what the API server does."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from django.conf import settings

from clusters.adapters.kube import API_KINDS, live_row
from clusters.adapters.rows import DIGEST, OBJECTS, TABLES, UID
from clusters.models import Cluster, WatchedKind
from dashboard.serving.children import Child
from tests.support.live import database_url
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.fake_apiserver import FakeApiServer


def live_cluster(server: FakeApiServer, folder: Path, name: str = "prod") -> Cluster:
    path = server.kubeconfig(folder / "kubeconfig")
    return Cluster.objects.create(name=name, source=Cluster.Source.LIVE, kubeconfig=str(path), context="fake")


def start_watcher(cluster: Cluster, *, redis_url: str) -> Child:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis_url,
    }
    command = [sys.executable, "manage.py", "watch", cluster.name]
    return Child("watch", command, env=environment, cwd=settings.BASE_DIR)


def mirrored(cluster: Cluster) -> dict[str, str]:
    """Return the digest of every mirrored object by its UID."""
    return {
        uid: digest
        for table in (*TABLES.values(), OBJECTS)
        for uid, digest in table.model._default_manager.filter(cluster=cluster).values_list("uid", "digest")
    }


def served(server: FakeApiServer) -> dict[str, str]:
    """Return what `mirrored` must be."""
    rows = [
        live_row(API_KINDS[kind], API_KINDS[kind].versions[0], document)
        for (kind, _, _), document in list(server.objects.items())
    ]
    return {row[UID]: row[DIGEST] for row in rows}


def is_followed(cluster: Cluster) -> bool:
    states: Any = WatchedKind.objects.filter(cluster=cluster).values_list("state", flat=True)
    return len(states) == len(API_KINDS) and set(states) <= {WatchedKind.State.OK, WatchedKind.State.UNSERVED}


def wait_until_equal(cluster: Cluster, server: FakeApiServer, *, seconds: float = 20) -> None:
    """Return as soon as the mirror is what the server holds."""
    wait_until(
        lambda: mirrored(cluster) == served(server), seconds=seconds, otherwise="the mirror is not what is served"
    )


def wait_until_followed(cluster: Cluster, *, seconds: float = 20) -> None:
    wait_until(lambda: is_followed(cluster), seconds=seconds, otherwise="not every kind is followed")


def end(child: Child) -> int:
    """Ask a watcher to stop and return its exit status."""
    child.process.terminate()
    try:
        return child.process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
