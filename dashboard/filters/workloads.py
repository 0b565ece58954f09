"""The filters of workloads, how they are spread, what guards them and what they use; none asks the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from clusters.engine.spreading import Source, SpreadGroup
from clusters.engine.usage import Sizing, WorkloadSizing
from clusters.services.workloads.growth import MOST_PODS
from clusters.services.workloads.owners import BARE
from clusters.wording import (
    budgets as budgets_words,
    filters as labels,
    refusals as refusals_words,
    spread as spread_words,
    usage as usage_words,
    workloads as words,
)
from clusters.wording.runs import summary as summary_words
from dashboard.filters.base import FilterForm, choice, scope, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from django.utils.functional import _StrOrPromise

    from clusters.engine.disruption import BudgetState
    from clusters.engine.owners import Workload
    from clusters.engine.quotas import Quota
    from clusters.services.usage.history import ClusterSizing
    from clusters.services.workloads import ClusterWorkloads, WorkloadState


def _is_short(found: ClusterWorkloads, state: WorkloadState) -> bool:
    return state.desired is not None and state.ready < state.desired


def _is_uneven(found: ClusterWorkloads, state: WorkloadState) -> bool:
    group = found.worst_group(state)
    return group is not None and group.violation > 0


def _is_held(found: ClusterWorkloads, state: WorkloadState) -> bool:
    return any(found.budgets[key].cause is not None for key in state.budgets)


STATES: dict[str, tuple[_StrOrPromise, Callable[[ClusterWorkloads, WorkloadState], bool]]] = {
    "failing": (words.FAILING, lambda found, state: state.workload in found.failures),
    "pending": (words.WITH_PENDING, lambda found, state: state.pending > 0),
    "short": (words.TOO_FEW_READY, _is_short),
    "uneven": (words.BEYOND_MAX_SKEW, _is_uneven),
    "unguarded": (words.WITHOUT_BUDGET, lambda found, state: not state.budgets),
    "held": (words.NO_DISRUPTIONS, _is_held),
    "empty": (words.WITHOUT_PODS, lambda found, state: not state.placed + state.pending),
}


# What no pod that is on a node and stands for itself is.
_NEVER_OF_BARE = frozenset({"failing", "pending", "uneven", "empty"})


class WorkloadsFilter(FilterForm):
    """Name, namespace, kind, state."""

    q = search(labels.SEARCH, words.NAME_HINT)
    namespace = scope()
    kind = choice(words.KIND, ())
    state = choice(labels.STATE, ((value, label) for value, (label, _) in STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, found: ClusterWorkloads) -> None:
        super().__init__(data)
        self._found = found
        self.offer_namespaces(found.summary.namespaces)
        self.offer("kind", [(each, each) for each in found.summary.kinds])

    def apply(self) -> Sequence[WorkloadState]:
        """Return the workloads that every given filter lets through."""
        given, states = self.given(), self._found.states
        if not given:
            return states.in_order()
        text, namespace, kind = given.get("q", ""), given.get("namespace"), given.get("kind")
        passes = STATES[given["state"]][1] if "state" in given else None
        is_bare = kind in (None, BARE) and given.get("state") not in _NEVER_OF_BARE
        named = (
            workload
            for workload in (states if is_bare else states.owned)
            if namespace in (None, workload.namespace)
            and kind in (None, workload.kind)
            and (not text or text in (f"{workload.namespace}/{workload.name}" if "/" in text else workload.name))
        )
        found = map(states.__getitem__, named)
        return [state for state in found if passes is None or passes(self._found, state)]


class MoreForm(FilterForm):
    """How many more pods of a workload are tried."""

    more = forms.IntegerField(
        label=words.MORE_PODS,
        required=False,
        min_value=1,
        max_value=MOST_PODS,
        error_messages={
            "invalid": words.NO_WHOLE_NUMBER,
            "min_value": words.TOO_FEW,
            "max_value": words.too_many(MOST_PODS),
        },
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"}),
    )

    def asked(self) -> int | None:
        """Return how many pods are asked for; None where nobody asks, or for a number that makes no sense."""
        self.is_valid()
        more: int | None = self.cleaned_data.get("more")
        return more


_STATES = {
    "violated": spread_words.EXCEEDED,
    "blocking": spread_words.BLOCKING,
    "pending": spread_words.WITH_PENDING,
    "kept": spread_words.WITHIN,
}
_SOURCES = {"pod": spread_words.FROM_PODS, "defaults": spread_words.FROM_DEFAULTS}


def _own(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in sorted(set(values))]


def _named(text: str, workload: Workload) -> bool:
    """Whether a workload's name holds a text; `namespace/name` is how people copy it."""
    return text in (f"{workload.namespace}/{workload.name}" if "/" in text else workload.name)


