"""The filter of the workloads page; it chooses among what was counted, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from clusters.services.workloads.growth import MOST_PODS
from clusters.wording import filters as labels, workloads as words
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.utils.functional import _StrOrPromise

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


class WorkloadsFilter(FilterForm):
    """Name, namespace, kind, state."""

    q = search(labels.SEARCH, words.NAME_HINT)
    namespace = choice(labels.NAMESPACE, ())
    kind = choice(words.KIND, ())
    state = choice(labels.STATE, ((value, label) for value, (label, _) in STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, found: ClusterWorkloads) -> None:
        super().__init__(data)
        self._found = found
        self.offer("namespace", [(each, each) for each in found.summary.namespaces])
        self.offer("kind", [(each, each) for each in found.summary.kinds])

    def apply(self) -> list[WorkloadState]:
        """Return the workloads that every given filter lets through."""
        given = self.given()
        if not given:
            return list(self._found.states.values())
        text, namespace, kind = given.get("q", ""), given.get("namespace"), given.get("kind")
        passes = STATES[given["state"]][1] if "state" in given else None
        return [
            state
            for workload, state in self._found.states.items()
            if namespace in (None, workload.namespace)
            and kind in (None, workload.kind)
            and (not text or text in (f"{workload.namespace}/{workload.name}" if "/" in text else workload.name))
            and (passes is None or passes(self._found, state))
        ]


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
