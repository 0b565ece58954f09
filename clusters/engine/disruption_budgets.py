"""Which pods an eviction may take without breaking a disruption budget, as preemption counts it.

Upstream: ``filterPodsWithPDBViolation`` in ``plugins/defaultpreemption`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import name_of, namespace_of
from clusters.engine.selectors import LabelSelector, SelectorError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Budget:
    """A PodDisruptionBudget: whom it protects and how many disruptions it still allows."""

    name: str
    namespace: str
    selector: LabelSelector
    allowed: int
    disrupted: frozenset[str]

    def protects(self, namespace: str, name: str, labels: Mapping[str, str]) -> bool:
        """Whether evicting a pod uses up this budget; one already being disrupted does not again."""
        if not labels or namespace != self.namespace or self.selector.matches_everything:
            return False
        return self.selector.matches(labels) and name not in self.disrupted


def budgets(snapshot: Snapshot) -> list[Budget]:
    """The budgets of a cluster; one whose selector cannot be read protects nothing."""
    found = []
    for document in snapshot.objects("PodDisruptionBudget"):
        status = document.get("status") or {}
        try:
            selector = LabelSelector.from_dict((document.get("spec") or {}).get("selector"))
        except SelectorError:
            continue
        found.append(
            Budget(
                name_of(document),
                namespace_of(document),
                selector,
                int(status.get("disruptionsAllowed") or 0),
                frozenset(status.get("disruptedPods") or ()),
            )
        )
    return found


def violating(snapshot: Snapshot, known: Sequence[Budget], slots: Iterable[int]) -> set[int]:
    """Which of the pods, evicted in this order, would break a budget."""
    left = [budget.allowed for budget in known]
    broken = set()
    pods = snapshot.pods
    for slot in slots:
        labels, namespace, name = pods.labels(slot), pods.namespace(slot), pods.name(slot)
        for number, budget in enumerate(known):
            if budget.protects(namespace, name, labels):
                left[number] -= 1
                if left[number] < 0:
                    broken.add(slot)
    return broken
