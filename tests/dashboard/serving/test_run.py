"""`manage.py run`: each process by itself, as containers have it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import httpx2
import pytest
from django.conf import settings

from clusters.celery import app
from dashboard.serving import processes
from tests.support.live import database_url, free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Start = Callable[..., subprocess.Popen[str]]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def start(redis_url: str, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts `manage.py run` with more arguments and settings, and ends it after the test."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), "run", *arguments],
            cwd=tmp_path,
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "dashboard.settings",
                "BERTH_DATA_DIR": str(tmp_path / "data"),
                "BERTH_UPLOADS_DIR": str(tmp_path / "uploads"),
                "DATABASE_URL": database_url(),
                "REDIS_URL": redis_url,
                "BERTH_SECRET_KEY": settings.SECRET_KEY,
                "PYTHONUNBUFFERED": "1",
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def _end(process: subprocess.Popen[str]) -> str:
    """Ask it to end as a container is asked, and return what it has said."""
    process.terminate()
    said, _ = process.communicate(timeout=30)
    # uvicorn ends by the signal that it was sent, unless it is the first process of a container.
    assert process.returncode in {0, -signal.SIGTERM}, said
    return said


def test_web_serves_and_ends(start: Start) -> None:
    port = free_port()
    process = start("web", BERTH_PORT=str(port))
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert process.poll() is None
        try:
            return httpx2.get(f"{address}/livez").is_success
        except httpx2.TransportError:
            return False

    wait_until(answers, seconds=90, otherwise="web does not answer")
    page = httpx2.get(f"{address}/sign-in/")
    style = page.text.split('<link rel="stylesheet" href="')[1].split('"')[0]
    assert httpx2.get(address + style).is_success

    _end(process)


def test_worker_serves_its_queues_and_ends(start: Start, redis_url: str) -> None:
    process = start("worker", "--queues", "simulations", "questions", "--concurrency", "1")
    name = processes.worker_name("simulations-questions")

    def queues() -> list[str]:
        assert process.poll() is None
        active = app.control.inspect(destination=[name], timeout=0.5).active_queues() or {}
        return [queue["name"] for queue in active.get(name, [])]

    wait_until(queues, seconds=60, otherwise="the worker does not answer")
    assert sorted(queues()) == ["questions", "simulations"]

    _end(process)


def test_beat_runs_and_ends(start: Start, tmp_path: Path) -> None:
    process = start("beat")
    wait_until(lambda: [*(tmp_path / "data").glob("beat-schedule*")], seconds=60, otherwise="beat keeps no schedule")

    assert process.poll() is None
    _end(process)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required: process"),
        (["queue"], "invalid choice: 'queue'"),
        (["worker", "--queues", "reviews"], "invalid choice: 'reviews'"),
    ],
)
def test_what_there_is_not_is_refused(start: Start, arguments: list[str], told: str) -> None:
    process = start(*arguments)
    said, _ = process.communicate(timeout=60)

    assert process.returncode != 0
    assert told in said
