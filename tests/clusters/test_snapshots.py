"""One snapshot per process, cluster and revision."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import connection

from clusters.models import Cluster
from clusters.services.ingest.ingest import ingest_path
from clusters.services.mirror import snapshots
from clusters.services.mirror.snapshots import snapshot_of
from tests.clusters.dumps import as_json, listed, node, pod, small_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine import Snapshot


def mirror(name: str, folder: Path, objects: list[dict[str, object]]) -> Cluster:
    cluster, _ = Cluster.objects.get_or_create(name=name)
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(objects)))
    ingest_path(cluster=cluster, path=path)
    return cluster


@pytest.mark.django_db
def test_snapshot_is_kept_until_the_revision_changes(tmp_path: Path) -> None:
    cluster = mirror("prod", tmp_path, small_cluster())
    first = snapshot_of(cluster)

    mirror("prod", tmp_path, small_cluster())
    assert snapshot_of(cluster) is first

    mirror("prod", tmp_path, [node("n9")])
    assert snapshot_of(cluster) is not first


@pytest.mark.django_db
def test_snapshot_holds_the_mirrored_objects(tmp_path: Path) -> None:
    cluster = mirror("prod", tmp_path, [*small_cluster(), pod("other", on="n2")])

    snapshot = snapshot_of(cluster)

    assert sorted(snapshot.nodes.names) == ["n1", "n2"]
    assert snapshot.placed_on("shop/other") == "n2"
    assert snapshot.object("Namespace", "shop") is not None


@pytest.mark.django_db
def test_longest_unused_snapshot_makes_room(tmp_path: Path) -> None:
    most = settings.BERTH_SNAPSHOTS_IN_MEMORY
    clusters = [mirror(f"c{number}", tmp_path, small_cluster()) for number in range(most + 1)]
    first, second, *_ = [snapshot_of(cluster) for cluster in clusters[:most]]
    assert snapshot_of(clusters[0]) is first

    snapshot_of(clusters[most])

    assert snapshot_of(clusters[0]) is first
    assert snapshot_of(clusters[1]) is not second


@pytest.mark.django_db(transaction=True)
def test_threads_that_ask_at_once_get_the_same_snapshot(tmp_path: Path) -> None:
    cluster = mirror("prod", tmp_path, small_cluster())
    start = Barrier(4)

    def ask() -> Snapshot:
        start.wait(timeout=10)
        try:
            return snapshot_of(cluster)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(4)]]

    assert len({id(snapshot) for snapshot in found}) == 1


@pytest.mark.django_db
def test_rows_of_two_revisions_never_mix(tmp_path: Path) -> None:
    """An ingest is committed between two of the statements that read the rows."""
    cluster = mirror("prod", tmp_path, [node("n1"), pod("web", on="n1")])
    statements = 0

    def interfere(execute: object, sql: str, *rest: object) -> object:
        nonlocal statements
        assert callable(execute)
        if sql.startswith("SELECT") and '"clusters_pod"."object"' in sql:
            statements += 1
            if statements == 1:
                mirror("prod", tmp_path, [node("n2"), pod("web", on="n2")])
        return execute(sql, *rest)

    with connection.execute_wrapper(interfere):
        snapshot = snapshot_of(cluster)

    assert statements == 2
    assert list(snapshot.nodes.names) == ["n2"]
    assert snapshots.snapshot_of(cluster) is snapshot
