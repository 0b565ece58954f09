"""A run belongs to one worker: it is taken once, given up when its worker dies, and never overtakes a later one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from clusters.documents.problems import in_words
from clusters.models import Cluster, Ingest, Node
from clusters.services.ingest.ingest import fail_abandoned, fail_lost_uploads, ingest_path
from clusters.services.lanes import LeaseLostError
from tests.clusters.dumps import as_json, listed, node, small_cluster
from tests.support.problems import refused

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="prod")


def test_run_that_was_taken_is_not_run_again(cluster: Cluster, tmp_path: Path) -> None:
    run = Ingest.objects.create(cluster=cluster, file_name="dump.json", state=Ingest.State.READING)

    with pytest.raises(LeaseLostError):
        ingest_path(cluster=cluster, path=tmp_path / "dump.json", ingest=run)


def test_run_that_was_given_up_meanwhile_writes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed(small_cluster())))
    run = Ingest.objects.create(cluster=cluster, file_name="dump.json")

    def give_up(_: Ingest) -> None:
        assert fail_abandoned(silence=timedelta(seconds=-60)) == 1

    with pytest.raises(LeaseLostError):
        ingest_path(cluster=cluster, path=path, ingest=run, progress=give_up)

    run.refresh_from_db()
    assert run.state == Ingest.State.FAILED
    assert not Node.objects.exists()


def test_abandoned_runs_fail_and_their_files_go(cluster: Cluster, tmp_path: Path) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    upload = tmp_path / "upload"
    upload.write_bytes(b"{}")
    dead = Ingest.objects.create(
        cluster=cluster, file_name="a", state=Ingest.State.WRITING, heartbeat_at=long_ago, upload=str(upload)
    )
    alive = Ingest.objects.create(
        cluster=cluster, file_name="b", state=Ingest.State.READING, heartbeat_at=timezone.now()
    )

    assert fail_abandoned() == 1

    dead.refresh_from_db()
    alive.refresh_from_db()
    assert (dead.state, alive.state) == (Ingest.State.FAILED, Ingest.State.READING)
    assert "worker stopped" in in_words(dead.error or {})["problem"]
    assert not upload.exists()


def test_run_that_waits_behind_a_long_one_is_not_given_up(cluster: Cluster) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    waiting = Ingest.objects.create(cluster=cluster, file_name="a")
    Ingest.objects.filter(pk=waiting.pk).update(created_at=long_ago)
    ahead = Ingest.objects.create(cluster=cluster, file_name="b", state=Ingest.State.DONE, heartbeat_at=timezone.now())

    assert fail_abandoned() == 0

    ahead.delete()
    assert fail_abandoned() == 1


def test_dump_that_was_overtaken_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "older.json"
    path.write_bytes(as_json(listed(small_cluster())))
    older = Ingest.objects.create(cluster=cluster, file_name="older.json")
    newer = tmp_path / "newer.json"
    newer.write_bytes(as_json(listed([node("newest")])))
    ingest_path(cluster=cluster, path=newer)

    with refused("A later dump"):
        ingest_path(cluster=cluster, path=path, ingest=older)

    assert [found.name for found in Node.objects.all()] == ["newest"]


def test_uploads_that_no_worker_holds_any_more_are_given_up(cluster: Cluster, tmp_path: Path) -> None:
    """The private Redis forgets its tasks when Berth stops; a run from the terminal goes on without it."""
    upload = tmp_path / "upload"
    upload.write_bytes(b"{}")
    states = (Ingest.State.QUEUED, Ingest.State.READING, Ingest.State.DONE)
    waiting, reading, done = (
        Ingest.objects.create(
            cluster=cluster, file_name="a", state=state, upload=str(upload), heartbeat_at=timezone.now()
        )
        for state in states
    )
    terminal = Ingest.objects.create(cluster=cluster, file_name="b", state=Ingest.State.READING)

    assert fail_lost_uploads() == 2

    for run in (waiting, reading, done, terminal):
        run.refresh_from_db()
    assert (waiting.state, reading.state) == (Ingest.State.FAILED, Ingest.State.FAILED)
    assert (done.state, terminal.state) == (Ingest.State.DONE, Ingest.State.READING)
    assert "worker stopped" in in_words(reading.error or {})["problem"]
    assert not upload.exists()
