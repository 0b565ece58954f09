"""Budgets as tables of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.presenters.budgets.words import bound_text, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BlockedDrain, BudgetState

BUDGET_COLUMNS = (
    "namespace", "budget", "demands", "says", "expected", "healthy", "desired", "allowed", "expected computed",
    "healthy computed", "desired computed", "allowed computed", "differs", "blocks until changed", "nodes blocked",
    "pods under two budgets",
)  # fmt: skip
DRAIN_COLUMNS = ("node", "budget", "pods", "refused", "refused with 500", "until changed")


def budget_cells(states: Iterable[BudgetState], snapshot: Snapshot) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each budget; what is not known stays empty."""
    for state in states:
        reported, computed = state.budget.reported, state.computed
        found = (computed.expected, computed.healthy, computed.desired, computed.allowed)
        yield (
            state.budget.namespace,
            state.budget.name,
            bound_text(state.budget),
            sentence(state, snapshot),
            reported.expected,
            reported.healthy,
            reported.desired,
            reported.allowed,
            *("" if number is None else number for number in found),
            "yes" if state.differs else "no",
            "yes" if state.is_blocker else "no",
            len(state.nodes.blocked),
            len(state.shared),
        )


def drain_cells(drains: Iterable[BlockedDrain]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each node and each budget that blocks its drain."""
    for drain in drains:
        for refusal in drain.refusals:
            lasts = "yes" if refusal.lasts else "no"
            yield drain.node, refusal.budget.key, refusal.pods, refusal.refused, refusal.shared, lasts
