"""The decision journal's filter."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from clusters.models import Decision
from clusters.wording import filters as labels
from clusters.wording.journal import decisions as words
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.utils.functional import _StrOrPromise

MOMENT_FORMAT = "%Y-%m-%dT%H:%M"
# Kubernetes is younger; further off, a day more or less is no date any more.
_WITHIN = (MinValueValidator(datetime(2000, 1, 1, tzinfo=UTC)), MaxValueValidator(datetime(2999, 1, 1, tzinfo=UTC)))


class _MomentInput(forms.DateTimeInput):
    """Shows a moment by the reader's clock, also one that the address has in another time zone."""

    def format_value(self, value: Any) -> str | None:
        try:
            found = parse_datetime(value) if isinstance(value, str) else value
        except ValueError:
            found = None
        if found is not None and timezone.is_aware(found):
            value = timezone.localtime(found)
        return super().format_value(value)


def _moment(label: _StrOrPromise) -> forms.DateTimeField:
    """Return a field for a moment, in the reader's time zone where none is given."""
    widget = _MomentInput(attrs={"class": "form-control", "type": "datetime-local"}, format=MOMENT_FORMAT)
    return forms.DateTimeField(label=label, required=False, widget=widget, validators=_WITHIN)


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

    since = _moment(words.OBSERVED_FROM)
    until = _moment(words.OBSERVED_BEFORE)

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
    since = _moment(words.OBSERVED_FROM)
    until = _moment(words.OBSERVED_BEFORE)

    def apply(self, decisions: QuerySet[Decision]) -> QuerySet[Decision]:
        """Return the decisions that every given filter lets through."""
        return decisions.filter(*(_MEANINGS[name](value) for name, value in self.given().items()))

    def conditions(self) -> list[str]:
        """Say what each given filter lets through; moments in the reader's time zone."""
        given: Mapping[str, Any] = self.given()
        return [
            f"{self.fields[name].label}: {_written(value)}"
            if isinstance(value, datetime)
            else self._condition(self.fields[name], value)
            for name, value in given.items()
        ]

    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return the stretch of time that is asked for; None where it is open."""
        given: Mapping[str, Any] = self.given()
        return given.get("since"), given.get("until")


def _written(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M %Z")
