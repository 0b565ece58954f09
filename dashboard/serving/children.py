"""Child processes: started with a name, their output prefixed with it, stopped in order, never orphaned."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from clusters.wording import serving as words
from dashboard.operations import tether
from dashboard.serving.forks import Fork

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_TETHER = (sys.executable, "-I", "-S", tether.__file__)
_KEPT_LINES = 20

# Seconds. A child that has lived so long was able to start; before each further start there is a longer pause.
_SETTLED = 30.0
_PAUSES = (1, 2, 4, 8, 16, 32)


class ChildDiedError(Exception):
    """A child ended by itself and is not started again; says which, how, and what it wrote last."""

    def __init__(self, child: Child, *more: str) -> None:
        super().__init__("\n".join((_end_of(child), *more)))


def _end_of(child: Child) -> str:
    code = child.process.poll() or 0
    output = "".join(f"\n    {line}" for line in child.last_lines() or (words.NO_OUTPUT,))
    if code < 0:
        return words.PROCESS_KILLED(name=child.name, signal=signal.Signals(-code).name, output=output)
    return words.PROCESS_EXITED(name=child.name, status=str(code), output=output)


def _spawned(command: Sequence[str], env: Mapping[str, str], cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*_TETHER, str(os.getpid()), *command],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )


class Child:
    """One process in a session of its own, so that a Ctrl-C reaches the supervisor alone.

    ``forked``: a command of this interpreter that shares what the others that are forked have loaded.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        echo: bool = True,
        forked: bool = False,
    ) -> None:
        self.name = name
        self._was_asked = False
        self._echo = echo
        self._command = (command, {**env, "PYTHONUNBUFFERED": "1"}, cwd)
        self._start_process = Fork if forked else _spawned
        # How often it has ended without having settled, and when it is started again.
        self._early_ends = 0
        self._next_start: float | None = None
        self._start()

    def _start(self) -> None:
        self._tail: deque[str] = deque(maxlen=_KEPT_LINES)
        self._started = time.monotonic()
        self.process = self._start_process(*self._command)
        self._reader = threading.Thread(target=self._read, name=f"output of {self.name}", daemon=True)
        self._reader.start()

    def check(self) -> None:
        """Raise ChildDiedError if the process has ended."""
        if self.process.poll() is not None:
            raise ChildDiedError(self)

    def tend(self) -> None:
        """Start a process that has ended again, after a pause; raise ChildDiedError for one that only ever ends."""
        if self.process.poll() is None:
            return
        now = time.monotonic()
        if self._next_start is None:
            self._early_ends = self._early_ends + 1 if now - self._started < _SETTLED else 1
            # What it left in its session.
            self.kill()
            if self._early_ends > len(_PAUSES):
                raise ChildDiedError(self, words.GIVEN_UP(starts=len(_PAUSES)))
            pause = _PAUSES[self._early_ends - 1]
            self._next_start = now + pause
            print(_end_of(self), words.STARTED_AGAIN(name=self.name, seconds=pause), sep="\n", flush=True)
        elif now >= self._next_start:
            self._next_start = None
            self._start()

    def last_lines(self) -> list[str]:
        # The process is gone, its last words may still be in the pipe.
        self._reader.join(timeout=1)
        return list(self._tail)

    def ask_to_stop(self) -> None:
        """Ask the process to end, once, and return at once."""
        if not self._was_asked and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self._was_asked = True

    def stop(self, *, grace: float) -> None:
        """Ask the process to end; after `grace` seconds end it, and in any case whatever it left in its session."""
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=grace)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(timeout=1)

    def kill(self) -> None:
        """End the process and its session now."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def _read(self) -> None:
        assert self.process.stdout is not None  # noqa: S101 - asked for above
        with self.process.stdout as lines:
            for line in lines:
                self._tail.append(line.rstrip())
                if self._echo:
                    print(f"{self.name:<7}| {line.rstrip()}", flush=True)


class Family:
    """The children of one supervisor; those that are `first` carry the others, which were started after them."""

    def __init__(self) -> None:
        self._first: list[Child] = []
        self._others: list[Child] = []

    def add(self, child: Child, *, first: bool = False) -> Child:
        (self._first if first else self._others).append(child)
        return child

    def check(self) -> None:
        """Raise ChildDiedError for the first child that has ended."""
        for child in self._all():
            child.check()

    def tend(self) -> None:
        """Start again what has ended; raise ChildDiedError for what cannot be started."""
        for child in self._all():
            child.tend()

    def ask_to_stop(self) -> None:
        """Ask those that the first ones carry to end, all at the same time."""
        for child in self._others:
            child.ask_to_stop()

    def stop(self, *, grace: float) -> None:
        """Stop those that the first ones carry, and then the first ones."""
        self.ask_to_stop()
        for generation in (self._others, self._first):
            while generation:
                generation.pop().stop(grace=grace)

    def kill(self) -> None:
        """End every child now."""
        for child in self._all():
            child.kill()

    def _all(self) -> list[Child]:
        return [*self._first, *self._others]
