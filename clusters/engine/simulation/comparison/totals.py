"""A run as a whole: how the cluster is after it, what it did to running pods, and what its nodes cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.simulation.fragmentation import Fragmentation, fragmentation_of
from clusters.engine.simulation.measures import (
    BudgetMeasures,
    Measures,
    SpreadMeasures,
    budget_measures,
    measures_of,
    nodes_in_use,
    resource_amounts,
    spread_measures,
)
from clusters.engine.simulation.steps import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.simulation.comparison.finished import Finished


@dataclass(frozen=True, slots=True)
class Prices:
    """What a node costs by the value of one of its labels, in whatever unit and for whatever time."""

    label: str
    by_value: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Disruptions:
    """How often running pods had to go, or should have gone and stayed."""

    preempted: int
    evicted: int
    refused: int


@dataclass(frozen=True, slots=True)
class Cost:
    """Nodes with a pod that is neither of a DaemonSet nor static, and what they have, by resource in base units.

    ``price``: the sum of those that a price is known for, None where none was asked for; ``unpriced``: the others.
    """

    nodes: int
    allocatable: Mapping[str, int]
    price: float | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class Totals:
    """A run after its last step; ``placed``: wanted pods on nodes then, and copies of others that had to go.

    ``uncertain``: those of them that only do if what is not computed lets them. ``pending``: pending pods, as
    ``namespace/name``.
    """

    placed: int
    uncertain: int
    pending: tuple[str, ...]
    disruptions: Disruptions
    measures: Measures
    fragmentation: tuple[Fragmentation, ...]
    spread: SpreadMeasures
    budgets: BudgetMeasures
    cost: Cost


def totals_of(run: Finished, shapes: Sequence[Mapping[str, int]], prices: Prices | None = None) -> Totals:
    """Sum a run up; by ``shapes`` its fragmentation is judged."""
    snapshot, waiting = run.simulation.snapshot, run.waiting()
    times = Counter(step.outcome for step in run.steps)
    placed = [step for key, step in run.last_steps.items() if step.outcome is Outcome.PLACED and key in run.nodes]
    return Totals(
        placed=len(placed),
        uncertain=sum(bool(step.uncertain) for step in placed),
        pending=tuple(sorted(run.simulation.waiting)),
        disruptions=Disruptions(times[Outcome.PREEMPTED], times[Outcome.EVICTED], times[Outcome.REFUSED]),
        measures=measures_of(snapshot, waiting),
        fragmentation=fragmentation_of(snapshot, run.case.configuration, shapes),
        spread=spread_measures(snapshot, run.case.configuration.profiles, waiting),
        budgets=budget_measures(snapshot, waiting),
        cost=_cost(run, prices),
    )


def _cost(run: Finished, prices: Prices | None) -> Cost:
    snapshot = run.simulation.snapshot
    rows = np.flatnonzero(nodes_in_use(snapshot))
    allocatable = {name: int(each.allocatable[rows].sum()) for name, each in resource_amounts(snapshot).items()}
    if prices is None:
        return Cost(len(rows), allocatable, None, len(rows))
    values = [snapshot.nodes.nodes[row].labels.get(prices.label, "") for row in rows.tolist()]
    known = [prices.by_value[value] for value in values if value in prices.by_value]
    return Cost(len(rows), allocatable, sum(known), len(rows) - len(known))
