"""Child processes: started with a name, their output prefixed with it, stopped in order, never orphaned."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
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


class ChildDiedError(Exception):
    """A child ended by itself; says which, how, and what it wrote last."""

    def __init__(self, child: Child) -> None:
        code = child.process.poll() or 0
        output = "".join(f"\n    {line}" for line in child.last_lines() or (words.NO_OUTPUT,))
        super().__init__(
            words.PROCESS_KILLED(name=child.name, signal=signal.Signals(-code).name, output=output)
            if code < 0
            else words.PROCESS_EXITED(name=child.name, status=str(code), output=output)
        )


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
        self._tail: deque[str] = deque(maxlen=_KEPT_LINES)
        self._echo = echo
        start = Fork if forked else _spawned
        self.process = start(command, {**env, "PYTHONUNBUFFERED": "1"}, cwd)
        self._reader = threading.Thread(target=self._read, name=f"output of {name}", daemon=True)
        self._reader.start()

    def check(self) -> None:
        """Raise ChildDiedError if the process has ended."""
        if self.process.poll() is not None:
            raise ChildDiedError(self)

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
