"""A worker's hold on a piece of work in the database: taken by one, shown to be alive, lost when taken for dead."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from django.db import Error, connection
from django.db.models import F

from clusters.models import Report, SimulationRun, StudyPart
from clusters.services.leases.rows import LeaseLostError, take, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

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
