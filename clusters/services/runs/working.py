"""The work on a run: steps are computed, and written down every second, until there are no more.

One worker has a run. It proves that with each write: a worker that was taken for dead finds that the run is another's,
and stops. The next one goes through the stored steps without computing them, and goes on where they end.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from clusters.adapters.bulk import insert
from clusters.adapters.flow import FlowError
from clusters.models import RunPod, SimulationRun
from clusters.models.run import Lane
from clusters.problems.orders import WorkFailed
from clusters.services.computing import clear_away
from clusters.services.lanes import Hold, LeaseLostError, others_wait, send_all, work_on
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.runs.cases import base_under, notes_of, prepared_on, simulation_of
from clusters.services.runs.chunks import STEPS_PER_CHUNK, steps_of, write_steps
from clusters.services.runs.results import ROW_COLUMNS, RunResults
from clusters.services.runs.spec import Spec, SpecError
from clusters.services.runs.summary import measured_base

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.simulation import Step

_SECONDS_BETWEEN_WRITES: Final = 1.0
SECONDS_PER_TURN: Final = 30.0
_TIMES_READY: Final = 3

State = SimulationRun.State


def work(run_id: int) -> bool:
    """Work on a run that waits, to its end or until it is cancelled; whatever else ends it is recorded in it.

    Returns whether it did: nothing happens to a run that another worker has.
    """
    return work_on(SimulationRun.objects.select_related("base").filter(pk=run_id), _work_to_its_end)


def _work_to_its_end(run: SimulationRun, hold: Hold) -> None:
    """Work, and record what ends it before its end. Raises LeaseLostError, and OperationalError without a database."""
    SimulationRun.objects.filter(pk=run.pk, started_at__isnull=True).update(started_at=timezone.now())
    try:
        _work(run, hold)
    except (LeaseLostError, OperationalError):
        raise
    except SpecError as error:
        _end(hold, State.FAILED, error=error.as_dict())
    except (FlowError, ChangingTooFastError) as error:
        _end(hold, State.FAILED, error=SpecError("", error.problem).as_dict())
    except Exception:
        _end(hold, State.FAILED, error=SpecError("", WorkFailed()).as_dict())
        raise
    finally:
        clear_away()


def _end(hold: Hold, state: State, **values: Any) -> None:
    hold.update(state=state, finished_at=timezone.now(), **values)


def _is_stop_wanted(run: SimulationRun) -> bool:
    found = SimulationRun.objects.filter(pk=run.pk).values_list("is_stop_wanted", flat=True).first()
    return found is None or found


def _work(run: SimulationRun, hold: Hold) -> None:
    turn = _Turn(run)
    spec = Spec.stored(run.spec)
    base = base_under(run, spec)
    before = measured_base(base, spec)
    prepared = prepared_on(base, spec)
    recorded = list(steps_of(run))
    simulation = simulation_of(prepared.case, spec, recorded)
    results = RunResults(prepared.case, simulation, before)
    writer = _Writer(run, hold, recorded)
    for step in simulation:
        results.take(step)
        if step.number < len(recorded):
            continue
        turn.is_getting_on()
        writer.take(step)
        if writer.is_due:
            writer.write(total=simulation.pods_total, done=simulation.pods_done)
            if _is_stop_wanted(run):
                return _end(hold, State.CANCELLED)
            if turn.is_over:
                return turn.hand_over(hold)
    writer.write(total=simulation.pods_total, done=simulation.pods_done)
    if _is_stop_wanted(run):
        return _end(hold, State.CANCELLED)
    version = run.cluster.kube_version if run.cluster is not None else ""
    return _finish(run, hold, notes_of(spec, prepared, version), results)


class _Turn:
    """How long a run is worked on before it is somebody else's turn.

    It goes on later from its stored steps, and as going through them takes time too, no turn is shorter than a few
    times that.
    """

    def __init__(self, run: SimulationRun) -> None:
        self._run = run
        self._lane = Lane(run.lane) if run.lane else None
        self._began = monotonic()
        self._ends: float | None = None

    def is_getting_on(self) -> None:
        """Note that a new step is computed: what came before the first one was getting ready."""
        if self._ends is None:
            ready = monotonic()
            self._ends = ready + max(SECONDS_PER_TURN, _TIMES_READY * (ready - self._began))

    @property
    def is_over(self) -> bool:
        if self._lane is None or self._ends is None or monotonic() < self._ends:
            return False
        return self._lane == Lane.QUESTIONS or others_wait(self._lane, self._run.created_by_id)

    def hand_over(self, hold: Hold) -> None:
        """Let the run wait for its next turn; a question that takes so long waits with the simulations from now on."""
        hold.update(state=State.QUEUED, worker="", begun=F("begun") - 1)
        send_all(SimulationRun, [self._run.pk], Lane.SIMULATIONS)


class _Writer:
    """Writes steps down: a chunk when it is full, and what there is of the last one every second."""

    def __init__(self, run: SimulationRun, hold: Hold, recorded: list[Step]) -> None:
        self._run = run
        self._hold = hold
        # The last chunk grows on where another worker left it.
        self._tail = recorded[len(recorded) - len(recorded) % STEPS_PER_CHUNK :]
        self._first = len(recorded) - len(self._tail)
        self._is_written = True
        self._due = monotonic() + _SECONDS_BETWEEN_WRITES
        self._progress = (0, 0)

    @property
    def is_due(self) -> bool:
        return len(self._tail) >= STEPS_PER_CHUNK or monotonic() >= self._due

    def take(self, step: Step) -> None:
        self._tail.append(step)
        self._is_written = False

    def write(self, *, total: int, done: int) -> None:
        """Write the tail with the run's progress in one transaction; nobody else can have written a step meanwhile."""
        self._due = monotonic() + _SECONDS_BETWEEN_WRITES
        steps = self._first + len(self._tail)
        with transaction.atomic():
            self._hold.update(steps=steps, pods_total=total, pods_done=done)
            if not self._is_written:
                write_steps(self._run.pk, self._first, self._tail)
        self._is_written = True
        if len(self._tail) >= STEPS_PER_CHUNK:
            self._first, self._tail = steps, []


def _finish(run: SimulationRun, hold: Hold, notes: Sequence[str | Mapping[str, Any]], results: RunResults) -> None:
    summary = results.summary(notes)
    rows = list(results.rows(run.pk))
    with transaction.atomic():
        _end(hold, State.DONE, summary=summary)
        insert(RunPod, ROW_COLUMNS, rows)
