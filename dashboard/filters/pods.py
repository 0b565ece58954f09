"""The pods page's filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet
    from django.forms import ChoiceField

    from clusters.models import Pod

STATES = {
    "waiting": ("Waiting", Q(is_pending=True, is_gated=False)),
    "gated": ("Gated", Q(is_gated=True)),
    "bound": ("On a node", Q(is_pending=False) & ~Q(phase__in=("Succeeded", "Failed"))),
    "Pending": ("Phase Pending", Q(phase="Pending")),
    "Running": ("Phase Running", Q(phase="Running")),
    "Succeeded": ("Phase Succeeded", Q(phase="Succeeded")),
    "Failed": ("Phase Failed", Q(phase="Failed")),
}
MESSAGES = {
    "with": ("With a message", ~Q(unschedulable_message="")),
    "without": ("Without a message", Q(unschedulable_message="")),
}


class PodFilter(FilterForm):
    """Search, namespace, state, node, message, scheduler."""

    q = search("Search", "Part of a pod's name")
    namespace = choice("Namespace", ())
    state = choice("State", ((value, label) for value, (label, _) in STATES.items()))
    node = exact("Node", "Whole name")
    message = choice("Scheduler's message", ((value, label) for value, (label, _) in MESSAGES.items()))
    scheduler = exact("Scheduler", "default-scheduler")

    def __init__(self, data: Mapping[str, Any], *, namespaces: list[str]) -> None:
        super().__init__(data)
        field: ChoiceField = self.fields["namespace"]  # type: ignore[assignment]
        field.choices = [("", "Any"), *((name, name) for name in namespaces)]

    def apply(self, pods: QuerySet[Pod]) -> QuerySet[Pod]:
        """Return the pods that every given filter lets through."""
        given = self.given()
        if text := given.get("q"):
            # `namespace/name` is how people copy pods out of a terminal.
            namespace_part, slash, name = text.partition("/")
            pods = (
                pods.filter(namespace=namespace_part, name__icontains=name)
                if slash
                else pods.filter(name__icontains=text)
            )
        if namespace := given.get("namespace"):
            pods = pods.filter(namespace=namespace)
        if state := given.get("state"):
            pods = pods.filter(STATES[state][1])
        if node := given.get("node"):
            pods = pods.filter(node_name=node)
        if message := given.get("message"):
            pods = pods.filter(MESSAGES[message][1])
        if scheduler := given.get("scheduler"):
            pods = pods.filter(scheduler_name=scheduler)
        return pods

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        given = self.given()
        words = {
            "q": lambda value: f"name contains “{value}”",
            "namespace": lambda value: f"namespace {value}",
            "state": lambda value: f"state {STATES[value][0]}",
            "node": lambda value: f"node {value}",
            "message": lambda value: MESSAGES[value][0].lower(),
            "scheduler": lambda value: f"scheduler {value}",
        }
        return [words[name](value) for name, value in given.items()]
