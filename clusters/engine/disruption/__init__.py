"""Disruption budgets: what they allow, what they block, and what the Eviction API answers."""

from __future__ import annotations

from clusters.engine.disruption.budgets import (
    BudgetFix,
    BudgetRemedy,
    BudgetState,
    Computed,
    DisruptionBudget,
    EvictionAnswer,
    Ground,
    Never,
    NodeShares,
    ReportedStatus,
    ZeroCause,
    ZoneShare,
    budget_states,
    charged,
    disruption_budgets,
    eviction_answer,
    fix_of,
    one_unavailable,
    remedy_of,
)
from clusters.engine.disruption.drains import BlockedDrain, BudgetRefusal, blocked_drains

__all__ = [
    "BlockedDrain",
    "BudgetFix",
    "BudgetRefusal",
    "BudgetRemedy",
    "BudgetState",
    "Computed",
    "DisruptionBudget",
    "EvictionAnswer",
    "Ground",
    "Never",
    "NodeShares",
    "ReportedStatus",
    "ZeroCause",
    "ZoneShare",
    "blocked_drains",
    "budget_states",
    "charged",
    "disruption_budgets",
    "eviction_answer",
    "fix_of",
    "one_unavailable",
    "remedy_of",
]
