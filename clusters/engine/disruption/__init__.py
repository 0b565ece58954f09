"""Disruption budgets: what they allow, what they block, and what the Eviction API answers."""

from __future__ import annotations

from clusters.engine.disruption.arithmetic import Computed
from clusters.engine.disruption.budget import DisruptionBudget, ReportedStatus, disruption_budgets
from clusters.engine.disruption.drains import BlockedDrain, BudgetRefusal, blocked_drains
from clusters.engine.disruption.eviction import EvictionAnswer, Ground, charged, eviction_answer
from clusters.engine.disruption.remedy import BudgetFix, BudgetRemedy, fix_of, one_unavailable, remedy_of
from clusters.engine.disruption.state import BudgetState, NodeShares, ZoneShare, budget_states
from clusters.engine.disruption.verdict import Never, ZeroCause

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