class SpreadFilter(FilterForm):
    """Workload, namespace, state, topology key, origin."""

    q = search(labels.WORKLOAD, summary_words.WORKLOAD_HINT)
    namespace = scope()
    state = choice(labels.STATE, _STATES.items())
    key = choice(spread_words.TOPOLOGY_KEY, ())
    source = choice(spread_words.SOURCE_FILTER, _SOURCES.items())

    def __init__(self, data: Mapping[str, Any], *, groups: Iterable[SpreadGroup]) -> None:
        super().__init__(data)
        groups = list(groups)
        self.offer_namespaces(group.namespace for group in groups)
        self.offer("key", _own(group.constraint.topology_key for group in groups))

    def passes(self, group: SpreadGroup) -> bool:
        """Tell whether every given filter lets the group through."""
        given = self.given()
        states = {
            "violated": group.violation > 0,
            "blocking": group.violation > 0 and group.blocks,
            "pending": group.members.pending > 0,
            "kept": group.violation == 0,
        }
        return (
            given.get("namespace", group.namespace) == group.namespace
            and given.get("key", group.constraint.topology_key) == group.constraint.topology_key
            and states.get(given.get("state", ""), True)
            and ("source" not in given or (given["source"] == "pod") == (group.source is Source.POD))
            and ("q" not in given or any(_named(given["q"], workload) for workload in group.workloads))
        )


class WorkloadFilter(FilterForm):
    """Workload and namespace."""

    q = search(labels.WORKLOAD, summary_words.WORKLOAD_HINT)
    namespace = scope()

    def __init__(self, data: Mapping[str, Any], *, workloads: Iterable[Workload]) -> None:
        super().__init__(data)
        self.offer_namespaces(workload.namespace for workload in workloads)

    def passes(self, workload: Workload) -> bool:
        """Tell whether every given filter lets the workload through."""
        given = self.given()
        return given.get("namespace", workload.namespace) == workload.namespace and (
            "q" not in given or _named(given["q"], workload)
        )


BUDGET_STATES: dict[str, tuple[_StrOrPromise, Callable[[BudgetState], bool]]] = {
    "lasting": (budgets_words.FILTER_LASTING, lambda state: state.is_blocker),
    "passing": (budgets_words.FILTER_PASSING, lambda state: state.allows_none and not state.is_blocker),
    # As the list of clusters counts them.
    "zero": (
        budgets_words.FILTER_ZERO,
        lambda state: not state.budget.reported.allowed and state.budget.reported.expected > 0,
    ),
    "drains": (budgets_words.FILTER_DRAINS, lambda state: bool(state.nodes.blocked)),
    "allows": (budgets_words.FILTER_ALLOWS, lambda state: state.cause is None),
    "shared": (budgets_words.FILTER_SHARED, lambda state: bool(state.shared)),
    "differs": (budgets_words.FILTER_DIFFERS, lambda state: state.differs),
}


class BudgetFilter(FilterForm):
    """Name, namespace, state."""

    q = search(labels.SEARCH, budgets_words.SEARCH_HINT)
    namespace = scope()
    state = choice(labels.STATE, ((value, label) for value, (label, _) in BUDGET_STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, states: Iterable[BudgetState]) -> None:
        super().__init__(data)
        self.offer_namespaces({state.budget.namespace for state in states})

    def passes(self, state: BudgetState) -> bool:
        """Tell whether every given filter lets the budget through."""
        given, budget = self.given(), state.budget
        text = given.get("q", "")
        return (
            text in (budget.key if "/" in text else budget.name)
            and given.get("namespace", budget.namespace) == budget.namespace
            and ("state" not in given or BUDGET_STATES[given["state"]][1](state))
        )


class QuotaFilter(FilterForm):
    """Name, namespace."""

    q = search(labels.SEARCH, refusals_words.SEARCH_HINT)
    namespace = scope()

    def __init__(self, data: Mapping[str, Any], *, quotas: Sequence[Quota]) -> None:
        super().__init__(data)
        self.offer_namespaces({quota.namespace for quota in quotas})

    def passes(self, quota: Quota) -> bool:
        """Tell whether every given filter lets the quota through."""
        given = self.given()
        return given.get("q", "") in quota.name and given.get("namespace", quota.namespace) == quota.namespace


_CHANGES = "changes"


class UsageFilter(FilterForm):
    """Name, namespace, how requests compare."""

    q = search(labels.SEARCH, usage_words.SEARCH_HINT)
    namespace = scope()
    state = choice(
        labels.STATE,
        ((_CHANGES, usage_words.CHANGES), *((each.value, label) for each, label in usage_words.SIZINGS.items())),
    )

    def __init__(self, data: Mapping[str, Any], *, found: ClusterSizing) -> None:
        super().__init__(data)
        self._found = found
        self.offer_namespaces({each.workload.namespace for each in found.workloads})

    def apply(self) -> list[WorkloadSizing]:
        """Return the workloads that every given filter lets through."""
        given = self.given()
        text, namespace, state = given.get("q", ""), given.get("namespace"), given.get("state")
        return [
            each
            for each in self._found.workloads
            if namespace in (None, each.workload.namespace)
            and (not text or text in _name(each, whole="/" in text))
            and (state is None or (bool(each.changes) if state == _CHANGES else each.has(Sizing(state))))
        ]


def _name(sizing: WorkloadSizing, *, whole: bool) -> str:
    workload = sizing.workload
    return f"{workload.namespace}/{workload.name}" if whole else workload.name
