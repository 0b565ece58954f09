"""Whose turn it is: users take turns, however much each of them has waiting.

A message says only that there is work more in a line. Which piece that is, the worker that is free finds out in the
database: the oldest piece of the user of whom the fewest are being worked on, and of equal ones of the user who was
served longest ago. So messages may be lost, come twice or out of order, and nothing is worked on twice or forgotten.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Count, Max, Min
from django.utils import timezone

from clusters.models import Report, SimulationRun, StudyPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.models.lane import Lane
    from clusters.services.lanes.holds import Work

State = SimulationRun.State

# Who was served longer ago than this is as if they never were.
_REMEMBERED: Final = timedelta(hours=1)


class _WorkKind(NamedTuple):
    """A kind of work, and the paths to who asked for it and when."""

    model: type[Work]
    user: str
    asked_at: str


_KINDS: Final = (
    _WorkKind(SimulationRun, "created_by", "created_at"),
    _WorkKind(StudyPart, "study__created_by", "study__created_at"),
    _WorkKind(Report, "created_by", "created_at"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of work that waits, of a user; None of what nobody in particular asked for."""

    model: type[Work]
    pk: int
    user: int | None
    asked_at: datetime

    @property
    def order(self) -> tuple[datetime, int]:
        return self.asked_at, self.pk


def next_piece(lane: Lane) -> Piece | None:
    """Return what is to be worked on next in a line, None where nothing waits."""
    first: dict[int | None, Piece] = {}
    for piece in _waiting(lane):
        known = first.get(piece.user)
        if known is None or piece.order < known.order:
            first[piece.user] = piece
    if len(first) < 2:
        return next(iter(first.values()), None)
    running, served = _running(lane), _served(lane)
    return min(first.values(), key=lambda each: (running[each.user], served.get(each.user, 0.0), each.order))


def others_wait(lane: Lane, user: int | None) -> bool:
    """Whether somebody else waits in a line of whom nothing is being worked on."""
    running = _running(lane)
    return any(piece.user != user and not running[piece.user] for piece in _waiting(lane))


def _waiting(lane: Lane) -> Iterator[Piece]:
    """Yield the oldest piece of each user and kind."""
    for kind in _KINDS:
        rows = kind.model._default_manager.filter(state=State.QUEUED, lane=lane).order_by()
        for user, pk, asked_at in rows.values_list(kind.user).annotate(Min("pk"), Min(kind.asked_at)):
            yield Piece(kind.model, pk, user, asked_at)


def _running(lane: Lane) -> Counter[int | None]:
    """Return how many pieces of each user are being worked on."""
    counts: Counter[int | None] = Counter()
    for kind in _KINDS:
        rows = kind.model._default_manager.filter(state=State.RUNNING, lane=lane).order_by()
        counts.update(dict[Any, int](rows.values_list(kind.user).annotate(Count("pk"))))
    return counts


def _served(lane: Lane) -> dict[int | None, float]:
    """Return when each user's work was worked on last, as a timestamp."""
    served: dict[int | None, float] = {}
    for kind in _KINDS:
        # Those that wait for another turn, too.
        rows = kind.model._default_manager.filter(lane=lane, heartbeat_at__gte=timezone.now() - _REMEMBERED)
        for user, latest in rows.order_by().values_list(kind.user).annotate(Max("heartbeat_at")):
            served[user] = max(served.get(user, 0.0), latest.timestamp())
    return served
