"""Parameters of addresses, read by forms: also those that no page offers as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.wording.filters import NO_WHOLE_NUMBER
from dashboard.http import BadParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping


# The largest number that a database keeps.
LARGEST: Final = 2**63 - 1


def whole_number(*, least: int = 0, most: int = LARGEST) -> forms.IntegerField:
    """Return a parameter that is a whole number, or left out."""
    wrong = {"invalid": NO_WHOLE_NUMBER}
    return forms.IntegerField(required=False, min_value=least, max_value=most, error_messages=wrong)


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
