"""Connections that never say what they want are closed, and hold up nobody meanwhile."""

from __future__ import annotations

import contextlib
import os
import socket
import time
import urllib.request
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from dashboard.serving import processes
from dashboard.serving.children import Child
from dashboard.serving.impatient_http import HEAD_SECONDS
from tests.support.live import free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
# Far more than the bound, for a machine that is busy; without a bound they stay for ever.
_PATIENCE = 90
_MANY = 60


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Run the web server by the command that `make run` uses."""
    number = free_port()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(tmp_path),
        "BERTH_DEBUG": "1",
    }
    command = processes.web(host="127.0.0.1", port=number, log_level="WARNING")
    child = Child("web", command, env=environment, cwd=settings.BASE_DIR)
    try:
        wait_until(lambda: _lives(number), seconds=60, otherwise="the web server does not answer")
        yield number
        child.check()
    finally:
        child.stop(grace=5)


def _lives(port: int) -> bool:
    with contextlib.suppress(OSError):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{port}/livez", timeout=20) as response:
            return bool(response.status == 200)
    return False


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_slow_heads_are_dropped(port: int) -> None:
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(_MANY)]
        for index, each in enumerate(slow):
            each.sendall(_HEAD[: index % len(_HEAD)])
        assert _lives(port)

        def all_closed() -> bool:
            for each in slow:
                # Now and then a byte, as those do who want to stay.
                with contextlib.suppress(OSError):
                    each.sendall(b"x")
            time.sleep(0.5)
            return all(_is_closed(each) for each in slow)

        wait_until(all_closed, seconds=_PATIENCE, otherwise="slow connections are kept")
        assert _lives(port)


def test_second_head_of_a_connection_is_bounded_too(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as kept:
        kept.sendall(_HEAD + b"\r\n")
        assert kept.recv(12).startswith(b"HTTP/1.1 200")
        kept.settimeout(1)
        with contextlib.suppress(TimeoutError):
            while kept.recv(4096):
                pass
        with contextlib.suppress(OSError):
            kept.sendall(_HEAD)

        wait_until(lambda: _is_closed(kept), seconds=_PATIENCE, otherwise="a slow second request is kept")


def test_websocket_is_not_taken_for_a_slow_head(port: int) -> None:
    asked = (
        b"GET /ws/live/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port)) as stranger:
        stranger.settimeout(HEAD_SECONDS * 3)
        stranger.sendall(asked)

        assert stranger.recv(12).startswith(b"HTTP/1.1 403")
