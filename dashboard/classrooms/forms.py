"""What somebody fills in to join a classroom, and what their pages ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from clusters.wording.lessons import classroom as words, teaching
from dashboard.classrooms.seats import code_in
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.models import Classroom

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_NAME = 40
# Codes as people write them, with something between the halves.
_LONGEST_CODE = 20
# Nothing is seen of these themselves; names in Persian or Hindi need them, and so does a woman at a computer.
_JOINERS: Final = str.maketrans("", "", "\u200c\u200d")


class JoinForm(forms.Form):
    """A code and the name under which the trainer sees the participant."""

    code = forms.CharField(max_length=_LONGEST_CODE)
    name = forms.CharField(max_length=LONGEST_NAME)

    def clean_code(self) -> str:
        """Return the code without what stands between its halves."""
        code = code_in(self.cleaned_data["code"])
        if not code:
            raise ValidationError(words.NO_CODE)
        return code

    def clean_name(self) -> str:
        """Return the name on one line, without characters that are not seen."""
        name = " ".join(self.cleaned_data["name"].split())
        # A letter with its accent is one character, however the keyboard sends it; a few have no such character.
        name = min(normalize("NFC", name), name, key=len)
        seen = name.translate(_JOINERS)
        if not seen.isprintable() or not seen.strip():
            raise ValidationError(words.UNPRINTABLE_NAME)
        return name


class TurnParameters(Parameters):
    """Which turn a page shows, and whether it has the step of a led class."""

    turn = whole_number(least=-1)
    step = forms.BooleanField(required=False)


MOST_LESSONS: Final = 40
_TITLE: Final = {"class": "form-control", "autocomplete": "off"}
_SELECT: Final = {"class": "form-select", "autocomplete": "off"}
_HOURS: Final = {"class": "form-control", "inputmode": "numeric", "autocomplete": "off"}


class HoursForm(forms.Form):
    """For how many hours from now a classroom is kept."""

    hours = forms.IntegerField(label=teaching.HOURS, min_value=1, widget=forms.TextInput(attrs=_HOURS))

    def __init__(self, data: Mapping[str, Any] | None = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        hours, most = self.fields["hours"], settings.BERTH_CLASSROOM_MOST_HOURS
        hours.help_text = teaching.MOST_HOURS(most=most)
        hours.widget.attrs["aria-describedby"] = "id_hours_helptext"
        hours.error_messages = dict.fromkeys(("required", "invalid", "min_value"), teaching.BAD_HOURS(most=most))

    def clean_hours(self) -> int:
        """Return the hours, where a classroom may be kept for so long."""
        hours: int = self.cleaned_data["hours"]
        if hours > settings.BERTH_CLASSROOM_MOST_HOURS:
            raise forms.ValidationError(teaching.BAD_HOURS(most=settings.BERTH_CLASSROOM_MOST_HOURS))
        return hours


class OpeningForm(HoursForm):
    """A new classroom, but for its lessons, which are put in order beside it."""

    title = forms.CharField(
        label=teaching.TITLE,
        max_length=100,
        error_messages={"required": teaching.TITLE_MISSING},
        widget=forms.TextInput(attrs=_TITLE),
    )
    language = forms.ChoiceField(
        label=teaching.LANGUAGE, choices=settings.LANGUAGES, widget=forms.Select(attrs=_SELECT)
    )
    pace = forms.ChoiceField(label=teaching.PACE, choices=Classroom.Pace.choices, widget=forms.Select(attrs=_SELECT))
    field_order = ("title", "pace", "language", "hours")
