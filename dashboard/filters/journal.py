"""The decision journal's filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Q, QuerySet

from clusters.models import Decision
from clusters.wording import filters as labels
from clusters.wording.journal import decisions as words
from dashboard.filters.base import FilterForm, choice, exact, moment, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime


def _workload(value: str) -> Q:
    """Match `kind/name` as kubectl prints it, or a part of the name."""
    kind, slash, name = value.partition("/")
    return Q(owner_kind__iexact=kind, owner_name__icontains=name) if slash else Q(owner_name__icontains=value)


def _text(value: str) -> Q:
    """Match a part of the pod's name or of what was said; `namespace/name` is how people copy pods."""
    namespace, slash, name = value.partition("/")
    named = Q(namespace=namespace, name__icontains=name) if slash else Q(name__icontains=value)
    return named | Q(message__icontains=value)


_MEANINGS: Mapping[str, Callable[[Any], Q]] = {
    "q": _text,
    "kind": lambda value: Q(kind=value),
    "verdict": lambda value: Q(verdict=value),
    # Others have none; said so, an index leads to these.
    "reason": lambda value: Q(reason=value, verdict__in=_verdicts_with(value)),
    "namespace": lambda value: Q(namespace=value),
    "workload": _workload,
    "node": lambda value: Q(node_name=value),
    "since": lambda value: Q(heard_at__gte=value),
    "until": lambda value: Q(heard_at__lt=value),
}


class TimeSpan(forms.Form):
    """A stretch of time alone, as pages with a timeline take it."""

    since = moment(words.OBSERVED_FROM)
    until = moment(words.OBSERVED_BEFORE)

    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return the stretch of time that is asked for; None where it is open or cannot be read."""
        self.is_valid()
        return self.cleaned_data.get("since"), self.cleaned_data.get("until")


def _verdicts_with(reason: str) -> tuple[Decision.Verdict, ...]:
    """Return the verdicts that can have a reason, by which there is an index."""
    if reason in {Decision.Reason.SEARCH, Decision.Reason.TIE}:
        return (Decision.Verdict.AGREES,)
    return (Decision.Verdict.DISAGREES, Decision.Verdict.UNJUDGED)


class JournalFilter(FilterForm):
    """Text, kind, verdict, reason, namespace, workload, node, and a stretch of time."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    kind = choice(words.DECISION, words.KINDS.items())
    verdict = choice(words.VERDICT, words.VERDICTS.items())
    reason = choice(words.REASON, words.REASONS.items())
    namespace = exact(labels.NAMESPACE, labels.WHOLE_NAME)
    workload = exact(labels.WORKLOAD, words.WORKLOAD_HINT)
    node = exact(labels.NODE, labels.WHOLE_NAME)
    since = moment(words.OBSERVED_FROM)
    until = moment(words.OBSERVED_BEFORE)

    def apply(self, decisions: QuerySet[Decision]) -> QuerySet[Decision]:
        """Return the decisions that every given filter lets through."""
        return decisions.filter(*(_MEANINGS[name](value) for name, value in self.given().items()))

    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return the stretch of time that is asked for; None where it is open."""
        given: Mapping[str, Any] = self.given()
        return given.get("since"), given.get("until")
