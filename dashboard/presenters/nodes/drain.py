"""What a drain of one node meets now, in a sentence of the node's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.disruption.drain_nodes import Outlook, node_drains
from clusters.wording.nodes import drain as words

if TYPE_CHECKING:
    from clusters.services.disruption.budgets import ClusterBudgets


def drain_sentence(budgets: ClusterBudgets, node: str) -> str:
    """Say whether a node can be drained, and what to change where it cannot; empty for one that is not known there."""
    row = budgets.snapshot.nodes.index.get(node)
    if row is None:
        return ""
    drain = node_drains(budgets.snapshot, budgets.drains)[row]
    refusals = () if drain.blocked is None else drain.blocked.refusals
    match drain.outlook:
        case Outlook.LASTING:
            return words.blocked_until_changed([each.budget.key for each in refusals if each.lasts])
        case Outlook.WAITS:
            return words.blocked_for_now([each.budget.key for each in refusals])
        case Outlook.FORCE:
            return words.needs_force(drain.unmanaged)
        case _:
            return words.allowed(drain.evicted)
