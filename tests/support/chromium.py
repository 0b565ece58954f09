"""The system's Chromium."""

from __future__ import annotations

import functools
import os
import shutil

# The first draws into no window and takes a fifth less of the processor.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@functools.cache
def find_chromium() -> str | None:
    """Return the path of a Chromium: BERTH_CHROMIUM, or the first of the usual names on PATH."""
    if named := os.environ.get("BERTH_CHROMIUM"):
        return shutil.which(named)
    return next((path for path in map(shutil.which, _NAMES) if path), None)
