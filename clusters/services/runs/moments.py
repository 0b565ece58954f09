"""A finished or running run, looked at again: its state after any step, and the decision of any step, computed anew."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine import explain
from clusters.engine.simulation.replaying import explained
from clusters.problems.simulations import NoSuchStep, StepWithoutAttempt
from clusters.services.computing import deadlines
from clusters.services.computing.caches import Cache
from clusters.services.decisions.failures import computed
from clusters.services.runs.cases import case_of, simulation_of
from clusters.services.runs.chunks import steps_of
from clusters.services.runs.errors import SpecError
from clusters.services.runs.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Explanation, Snapshot
    from clusters.engine.simulation import Step
    from clusters.engine.simulation.batch import BatchSimulation
    from clusters.engine.simulation.run import Simulation
    from clusters.models import SimulationRun

# Runs that somebody steps through at the same time; each holds its state, which is large of a large cluster.
_KEPT: Final = 2
# A page asks for the same moment several times, for its parts.
_MOMENTS_KEPT: Final = 2


class Moment(NamedTuple):
    """The cluster after a step, and the pods that have no node then, with the last step of each."""

    snapshot: Snapshot
    waiting: Mapping[str, Step]


def state_at(run: SimulationRun, number: int) -> Simulation | BatchSimulation:
    """Return the simulation after ``number`` steps, 0 for its beginning. Raises SpecError for a step not taken."""
    return _replayed(run, _known(run, number)[:number], number)


def moment_at(run: SimulationRun, number: int) -> Moment:
    """Return what is so after ``number`` steps; it is shared: leave it as it is. Raises SpecError.

    Going on from the moment that was asked for before takes the steps in between; going back takes all from the first.
    """
    _known(run, number)
    return _walk_of(run).moment(number)


def known_steps(run: SimulationRun) -> Sequence[Step]:
    """Return all stored steps of a run; they are shared and read once, however often somebody steps through it."""
    return _walk_of(run).steps


def decision_at(run: SimulationRun, number: int) -> Explanation:
    """Return the decision of a step, from 0, as it was: computed on the state before it; it is shared.

    Raises SpecError and NotComputed.
    """
    return _decisions.get((run.pk, run.created_at, number), lambda: _decided(run, number))


# A page of a decision asks for it again with each node that somebody points at.
_decisions: Final[Cache[tuple[int, object, int], Explanation]] = Cache("decisions of runs", _MOMENTS_KEPT)


def _decided(run: SimulationRun, number: int) -> Explanation:
    steps = _known(run, number + 1)[: number + 1]
    if not steps[number].is_decision:
        raise SpecError("step", StepWithoutAttempt(number))
    case = case_of(run)
    if not Spec.stored(run.spec).is_batch:
        return computed(steps[number].pod, lambda: explained(case, steps, number))
    simulation = _replayed(run, steps, number)
    before = simulation.snapshot.copy()
    next(simulation)
    pod = simulation.document_of(steps[number].pod)
    return computed(steps[number].pod, lambda: explain(before, pod, case.configuration.profile_for(pod)))


class _Walk:
    """A run as somebody steps through it."""

    def __init__(self, run: SimulationRun) -> None:
        self._run = run
        self.steps: Sequence[Step] = tuple(steps_of(run))
        self._moments: Cache[int, Moment] = Cache("moments of a run", _MOMENTS_KEPT)
        # One simulation goes through a run for all who look at it, so their moments are computed one after the other.
        self._lock = Lock()
        self._simulation: Simulation | BatchSimulation | None = None
        self._taken = 0

    def moment(self, number: int) -> Moment:
        """Return what is so after as many of the steps."""
        return self._moments.get(number, lambda: self._after(number))

    def _after(self, number: int) -> Moment:
        with self._lock:
            simulation = self._gone_to(number)
            # The simulation goes on for whoever asks next.
            return Moment(simulation.snapshot.copy(), dict(simulation.waiting))

    def _gone_to(self, number: int) -> Simulation | BatchSimulation:
        simulation, taken = self._simulation, self._taken
        # One that fails on its way is not asked again.
        self._simulation = None
        if simulation is None or taken > number:
            simulation, taken = _replayed(self._run, self.steps, 0), 0
        for _ in range(number - taken):
            deadlines.check()
            next(simulation)
        self._simulation, self._taken = simulation, number
        return simulation


_walks: Final[Cache[tuple[int, object], _Walk]] = Cache("runs stepped through", _KEPT)


def _walk_of(run: SimulationRun) -> _Walk:
    # A run that goes on has more steps the next time.
    return _walks.get((run.pk, run.created_at), lambda: _Walk(run), version=run.steps)


def _replayed(run: SimulationRun, steps: Sequence[Step], number: int) -> Simulation | BatchSimulation:
    """Return the simulation after ``number`` of the steps."""
    simulation = simulation_of(case_of(run), Spec.stored(run.spec), steps)
    for _ in range(number):
        deadlines.check()
        next(simulation)
    return simulation


def _known(run: SimulationRun, number: int) -> Sequence[Step]:
    """Return the steps of a run that has at least so many. Raises SpecError."""
    steps = known_steps(run)
    if not 0 <= number <= len(steps):
        raise SpecError("step", NoSuchStep(number, run.steps))
    return steps
