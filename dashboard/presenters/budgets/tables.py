"""Budgets as tables of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.budgets.states import bound, sentence
from clusters.wording.nodes.file import NO, YES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BlockedDrain, BudgetState


def budget_cells(states: Iterable[BudgetState], snapshot: Snapshot) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each budget; what is not known stays empty."""
    for state in states:
        reported, computed = state.budget.reported, state.computed
        found = (computed.expected, computed.healthy, computed.desired, computed.allowed)
        yield (
            state.budget.namespace,
            state.budget.name,
            bound(state.budget),
            sentence(state, snapshot),
            reported.expected,
            reported.healthy,
            reported.desired,
            reported.allowed,
            *("" if number is None else number for number in found),
            str(YES if state.differs else NO),
            str(YES if state.is_blocker else NO),
            len(state.nodes.blocked),
            len(state.shared),
        )


def drain_cells(drains: Iterable[BlockedDrain]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each node and each budget that blocks its drain."""
    for drain in drains:
        for refusal in drain.refusals:
            lasts = str(YES if refusal.lasts else NO)
            yield drain.node, refusal.budget.key, refusal.pods, refusal.refused, refusal.shared, lasts
