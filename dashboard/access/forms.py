"""The form behind a one-time link."""

from __future__ import annotations

from django import forms


class SignInCodeForm(forms.Form):
    """The code that a one-time link carries; the page fills it in from the address where scripts run."""

    code = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))


class TokenForm(forms.Form):
    """What a new token of the API is for, and what it may."""

    name = forms.CharField(
        max_length=100,
        help_text="What will use it, such as ci.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"}),
    )
    scope = forms.ChoiceField(
        label="It may",
        choices=(("read", "read"), ("write", "read and write: upload, simulate, delete")),
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    days = forms.TypedChoiceField(
        label="It lasts",
        choices=((30, "30 days"), (90, "90 days"), (365, "a year"), ("", "until it is revoked")),
        coerce=int,
        initial=90,
        empty_value=None,
        required=False,
        widget=forms.Select(attrs={"class": "form-select"}),
    )
