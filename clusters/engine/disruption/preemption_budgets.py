"""Which pods an eviction may take without breaking a disruption budget, as preemption counts it.

Upstream: ``filterPodsWithPDBViolation`` in ``plugins/defaultpreemption`` v1.34.1.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.matching.selectors import LabelSelector, SelectorError
from clusters.engine.objects import namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class Budget:
    """A PodDisruptionBudget: whom it selects, how many disruptions it still allows, and who is being disrupted."""

    selector: LabelSelector
    allowed: int
    disrupted: frozenset[str]


def _by_namespace(snapshot: Snapshot) -> dict[str, list[Budget]]:
    """The budgets of each namespace; one whose selector cannot be read protects nothing."""
    found: dict[str, list[Budget]] = {}
    for document in snapshot.objects("PodDisruptionBudget"):
        status = document.get("status") or {}
        try:
            selector = LabelSelector.from_dict((document.get("spec") or {}).get("selector"))
        except SelectorError:
            continue
        budget = Budget(
            selector, int(status.get("disruptionsAllowed") or 0), frozenset(status.get("disruptedPods") or ())
        )
        found.setdefault(namespace_of(document), []).append(budget)
    return found


class Protection:
    """Which budgets each pod uses up: only those of its namespace are looked at, once for all pods of like labels."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._pods = snapshot.pods
        self._budgets = snapshot.derived(_by_namespace, "PodDisruptionBudget")
        self._selecting: dict[str, dict[int, list[Budget]]] = {}

    def violating(self, slots: Iterable[int]) -> set[int]:
        """Which of the pods, evicted in this order, would break a budget."""
        used: Counter[int] = Counter()
        broken = set()
        for slot in slots:
            name = self._pods.name(slot)
            for budget in self._protecting(slot):
                if name not in budget.disrupted:
                    used[id(budget)] += 1
                    if used[id(budget)] > budget.allowed:
                        broken.add(slot)
        return broken

    def _protecting(self, slot: int) -> list[Budget]:
        """The budgets that select a pod; none do that select by nothing, or a pod without labels."""
        label_set = int(self._pods.label_set[slot])
        namespace = self._pods.label_sets[label_set].namespace
        if namespace not in self._selecting:
            found: dict[int, list[Budget]] = {}
            for budget in self._budgets.get(namespace, ()):
                if not budget.selector.matches_everything:
                    for number in self._pods.select(budget.selector, frozenset({namespace})).tolist():
                        found.setdefault(number, []).append(budget)
            self._selecting[namespace] = found
        return self._selecting[namespace].get(label_set, []) if self._pods.label_sets[label_set].labels else []
