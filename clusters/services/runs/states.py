"""A finished or running run, looked at again: its state after any step, and the decision of any step, computed anew."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

from clusters.engine import explain
from clusters.engine.simulation import Outcome
from clusters.engine.simulation.run import explained
from clusters.services.runs.cases import case_of, simulation_of
from clusters.services.runs.chunks import steps_of
from clusters.services.runs.errors import SpecError
from clusters.services.runs.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.engine.simulation import Case, Step
    from clusters.engine.simulation.batch import BatchSimulation
    from clusters.engine.simulation.run import Simulation
    from clusters.models import SimulationRun

# A page asks for the same step several times, for its parts.
_KEPT: Final = 4
# What a step decided about a node.
ATTEMPTS: Final = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE})


def state_at(run: SimulationRun, number: int) -> Simulation | BatchSimulation:
    """Return the simulation after ``number`` steps, 0 for its beginning; it is shared: leave it as it is.

    Raises SpecError for a step that the run has not taken.
    """
    return _recent.get(run, number)


def decision_at(run: SimulationRun, number: int) -> Explanation:
    """Return the decision of a step, from 0, as it was: computed on the state before it. Raises SpecError."""
    steps = _steps_upto(run, number + 1)
    case = case_of(run)
    if steps[number].outcome not in ATTEMPTS:
        what = f"Step {number:,} decides nothing about a node."
        raise SpecError("step", what, "Choose one at which a pod was placed or found no node.")
    if not Spec.stored(run.spec).is_batch:
        return explained(case, steps, number)
    simulation = _replayed(run, case, steps, number)
    before = simulation.snapshot.copy()
    next(simulation)
    pod = simulation.document_of(steps[number].pod)
    return explain(before, pod, case.configuration.profile_for(pod))


class _Recent:
    """The states that somebody looked at last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._states: OrderedDict[tuple[int, object, int], Simulation | BatchSimulation] = OrderedDict()

    def get(self, run: SimulationRun, number: int) -> Simulation | BatchSimulation:
        key = run.pk, run.created_at, number
        with self._lock:
            state = self._states.get(key)
            if state is None:
                state = self._states[key] = _replayed(run, case_of(run), _steps_upto(run, number), number)
            self._states.move_to_end(key)
            while len(self._states) > _KEPT:
                self._states.popitem(last=False)
            return state


def _replayed(run: SimulationRun, case: Case, steps: Sequence[Step], number: int) -> Simulation | BatchSimulation:
    """Return the simulation after ``number`` of the steps."""
    simulation = simulation_of(case, Spec.stored(run.spec), steps)
    for _ in range(number):
        next(simulation)
    return simulation


def _steps_upto(run: SimulationRun, number: int) -> list[Step]:
    steps = list(steps_of(run, number)) if number > 0 else []
    if len(steps) != max(number, 0) or number < 0:
        raise SpecError("step", f"The run has no step {number:,}.", f"It has {run.steps:,} by now.")
    return steps


_recent = _Recent()
