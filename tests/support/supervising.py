"""A supervisor under test, with its real processes."""

from __future__ import annotations

import contextlib
import http.cookiejar
import os
import re
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from dashboard import datadir
from dashboard.serving import processes
from tests.support.live import free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        self,
        data_dir: Path,
        *,
        command: Sequence[str] = (sys.executable, "manage.py"),
        cwd: Path = settings.BASE_DIR,
        on_terminal: bool = False,
        largest_file: str = "unlimited",
        **environment: str,
    ) -> None:
        self.data_dir = data_dir
        self.port = int(environment.get("BERTH_PORT", free_port()))
        kept = {name: value for name, value in os.environ.items() if name not in _OTHERS_SETTINGS}
        where = {"BERTH_DATA_DIR": str(data_dir), "BERTH_PORT": str(self.port)}
        ours, theirs = os.openpty() if on_terminal else os.pipe()
        self.process = subprocess.Popen(
            # As on a full disk, a file cannot grow beyond so many blocks.
            ["sh", "-c", f'ulimit -f {largest_file}; exec "$@"', "sh", *command, "serve", "--no-demo"],
            cwd=cwd,
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

    def redis_process(self) -> int | None:
        return next((pid for pid in self.processes() if b"redis-server" in _read(Path(f"/proc/{pid}/cmdline"))), None)

    def worker_process(self) -> int | None:
        """The process of the worker that answers, if one does."""
        broker = str(datadir.redis_socket(self.data_dir))
        with Celery(broker=f"redis+socket://{broker}", set_as_current=False) as app:
            try:
                told = app.control.inspect([processes.worker_name()], timeout=1).stats() or {}
            except (OperationalError, RedisError):
                return None
        return next((int(each["pid"]) for each in told.values()), None)

    def web_process(self) -> int | None:
        """The process that listens on the port, if one does."""
        rows = (line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines())
        listening = {row[9] for row in rows if row[1].endswith(f":{self.port:04X}") and row[3] == "0A"}
        for pid in self.processes():
            with contextlib.suppress(OSError):
                for file in Path(f"/proc/{pid}/fd").iterdir():
                    if str(file.readlink()).removeprefix("socket:[").removesuffix("]") in listening:
                        return pid
        return None

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
