"""What a review says of budgets and drains."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.disruption import BudgetFix
from clusters.wording.messages import message, plural

CHANGE_A_BUDGET: Final = gettext_lazy("Change the budget, its selector or the replicas: waiting does not help.")
ONE_BUDGET_A_POD: Final = gettext_lazy("Their eviction fails (500): let one budget select each.")
DRAINABLE = message("%(nodes)s of %(total)s nodes can be drained now, evaluated independently.")
ALLOWED = message("Budgets and controllers allow the drain of %(nodes)s of %(total)s nodes.")
WITHOUT_ROOM = message("Replacements would be unschedulable after %(nodes)s of the drains.")
BLOCKING = plural("%(budgets)s budget allows 0 disruptions.", "%(budgets)s budgets allow 0 disruptions.", by="budgets")
LASTING = message("%(budgets)s of them until changed.")
MOST_BLOCKING = message("Blocked by budgets: %(budgets)s.")
BUDGET_WITH_NODES = message("%(budget)s (%(nodes)s)")
# What makes a budget block no drain any more.
FIXES: Final = {
    BudgetFix.ONE_BUDGET: message("Let one budget select each pod: it shares pods with %(others)s."),
    BudgetFix.ONE_UNAVAILABLE: message("Replace %(field)s: %(value)s by maxUnavailable: 1."),
    BudgetFix.CHANGE: message("Change the budget, its selector or the replicas."),
}
NO_FIX = message("The budget need not change. Cause: %(cause)s.")
NOT_PLANNED = message("No plan here: %(evictions)s evictions, more than %(most)s. See the drain page.")
PLANNED = plural(
    "A rolling upgrade drains %(nodes)s node: %(evictions)s evictions, batches: %(batches)s.",
    "A rolling upgrade drains %(nodes)s nodes: %(evictions)s evictions, batches: %(batches)s.",
    by="nodes",
)
NOT_RECREATED = plural(
    "%(pods)s pod without a controller is not recreated.",
    "%(pods)s pods without a controller are not recreated.",
    by="pods",
)
HOST_PORTS = message("Pods whose host ports must be free elsewhere: %(pods)s.")
NOT_DRAINED = message("Not drained: %(nodes)s.")
NEVER_DRAINED = plural(
    "%(nodes)s node cannot be drained until a budget is changed",
    "%(nodes)s nodes cannot be drained until a budget is changed",
    by="nodes",
)
SHARED = plural("%(pods)s pod is under several budgets", "%(pods)s pods are under several budgets", by="pods")
