"""Finds work whose worker died, and queued work whose message was lost, and sends it to workers again.

Runs, parts of studies and reviews wait in lines: while any of one is worked on, the others of it wait for their turn.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.db.models.functions import Now
from django.utils import timezone

from clusters.documents.stored_problems import encoded
from clusters.models import Report, SimulationRun, StudyPart
from clusters.models.lane import Lane
from clusters.problems.simulations import WorkersEnded
from clusters.services.lanes.sending import send_all
from clusters.services.leases.rows import from_now, silent

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from clusters.services.lanes.holds import Work

# So many workers may die over a piece of work before it is given up.
_MOST_BEGUN: Final = 3
# When nothing moves for so long, the messages of what waits are taken for lost.
_LOST: Final = timedelta(seconds=60)

# All kinds of work have these.
State = SimulationRun.State


class _WorkKind(NamedTuple):
    model: type[Work]
    # The path to the time at which it was asked for.
    asked_at: str
    # What is read of it here.
    read: tuple[str, ...] = ("begun",)
    keeps_end: bool = True


_KINDS: Final = (
    _WorkKind(SimulationRun, "created_at", ("begun", "is_stop_wanted")),
    _WorkKind(StudyPart, "study__created_at", keeps_end=False),
    _WorkKind(Report, "created_at"),
)


def resume() -> int:
    """Have other workers go on with what the dead left behind, and return how many pieces of work that were.

    What was begun too often before is given up, and what was to be stopped is stopped. What waits is sent again when no
    worker shows life: its messages were lost with Redis.
    """
    count = 0
    for kind in _KINDS:
        keys = [work.pk for work in _silent(kind).only(*kind.read) if _is_to_go_on(work, kind)]
        send_all(kind.model, keys)
        count += len(keys)
    return count + sum(_sent_again(lane) for lane in Lane)


def _silent(kind: _WorkKind) -> QuerySet[Any]:
    return silent(kind.model._default_manager.filter(state=State.RUNNING), settings.BERTH_RUNS_SILENCE)


def _sent_again(lane: Lane) -> int:
    """Tell workers again of what waits in a line in which nothing moves; return how many pieces of work that were."""
    # What was never told of, too: whoever was to work on it at once died.
    lanes = (lane, "") if lane == Lane.SIMULATIONS else (lane,)
    if any(kind.model._default_manager.filter(state=State.RUNNING, lane__in=lanes).exists() for kind in _KINDS):
        return 0
    count = 0
    for kind in _KINDS:
        waiting = kind.model._default_manager.filter(state=State.QUEUED, lane__in=lanes)
        long_ago = from_now(-_LOST)
        lost = waiting.filter(**{f"{kind.asked_at}__lt": long_ago}).exclude(heartbeat_at__gte=long_ago)
        keys = list(lost.values_list("pk", flat=True))
        kind.model._default_manager.filter(pk__in=keys, state=State.QUEUED).update(heartbeat_at=Now())
        send_all(kind.model, keys, lane)
        count += len(keys)
    return count


def _is_to_go_on(work: Work, kind: _WorkKind) -> bool:
    """Take work from its silent worker; say whether another one is to go on with it."""
    state, values = State.QUEUED, dict[str, Any](heartbeat_at=Now())
    ended = {"finished_at": timezone.now()} if kind.keeps_end else {}
    if isinstance(work, SimulationRun) and work.is_stop_wanted:
        state, values = State.CANCELLED, ended
    elif work.begun >= _MOST_BEGUN:
        state, values = State.FAILED, {"error": {"problem": encoded(WorkersEnded(work.begun))}, **ended}
    # Its worker, should it still be alive, notices that the work is not its own any more.
    if not _silent(kind).filter(pk=work.pk).update(state=state, worker="", **values):
        return False
    return state == State.QUEUED
