"""The filter of the budgets page; it chooses among what the engine found, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording import budgets as words, filters as labels
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.utils.functional import _StrOrPromise

    from clusters.engine.disruption import BudgetState

STATES: dict[str, tuple[_StrOrPromise, Callable[[BudgetState], bool]]] = {
    "lasting": (words.FILTER_LASTING, lambda state: state.is_blocker),
    "passing": (words.FILTER_PASSING, lambda state: state.cause is not None and not state.is_blocker),
    "drains": (words.FILTER_DRAINS, lambda state: bool(state.nodes.blocked)),
    "allows": (words.FILTER_ALLOWS, lambda state: state.cause is None),
    "shared": (words.FILTER_SHARED, lambda state: bool(state.shared)),
    "differs": (words.FILTER_DIFFERS, lambda state: state.differs),
}


class BudgetFilter(FilterForm):
    """Name, namespace, state."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())
    state = choice(labels.STATE, ((value, label) for value, (label, _) in STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, states: Iterable[BudgetState]) -> None:
        super().__init__(data)
        names = sorted({state.budget.namespace for state in states})
        self.offer("namespace", [(name, name) for name in names])

    def passes(self, state: BudgetState) -> bool:
        """Tell whether every given filter lets the budget through."""
        given, budget = self.given(), state.budget
        text = given.get("q", "")
        return (
            text in (budget.key if "/" in text else budget.name)
            and given.get("namespace", budget.namespace) == budget.namespace
            and ("state" not in given or STATES[given["state"]][1](state))
        )
