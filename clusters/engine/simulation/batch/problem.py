"""A min-cost max-flow problem and its solution, as the batch scheduler and a solver agree on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.status import Index, Ints


@dataclass(frozen=True, slots=True, eq=False)
class FlowProblem:
    """A network with integer costs: ``supplies`` has shape (V,), positive at sources, negative at the sink, sum 0.

    ``tails``, ``heads``, ``capacities`` (>= 0) and ``costs`` of one unit have shape (A,), one entry for each arc.
    """

    supplies: Ints
    tails: Index
    heads: Index
    capacities: Ints
    costs: Ints


@dataclass(frozen=True, slots=True, eq=False)
class FlowSolution:
    """Units on each arc, shape (A,), that carry every supply to the sink at the least cost."""

    flows: Ints


# Raises an error of its own for a problem that has no solution; the batch scheduler asks only such as have one.
Solve = Callable[[FlowProblem], FlowSolution]
