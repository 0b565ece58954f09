"""The filter of the workloads page; it chooses among what was counted, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from clusters.services.workloads.growth import MOST_PODS
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.forms import ChoiceField

    from clusters.services.workloads import ClusterWorkloads, WorkloadState


def _is_short(found: ClusterWorkloads, state: WorkloadState) -> bool:
    return state.desired is not None and state.ready < state.desired


def _is_uneven(found: ClusterWorkloads, state: WorkloadState) -> bool:
    group = found.worst_group(state)
    return group is not None and group.violation > 0


def _is_held(found: ClusterWorkloads, state: WorkloadState) -> bool:
    return any(found.budgets[key].cause is not None for key in state.budgets)


STATES: dict[str, tuple[str, Callable[[ClusterWorkloads, WorkloadState], bool]]] = {
    "failing": ("Failing", lambda found, state: state.workload in found.failures),
    "pending": ("With pods that wait", lambda found, state: state.pending > 0),
    "short": ("Fewer ready than desired", _is_short),
    "uneven": ("Over maxSkew", _is_uneven),
    "unguarded": ("Without a budget", lambda found, state: not state.budgets),
    "held": ("Budget allows nothing", _is_held),
    "empty": ("Without pods", lambda found, state: not state.placed + state.pending),
}


class WorkloadsFilter(FilterForm):
    """Name, namespace, kind, state."""

    q = search("Search", "Part of a workload's name")
    namespace = choice("Namespace", ())
    kind = choice("Kind", ())
    state = choice("State", ((value, label) for value, (label, _) in STATES.items()))

    def __init__(self, data: Mapping[str, Any], *, found: ClusterWorkloads) -> None:
        super().__init__(data)
        self._found = found
        self._offer("namespace", found.summary.namespaces)
        self._offer("kind", found.summary.kinds)

    def _offer(self, name: str, values: tuple[str, ...]) -> None:
        field: ChoiceField = self.fields[name]  # type: ignore[assignment]
        field.choices = [("", "Any"), *((value, value) for value in values)]

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

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"name contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
            "kind": lambda value: f"kind {value}",
            "state": lambda value: STATES[value][0][:1].lower() + STATES[value][0][1:],
        }
        return [words[name](value) for name, value in self.given().items()]


class MoreForm(FilterForm):
    """How many more pods of a workload are tried."""

    more = forms.IntegerField(
        label="more pods",
        required=False,
        min_value=1,
        max_value=MOST_PODS,
        error_messages={
            "invalid": "Write a whole number of pods.",
            "min_value": "Write 1 or more.",
            "max_value": f"At most {MOST_PODS} are tried at once: they are placed one after another.",
        },
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"}),
    )

    def asked(self) -> int | None:
        """Return how many pods are asked for; None where nobody asks, or for a number that makes no sense."""
        self.is_valid()
        more: int | None = self.cleaned_data.get("more")
        return more
