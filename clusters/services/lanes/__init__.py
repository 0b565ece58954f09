"""Work that waits in lanes: told to workers, taken in turns, held by one worker at a time, taken from the dead."""

from __future__ import annotations
