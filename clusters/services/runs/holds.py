"""A worker's hold on a piece of work in the database: taken by one, shown to be alive, lost when taken for dead."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from clusters.models import SimulationRun
from clusters.services.runs.errors import RunTakenError

if TYPE_CHECKING:
    from clusters.models import StudyPart

_log = logging.getLogger(__name__)

_SECONDS_BETWEEN_BEATS: Final = 5.0
# Both kinds of work have these two.
_WAITS, _RUNS = SimulationRun.State.QUEUED.value, SimulationRun.State.RUNNING.value


class Hold:
    """A worker's hold on a run or on a part of a study.

    Every write is one of the worker that has it, or raises RunTakenError: one that was taken for dead, and wakes up,
    finds that another worker goes on.
    """

    def __init__(self, work: SimulationRun | StudyPart, worker: str) -> None:
        self.work = work
        self._worker = worker

    @classmethod
    def take(cls, work: SimulationRun | StudyPart) -> Hold | None:
        """Take what waits for a worker; None where another one was quicker, or it waits no more."""
        worker = secrets.token_hex(16)
        count = (
            type(work)
            ._default_manager.filter(pk=work.pk, state=_WAITS)
            .update(state=_RUNS, worker=worker, begun=F("begun") + 1, heartbeat_at=timezone.now())
        )
        return cls(work, worker) if count else None

    def update(self, **values: Any) -> None:
        """Change the row and show life. Raises RunTakenError."""
        mine = type(self.work)._default_manager.filter(pk=self.work.pk, worker=self._worker, state=_RUNS)
        if not mine.update(heartbeat_at=timezone.now(), **values):
            raise RunTakenError(f"{self.work!r} is another worker's by now")


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
        with suppress(RunTakenError):
            while not self._is_over.wait(_SECONDS_BETWEEN_BEATS):
                try:
                    self._hold.update()
                except OperationalError as error:
                    # The next beat may find the database well again.
                    _log.warning("No sign of life could be given: %s", error)
                    connection.close()
        # Connections are of their thread.
        connection.close()
