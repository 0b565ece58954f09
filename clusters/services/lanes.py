"""Queues of work by kind: users take turns, one worker holds each piece, and a dead worker's piece is taken over."""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from django.conf import settings
from django.db import Error, connection
from django.db.models import Count, DateTimeField, ExpressionWrapper, F, Max, Min, Model, QuerySet, Value
from django.db.models.functions import Now
from django.utils import timezone
from msgspec import Struct

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError
from clusters.documents.stored_problems import encoded
from clusters.models import Report, SimulationRun, StudyPart
from clusters.models.run import Lane
from clusters.problems.orders import WorkersEnded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from django.db.models.expressions import CombinedExpression


# A row of the database that one holder works on: taken, written with a sign of life each time, lost after silence.
#
# All moments are the database's, as the clocks of holders differ. A holder is whoever the query finds the row for: by
# a token, or by a state that only the holder can have brought about.

M = TypeVar("M", bound=Model)


class LeaseLostError(Exception):
    """Another holder took the work, somebody ended it, or it was deleted: whoever meets this writes nothing more."""


def take(free: QuerySet[M], **values: Any) -> bool:
    """Take a row, if the query finds it free; False where somebody was quicker."""
    return bool(free.update(heartbeat_at=Now(), **values))


def write(held: QuerySet[M], **values: Any) -> None:
    """Change the row that the query finds for its holder, and show life. Raises LeaseLostError where it finds none."""
    if not held.update(heartbeat_at=Now(), **values):
        raise LeaseLostError(held.model._meta.label)


def silent(rows: QuerySet[M], silence: timedelta) -> QuerySet[M]:
    """Return those rows whose holders have shown no life for so long."""
    return rows.filter(heartbeat_at__lt=from_now(-silence))


def from_now(distance: timedelta) -> ExpressionWrapper[CombinedExpression]:
    """Return a moment so far from the present one; a negative distance is in the past."""
    return ExpressionWrapper(Now() + Value(distance), output_field=DateTimeField())


# Messages to workers: each says that there is a piece of work more in a line, and whoever is free takes a turn.

# By name, because tasks call services and not the other way round.
TASK: Final = "clusters.tasks.take_turn"


def send_all(model: type[Model], keys: Collection[int], lane: Lane | None = None) -> None:
    """Let this work, rows of a model by primary key, wait in a line, and tell workers that there is so much more.

    Without a line each waits in the one in which it was. Without Redis the rows wait until it is back: what resumes
    abandoned work sends them again.
    """
    # Who only reads, such as a command, has no use for Celery.
    from celery import group
    from kombu.exceptions import OperationalError

    from clusters.celery import current_app

    if not keys:
        return
    rows = model._default_manager.filter(pk__in=keys)
    if lane is None:
        rows.filter(lane="").update(lane=Lane.SIMULATIONS)
    else:
        rows.update(lane=lane)
    counts = dict(rows.order_by().values_list("lane").annotate(Count("pk")))
    try:
        shared_redis.knock()
        group(
            [
                current_app.signature(TASK, args=(found,), options={"queue": found})
                for found, number in counts.items()
                for _ in range(number)
            ]
        ).apply_async()
    except (AwayError, OperationalError) as error:
        words = model._meta.verbose_name_plural
        _log.warning("%d %s wait, because Redis is unavailable: %s", len(keys), words, error)


# Finds work whose worker died, and queued work whose message was lost, and sends it to workers again.
#
# Runs, parts of studies and reviews wait in lines: while any of one is worked on, the others of it wait for their
# turn.

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


# A worker's hold on a piece of work in the database: taken by one, shown to be alive, lost when taken for dead.

_log = logging.getLogger(__name__)

_SECONDS_BETWEEN_BEATS: Final = 5.0

Work: TypeAlias = SimulationRun | StudyPart | Report
W = TypeVar("W", SimulationRun, StudyPart, Report)

# All kinds of work have these two.
_WAITS, _RUNS = SimulationRun.State.QUEUED.value, SimulationRun.State.RUNNING.value


