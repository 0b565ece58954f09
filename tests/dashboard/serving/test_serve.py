"""The real supervisor with its real processes, in a data directory of its own."""

from __future__ import annotations

import contextlib
import http.cookiejar
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from tests.clusters.dumps import node, pod
from tests.support.fake_apiserver import FakeApiServer
from tests.support.live import free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc, which is Linux"),
]


# One worker does everything, unless a test says otherwise: another one takes seconds to start.
_ALONE = {"BERTH_INGEST_WORKERS": "0", "BERTH_SIMULATION_WORKERS": "0"}
# Where setproctitle is installed, Celery's processes write titles over their environment, by which they are found.
_FINDABLE = {"SPT_NOENV": "1"}
# Those of the tests themselves, and one by which what is said late would be said at once.
_OTHERS_SETTINGS = {"DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED"}
# Five processes that are measured take minutes to start, and a measurement has files to write, also on a full disk.
_UNMEASURED = {"COVERAGE_PROCESS_CONFIG": ""}


class Supervisor:
    """A `manage.py serve` under test."""

    def __init__(
        self, data_dir: Path, *, on_terminal: bool = False, largest_file: str = "unlimited", **environment: str
    ) -> None:
        self.data_dir = data_dir
        self.port = int(environment.get("BERTH_PORT", free_port()))
        kept = {name: value for name, value in os.environ.items() if name not in _OTHERS_SETTINGS}
        where = {"BERTH_DATA_DIR": str(data_dir), "BERTH_PORT": str(self.port)}
        ours, theirs = os.openpty() if on_terminal else os.pipe()
        self.process = subprocess.Popen(
            # As on a full disk, a file cannot grow beyond so many blocks.
            [
                "sh",
                "-c",
                f'ulimit -f {largest_file}; exec "$@"',
                "sh",
                sys.executable,
                "manage.py",
                "serve",
                "--no-demo",
            ],
            cwd=settings.BASE_DIR,
            env={**kept, **_ALONE, **_FINDABLE, **_UNMEASURED, **where, **environment},
            stdout=theirs,
            stderr=subprocess.STDOUT,
        )
        os.close(theirs)
        self._lines = os.fdopen(ours, encoding="utf-8")
        self.output = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_until_it_runs(self) -> str:
        """Return the sign-in link that it prints."""
        wait_until(
            lambda: "Stop     Ctrl-C" in self.output or self.ended(), seconds=180, otherwise="serve did not start"
        )
        link = re.search(r"Sign in  (\S+)", self.output)
        assert link, self.output
        return link[1]

    def ended(self) -> bool:
        return self.process.poll() is not None

    def exit_status(self) -> int:
        status = self.process.wait(timeout=60)
        self._reader.join(timeout=5)
        return status

    def processes(self) -> set[int]:
        """Return every living process that works on the data directory, whoever its parent is by now.

        Redis writes its title over its environment, so a command line that names the directory counts too.
        """
        mark = os.fsencode(self.data_dir)
        marked = (path for name in ("environ", "cmdline") for path in Path("/proc").glob(f"[0-9]*/{name}"))
        return {int(path.parent.name) for path in marked if mark in _read(path)}

    def leaves_nothing(self) -> None:
        """Fail if a process outlives the supervisor; the kernel takes a moment over those that it killed last."""
        wait_until(lambda: not self.processes(), seconds=2, otherwise="a process outlives the supervisor")

    def memory(self, kind: str) -> int:
        """KiB of all processes together, of a kind that the kernel counts."""
        counted = (_read(Path(f"/proc/{pid}/smaps_rollup")).decode() for pid in self.processes())
        return sum(int(number) for told in counted for number in re.findall(rf"^{kind}: +(\d+) kB", told, re.MULTILINE))

    def kill_redis(self) -> None:
        server = next(pid for pid in self.processes() if b"redis-server" in _read(Path(f"/proc/{pid}/cmdline")))
        os.kill(server, signal.SIGKILL)

    def _read(self) -> None:
        # A terminal ends with an error when nobody writes to it any more.
        with self._lines as lines, contextlib.suppress(OSError):
            for line in lines:
                self.output += line


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""


