"""The form behind a one-time link."""

from __future__ import annotations

from django import forms

from clusters.wording.access import tokens as words


class SignInCodeForm(forms.Form):
    """The code that a one-time link carries; the page fills it in from the address where scripts run."""

    code = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))


class TokenForm(forms.Form):
    """What a new token of the API is for, and what it may."""

    name = forms.CharField(
        max_length=100,
        help_text=words.NAME_HINT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"}),
    )
    scope = forms.ChoiceField(
        label=words.SCOPE,
        choices=(("read", words.READ), ("write", words.WRITES)),
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    days = forms.TypedChoiceField(
        label=words.EXPIRES,
        choices=((30, words.IN_MONTH), (90, words.IN_QUARTER), (365, words.IN_YEAR), ("", words.NEVER)),
        coerce=int,
        initial=90,
        empty_value=None,
        required=False,
        widget=forms.Select(attrs={"class": "form-select"}),
    )
