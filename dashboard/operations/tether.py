"""Ties a process to its parent's life, also when the parent is killed without a chance to say goodbye.

Run as a script, `tether.py PARENT COMMAND…`, it ties itself and becomes the command. It is a script of its own, and not
a function between fork and exec, because only few things are safe to do there; it imports nothing else of Berth's,
because it runs before each child.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with(parent: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Ask Linux to send the signal when the parent goes; leave at once if it has gone already.

    Elsewhere than on Linux this does nothing: there a killed supervisor leaves its children to be stopped by hand.
    """
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


if __name__ == "__main__":
    die_with(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the command comes from children.py, never from a user
