"""One process of the control plane: started, ended and started again, with everything it writes kept in one file."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from dashboard.operations import tether

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ROOM_FOR_WORDS = 16_384


class Daemon:
    """A process that dies with the tests, even when these are killed."""

    def __init__(self, name: str, command: Sequence[str], *, log: Path, cwd: Path) -> None:
        self.name = name
        self.log = log
        self._command = [sys.executable, "-I", "-S", tether.__file__, str(os.getpid()), *command]
        self._cwd = cwd
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self.is_alive():
            raise RuntimeError(f"{self.name} runs already")
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def state(self) -> str:
        return f"{self.name} {'runs' if self.is_alive() else 'is not running'}"

    def check(self) -> None:
        """Raise RuntimeError with its last words when the process has ended."""
        if not self.is_alive():
            raise RuntimeError(f"{self.state()}, wrote last:\n{self.last_lines()}")

    def last_lines(self, count: int = 15) -> str:
        """Return the last lines of what the process wrote, indented."""
        if not self.log.is_file():
            return "    (nothing)"
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _ROOM_FOR_WORDS))
            lines = log.read().decode(errors="replace").splitlines()
        return "\n".join(f"    {line}" for line in lines[-count:]) or "    (nothing)"

    def stop(self, *, grace: float) -> None:
        """Ask the process to end; kill it after `grace` seconds."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=grace)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
