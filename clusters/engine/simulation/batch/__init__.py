"""Many pods placed at once, as min-cost max-flow over the same filters and scores, with rounds of repair."""

from __future__ import annotations

from clusters.engine.simulation.batch.problem import FlowProblem, FlowSolution, Solve
from clusters.engine.simulation.batch.run import BatchSimulation

__all__ = ["BatchSimulation", "FlowProblem", "FlowSolution", "Solve"]
