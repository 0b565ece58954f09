"""A small installation: Redis, worker, beat, web and watchers, started one after the other on one machine."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, TextIO

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import BaseCommand, call_command
from django.db import DatabaseError
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from clusters.celery import app
from clusters.wording import serving as words
from clusters.wording.lists import listed
from dashboard import datadir
from dashboard.operations import health
from dashboard.serving import processes
from dashboard.serving.children import Child, Family
from dashboard.serving.watchers import Watchers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


# How many ports after the wanted one are tried when nobody asked for that one in particular.
_PORTS_TRIED = 50


class NotPreparedError(Exception):
    """Something stands in the way of starting; the message says what to do."""


def lock(data_dir: Path) -> TextIO:
    """Return the open lock file of the data directory; the lock lasts as long as the file is open."""
    file = (data_dir / "serve.lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise NotPreparedError(words.ALREADY_RUNS(data=str(data_dir), process=holder or "?")) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def free_port(host: str, wanted: int, *, strictly: bool) -> int:
    """Return the wanted port or, unless it is wanted strictly, the first free one after it."""
    last = wanted if strictly else min(wanted + _PORTS_TRIED, 65535)
    for port in range(wanted, last + 1):
        if _is_free(host, port):
            return port
    raise NotPreparedError(words.PORT_TAKEN(port=str(wanted), host=host))


def check() -> None:
    """Check the whole site, as Django's commands do. Raises SystemCheckError."""
    BaseCommand().check()


def migrate() -> bool:
    """Bring the database's schema up to date and say whether there was anything to do."""
    try:
        if unknown := health.unknown_migrations():
            raise NotPreparedError(words.NEWER_DATABASE(migrations=listed(unknown)))
        if not health.pending_migrations():
            return False
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        reason = str(error).strip().partition("\n")[0]
        raise NotPreparedError(words.BAD_DATABASE(reason=reason)) from None
    return True


def collect_static() -> bool:
    """Collect the static files if any has changed since the last time, and say whether that was so."""
    stamp = settings.BERTH_DATA_DIR / "static.stamp"
    fingerprint = _fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(fingerprint, encoding="ascii")
    return True


