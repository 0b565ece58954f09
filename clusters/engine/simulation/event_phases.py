"""In which order events of one time happen in a simulation."""

from __future__ import annotations

from enum import IntEnum


class EventPhase(IntEnum):
    """What happens first at one time; the line is emptied before drains begin and before those leave who passed by."""

    LEAVES = 0
    TAINTED = 1
    DRIVEN = 2
    ARRIVES = 3
    DRAINS = 4
    PASSES = 5
