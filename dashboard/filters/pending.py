"""The filter of the page about pods that wait; it chooses among what was computed, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.filters.base import FilterForm, choice, exact, search
from dashboard.presenters.pending.words import KINDS, phrase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.forms import ChoiceField

    from clusters.services.pending.pods import CauseGroup, ClusterPending, WaitingPod

_GONE = "a cause that no pod has now"


class PendingFilter(FilterForm):
    """Text, namespace, kind of cause, one cause, workload."""

    q = search("Search", "Part of a pod's name, or of the scheduler's message")
    namespace = choice("Namespace", ())
    kind = choice("Waits", ((kind.value, label) for kind, label in KINDS.items()))
    cause = choice("Cause", ())
    workload = exact("Workload", "Whole name")

    def __init__(self, data: Mapping[str, Any], *, pending: ClusterPending) -> None:
        super().__init__(data)
        groups = pending.groups.values()
        names = sorted({pod.namespace for group in groups for pod in group.pods})
        self._offer("namespace", [(name, name) for name in names])
        self._causes = {group.identity: phrase(group.cause) for group in groups}
        # Causes come and go; an address that names one that is gone finds nothing, rather than everything.
        self._causes.setdefault(str(data.get("cause") or ""), _GONE)
        self._offer("cause", [(identity, label) for identity, label in self._causes.items() if identity])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field: ChoiceField = self.fields[name]  # type: ignore[assignment]
        field.choices = [("", "Any"), *choices]

    @property
    def chosen(self) -> str:
        """The identity of the one cause that is asked for; empty for all."""
        return self.given().get("cause", "")

    def apply(self, pending: ClusterPending) -> list[tuple[CauseGroup, list[WaitingPod]]]:
        """Return the groups of which any pod is let through, and those pods."""
        given = self.given()
        found = []
        for identity, group in pending.groups.items():
            if given.get("cause", identity) != identity or given.get("kind", group.cause.kind) != group.cause.kind:
                continue
            pods = [pod for pod in group.pods if _passes(pod, given)]
            if pods:
                found.append((group, pods))
        return found

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"name or message contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
            "kind": lambda value: next(label for kind, label in KINDS.items() if kind == value).lower(),
            "cause": lambda value: f"waits {self._causes[value]}",
            "workload": lambda value: f"workload {value}",
        }
        return [words[name](value) for name, value in self.given().items()]


def _passes(pod: WaitingPod, given: Mapping[str, str]) -> bool:
    text = given.get("q", "").lower()
    name = f"{pod.namespace}/{pod.name}" if "/" in text else pod.name
    return (
        (text in name.lower() or text in pod.reported.lower())
        and given.get("namespace", pod.namespace) == pod.namespace
        and given.get("workload", pod.workload.name) in (pod.workload.name, f"{pod.namespace}/{pod.workload.name}")
    )
