"""A Redis that hangs is worse than one that is gone: connections open, and nobody answers. Posts must not hang too."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import redis
from celery import Celery, current_app
from django.core.files.uploadedfile import SimpleUploadedFile

from clusters.adapters import shared_redis
from clusters.documents.problems import in_words
from clusters.models import Cluster, Ingest, SimulationRun
from clusters.services.ingest.uploads import receive
from clusters.services.lanes import send_all
from dashboard.celery import app
from dashboard.serving import processes
from tests.clusters.dumps import as_json, listed, small_cluster
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.test_runs import MORE, ordered
from tests.support.mirrored import load, text
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client
    from pytest_django import Settings

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]

# Five seconds are promised on a machine that has nothing else to do; without bounds it is minutes.
_SECONDS = 30


@pytest.fixture
def hanging() -> Iterator[subprocess.Popen[bytes]]:
    """Run a Redis that took a task a moment ago, through the very connection that is kept, and hangs since."""
    # Not tmp_path, whose length would not fit into a socket's address.
    with tempfile.TemporaryDirectory(prefix="berth-hang-") as folder:
        socket = Path(folder, "redis.sock")
        server = subprocess.Popen(processes.command(processes.find(), socket=socket))
        other = Celery("elsewhere")
        other.config_from_object("django.conf:settings", namespace="CELERY")
        other.conf.update(broker_url=f"redis+socket://{socket}", broker_write_url=f"redis+socket://{socket}")
        other.set_current()
        try:
            wait_until(lambda: _answers(socket), seconds=30, otherwise="Redis does not start")
            current_app.send_task("anything")
            os.kill(server.pid, signal.SIGSTOP)
            yield server
        finally:
            app.set_current()
            server.kill()
            server.wait()


def _answers(socket: Path) -> bool:
    with redis.Redis(unix_socket_path=str(socket)) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def test_upload_is_answered_and_says_what_to_do(
    hanging: subprocess.Popen[bytes], settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    began = time.monotonic()

    run = receive(cluster=Cluster(name="prod"), file=SimpleUploadedFile("dump.json", as_json(listed(small_cluster()))))

    assert time.monotonic() - began < _SECONDS
    run.refresh_from_db()
    assert run.state == Ingest.State.FAILED
    assert "Redis is unavailable" in in_words(run.error or {})["problem"]
    assert "Start Redis" in in_words(run.error or {})["remedy"]
    assert list(tmp_path.iterdir()) == []


def test_simulations_wait_without_holding_up_who_orders_them(
    hanging: subprocess.Popen[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    began = time.monotonic()

    send_all(SimulationRun, [SimulationRun.objects.create(spec={}).pk for _ in range(3)])

    assert time.monotonic() - began < _SECONDS
    assert "Redis is unavailable" in caplog.text


def test_tasks_are_sent_again_once_it_answers(
    hanging: subprocess.Popen[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    keys = [SimulationRun.objects.create(spec={}).pk]
    send_all(SimulationRun, keys)
    assert "Redis is unavailable" in caplog.text
    os.kill(hanging.pid, signal.SIGCONT)
    caplog.clear()

    send_all(SimulationRun, keys)

    assert "Redis is unavailable" not in caplog.text


@pytest.fixture
def sent(hanging: subprocess.Popen[bytes], settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let all of Berth use the Redis that hangs; return what Celery tries there, which waits for longer."""
    settings.REDIS_URL = current_app.conf.broker_url.replace("redis+socket://", "unix://")
    shared_redis.forget_silence()
    tried: list[str] = []
    send = current_app.amqp.send_task_message

    def counting(producer: Any, name: str, *about: Any, **options: Any) -> Any:
        tried.append(name)
        return send(producer, name, *about, **options)

    monkeypatch.setattr(current_app.amqp, "send_task_message", counting)
    yield tried
    shared_redis.forget_silence()


def test_posts_ask_a_redis_that_hangs_once_and_are_answered(
    sent: list[str], admin_client: Client, settings: Settings, tmp_path: Path
) -> None:
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])
    settings.MEDIA_ROOT = tmp_path / "uploads"
    dump = SimpleUploadedFile("dump.json", as_json(listed(small_cluster())))
    began = time.monotonic()

    upload = admin_client.post("/upload/", {"name": "other", "file": dump})
    run = ordered(admin_client, MORE)

    assert time.monotonic() - began < _SECONDS
    assert not sent, "who knows that Redis is away does not wait for Celery, which asks twice"
    assert upload.status_code == 302
    told = text(admin_client, upload["Location"])
    assert "Redis is unavailable, so no worker was told." in told
    assert "Start Redis, and try again." in told
    assert not Cluster.objects.filter(name="other").exists()
    assert list((tmp_path / "uploads").iterdir()) == []
    assert run.state == SimulationRun.State.QUEUED, "it waits, and is sent once Redis answers"
