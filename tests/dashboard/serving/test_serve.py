"""The real supervisor with its real processes, in a data directory of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.clusters.dumps import node, pod
from tests.support.fake_apiserver import FakeApiServer
from tests.support.supervising import Supervisor, sign_in
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc, which is Linux"),
]


@pytest.fixture(scope="module")
def first_start() -> Iterator[Supervisor]:
    """Start once in an empty directory."""
    with tempfile.TemporaryDirectory(prefix="berth-first-") as name:
        supervisor = Supervisor(Path(name))
        try:
            supervisor.wait_until_it_runs()
            supervisor.process.terminate()
            assert supervisor.exit_status() == 0, supervisor.output
            yield supervisor
        finally:
            supervisor.process.kill()


@pytest.fixture
def data_dir(first_start: Supervisor) -> Iterator[Path]:
    """Return a data directory that has been started in before."""
    # Not tmp_path, whose length would push the socket out of the data directory.
    with tempfile.TemporaryDirectory(prefix="berth-serve-") as name:
        shutil.copytree(first_start.data_dir, name, dirs_exist_ok=True)
        yield Path(name)


@pytest.fixture
def supervisors() -> Iterator[list[Supervisor]]:
    started: list[Supervisor] = []
    yield started
    for supervisor in started:
        supervisor.process.kill()
        supervisor.exit_status()
        wait_until(lambda: not supervisor.processes(), seconds=10, otherwise="processes outlived the test")  # noqa: B023


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


def test_processes_that_are_killed_are_started_again_and_the_rest_goes_on(
    data_dir: Path, supervisors: list[Supervisor]
) -> None:
    supervisor = Supervisor(data_dir, BERTH_SIGNIN_LINK_PRINTED="1")
    supervisors.append(supervisor)
    link = supervisor.wait_until_it_runs()

    for name, process in (
        ("web", supervisor.web_process),
        ("worker", supervisor.worker_process),
        ("redis", supervisor.redis_process),
    ):
        before = process()
        assert before
        os.kill(before, signal.SIGKILL)
        wait_until(lambda: process() not in {None, before}, seconds=60, otherwise=f"no other {name}")  # noqa: B023
        assert f"The {name} process was ended by SIGKILL." in supervisor.output
        assert f"Starting the {name} process again in 1 second." in supervisor.output

    # The worker has found the new Redis, and everybody is served.
    wait_until(supervisor.worker_process, seconds=60, otherwise="the worker does not answer")
    assert "Sign out" in sign_in(link)
    assert not supervisor.ended()
    supervisor.process.send_signal(signal.SIGINT)
    assert supervisor.exit_status() == 0, supervisor.output
    supervisor.leaves_nothing()


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
