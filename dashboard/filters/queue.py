"""The filter of the queue page; it chooses among pods that are in their order already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording import filters as labels, pending as words
from clusters.wording.amounts import grouped
from clusters.wording.states import NOMINATED
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.services.pending.queue import QueuedPodState

_NOMINATED = "nominated"
STATES = {**{place.value: name for place, name in words.PLACES.items()}, _NOMINATED: NOMINATED}


class QueueFilter(FilterForm):
    """Text, namespace, part of the queue, priority."""

    q = search(labels.SEARCH, words.QUEUE_SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())
    state = choice(labels.STATE, STATES.items())
    priority = choice(labels.PRIORITY, ())

    def __init__(self, data: Mapping[str, Any], *, placed: Sequence[QueuedPodState]) -> None:
        super().__init__(data)
        names = sorted({each.queued.pod.namespace for each in placed})
        self.offer("namespace", [(name, name) for name in names])
        classes: dict[int, set[str]] = {}
        for each in placed:
            classes.setdefault(each.queued.priority, set()).add(each.queued.priority_class)
        self.offer("priority", [(str(value), _label(value, classes[value])) for value in sorted(classes)[::-1]])

    def apply(self, placed: Sequence[QueuedPodState]) -> list[QueuedPodState]:
        """Return the pods that every given filter lets through, in the same order."""
        given = self.given()
        return [each for each in placed if _passes(each, given)] if given else list(placed)


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