@pytest.fixture(scope="module")
def first_start() -> Iterator[Supervisor]:
    """Start once in an empty directory, and let it end by the death of its Redis."""
    with tempfile.TemporaryDirectory(prefix="berth-first-") as name:
        supervisor = Supervisor(Path(name))
        try:
            supervisor.wait_until_it_runs()
            supervisor.kill_redis()
            supervisor.exit_status()
            yield supervisor
        finally:
            supervisor.process.kill()


@pytest.fixture
def data_dir(first_start: Supervisor) -> Iterator[Path]:
    """Return a data directory that has been started in before."""
    # Not tmp_path, whose length would push the socket out of the data directory.
    with tempfile.TemporaryDirectory(prefix="berth-serve-") as name:
        # The killed Redis left its socket, which is no file to copy.
        shutil.copytree(first_start.data_dir, name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("redis"))
        yield Path(name)


@pytest.fixture
def supervisors() -> Iterator[list[Supervisor]]:
    started: list[Supervisor] = []
    yield started
    for supervisor in started:
        supervisor.process.kill()
        supervisor.exit_status()
        wait_until(lambda: not supervisor.processes(), seconds=10, otherwise="processes outlived the test")  # noqa: B023


def sign_in(link: str) -> str:
    """Sign in as a browser would and return the body of the page behind."""
    address, _, code = link.partition("#")
    cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)
    with opener.open(address) as response:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', response.read().decode())
    assert token
    form = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], "code": code}).encode()
    with opener.open(address, form) as response:
        assert "/sign-in/" not in response.url
        return str(response.read().decode())


def test_starts_signs_in_and_leaves_nothing_behind_after_ctrl_c(data_dir: Path, supervisors: list[Supervisor]) -> None:
    supervisor = Supervisor(data_dir, on_terminal=True, BERTH_INGEST_WORKERS="1", BERTH_SIMULATION_WORKERS="1")
    supervisors.append(supervisor)

    link = supervisor.wait_until_it_runs()
    assert link.startswith(f"http://127.0.0.1:{supervisor.port}/")
    assert "Sign out" in sign_in(link)
    # The supervisor, the fork server and its tracker, Redis, web, beat, the worker for uploads, and two more, each with
    # a pool. Nobody waits for all.
    wait_until(lambda: len(supervisor.processes()) >= 11, seconds=60, otherwise="not every process runs")
    assert supervisor.memory("Pss") < 0.6 * supervisor.memory("Rss"), "the processes share too little"

    # All was prepared by the first start, and the terminal keeps the link.
    assert "Brought" not in supervisor.output
    assert "Collected" not in supervisor.output
    assert "SecurityWarning" not in supervisor.output

    second = Supervisor(data_dir)
    supervisors.append(second)
    assert second.exit_status() == 1
    assert f"already runs on {data_dir} (process {supervisor.process.pid})" in second.output
    assert not supervisor.ended()

    supervisor.process.send_signal(signal.SIGINT)
    assert supervisor.exit_status() == 0, supervisor.output
    assert supervisor.output.rstrip().endswith("Berth has stopped.")
    assert "Traceback" not in supervisor.output
    supervisor.leaves_nothing()


def test_child_that_dies_takes_the_others_down(first_start: Supervisor) -> None:
    assert first_start.exit_status() == 1
    assert "The redis process was ended by SIGKILL." in first_start.output
    assert "Traceback" not in first_start.output
    first_start.leaves_nothing()


def test_sigterm_stops_a_start_half_way(data_dir: Path, supervisors: list[Supervisor]) -> None:
    supervisor = Supervisor(data_dir)
    supervisors.append(supervisor)
    wait_until(lambda: "Redis is" in supervisor.output, seconds=60, otherwise="Redis did not start")

    supervisor.process.send_signal(signal.SIGTERM)

    assert supervisor.exit_status() == 0, supervisor.output
    assert supervisor.output.rstrip().endswith("Berth has stopped.")
    supervisor.leaves_nothing()


