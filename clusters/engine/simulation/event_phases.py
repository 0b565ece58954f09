"""In which order events of one time happen in a simulation."""

from __future__ import annotations

from enum import IntEnum


class EventPhase(IntEnum):
    """What happens first at one time; the line is emptied before drains begin and before those leave who passed by."""

    TERMINATED = 0
    LEAVES = 1
    TAINTED = 2
    DRIVEN = 3
    ARRIVES = 4
    DRAINS = 5
    PASSES = 6
