"""What would let a budget that never allows a disruption allow one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.budget import KIND
from clusters.engine.disruption.verdict import Never
from clusters.engine.objects import Document, name_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.disruption.state import BudgetState

_MENDED: Final = (Never.NONE_UNAVAILABLE, Never.ALL_AVAILABLE, Never.MORE_THAN_REPLICAS)
_BOUNDS: Final = ("minAvailable", "maxUnavailable")


class BudgetFix(StrEnum):
    """What makes a budget block no drain any more.

    ``ONE_BUDGET``: that no other budget selects the same pods. ``ONE_UNAVAILABLE``: ``maxUnavailable: 1``. ``CHANGE``:
    something else about the budget, its selector or its replicas. ``WAIT``: what is under way.
    """

    ONE_BUDGET = "one-budget"
    ONE_UNAVAILABLE = "one-unavailable"
    CHANGE = "change"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class BudgetRemedy:
    """The bound of a budget that ``maxUnavailable: 1`` would take the place of; ``field`` as in the spec."""

    field: str
    value: str

    @property
    def patch(self) -> Mapping[str, object]:
        """The change as a merge patch: null removes a field."""
        return {"spec": {**({self.field: None} if self.field != "maxUnavailable" else {}), "maxUnavailable": 1}}


def remedy_of(state: BudgetState) -> BudgetRemedy | None:
    """Find what would let a budget allow a disruption; None where it allows some at times, or has one pod only."""
    budget = state.budget
    if state.never not in _MENDED or state.pods < 2:
        return None
    if budget.max_unavailable is not None:
        return BudgetRemedy("maxUnavailable", str(budget.max_unavailable))
    return BudgetRemedy("minAvailable", str(budget.min_available))


def fix_of(state: BudgetState) -> BudgetFix | None:
    """Find what makes a budget block no drain any more; None where it blocks none."""
    if not state.nodes.blocked:
        return None
    if state.nodes.shared.any():
        return BudgetFix.ONE_BUDGET
    if remedy_of(state) is not None:
        return BudgetFix.ONE_UNAVAILABLE
    return BudgetFix.CHANGE if state.is_blocker else BudgetFix.WAIT


def one_unavailable(document: Document) -> Document:
    """Return a budget's manifest that allows one pod at a time to be unavailable, the rest of its spec kept."""
    spec = {key: value for key, value in (document.get("spec") or {}).items() if key not in _BOUNDS}
    return {
        "apiVersion": "policy/v1",
        "kind": KIND,
        "metadata": {"namespace": namespace_of(document), "name": name_of(document)},
        "spec": {**spec, "maxUnavailable": 1},
    }