def test_link_is_printed_elsewhere_when_it_is_asked_for_and_a_killed_supervisor_leaves_no_orphan(
    data_dir: Path, supervisors: list[Supervisor]
) -> None:
    supervisor = Supervisor(data_dir, BERTH_SIGNIN_LINK_PRINTED="1")
    supervisors.append(supervisor)
    assert "/sign-in/link/#" in supervisor.wait_until_it_runs()

    supervisor.process.kill()

    supervisor.process.wait(timeout=10)
    wait_until(lambda: not supervisor.processes(), seconds=10, otherwise=f"alive: {supervisor.processes()}")


def test_database_that_does_not_answer_is_named_with_what_to_do(supervisors: list[Supervisor], tmp_path: Path) -> None:
    supervisors.append(Supervisor(tmp_path, DATABASE_URL="postgres://berth@127.0.0.1:1/berth"))

    assert supervisors[0].exit_status() == 1
    assert "or set DATABASE_URL." in supervisors[0].output
    assert "Traceback" not in supervisors[0].output


def _garbage(path: Path) -> None:
    path.write_bytes(b"what is this? " * 1000)


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('clusters', '9999_later', '2099-01-01')"
        )


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_garbage, "restore a backup"),
        (_newer, "is of a newer Berth (clusters.9999_later). Install that,"),
    ],
)
def test_database_that_is_no_use_is_named_with_what_to_do(
    data_dir: Path, supervisors: list[Supervisor], damage: Callable[[Path], None], sentence: str
) -> None:
    damage(data_dir / "berth.sqlite3")

    supervisors.append(Supervisor(data_dir))

    assert supervisors[0].exit_status() == 1
    assert sentence in supervisors[0].output
    assert "Traceback" not in supervisors[0].output


def test_full_disk_is_named_with_what_to_do(supervisors: list[Supervisor], tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("0123456789abcdefghij" * 3)

    supervisors.append(Supervisor(tmp_path, largest_file="8"))

    assert supervisors[0].exit_status() == 1
    assert "Make room" in supervisors[0].output or "make room" in supervisors[0].output
    assert "Traceback" not in supervisors[0].output


def test_child_that_dies_at_start_is_named_with_its_last_words(
    data_dir: Path, supervisors: list[Supervisor], tmp_path: Path
) -> None:
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\necho 'out of order today'\nexit 3\n")
    broken.chmod(0o755)
    supervisors.append(Supervisor(data_dir, PATH=f"{tmp_path}:/usr/bin:/bin"))

    assert supervisors[0].exit_status() == 1
    assert "The redis process exited with status 3." in supervisors[0].output
    assert "out of order today" in supervisors[0].output
    supervisors[0].leaves_nothing()


def test_live_clusters_are_watched_from_when_they_are_added(data_dir: Path, supervisors: list[Supervisor]) -> None:
    supervisor = Supervisor(data_dir)
    supervisors.append(supervisor)
    supervisor.wait_until_it_runs()
    server = FakeApiServer()
    server.start()
    server.put(node("n1"), pod("web", on="n1"))
    path = server.kubeconfig(data_dir / "kubeconfig")
    try:
        with closing(sqlite3.connect(data_dir / "berth.sqlite3", timeout=30, isolation_level=None)) as database:
            database.execute(
                "INSERT INTO clusters_cluster "
                "(name, source, kubeconfig, context, kube_version, revision, created_at, gaps, feature_gates) "
                "VALUES ('prod', 'live', ?, 'fake', '', 0, '2026-01-01', '[]', '{}')",
                (str(path),),
            )
            wait_until(
                lambda: database.execute("SELECT count(*) FROM clusters_pod").fetchone()[0],
                seconds=60,
                otherwise=f"no pod is mirrored: {supervisor.output}",
            )
            holder = database.execute("SELECT holder FROM clusters_watchlease").fetchone()[0]

        # One that dies is started again, and the rest goes on.
        os.kill(int(re.findall(r"process (\d+)", holder)[0]), signal.SIGKILL)
        wait_until(
            lambda: supervisor.output.count("Standing by") + supervisor.output.count("Following the cluster") > 1,
            seconds=60,
            otherwise="the watcher is not started again",
        )
        assert not supervisor.ended()
        supervisor.process.send_signal(signal.SIGTERM)
        assert supervisor.exit_status() == 0, supervisor.output
        assert "Traceback" not in supervisor.output
        supervisor.leaves_nothing()
    finally:
        server.close()
