"""Processes that are forked from one in which what all of them need has been loaded."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from dashboard.operations import tether

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

T = TypeVar("T")

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["dashboard.serving.nursery"])


def apart(function: Callable[[], T]) -> T:
    """Return what a function returns in a process of its own, with whose end go all modules that it loaded."""
    with ProcessPoolExecutor(1, mp_context=_CONTEXT) as executor:
        return executor.submit(function).result()


def end_all() -> None:
    """End what is left of all that was forked, also what nobody came to know of: Python would wait for it."""
    for process in multiprocessing.active_children():
        process.kill()


class Fork:
    """A command of this interpreter in a session of its own, with as much of `subprocess.Popen` as is needed.

    Settings are those that this process had when it forked first.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        reader, writer = _CONTEXT.Pipe(duplex=False)
        with reader, writer:
            self._process = _CONTEXT.Process(
                target=_become, args=(writer, command[1:], dict(env), cwd), name=multiprocessing.current_process().name
            )
            self._process.start()
            self.stdout = os.fdopen(os.dup(reader.fileno()), encoding="utf-8", errors="replace")
        self.pid = self._process.pid or 0

    @property
    def returncode(self) -> int | None:
        """As that of `subprocess.Popen`, always up to date."""
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def _become(output: Connection, arguments: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
    """Run `-m MODULE …` or `FILE …` as the interpreter itself would."""
    os.setsid()
    tether.die_with(os.getppid())
    for stream in (sys.stdout, sys.stderr):
        os.dup2(output.fileno(), stream.fileno())
    output.close()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(cwd)
    os.environ.update(env)
    sys.argv = [*arguments[arguments[0] == "-m" :]]
    if arguments[0] == "-m":
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(arguments[0], run_name="__main__")
