"""What a review says of budgets and drains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.disruption import BudgetFix
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

CHANGE_A_BUDGET: Final = gettext_lazy(
    "Change the budget, its selector or the number of replicas: waiting does not help."
)
ONE_BUDGET_A_POD: Final = gettext_lazy(
    "The API server answers an eviction of such a pod with an error (500), whatever the budgets allow: let one budget "
    "select it."
)


DRAINABLE = plural(
    "%(nodes)s of %(total)s nodes can be drained now, evaluated independently.",
    "%(nodes)s of %(total)s nodes can be drained now, evaluated independently.",
    by="nodes",
)
ALLOWED = plural(
    "Budgets and controllers allow %(nodes)s of %(total)s nodes to be drained now.",
    "Budgets and controllers allow %(nodes)s of %(total)s nodes to be drained now.",
    by="nodes",
)
WITHOUT_ROOM = plural(
    "The drain of %(nodes)s node would leave replacements unschedulable.",
    "The drains of %(nodes)s nodes would leave replacements unschedulable.",
    by="nodes",
)
BLOCKING = plural("%(budgets)s budget allows 0 disruptions.", "%(budgets)s budgets allow 0 disruptions.", by="budgets")
LASTING = plural(
    "%(budgets)s of them blocks drains until changed.", "%(budgets)s of them block drains until changed.", by="budgets"
)


def most_blocking(budgets: Sequence[tuple[str, int]]) -> str:
    """Name the budgets that block most drains, each with the number of nodes."""
    named = [
        ngettext("%(budget)s (%(nodes)s node)", "%(budget)s (%(nodes)s nodes)", nodes)
        % {"budget": budget, "nodes": grouped(nodes)}
        for budget, nodes in budgets
    ]
    return ngettext(
        "Drains are blocked by the budget %(budgets)s.",
        "Most drains are blocked by the budgets %(budgets)s.",
        len(named),
    ) % {"budgets": listed(named)}


def fix(kind: BudgetFix, *, others: Sequence[str], field: str, value: str, cause: str) -> str:
    """Say what makes a budget block no drain any more."""
    match kind:
        case BudgetFix.ONE_BUDGET:
            return _("Let one budget select each pod: it shares pods with %(budgets)s.") % {"budgets": listed(others)}
        case BudgetFix.ONE_UNAVAILABLE:
            return _("Replace %(field)s: %(value)s by maxUnavailable: 1.") % {"field": field, "value": value}
        case BudgetFix.CHANGE:
            return _("Change the budget, its selector or the number of replicas.")
        case _:
            return _("The budget need not change. Cause: %(cause)s.") % {"cause": cause}


NOT_PLANNED = plural(
    "No plan here: %(evictions)s eviction, more than the %(most)s that a review plans. The drain "
    "page plans them by zone or pool.",
    "No plan here: %(evictions)s evictions, more than the %(most)s that a review plans. The drain "
    "page plans them by zone or pool.",
    by="evictions",
)
PLANNED = plural(
    "A rolling upgrade drains %(nodes)s node, with %(evictions)s evictions in %(batches)s batch.",
    "A rolling upgrade drains %(nodes)s nodes, with %(evictions)s evictions in %(batches)s batches.",
    by="nodes",
)
NOT_RECREATED = plural(
    "%(pods)s pod has no controller: once its node is drained or lost, nothing recreates it.",
    "%(pods)s pods have no controller: once their nodes are drained or lost, nothing recreates them.",
    by="pods",
)
HOST_PORTS = plural(
    "%(pods)s pod has a host port: its replacement needs a node where that port is free.",
    "%(pods)s pods have host ports: each replacement needs a node where its ports are free.",
    by="pods",
)
NOT_DRAINED = plural("%(nodes)s node is not drained.", "%(nodes)s nodes are not drained.", by="nodes")
NEVER_DRAINED = plural(
    "%(nodes)s node cannot be drained until a budget is changed",
    "%(nodes)s nodes cannot be drained until a budget is changed",
    by="nodes",
)
SHARED = plural("%(pods)s pod is under several budgets", "%(pods)s pods are under several budgets", by="pods")
