"""Parameters of addresses, read by forms: also those that no page offers as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import BadRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from clusters.wording.filters import NO_MOMENT, NO_WHOLE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


# The largest number that a database keeps.
LARGEST: Final = 2**63 - 1


_FIRST_YEAR, _LAST_YEAR = 2000, 2999


class BadParameterError(BadRequest):
    """An address holds something that its page cannot read; the message says what would be right."""


def whole_number(*, least: int = 0, most: int = LARGEST) -> forms.IntegerField:
    """Return a parameter that is a whole number, or left out."""
    wrong = {"invalid": NO_WHOLE_NUMBER}
    return forms.IntegerField(required=False, min_value=least, max_value=most, error_messages=wrong)


class MomentField(forms.CharField):
    """A parameter that is an exact moment, as ISO 8601 writes it, or left out."""

    def clean(self, value: Any) -> datetime | None:
        """Return the moment; without an offset in the installation's time zone."""
        written = super().clean(value)
        # A plus in an address stands for a blank.
        try:
            found = parse_datetime(written.replace(" ", "+")) if written else None
        except ValueError:
            found = None
        # Kubernetes is younger; further off, a day more or less is no date any more.
        if written and (found is None or not _FIRST_YEAR <= found.year <= _LAST_YEAR):
            raise forms.ValidationError(NO_MOMENT)
        return timezone.make_aware(found) if found is not None and timezone.is_naive(found) else found


class Parameters(forms.Form):
    """What one page reads of its address."""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values by name, None or empty for what is left out. Raises BadParameterError."""
        form = cls(given)
        if not form.is_valid():
            wrong = form.errors.get_json_data()
            said = (f"{name}: {error['message']}" for name, errors in wrong.items() for error in errors)
            raise BadParameterError(" ".join(said))
        return form.cleaned_data
