"""The pods page's filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clusters.services.workloads.failing import KILLED, REJECTED
from clusters.wording import filters as labels, pods as words, states
from dashboard.filters.base import FilterForm, choice, exact, scope, search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STATES = {
    "pending": (states.PENDING, Q(is_pending=True, is_gated=False)),
    "gated": (states.GATED, Q(is_gated=True)),
    "bound": (states.ON_A_NODE, Q(is_pending=False) & ~Q(phase__in=("Succeeded", "Failed"))),
    "Pending": (states.PHASE_PENDING, Q(phase="Pending")),
    "Running": (states.PHASE_RUNNING, Q(phase="Running")),
    "Succeeded": (states.PHASE_SUCCEEDED, Q(phase="Succeeded")),
    "Failed": (states.PHASE_FAILED, Q(phase="Failed")),
    "rejected": (states.REJECTED_BY_KUBELET, REJECTED),
    "killed": (states.OOM_KILLED, KILLED),
    "terminating": (states.TERMINATING, Q(deleted_at__isnull=False)),
}
MESSAGES = {
    "with": (words.WITH_MESSAGE, ~Q(unschedulable_message="")),
    "without": (words.WITHOUT_MESSAGE, Q(unschedulable_message="")),
}


class PodFilter(FilterForm):
    """Search, namespace, state, node, message, scheduler."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    namespace = scope()
    state = choice(labels.STATE, ((value, label) for value, (label, _) in STATES.items()))
    node = exact(labels.NODE, labels.WHOLE_NAME)
    message = choice(words.MESSAGE, ((value, label) for value, (label, _) in MESSAGES.items()))
    scheduler = exact(labels.SCHEDULER, "default-scheduler")

    def __init__(self, data: Mapping[str, Any], *, namespaces: Sequence[str]) -> None:
        super().__init__(data)
        self.offer_namespaces(namespaces)

    def condition(self) -> Q:
        """Return what every given filter lets through."""
        given = self.given()
        found = Q()
        if text := given.get("q"):
            # `namespace/name` is how people copy pods out of a terminal.
            namespace_part, slash, name = text.partition("/")
            found &= Q(namespace=namespace_part, name__icontains=name) if slash else Q(name__icontains=text)
        if state := given.get("state"):
            found &= STATES[state][1]
        if message := given.get("message"):
            found &= MESSAGES[message][1]
        fields = {"namespace": "namespace", "node": "node_name", "scheduler": "scheduler_name"}
        return found & Q(**{field: given[name] for name, field in fields.items() if name in given})
