"""Uploads lie where only Berth reads them, and not longer than needed."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from celery import Celery
from django.core.files.uploadedfile import SimpleUploadedFile

from clusters import tasks
from clusters.adapters.bad_input import BadInput
from clusters.models import Cluster, Ingest, Pod
from clusters.services.uploads import receive, remove_cluster
from dashboard.celery import app
from tests.clusters.dumps import as_json, listed, small_cluster

if TYPE_CHECKING:
    from pytest_django import Settings

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
    assert (run.state, run.file_name, run.cluster.name) == (Ingest.State.QUEUED, "my dump.json", "prod")
    assert run.bytes_total == path.stat().st_size


def test_task_ingests_and_removes_the_file() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload())

    tasks.ingest_upload(run.pk)

    run.refresh_from_db()
    assert run.state == Ingest.State.DONE
    assert Pod.objects.count() == 2
    assert not Path(run.upload).exists()


def test_task_records_bad_input_and_removes_the_file() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload(b"{broken"))

    tasks.ingest_upload(run.pk)

    run.refresh_from_db()
    assert (run.state, (run.error or {})["file"]) == (Ingest.State.FAILED, "dump.json")
    assert not Path(run.upload).exists()


def test_task_that_is_delivered_twice_leaves_the_first_run_alone() -> None:
    run = receive(cluster=Cluster(name="prod"), file=upload())
    Ingest.objects.filter(pk=run.pk).update(state=Ingest.State.READING)

    tasks.ingest_upload(run.pk)

    run.refresh_from_db()
    assert run.state == Ingest.State.READING
    assert Path(run.upload).exists()


def test_file_over_the_limit_leaves_nothing_behind(folder: Path, settings: Settings) -> None:
    settings.BERTH_UPLOAD_LIMIT_BYTES = 10

    with pytest.raises(BadInput, match="BERTH_UPLOAD_LIMIT_MIB"):
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
    run = receive(cluster=Cluster(name="prod"), file=upload())
    tasks.ingest_upload(run.pk)
    waiting = receive(cluster=run.cluster, file=upload())

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
    assert "Redis does not answer" in (run.error or {})["problem"]
    assert list(folder.iterdir()) == []


def test_upload_for_a_cluster_that_went_meanwhile_is_refused(folder: Path) -> None:
    cluster = Cluster.objects.create(name="prod")
    Cluster.objects.all().delete()

    with pytest.raises(BadInput, match="deleted meanwhile"):
        receive(cluster=cluster, file=upload())

    assert list(folder.iterdir()) == []
