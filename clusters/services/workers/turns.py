"""Works on the next piece of work of a lane, chosen so that users take turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.models import Report, SimulationRun, StudyPart
from clusters.services import reports
from clusters.services.lanes.whose_turn import next_piece
from clusters.services.runs import working
from clusters.services.studies import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.models.lane import Lane
    from clusters.services.lanes.holds import Work

# What works on one piece, by primary key, if no other worker is quicker.
_WORK: Final[Mapping[type[Work], Callable[[int], bool]]] = {
    SimulationRun: working.work,
    StudyPart: parts.work_on_part,
    Report: reports.write,
}


def take(lane: Lane) -> bool:
    """Work on the piece whose turn it is in a line, to its end; return whether there was one."""
    while (piece := next_piece(lane)) is not None:
        if _WORK[piece.model](piece.pk):
            return True
    return False
