"""Uploads lie where only Berth reads them, and not longer than needed."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from celery import Celery
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.utils import timezone
from redis import RedisError

from clusters.adapters import shared_redis
from clusters.adapters.bad_input import BadInput
from clusters.adapters.shared_redis import AwayError
from clusters.documents.problems import in_words
from clusters.models import Cluster, Ingest, Pod
from clusters.services.ingest.ingest import cancel, find, prune
from clusters.services.ingest.uploads import ingest_upload, receive, remove_cluster
from dashboard.celery import app
from tests.clusters.dumps import as_json, listed, small_cluster
from tests.support.problems import refused

if TYPE_CHECKING:
    from pytest_django import Settings
    from redis import Redis

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    return tmp_path / "uploads"


def upload(content: bytes = b"", name: str = "dump.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content or as_json(listed(small_cluster())))


def test_upload_is_private_and_waits(folder: Path) -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload(name="..\\..\\etc\\my dump.json"))

    path = Path(run.upload)
    assert path.parent == folder
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (run.state, run.file_name, run.cluster_name) == (Ingest.State.QUEUED, "my dump.json", "prod")
    assert run.bytes_total == path.stat().st_size


def test_upload_that_lies_on_disk_is_moved_and_not_copied(settings: Settings) -> None:
    assert Path(settings.FILE_UPLOAD_TEMP_DIR or "") == settings.BERTH_DATA_DIR / "uploads"
    file = TemporaryUploadedFile("dump.json", "application/json", 0, None)
    content = as_json(listed(small_cluster()))
    file.write(content)
    file.seek(0)
    file.size = len(content)
    inode = Path(file.temporary_file_path()).stat().st_ino

    run = receive(cluster=Cluster(name="prod"), file=file)
    file.close()

    path = Path(run.upload)
    assert (path.stat().st_ino, stat.S_IMODE(path.stat().st_mode)) == (inode, 0o600)
    assert path.read_bytes() == content


def test_reading_records_bad_input_and_removes_the_file() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload(b"{broken"))

    ingest_upload(ingest_id=run.pk)

    run.refresh_from_db()
    assert (run.state, (run.error or {})["file"]) == (Ingest.State.FAILED, "dump.json")
    assert not Path(run.upload).exists()


def test_task_that_is_delivered_twice_leaves_the_first_run_alone() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload())
    Ingest.objects.filter(pk=run.pk).update(state=Ingest.State.READING)

    ingest_upload(ingest_id=run.pk)

    run.refresh_from_db()
    assert run.state == Ingest.State.READING
    assert Path(run.upload).exists()


def test_file_over_the_limit_leaves_nothing_behind(folder: Path, settings: Settings) -> None:
    settings.BERTH_UPLOAD_LIMIT_BYTES = 10

    with refused("BERTH_UPLOAD_LIMIT_MIB"):
        receive(cluster=Cluster(name="prod"), file=upload())

    assert list(folder.iterdir()) == []
    assert not Cluster.objects.exists()


@pytest.mark.parametrize("name", ["", "Prod", "-a", "a" * 64, "<script>", "a/b", "prod\n"])
def test_cluster_names_are_checked(name: str, folder: Path) -> None:
    with pytest.raises(BadInput):
        receive(cluster=Cluster(name=name), file=upload())

    assert not folder.exists()


def test_name_that_is_taken_leaves_no_file_behind(folder: Path) -> None:
    Cluster.objects.create(name="prod")

    with pytest.raises(Exception, match=r"(?i)unique"):
        receive(cluster=Cluster(name="prod"), file=upload())

    assert list(folder.iterdir()) == []


@pytest.mark.django_db(transaction=True)
def test_removing_a_cluster_removes_all_of_it() -> None:
    ingest_upload(ingest_id=receive(cluster=Cluster(name="prod"), file=upload()).pk)
    waiting = receive(cluster=Cluster.objects.get(), file=upload())

    remove_cluster(cluster=Cluster.objects.get())

    assert not Cluster.objects.exists()
    assert not Pod.objects.exists()
    assert not Path(waiting.upload).exists()


@pytest.mark.django_db(transaction=True)
def test_upload_that_no_worker_can_be_told_of_has_failed(folder: Path) -> None:
    Celery("elsewhere", broker=f"redis+socket://{folder}/nobody.sock").set_current()
    try:
        run = receive(cluster=Cluster(name="prod"), file=upload())
    finally:
        app.set_current()

    run.refresh_from_db()
    assert run.state == Ingest.State.FAILED
    assert "Redis is unavailable" in in_words(run.error or {})["problem"]
    assert list(folder.iterdir()) == []


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_upload_is_sent_although_redis_did_not_answer_something_else_a_moment_ago(folder: Path) -> None:
    def refused(client: Redis) -> None:
        raise RedisError("a hiccup")

    with pytest.raises(AwayError):
        shared_redis.ask(refused)
    with pytest.raises(AwayError):
        shared_redis.ask(lambda client: client.ping())

    run = receive(cluster=Cluster(name="prod"), file=upload())

    run.refresh_from_db()
    assert run.state == Ingest.State.QUEUED
    assert shared_redis.ask(lambda client: client.ping())


def test_failed_first_upload_leaves_no_cluster_but_the_word_of_it() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload(b"{broken"))

    ingest_upload(ingest_id=run.pk)

    found = find(cluster="prod", pk=run.pk)
    assert not Cluster.objects.exists()
    assert found is not None
    assert (found.state, found.cluster, found.cluster_name) == (Ingest.State.FAILED, None, "prod")
    assert find(cluster="stage", pk=run.pk) is None


def test_cluster_stays_while_another_first_upload_waits() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload(b"{broken"))
    second = receive(cluster=Cluster.objects.get(), file=upload())

    ingest_upload(ingest_id=run.pk)
    ingest_upload(ingest_id=second.pk)

    assert Cluster.objects.get().revision == 1
    assert [each.state for each in Cluster.objects.get().ingests.order_by("pk")] == ["failed", "done"]


@pytest.mark.parametrize("state", [Ingest.State.QUEUED, Ingest.State.READING])
def test_cancelled_upload_leaves_nothing(state: Ingest.State) -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload())
    Ingest.objects.filter(pk=run.pk).update(state=state)

    assert cancel(run)

    ingest_upload(ingest_id=run.pk)
    assert Ingest.objects.get().state == Ingest.State.CANCELLED
    assert not Path(run.upload).exists()
    assert not Cluster.objects.exists()


@pytest.mark.parametrize("state", [Ingest.State.WRITING, Ingest.State.DONE])
def test_what_is_written_is_not_cancelled(state: Ingest.State) -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload())
    Ingest.objects.filter(pk=run.pk).update(state=state)

    assert not cancel(run)

    run.refresh_from_db()
    assert run.state == state


def test_what_nobody_waits_for_is_removed(folder: Path) -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload())
    left, coming = folder / "tmp1.upload", folder / "tmp2.upload"
    for path in (left, coming):
        path.write_bytes(b"{")
    for path in (left, Path(run.upload)):
        os.utime(path, (0, 0))
    lost = Ingest.objects.create(intended_name="gone", state=Ingest.State.FAILED)
    Ingest.objects.filter(pk=lost.pk).update(created_at=timezone.now() - timedelta(days=2))

    prune()

    assert set(folder.iterdir()) == {Path(run.upload), coming}
    assert list(Ingest.objects.all()) == [run]


def test_upload_for_a_cluster_that_went_meanwhile_is_refused(folder: Path) -> None:
    cluster = Cluster.objects.create(name="prod")
    Cluster.objects.all().delete()

    with refused("There is no prod."):
        receive(cluster=cluster, file=upload())

    assert list(folder.iterdir()) == []
