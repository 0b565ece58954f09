"""Uploads are read in processes of their own: what one takes too much of ends that process, and the run says so."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from clusters.documents.problems import in_words
from clusters.engine.problems import OverSetting
from clusters.models import Cluster, Ingest, Pod
from clusters.problems.inputs import ReadingKilled, ReadingOutOfMemory
from clusters.services.ingest import uploads as reading_service
from clusters.services.ingest.ingest import cancel
from clusters.services.ingest.uploads import ReaderEnd, fault_in, read_upload, receive, remove_cluster
from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.clusters.dumps import as_json, listed, small_cluster
from tests.support.live import database_url
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings


@pytest.fixture(autouse=True)
def environment(transactional_db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    """Let the processes that read see the test's database, as a worker's do its own."""
    settings.MEDIA_ROOT = tmp_path / "uploads"
    variables = {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(tmp_path),
        "BERTH_SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def sent(content: bytes, name: str = "dump.json") -> Ingest:
    return receive(cluster=Cluster(name="prod"), file=SimpleUploadedFile(name, content))


def endless() -> Ingest:
    """Return an upload that is never read to its end: what it is read from says nothing, and does not end."""
    run = sent(b"{")
    Path(run.upload).unlink()
    os.mkfifo(run.upload)
    return run


def reader_of(run: Ingest) -> int:
    """Return the process that reads an upload for this one, or 0."""
    wanted = b"\0read_upload\0%d\0%d\0" % (run.pk, os.getpid())
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        # Processes come and go meanwhile.
        with contextlib.suppress(OSError):
            if wanted in path.read_bytes():
                return int(path.parent.name)
    return 0


def test_upload_is_read() -> None:
    run = sent(as_json(listed(small_cluster())))

    read_upload(ingest_id=run.pk)

    run.refresh_from_db()
    assert (run.state, run.revision, Pod.objects.count()) == (Ingest.State.DONE, 1, 2)
    assert not Path(run.upload).exists()


def test_process_whose_run_is_done_is_left_to_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run = sent(b"{}")
    reader, started = tmp_path / "reader", tmp_path / "started"
    # What still removes the file when its run is done already.
    reader.write_text(f"#!/bin/sh\ntouch {started}\nsleep 2\nrm {run.upload}\n")
    reader.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(reader))
    ending = threading.Thread(target=_done, args=(run, started))
    ending.start()

    read_upload(ingest_id=run.pk)

    ending.join()
    run.refresh_from_db()
    assert run.state == Ingest.State.DONE
    assert not Path(run.upload).exists()


def _done(run: Ingest, started: Path) -> None:
    try:
        wait_until(started.exists, seconds=60, otherwise="nobody reads it")
        Ingest.objects.filter(pk=run.pk).update(state=Ingest.State.DONE)
    finally:
        connection.close()


def test_upload_that_takes_too_much_memory_ends_its_process_alone(settings: Settings) -> None:
    settings.BERTH_INGEST_MEMORY_MIB = 16
    run = sent(b"[" + b",".join([b'{"a":[]}'] * 1_500_000) + b"]")

    read_upload(ingest_id=run.pk)

    run.refresh_from_db()
    assert run.state == Ingest.State.FAILED
    assert "BERTH_INGEST_MEMORY_MIB (16)" in in_words(run.error or {})["problem"]
    assert not Path(run.upload).exists()
    assert not Cluster.objects.exists()


def test_upload_that_takes_too_long_is_ended(settings: Settings) -> None:
    settings.BERTH_INGEST_TIME = timedelta(seconds=1)
    run = endless()

    read_upload(ingest_id=run.pk)

    run.refresh_from_db()
    assert run.state == Ingest.State.FAILED
    assert "BERTH_INGEST_MINUTES" in in_words(run.error or {})["problem"]
    assert not Path(run.upload).exists()
    assert not reader_of(run)


def cancelled(run: Ingest) -> None:
    assert cancel(run)


def deleted(run: Ingest) -> None:
    remove_cluster(cluster=Cluster.objects.get())


@pytest.mark.parametrize("end", [cancelled, deleted])
def test_upload_that_is_not_wanted_any_more_is_not_read_on(end: Callable[[Ingest], None]) -> None:
    run = endless()
    reading = threading.Thread(target=_read, args=(run,))
    reading.start()
    wait_until(lambda: bool(reader_of(run)), seconds=60, otherwise="nobody reads it")

    end(run)
    reading.join(timeout=60)

    assert not reading.is_alive()
    assert not reader_of(run)
    assert not Path(run.upload).exists()
    assert not Cluster.objects.exists()


def _read(run: Ingest) -> None:
    try:
        read_upload(ingest_id=run.pk)
    finally:
        connection.close()


@pytest.mark.redis
def test_second_upload_does_not_wait_for_a_first_that_does_not_end(redis_url: str) -> None:
    first = endless()
    second = receive(cluster=Cluster(name="stage"), file=SimpleUploadedFile("d.json", as_json(listed(small_cluster()))))

    def is_done() -> bool:
        worker.check()
        second.refresh_from_db()
        return second.state == Ingest.State.DONE

    command = processes.worker_of([processes.INGESTS], concurrency=2, log_level="WARNING")
    worker = Child("ingests", command, env={**os.environ, "REDIS_URL": redis_url}, cwd=django_settings.BASE_DIR)
    try:
        wait_until(is_done, seconds=90, otherwise="the second upload waits for the first")
        assert Ingest.objects.get(pk=first.pk).state in Ingest.UNFINISHED
    finally:
        worker.stop(grace=0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_whatever_ends_a_reader_is_named_and_no_lack_of_memory(number: signal.Signals) -> None:
    run = endless()
    reading = threading.Thread(target=_read, args=(run,))
    reading.start()
    wait_until(lambda: bool(reader_of(run)), seconds=60, otherwise="nobody reads it")
    os.kill(reader_of(run), number)
    reading.join(timeout=60)

    run.refresh_from_db()
    said = in_words(run.error or {})
    assert run.state == Ingest.State.FAILED
    assert said["problem"] == f"Its process was ended by {number.name}."
    assert "memory" not in said["remedy"]


def test_a_reader_that_the_kernel_ended_for_memory_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counted = tmp_path / "vmstat"
    counted.write_text("pgfault 7\noom_kill 3\n", encoding="ascii")
    monkeypatch.setattr(reading_service, "_VM_STATISTICS", counted)

    killed, crashed = ReaderEnd(-signal.SIGKILL, 1 << 30), ReaderEnd(-signal.SIGSEGV, 1 << 30)
    assert fault_in(killed, 2) == ReadingOutOfMemory()
    assert fault_in(killed, 3) == ReadingKilled("SIGKILL")
    assert fault_in(crashed, 2) == ReadingKilled("SIGSEGV")
    assert fault_in(crashed._replace(memory=2 << 30), 3) == OverSetting("BERTH_INGEST_MEMORY_MIB", 2048)
