"""The filters of simulations and of one simulation's pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from clusters.models import Cluster, RunPod, SimulationRun
from clusters.wording import filters as words
from clusters.wording.journal import decisions as decisions_words
from clusters.wording.runs import progress, summary as pod_words
from clusters.wording.runs.progress import STATES
from dashboard.access.rights import visible
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.contrib.auth.models import User
    from django.http import QueryDict


class RunsFilter(FilterForm):
    """Title, cluster, state, by whom, and for whom: people, where the address does not say."""

    q = search(words.SEARCH, progress.SEARCH_HINT)
    cluster = choice(progress.CLUSTER, ())
    state = choice(words.STATE, ((state, STATES[state]) for state in SimulationRun.State.values))
    by = choice(progress.LISTING_ORDERED_BY, (("me", progress.ME),))
    of = choice(progress.MADE_FOR, (("people", progress.PEOPLE), ("review", progress.REVIEWS)))

    def __init__(self, data: QueryDict, *, user: User, cluster: Cluster | None = None) -> None:
        super().__init__({"of": "people", **data.dict()})
        self._user = user
        self.clusters: list[str] = []
        if cluster is not None:
            del self.fields["cluster"]
            return
        self.clusters += visible(Cluster.objects.order_by("name"), user).values_list("name", flat=True)
        self.offer("cluster", ((name, name) for name in self.clusters))

    def apply(self, runs: QuerySet[SimulationRun]) -> QuerySet[SimulationRun]:
        """Return the runs that every given filter lets through."""
        meanings: Mapping[str, Callable[[str], Q]] = {
            "q": lambda value: Q(title__icontains=value),
            "cluster": lambda value: Q(cluster__name=value),
            "state": lambda value: Q(state=value),
            "by": lambda value: Q(created_by=self._user.pk),
            "of": lambda value: Q(is_of_review=value == "review"),
        }
        return runs.filter(*(meanings[name](value) for name, value in self.given().items()))


class RunPodsFilter(FilterForm):
    """Name or message, outcome, node, namespace."""

    q = search(words.SEARCH, decisions_words.SEARCH_HINT)
    outcome = choice(pod_words.OUTCOME, ((end, pod_words.OUTCOMES[end]) for end in RunPod.Outcome.values))
    namespace = exact(words.NAMESPACE, words.WHOLE_NAME)
    node = exact(words.NODE, words.WHOLE_NAME)
    workload = exact(words.WORKLOAD, pod_words.WORKLOAD_HINT)

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


def _text(value: str) -> Q:
    """Match a part of the name or of what was said; `namespace/name` is how people copy pods."""
    namespace, slash, name = value.partition("/")
    named = Q(namespace=namespace, name__icontains=name) if slash else Q(name__icontains=value)
    return named | Q(message__icontains=value)
