"""What must be so before the processes start: one supervisor, a free port, a current schema, collected static files."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import socket
from typing import TYPE_CHECKING, TextIO

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import DatabaseError

from clusters.wording import serving as words
from dashboard.operations import health

if TYPE_CHECKING:
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
        raise NotPreparedError(words.already_runs(data=str(data_dir), process=holder)) from None
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
    raise NotPreparedError(words.port_taken(host=host, port=wanted))


def migrate() -> bool:
    """Bring the database's schema up to date and say whether there was anything to do."""
    try:
        if unknown := health.unknown_migrations():
            raise NotPreparedError(words.newer_database(unknown))
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
            raise NotPreparedError(words.cannot_listen(host=host, port=port, reason=str(error.strerror))) from None
    return True
