"""What somebody fills in to join a classroom, and what their pages ask for."""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

from django import forms
from django.core.exceptions import ValidationError

from clusters.wording.lessons import classroom as words
from dashboard.classrooms.codes import code_in
from dashboard.forms.parameters import Parameters, whole_number

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
