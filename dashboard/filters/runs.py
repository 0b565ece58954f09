"""The filters of simulations and of one simulation's pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clusters.models import Cluster, RunPod, SimulationRun
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import QuerySet
    from django.forms import ChoiceField


def _labelled(choices: Any) -> list[tuple[str, str]]:
    return [(value, f"{str(label)[:1].upper()}{str(label)[1:]}") for value, label in choices]


class RunsFilter(FilterForm):
    """Title, cluster, state, by whom; and those that reviews made, which lists leave out otherwise."""

    q = search("Search", "Part of a title")
    cluster = choice("Cluster", ())
    state = choice("State", _labelled(SimulationRun.State.choices))
    by = choice("By", (("me", "Me"),))
    of = choice("Made for", (("review", "Reviews"),))

    def __init__(self, data: Mapping[str, Any], *, user: int, cluster: Cluster | None = None) -> None:
        super().__init__(data)
        self._user = user
        if cluster is not None:
            del self.fields["cluster"]
            return
        field: ChoiceField = self.fields["cluster"]  # type: ignore[assignment]
        names = Cluster.objects.order_by("name").values_list("name", flat=True)
        field.choices = [("", "Any"), *((name, name) for name in names)]

    def apply(self, runs: QuerySet[SimulationRun]) -> QuerySet[SimulationRun]:
        """Return the runs that every given filter lets through."""
        meanings: Mapping[str, Callable[[str], Q]] = {
            "q": lambda value: Q(title__icontains=value),
            "cluster": lambda value: Q(cluster__name=value),
            "state": lambda value: Q(state=value),
            "by": lambda value: Q(created_by=self._user),
            "of": lambda value: Q(is_of_review=True),
        }
        return runs.filter(*(meanings[name](value) for name, value in self.given().items()))

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words: Mapping[str, Callable[[str], str]] = {
            "q": lambda value: f"title contains “{value}”",
            "cluster": lambda value: f"cluster {value}",
            "state": lambda value: f"state: {SimulationRun.State(value).label}",
            "by": lambda value: "asked by me",
            "of": lambda value: "made for reviews",
        }
        return [words[name](value) for name, value in self.given().items()]


class RunPodsFilter(FilterForm):
    """Name or message, outcome, node, namespace."""

    q = search("Search", "Part of a pod's name or of a message")
    outcome = choice("Outcome", _labelled(RunPod.Outcome.choices))
    namespace = exact("Namespace", "Whole name")
    node = exact("Node", "Whole name")
    workload = exact("Workload", "Part of its name")

    def apply(self, pods: QuerySet[RunPod]) -> QuerySet[RunPod]:
        """Return the pods that every given filter lets through."""
        meanings: Mapping[str, Callable[[str], Q]] = {
            "q": _text,
            "outcome": lambda value: Q(outcome=value),
            "namespace": lambda value: Q(namespace=value),
            "node": lambda value: Q(node_name=value),
            "workload": lambda value: Q(workload__icontains=value),
        }
        return pods.filter(*(meanings[name](value) for name, value in self.given().items()))

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words: Mapping[str, Callable[[str], str]] = {
            "q": lambda value: f"name or message contains “{value}”",
            "outcome": lambda value: f"outcome: {RunPod.Outcome(value).label}",
            "namespace": lambda value: f"namespace {value}",
            "node": lambda value: f"node {value}",
            "workload": lambda value: f"workload contains “{value}”",
        }
        return [words[name](value) for name, value in self.given().items()]


def _text(value: str) -> Q:
    """Match a part of the name or of what was said; `namespace/name` is how people copy pods."""
    namespace, slash, name = value.partition("/")
    named = Q(namespace=namespace, name__icontains=name) if slash else Q(name__icontains=value)
    return named | Q(message__icontains=value)
