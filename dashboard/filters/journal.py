"""The decision journal's filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Q
from django.utils import timezone

from clusters.models import Decision
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

_FORMAT = "%Y-%m-%dT%H:%M"


def _moment(label: str) -> forms.DateTimeField:
    """Return a field for a moment, in the installation's time zone."""
    widget = forms.DateTimeInput(attrs={"class": "form-control", "type": "datetime-local"}, format=_FORMAT)
    return forms.DateTimeField(label=label, required=False, widget=widget)


def _labelled(choices: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    return [(value, f"{str(label)[:1].upper()}{str(label)[1:]}") for value, label in choices]


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
    "reason": lambda value: Q(reason=value, verdict__in=(Decision.Verdict.DISAGREES, Decision.Verdict.UNJUDGED)),
    "namespace": lambda value: Q(namespace=value),
    "workload": _workload,
    "node": lambda value: Q(node_name=value),
    "since": lambda value: Q(heard_at__gte=value),
    "until": lambda value: Q(heard_at__lt=value),
}


class JournalFilter(FilterForm):
    """Text, kind, verdict, reason, namespace, workload, node, and a stretch of time."""

    q = search("Search", "Part of a pod's name or of a message")
    kind = choice("Decision", _labelled(Decision.Kind.choices))
    verdict = choice("Berth", _labelled(Decision.Verdict.choices))
    reason = choice("Reason", _labelled(Decision.Reason.choices))
    namespace = exact("Namespace", "Whole name")
    workload = exact("Workload", "Part of its name")
    node = exact("Node", "Whole name")
    since = _moment("Heard from")
    until = _moment("Heard before")

    def apply(self, decisions: QuerySet[Decision]) -> QuerySet[Decision]:
        """Return the decisions that every given filter lets through."""
        return decisions.filter(*(_MEANINGS[name](value) for name, value in self.given().items()))

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words: Mapping[str, Callable[[Any], str]] = {
            "q": lambda value: f"pod or message contains “{value}”",
            "kind": lambda value: str(Decision.Kind(value).label),
            "verdict": lambda value: f"Berth: {Decision.Verdict(value).label}",
            "reason": lambda value: f"reason: {Decision.Reason(value).label}",
            "namespace": lambda value: f"namespace {value}",
            "workload": lambda value: f"workload contains “{value}”",
            "node": lambda value: f"node {value}",
            "since": lambda value: f"heard from {_written(value)}",
            "until": lambda value: f"heard before {_written(value)}",
        }
        return [words[name](value) for name, value in self.given().items()]

    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return the stretch of time that is asked for; None where it is open."""
        given: Mapping[str, Any] = self.given()
        return given.get("since"), given.get("until")


def _written(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M %Z")
