"""What the filter forms share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class SearchInput(forms.TextInput):
    """A search field; its type is what makes results follow the typing."""

    input_type = "search"


def search(label: str, placeholder: str) -> forms.CharField:
    """Return a free-text search field."""
    widget = SearchInput(attrs={"class": "form-control", "placeholder": placeholder, "spellcheck": "false"})
    return forms.CharField(label=label, required=False, max_length=253, widget=widget)


def exact(label: str, placeholder: str) -> forms.CharField:
    """Return a field for one whole name."""
    widget = forms.TextInput(attrs={"class": "form-control", "placeholder": placeholder, "spellcheck": "false"})
    return forms.CharField(label=label, required=False, max_length=253, widget=widget)


def choice(label: str, choices: Iterable[tuple[str, str]]) -> forms.ChoiceField:
    """Return a choice whose first entry filters nothing."""
    widget = forms.Select(attrs={"class": "form-select"})
    return forms.ChoiceField(label=label, required=False, choices=[("", "Any"), *choices], widget=widget)


class FilterForm(forms.Form):
    """A form read from the address; a value that is not offered filters nothing and says so."""

    use_required_attribute = False

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, auto_id="filter-%s")

    def given(self) -> dict[str, str]:
        """Return the valid values that are not empty."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}
