"""One process for each live cluster, as they come and go. The processes here only sleep."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
import urllib.request
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from clusters.models import Cluster
from dashboard.serving import processes, watchers
from dashboard.serving.children import Child
from dashboard.serving.impatient_http import HEAD_SECONDS
from dashboard.serving.watchers import Wanted, Watchers, wanted_watchers
from tests.dashboard.rows import a_cluster
from tests.support.live import free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator


class Scene:
    """Clusters that a test wants watched, and the processes that were started for them."""

    def __init__(self) -> None:
        self.wanted: dict[int, Wanted] | None = {}
        self.started: list[Child] = []
        self.watchers = Watchers(start=self._start, look=lambda: self.wanted)

    def _start(self, name: str, cluster: str) -> Child:
        command = [sys.executable, "-c", "import time; time.sleep(60)", cluster]
        self.started.append(Child(name, command, env=os.environ, cwd=settings.BASE_DIR))
        return self.started[-1]

    def living(self) -> list[str]:
        return [child.name for child in self.started if child.process.poll() is None]


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setattr(watchers, "_BETWEEN_LOOKS", 0)
    monkeypatch.setattr(watchers, "_BETWEEN_STARTS", 0)
    scene = Scene()
    yield scene
    scene.watchers.kill()
    scene.watchers.stop(grace=1)


def ended(scene: Scene, number: int) -> None:
    wait_until(lambda: scene.started[number].process.poll() is not None, seconds=10, otherwise="it goes on")


def test_each_cluster_has_one(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", ""), 2: Wanted("b", "", "")}
    for _ in range(3):
        scene.watchers.tend()

    assert scene.living() == ["watch a", "watch b"]


def test_it_ends_with_its_cluster(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", ""), 2: Wanted("b", "", "")}
    scene.watchers.tend()
    scene.wanted = {2: Wanted("b", "", "")}
    scene.watchers.tend()
    ended(scene, 0)

    assert scene.living() == ["watch b"]


def test_it_goes_on_under_another_name_but_not_by_another_connection(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "file", "here")}
    scene.watchers.tend()
    scene.wanted = {1: Wanted("renamed", "file", "here")}
    scene.watchers.tend()
    assert scene.living() == ["watch a"]

    scene.wanted = {1: Wanted("renamed", "file", "there")}
    scene.watchers.tend()
    ended(scene, 0)
    assert scene.living() == ["watch renamed"]


def test_one_that_died_is_started_again_but_not_at_once(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.wanted = {1: Wanted("a", "", "")}
    scene.watchers.tend()
    scene.started[0].kill()
    ended(scene, 0)
    monkeypatch.setattr(watchers, "_BETWEEN_STARTS", 60)
    scene.watchers.tend()
    assert scene.living() == []

    monkeypatch.setattr(watchers, "_BETWEEN_STARTS", 0)
    scene.watchers.tend()
    assert scene.living() == ["watch a"]


def test_a_database_that_does_not_answer_stops_nobody(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", "")}
    scene.watchers.tend()
    scene.wanted = None
    scene.watchers.tend()

    assert scene.living() == ["watch a"]


def test_stopping_leaves_nobody_behind(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", ""), 2: Wanted("b", "", "")}
    scene.watchers.tend()
    scene.wanted = {2: Wanted("b", "", "")}
    scene.watchers.tend()
    scene.watchers.stop(grace=5)

    assert scene.living() == []


@pytest.mark.django_db(transaction=True)
def test_live_clusters_are_wanted() -> None:
    a_cluster("dumped")
    live = a_cluster("live", source=Cluster.Source.LIVE, kubeconfig="/etc/kubeconfig", context="prod")

    assert wanted_watchers() == {live.pk: ("live", "/etc/kubeconfig", "prod")}


_HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
# Far more than the bound, for a machine that is busy; without a bound they stay for ever.
_PATIENCE = 90
_MANY = 60


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run the web server by the command that `make run` uses; who stays too long leaves it as it was."""
    number = free_port()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(tmp_path_factory.mktemp("web")),
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