def _fingerprint() -> str:
    """Return a digest over name, size and time of change of every static file."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            status = os.stat(storage.path(name))  # noqa: PTH116 - the storage gives a str
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _is_free(host: str, port: int) -> bool:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise NotPreparedError(words.BAD_HOST(host=host, reason=str(error.strerror))) from None
    with socket.socket(family, kind, protocol) as probe:
        # As the server does: a connection of the last run that is still winding down does not hold the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise NotPreparedError(words.CANNOT_LISTEN(host=host, port=str(port), reason=str(error.strerror))) from None
    return True


# Seconds that a worker gets to end when it is asked to: to finish its task, and without one. Celery takes its time over
# ending an idle pool, and nothing is lost when it is cut short.
_BUSY_GRACE = 8.0
_IDLE_GRACE = 2.0
_REDIS_TIMEOUT = 10.0
_START_TIMEOUT = 60.0
_POLL = 0.05
_INTERVAL = 0.5

# Whatever proxy the environment names, it is not on the way to ourselves.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class NotReadyError(Exception):
    """A process runs but does not answer in time."""


class Installation:
    """The processes of one data directory on one address."""

    def __init__(self, *, host: str, port: int) -> None:
        self._family = Family()
        self._watchers = Watchers(start=lambda name, cluster: _child(name, processes.watch(cluster)))
        self._address = (host, port)
        self._worker: Child | None = None
        self._simulator: Child | None = None

    @property
    def local_url(self) -> str:
        """The address as seen from this machine."""
        host, port = self._address
        if host in {"0.0.0.0", "::", ""}:  # noqa: S104 - compared with, not bound to
            host = "127.0.0.1"
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def has_own_redis(self) -> bool:
        """Whether Redis starts and ends with the other processes; then nobody else takes tasks from it."""
        return "REDIS_URL" not in os.environ

    def start_redis(self) -> str:
        """Start the private Redis unless REDIS_URL names one, wait until it answers, and say which Redis it is."""
        if not self.has_own_redis:
            origin = str(words.REDIS_OF_SETTING)
        else:
            socket = datadir.redis_socket(settings.BERTH_DATA_DIR)
            datadir.private_folder(socket.parent)
            server = processes.find()
            # Its own warnings are advice for machines that keep data in it; they are shown if it dies.
            self._start("redis", processes.command(server, socket=socket), echo=False, first=True)
            origin = words.REDIS_ON(server=str(server), socket=str(socket))
        self._wait(lambda: health.redis_state() == "ok", "redis", seconds=_REDIS_TIMEOUT)
        return origin

    def start_workers(self) -> None:
        """Start the worker, for which `wait_until_ready` waits, and others for uploads and simulations, for which not.

        What has no worker of its own, the first one does too.
        """
        ingesters, simulators = settings.BERTH_INGEST_WORKERS, settings.BERTH_SIMULATION_WORKERS
        log_level = settings.BERTH_LOG_LEVEL
        own = {processes.INGESTS: ingesters, processes.SIMULATIONS: simulators}
        without = [queue for queue, concurrency in own.items() if concurrency]
        command = processes.worker(concurrency=settings.BERTH_WORKERS, log_level=log_level, without=without)
        self._worker = self._start("worker", command)
        if ingesters:
            self._start("ingests", processes.worker_of([processes.INGESTS], concurrency=ingesters, log_level=log_level))
        if simulators:
            self._simulator = self._start(
                "runs", processes.worker_of([processes.SIMULATIONS], concurrency=simulators, log_level=log_level)
            )

    def start_beat(self) -> None:
        """Start what starts tasks by the clock."""
        schedule = settings.BERTH_DATA_DIR / "beat-schedule"
        self._start("beat", processes.beat(schedule=schedule, log_level=settings.BERTH_LOG_LEVEL))

    def start_web(self) -> None:
        """Start the web server; `wait_until_ready` waits for it."""
        host, port = self._address
        self._start("web", processes.web(host=host, port=port, log_level=settings.BERTH_LOG_LEVEL))

    def run(self, name: str, arguments: Sequence[str]) -> None:
        """Run a management command to its end beside the other processes; raise ChildDiedError if it fails."""
        child = _child(name, [sys.executable, "-m", "dashboard", *arguments])
        try:
            while child.process.poll() is None:
                self._family.check()
                time.sleep(_POLL)
        except BaseException:
            child.kill()
            raise
        if child.process.returncode:
            child.check()

    def wait_until_ready(self) -> None:
        """Return when the worker and the web server answer."""
        self._wait(self._web_answers, "web")
        self._wait(_worker_answers, "worker")

    def watch(self) -> None:
        """Start processes that end again and tend the watchers of live clusters, and return never.

        Raises ChildDiedError when one cannot be started.
        """
        while True:
            self._family.tend()
            self._watchers.tend()
            time.sleep(_INTERVAL)

    def stop(self) -> None:
        """Stop every process, each with time to finish what it does."""
        idle = self._worker if _worker_is_idle() else None
        self._family.ask_to_stop()
        self._watchers.stop(grace=_BUSY_GRACE)
        # A simulation goes on from its last second at the next start.
        for child in (idle, self._simulator):
            if child is not None:
                child.stop(grace=_IDLE_GRACE)
        self._family.stop(grace=_BUSY_GRACE)

    def kill(self) -> None:
        """End every process now."""
        self._watchers.kill()
        self._family.kill()

    def _start(self, name: str, command: Sequence[str], *, echo: bool = True, first: bool = False) -> Child:
        return self._family.add(_child(name, command, echo=echo), first=first)

    def _wait(self, answers: Callable[[], bool], name: str, *, seconds: float = _START_TIMEOUT) -> None:
        deadline = time.monotonic() + seconds
        while not answers():
            self._family.check()
            if time.monotonic() > deadline:
                raise NotReadyError(words.SILENT(name=name, seconds=round(seconds)))
            time.sleep(_POLL)

    def _web_answers(self) -> bool:
        try:
            with _DIRECT.open(f"{self.local_url}/livez", timeout=2) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            return False


def _child(name: str, command: Sequence[str], *, echo: bool = True) -> Child:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
    forked = command[0] == sys.executable
    return Child(name, command, env=environment, cwd=settings.BASE_DIR, echo=echo, forked=forked)


def _worker_answers() -> bool:
    return bool(app.control.ping(destination=[processes.worker_name()], timeout=0.5))


def _worker_is_idle() -> bool:
    """Ask the worker; one that cannot be asked may be busy."""
    name = processes.worker_name()
    try:
        active = app.control.inspect(destination=[name], timeout=0.5).active()
    except (OperationalError, RedisError, OSError):
        return False
    return active is not None and active.get(name) == []
