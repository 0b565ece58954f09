"""The form behind a one-time link."""

from __future__ import annotations

from django import forms


class SignInCodeForm(forms.Form):
    """The code that a one-time link carries; the page fills it in from the address where scripts run."""

    code = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))
