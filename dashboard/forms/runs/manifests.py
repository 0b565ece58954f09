"""Texts and files of a simulation's forms: manifests, and the CSV files of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from clusters.services.runs.spec import MOST_BYTES
from clusters.wording.amounts import size
from clusters.wording.runs import building as words

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.utils.functional import _StrOrPromise


def editor(label: _StrOrPromise, *, rows: int, hint: _StrOrPromise) -> forms.CharField:
    """Return a field for YAML; with scripts an editor stands in its place."""
    attrs = {
        "class": "form-control code",
        "rows": rows,
        "spellcheck": "false",
        "autocomplete": "off",
        "autocapitalize": "none",
        "wrap": "off",
        "data-editor": "yaml",
    }
    return forms.CharField(
        label=label,
        required=False,
        max_length=MOST_BYTES,
        strip=False,
        help_text=hint,
        widget=forms.Textarea(attrs=attrs),
    )


def upload(label: _StrOrPromise, accept: str) -> forms.FileField:
    """Return a field for a small file."""
    return forms.FileField(
        label=label,
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"class": "form-control", "accept": accept}),
    )


def content(file: UploadedFile[Any] | None, most: int) -> bytes:
    """Return what a file holds; nothing of none. Raises ValidationError for one that is too large."""
    if file is None:
        return b""
    if (file.size or 0) > most:
        problem = words.FILE_TOO_LARGE(file=file.name or "", size=size(file.size or 0), most=size(most))
        raise forms.ValidationError(problem)
    data: bytes = file.read()
    return data