class Hold:
    """A worker's hold on a run, on a part of a study, or on a review.

    Every write is one of the worker that has it, or raises LeaseLostError: one that was taken for dead, and wakes up,
    finds that another worker goes on.
    """

    def __init__(self, work: Work, worker: str) -> None:
        self.work = work
        self._worker = worker

    @classmethod
    def take(cls, work: Work) -> Hold | None:
        """Take what waits for a worker; None where another one was quicker, or it waits no more."""
        worker = secrets.token_hex(16)
        waiting = type(work)._default_manager.filter(pk=work.pk, state=_WAITS)
        is_taken = take(waiting, state=_RUNS, worker=worker, begun=F("begun") + 1)
        return cls(work, worker) if is_taken else None

    def update(self, **values: Any) -> None:
        """Change the row and show life. Raises LeaseLostError."""
        write(type(self.work)._default_manager.filter(pk=self.work.pk, worker=self._worker, state=_RUNS), **values)


class Pulse:
    """Shows that a worker lives while it computes one long step, or reads a large cluster."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold
        self._is_over = Event()
        self._thread = Thread(target=self._beat, name="pulse", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _beat(self) -> None:
        # The worker itself notices that it lost its hold when it writes.
        with suppress(LeaseLostError):
            while not self._is_over.wait(_SECONDS_BETWEEN_BEATS):
                try:
                    self._hold.update()
                except Error as error:
                    # The next beat may find the database well again.
                    _log.warning("No sign of life could be given: %s", error)
                    connection.close()
        # Connections are of their thread.
        connection.close()


def work_on(waiting: QuerySet[W], work: Callable[[W, Hold], None]) -> bool:
    """Take the one row of a query if it waits for a worker, and work on it, showing life meanwhile.

    Returns whether it did: nothing happens to what another worker has or takes over, nor to what was deleted. What the
    work raises when the database was away is raised again: the row stays as it is until another worker takes over.
    """
    row = waiting.first()
    hold = None if row is None else Hold.take(row)
    if row is None or hold is None:
        _log.info("No %s waits for this worker.", waiting.model._meta.verbose_name)
        return False
    try:
        with Pulse(hold):
            work(row, hold)
    except LeaseLostError as error:
        _log.warning("%s", error)
    return True


# Whose turn it is: users take turns, however much each of them has waiting.
#
# A message says only that there is work more in a line. Which piece that is, the worker that is free finds out in the
# database: the oldest piece of the user of whom the fewest are being worked on, and of equal ones of the user who was
# served longest ago. So messages may be lost, come twice or out of order, and nothing is worked on twice or
# forgotten.

# Who was served longer ago than this is as if they never were.
_REMEMBERED: Final = timedelta(hours=1)


class _WhoseTurnWorkKind(NamedTuple):
    """A kind of work, and the paths to who asked for it and when."""

    model: type[Work]
    user: str
    asked_at: str


_WHOSE_TURN_KINDS: Final = (
    _WhoseTurnWorkKind(SimulationRun, "created_by", "created_at"),
    _WhoseTurnWorkKind(StudyPart, "study__created_by", "study__created_at"),
    _WhoseTurnWorkKind(Report, "created_by", "created_at"),
)


class Piece(Struct, frozen=True):
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
    for kind in _WHOSE_TURN_KINDS:
        rows = kind.model._default_manager.filter(state=State.QUEUED, lane=lane).order_by()
        for user, pk, asked_at in rows.values_list(kind.user).annotate(Min("pk"), Min(kind.asked_at)):
            yield Piece(kind.model, pk, user, asked_at)


def _running(lane: Lane) -> Counter[int | None]:
    """Return how many pieces of each user are being worked on."""
    counts: Counter[int | None] = Counter()
    for kind in _WHOSE_TURN_KINDS:
        rows = kind.model._default_manager.filter(state=State.RUNNING, lane=lane).order_by()
        counts.update(dict[Any, int](rows.values_list(kind.user).annotate(Count("pk"))))
    return counts


def _served(lane: Lane) -> dict[int | None, float]:
    """Return when each user's work was worked on last, as a timestamp."""
    served: dict[int | None, float] = {}
    for kind in _WHOSE_TURN_KINDS:
        # Those that wait for another turn, too.
        rows = kind.model._default_manager.filter(lane=lane, heartbeat_at__gte=timezone.now() - _REMEMBERED)
        for user, latest in rows.order_by().values_list(kind.user).annotate(Max("heartbeat_at")):
            served[user] = max(served.get(user, 0.0), latest.timestamp())
    return served
