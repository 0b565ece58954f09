"""The flow solver, on networks small enough to solve by hand."""

from __future__ import annotations

import numpy as np

from clusters.adapters.flow import FlowError, solve
from clusters.engine.simulation import FlowProblem
from clusters.problems.orders import FlowUnsolved
from clusters.wording.problems import remedy_sentence
from tests.support.answers import error_of


def _problem(supplies: list[int], *arcs: tuple[int, int, int, int]) -> FlowProblem:
    """Arcs as (tail, head, capacity, cost)."""
    columns = np.array(arcs, np.int64).reshape(-1, 4).T
    return FlowProblem(np.array(supplies, np.int64), *columns[:2].astype(np.intp), *columns[2:])


def test_takes_the_cheapest_ways_that_carry_everything() -> None:
    """Both would take the cheap middle; one has to go round, the one for which that is less of a loss."""
    middle, aside, sink = 2, 3, 4
    problem = _problem(
        [1, 1, 0, 0, -2],
        (0, middle, 1, 1),
        (0, aside, 1, 10),
        (1, middle, 1, 2),
        (1, aside, 1, 5),
        (middle, sink, 1, 0),
        (aside, sink, 1, 0),
    )

    assert solve(problem).flows.tolist() == [1, 0, 0, 1, 1, 1]


def test_says_what_to_do_about_a_network_without_a_solution() -> None:
    refused = error_of(FlowError, solve, _problem([2, -2], (0, 1, 1, 1)))

    assert refused.problem == FlowUnsolved("INFEASIBLE")
    assert remedy_sentence(refused.problem) == "Run it with fewer pods, or pod by pod."


def test_nothing_to_carry_needs_no_solver() -> None:
    assert solve(_problem([0])).flows.tolist() == []
