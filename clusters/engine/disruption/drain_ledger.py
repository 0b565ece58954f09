"""What budgets allow while pods are evicted one after another and others take their places.

Upstream: the Eviction API charges a budget's status, ``pkg/registry/core/pod/storage/eviction.go``, and the disruption
controller computes it anew, ``pkg/controller/disruption/disruption.go``, v1.34.1.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.engine.disruption.arithmetic import Computed, compute
from clusters.engine.disruption.budget import disruption_budgets
from clusters.engine.disruption.eviction import EvictionAnswer, answer_under
from clusters.engine.disruption.guarded import Census
from clusters.engine.disruption.scale import scale_of
from clusters.engine.disruption.state import healthy_pods
from clusters.engine.objects import namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.disruption.budget import DisruptionBudget, ReportedStatus
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Balance:
    """Where a ledger stands: budgets by ``namespace/name``, and those that the controller has to look at again."""

    budgets: Mapping[str, DisruptionBudget]
    stale: frozenset[str]


class Ledger:
    """The budgets of a cluster as the API server sees them from eviction to eviction.

    ``others``: pods that the snapshot does not hold because they wait for a node or have finished; budgets count them.
    """

    def __init__(self, snapshot: Snapshot, others: Iterable[Document] = ()) -> None:
        self._budgets = {budget.key: budget for budget in disruption_budgets(snapshot)}
        self._by_namespace: dict[str, list[DisruptionBudget]] = defaultdict(list)
        for budget in self._budgets.values():
            self._by_namespace[budget.namespace].append(budget)
        self._others: dict[str, list[Document]] = defaultdict(list)
        for pod in others:
            if namespace_of(pod) in self._by_namespace:
                self._others[namespace_of(pod)].append(pod)
        self._selecting: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[str, ...]] = {}
        self._stale: set[str] = set(self._budgets)

    def keys_of(self, pod: Pod) -> tuple[str, ...]:
        """The budgets that select a pod, as ``namespace/name``."""
        memo = (pod.namespace, tuple(sorted(pod.labels.items())))
        known = self._selecting.get(memo)
        if known is None:
            found = self._by_namespace.get(pod.namespace, ())
            known = tuple(budget.key for budget in found if budget.selector.matches(pod.labels))
            self._selecting[memo] = known
        return known

    def peek(self, pod: Pod) -> EvictionAnswer:
        """What the API server would answer to the pod's eviction."""
        return answer_under(pod, [self._budgets[key] for key in self.keys_of(pod)])

    def ask(self, pod: Pod) -> EvictionAnswer:
        """What the API server answers to the pod's eviction; a budget at whose expense it is granted is charged."""
        keys = self.keys_of(pod)
        answer = self.peek(pod)
        if answer.is_granted:
            self._stale.update(keys)
        if answer.is_charged:
            budget = self._budgets[keys[0]]
            reported = budget.reported
            left = replace(reported, allowed=reported.allowed - 1, disrupted=reported.disrupted | {pod.name})
            self._budgets[keys[0]] = replace(budget, reported=left)
        return answer

    def reported(self, key: str) -> ReportedStatus:
        """The status of a budget by ``namespace/name``. Raises KeyError."""
        return self._budgets[key].reported

    def look_again(self, keys: Iterable[str]) -> None:
        """Have the controller look at these budgets anew: their pods changed without an eviction."""
        self._stale.update(keys)

    def settle(self, snapshot: Snapshot, keys: Iterable[str]) -> None:
        """Let the controller write the status of those of the budgets about whose pods something changed."""
        due = sorted(self._stale.intersection(keys))
        if not due:
            return
        # Evicted pods are gone by now, and what it does not see go the controller forgets after two minutes.
        budgets = [
            replace(self._budgets[key], reported=replace(self._budgets[key].reported, disrupted=frozenset()))
            for key in due
        ]
        namespaces = sorted({budget.namespace for budget in budgets})
        census = Census(snapshot, budgets, [pod for each in namespaces for pod in self._others.get(each, ())])
        for number, budget in enumerate(budgets):
            guarded = census.guarded(number)
            scale = scale_of(snapshot, budget.namespace, census.controllers(guarded))
            computed = compute(budget, len(guarded), healthy_pods(snapshot, budget, guarded), scale)
            self._budgets[budget.key] = _written(budget, computed)
        self._stale.difference_update(due)

    def balance(self) -> Balance:
        """Where the ledger stands, to come back to."""
        return Balance(dict(self._budgets), frozenset(self._stale))

    def restore(self, balance: Balance) -> None:
        """Come back to where the ledger stood."""
        self._budgets, self._stale = dict(balance.budgets), set(balance.stale)


def _written(budget: DisruptionBudget, computed: Computed) -> DisruptionBudget:
    """The budget with the status that the controller writes; what is not known of it is as reported."""
    if computed.failure:
        return replace(budget, is_observed=True, reported=replace(budget.reported, allowed=0))
    reported = budget.reported
    expected = reported.expected if computed.expected is None else computed.expected
    desired = reported.desired if computed.desired is None else computed.desired
    allowed = computed.allowed
    if allowed is None:
        allowed = max(0, computed.healthy - desired) if expected > 0 else 0
    written = replace(reported, expected=expected, healthy=computed.healthy, desired=desired, allowed=allowed)
    return replace(budget, is_observed=True, reported=written)
