"""Waiting for something that happens in another process."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def wait_until(happened: Callable[[], object], *, seconds: float, otherwise: str) -> None:
    """Return as soon as `happened` returns a true value; fail with `otherwise` when that takes too long."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            raise AssertionError(f"{otherwise} after {seconds} seconds")
        time.sleep(0.05)
