"""Min-cost max-flow by OR-tools, the extra ``batch``: the solver that the batch scheduler is given."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from clusters.engine.scheduling import AnswerError
from clusters.engine.simulation import FlowProblem, FlowSolution
from clusters.problems.orders import FlowUnsolved


class FlowError(AnswerError):
    """A network could not be solved; the problem has the solver's word for why."""

    def __init__(self, status: str) -> None:
        self.problem = FlowUnsolved(status)
        super().__init__(repr(self.problem))


def is_installed() -> bool:
    """Whether OR-tools is there, without which `solve` cannot be called."""
    return find_spec("ortools") is not None


def solve(problem: FlowProblem) -> FlowSolution:
    """Solve a network exactly; the same problem always gives the same solution. Raises FlowError."""
    if not len(problem.tails):
        return FlowSolution(np.zeros(0, np.int64))
    # Large, and only for batches, which a worker places.
    from ortools.graph.python import min_cost_flow  # type: ignore[import-untyped]

    solver = min_cost_flow.SimpleMinCostFlow()
    arcs = solver.add_arcs_with_capacity_and_unit_cost(
        problem.tails.astype(np.int32), problem.heads.astype(np.int32), problem.capacities, problem.costs
    )
    solver.set_nodes_supplies(np.arange(len(problem.supplies), dtype=np.int32), problem.supplies)
    status = solver.solve()
    if status != solver.OPTIMAL:
        raise FlowError(status.name)
    return FlowSolution(np.asarray(solver.flows(arcs), np.int64))
