"""What the filter forms share."""

from __future__ import annotations

from datetime import UTC, datetime
from operator import eq
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from clusters.wording import filters as words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.utils.functional import _StrOrPromise


MOMENT_FORMAT = "%Y-%m-%dT%H:%M"
# Kubernetes is younger; further off, a day more or less is no date any more.
_WITHIN = (MinValueValidator(datetime(2000, 1, 1, tzinfo=UTC)), MaxValueValidator(datetime(2999, 1, 1, tzinfo=UTC)))


class SearchInput(forms.TextInput):
    """A search field; its type is what makes results follow the typing."""

    input_type = "search"


def search(label: _StrOrPromise, placeholder: _StrOrPromise) -> forms.CharField:
    """Return a free-text search field."""
    widget = SearchInput(attrs={"class": "form-control", "placeholder": placeholder, "spellcheck": "false"})
    return forms.CharField(label=label, required=False, max_length=253, widget=widget)


def exact(label: _StrOrPromise, placeholder: _StrOrPromise) -> forms.CharField:
    """Return a field for one whole name."""
    widget = forms.TextInput(attrs={"class": "form-control", "placeholder": placeholder, "spellcheck": "false"})
    return forms.CharField(label=label, required=False, max_length=253, widget=widget)


def choice(label: _StrOrPromise, choices: Iterable[tuple[str, _StrOrPromise]]) -> forms.ChoiceField:
    """Return a choice whose first entry filters nothing."""
    widget = forms.Select(attrs={"class": "form-select"})
    return forms.ChoiceField(label=label, required=False, choices=[("", words.ANY), *choices], widget=widget)


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


def moment(label: _StrOrPromise) -> forms.DateTimeField:
    """Return a field for a moment, in the reader's time zone where none is given."""
    widget = _MomentInput(attrs={"class": "form-control", "type": "datetime-local"}, format=MOMENT_FORMAT)
    return forms.DateTimeField(label=label, required=False, widget=widget, validators=_WITHIN)


def scope() -> forms.ChoiceField:
    """Return the choice of a namespace, which stands in the head of the page and stays from one page to the next."""
    widget = forms.Select(attrs={"class": "form-select", "form": "filters"})
    return forms.ChoiceField(label=words.NAMESPACE, required=False, widget=widget)


_LOOKUPS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "exact": eq,
    "icontains": lambda value, text: text.lower() in value.lower(),
    "startswith": str.startswith,
    "in": lambda value, values: value in values,
    "isnull": lambda value, is_null: (value is None) is is_null,
}


def holds(condition: Q, row: object) -> bool:
    """Whether a condition on columns, as filters have them for the database, holds of a row that is in none."""

    def is_met(part: Any) -> bool:
        if isinstance(part, Q):
            return holds(part, row)
        name, wanted = part
        field, _, lookup = name.partition("__")
        return _LOOKUPS[lookup or "exact"](getattr(row, field), wanted)

    met = any if condition.connector == Q.OR else all
    return met(map(is_met, condition.children)) is not condition.negated


class FilterForm(forms.Form):
    """A form read from the address; a value that is not offered filters nothing and says so."""

    use_required_attribute = False

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, auto_id="filter-%s")

    def given(self) -> dict[str, Any]:
        """Return the valid values that are not empty."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def conditions(self) -> list[str]:
        """Say what each given filter lets through, in the words of its label and its choice."""
        return [self._condition(self.fields[name], value) for name, value in self.given().items()]

    def offer(self, name: str, choices: Iterable[tuple[str, _StrOrPromise]]) -> None:
        """Let people choose among these, which depend on what the page shows."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared by the form
        field.choices = [("", words.ANY), *choices]

    def offer_namespaces(self, names: Iterable[str]) -> None:
        """Let people choose among namespaces; the one that they have chosen elsewhere may have nothing on this page."""
        field = self.fields["namespace"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared by the form
        offered = sorted({*names, self.data.get("namespace") or ""} - {""})
        field.choices = [("", words.ALL_NAMESPACES), *((name, name) for name in offered)]

    @property
    def scope(self) -> forms.BoundField | None:
        """The choice of a namespace where the form has one."""
        return self["namespace"] if isinstance(self.fields.get("namespace"), forms.ChoiceField) else None

    @property
    def cleared(self) -> str:
        """Where nothing is filtered, from a page with the form; a namespace is kept until it is given up."""
        return "?namespace=" if self.scope else "?"

    @staticmethod
    def _condition(field: forms.Field, value: Any) -> str:
        if isinstance(value, datetime):
            # By the reader's clock.
            return f"{field.label}: {timezone.localtime(value):%Y-%m-%d %H:%M %Z}"
        # Of a field of choices, whose labels people see instead of values.
        offered = dict(field.widget.choices) if isinstance(field.widget, forms.Select) else {}
        return f"{field.label}: {offered.get(value, value)!s}"
