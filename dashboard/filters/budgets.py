"""The filter of the budgets page; it chooses among what the engine found, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.forms import ChoiceField

    from clusters.engine.disruption import BudgetState

STATES: dict[str, tuple[str, Callable[[BudgetState], bool]]] = {
    "lasting": ("Blocks until changed", lambda state: state.is_blocker),
    "passing": ("At zero for now", lambda state: state.cause is not None and not state.is_blocker),
    "drains": ("Blocks a drain", lambda state: bool(state.nodes.blocked)),
    "allows": ("Allows evictions", lambda state: state.cause is None),
    "shared": ("Shares pods", lambda state: bool(state.shared)),
    "differs": ("Status differs", lambda state: state.differs),
}


class BudgetFilter(FilterForm):
    """Name, namespace, state."""

    q = search("Search", "Part of a budget's name")
    namespace = choice("Namespace", ())
    state = choice("State", ((value, label) for value, (label, _) in STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, states: Iterable[BudgetState]) -> None:
        super().__init__(data)
        field: ChoiceField = self.fields["namespace"]  # type: ignore[assignment]
        names = sorted({state.budget.namespace for state in states})
        field.choices = [("", "Any"), *((name, name) for name in names)]

    def passes(self, state: BudgetState) -> bool:
        """Tell whether every given filter lets the budget through."""
        given, budget = self.given(), state.budget
        text = given.get("q", "")
        return (
            text in (budget.key if "/" in text else budget.name)
            and given.get("namespace", budget.namespace) == budget.namespace
            and ("state" not in given or STATES[given["state"]][1](state))
        )

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"name contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
            "state": lambda value: STATES[value][0][:1].lower() + STATES[value][0][1:],
        }
        return [words[name](value) for name, value in self.given().items()]
