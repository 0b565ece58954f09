"""A live Berth beside the tests: real web server and worker, in processes of their own, on the test database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest
from django.conf import settings
from django.db import connection

from dashboard.serving import processes
from dashboard.serving.children import Child, Family
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class LiveBerth:
    """Where a live Berth answers, and the environment its processes have."""

    url: str
    environment: dict[str, str]


@pytest.fixture(scope="session")
def live_processes(
    redis_url: str, django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveBerth]:
    """Run web and worker for the session, on production's settings and static files.

    They share nothing with this process but the database, the key of its sessions, and Redis.
    """
    port = free_port()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(tmp_path_factory.mktemp("live")),
        "BERTH_SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        # Tasks that other tests queue are not the live worker's.
        "REDIS_URL": f"{redis_url}?db=1",
    }
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, env=environment, cwd=settings.BASE_DIR, check=True)
    family = Family()
    commands = {
        "web": processes.web(host="127.0.0.1", port=port, log_level="INFO"),
        "worker": processes.worker(concurrency=1, log_level="INFO"),
    }
    for name, command in commands.items():
        family.add(Child(name, command, env=environment, cwd=settings.BASE_DIR))
    try:
        wait_until(lambda: _listens(port), seconds=30, otherwise="the web server does not listen")
        family.check()
        yield LiveBerth(url=f"http://127.0.0.1:{port}", environment=environment)
        family.check()
    finally:
        family.stop(grace=5)


@pytest.fixture
def live_berth(transactional_db: None, live_processes: LiveBerth) -> LiveBerth:
    """Return the live Berth for a test whose rows are committed, so that its processes see them."""
    return live_processes


def database_url() -> str:
    """Return the address of the database that the tests use, under the name that the test run gave it."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{quote(name)}").geturl()


def free_port() -> int:
    """Return a port that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
