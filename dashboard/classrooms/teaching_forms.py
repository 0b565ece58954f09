"""What trainers fill in: a new classroom, and for how many hours more it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.conf import settings

from clusters.wording.lessons import teaching as words
from dashboard.models import Classroom

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_LESSONS: Final = 40
_TITLE: Final = {"class": "form-control", "autocomplete": "off"}
_SELECT: Final = {"class": "form-select", "autocomplete": "off"}
_HOURS: Final = {"class": "form-control", "inputmode": "numeric", "autocomplete": "off"}


class HoursForm(forms.Form):
    """For how many hours from now a classroom is kept."""

    hours = forms.IntegerField(label=words.HOURS, min_value=1, widget=forms.TextInput(attrs=_HOURS))

    def __init__(self, data: Mapping[str, Any] | None = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        hours, most = self.fields["hours"], settings.BERTH_CLASSROOM_MOST_HOURS
        hours.help_text = words.MOST_HOURS(most=most)
        hours.widget.attrs["aria-describedby"] = "id_hours_helptext"
        hours.error_messages = dict.fromkeys(("required", "invalid", "min_value"), words.BAD_HOURS(most=most))

    def clean_hours(self) -> int:
        """Return the hours, where a classroom may be kept for so long."""
        hours: int = self.cleaned_data["hours"]
        if hours > settings.BERTH_CLASSROOM_MOST_HOURS:
            raise forms.ValidationError(words.BAD_HOURS(most=settings.BERTH_CLASSROOM_MOST_HOURS))
        return hours


class OpeningForm(HoursForm):
    """A new classroom, but for its lessons, which are put in order beside it."""

    title = forms.CharField(
        label=words.TITLE,
        max_length=100,
        error_messages={"required": words.TITLE_MISSING},
        widget=forms.TextInput(attrs=_TITLE),
    )
    language = forms.ChoiceField(label=words.LANGUAGE, choices=settings.LANGUAGES, widget=forms.Select(attrs=_SELECT))
    pace = forms.ChoiceField(label=words.PACE, choices=Classroom.Pace.choices, widget=forms.Select(attrs=_SELECT))
    field_order = ("title", "pace", "language", "hours")
