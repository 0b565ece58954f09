"""States and decisions of a simulation that is known already, computed again from its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.simulation.run import Simulation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.simulation.case import Case
    from clusters.engine.simulation.steps import Step


def state_after(case: Case, steps: Sequence[Step]) -> Simulation:
    """A simulation that has taken these steps, its first ones, and can go on."""
    simulation = Simulation(case, steps)
    for _ in steps:
        next(simulation)
    return simulation


def explained(case: Case, steps: Sequence[Step], number: int) -> Explanation:
    """The decision of an attempt, computed on the state before it. Raises ValueError for a step that was none."""
    return Simulation(case, steps[: number + 1]).explanation_at(number)
