"""The command lines of the processes that one installation is made of."""

from __future__ import annotations

import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# Bytes of a websocket's message; pages send short requests only.
_LONGEST_MESSAGE = 64 * 1024
# Seconds that the web server waits for open requests when it is asked to stop.
_WEB_GRACE = 4


def worker_name() -> str:
    """Return the name under which this machine's worker answers Celery's control messages."""
    return f"berth@{socket.gethostname()}"


def worker(*, concurrency: int, log_level: str) -> list[str]:
    """Run tasks. One worker alone has nobody to gossip or mingle with, and starts a second earlier without."""
    options = ["--hostname", worker_name(), "--concurrency", str(concurrency), "--without-gossip", "--without-mingle"]
    return [*_celery("worker", log_level), *options]


def beat(*, schedule: Path, log_level: str) -> list[str]:
    """Start what dashboard.celery schedules; `schedule` remembers when each was last started."""
    return [*_celery("beat", log_level), "--schedule", str(schedule), "--pidfile="]


def watch(cluster: str) -> list[str]:
    """Follow one live cluster."""
    return [sys.executable, "manage.py", "watch", cluster]


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
    protocols = ["--lifespan", "off", *websockets, "--log-level", log_level.lower()]
    return [sys.executable, "-m", "uvicorn", "dashboard.asgi:application", *where, *manners, *protocols]


def _celery(command: str, log_level: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "--app", "dashboard.celery", command, "--loglevel", log_level]
