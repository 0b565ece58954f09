"""The filter of the queue page; it chooses among pods that stand in line already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import grouped
from dashboard.filters.base import FilterForm, choice, search
from dashboard.presenters.pending.queue_words import PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.forms import ChoiceField

    from clusters.services.pending.queue import QueuedPodState

_NOMINATED = "nominated"
STATES = {**{place.value: words[0] for place, words in PLACES.items()}, _NOMINATED: "Nominated for a node"}


class QueueFilter(FilterForm):
    """Text, namespace, place in the queue, priority."""

    q = search("Search", "Part of a pod's name, or of its workload's")
    namespace = choice("Namespace", ())
    state = choice("Stands", STATES.items())
    priority = choice("Priority", ())

    def __init__(self, data: Mapping[str, Any], *, placed: Sequence[QueuedPodState]) -> None:
        super().__init__(data)
        names = sorted({each.queued.pod.namespace for each in placed})
        self._offer("namespace", [(name, name) for name in names])
        classes: dict[int, set[str]] = {}
        for each in placed:
            classes.setdefault(each.queued.priority, set()).add(each.queued.priority_class)
        self._offer("priority", [(str(value), _label(value, classes[value])) for value in sorted(classes)[::-1]])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field: ChoiceField = self.fields[name]  # type: ignore[assignment]
        field.choices = [("", "Any"), *choices]

    def apply(self, placed: Sequence[QueuedPodState]) -> list[QueuedPodState]:
        """Return the pods that every given filter lets through, in the same order."""
        given = self.given()
        return [each for each in placed if _passes(each, given)] if given else list(placed)

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"pod or workload contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
            "state": lambda value: STATES[value][:1].lower() + STATES[value][1:],
            "priority": lambda value: f"priority {grouped(int(value))}",
        }
        return [words[name](value) for name, value in self.given().items()]


def _label(value: int, classes: set[str]) -> str:
    names = ", ".join(sorted(filter(None, classes)))
    return f"{grouped(value)} ({names})" if names else grouped(value)


def _passes(placed: QueuedPodState, given: Mapping[str, str]) -> bool:
    queued, standing = placed
    pod, text, state = queued.pod, given.get("q", "").lower(), given.get("state", "")
    name = f"{pod.namespace}/{pod.name}" if "/" in text else pod.name
    return (
        (text in name.lower() or text in pod.workload.name.lower())
        and given.get("namespace", pod.namespace) == pod.namespace
        and given.get("priority", str(queued.priority)) == str(queued.priority)
        and (bool(queued.nominated_node) if state == _NOMINATED else not state or state == standing.place)
    )
