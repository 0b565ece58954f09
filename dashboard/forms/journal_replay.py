"""The form of a replay: a stretch of the journal, and the configuration under which it is scheduled again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.services.studies.asking import AS_IS, PRESETS
from clusters.wording.journal import decisions as words
from clusters.wording.runs import changes
from dashboard.filters.journal import TimeSpan

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Final = {AS_IS: changes.BUILT_IN[AS_IS], **{kind: changes.PRESETS[kind][0] for kind in PRESETS}}


class ReplayForm(TimeSpan):
    """From when until when, and under which configuration."""

    use_required_attribute = False

    preset = forms.ChoiceField(
        label=changes.PRESET,
        choices=list(NAMES.items()),
        widget=forms.Select(attrs={"class": "form-select", "autocomplete": "off"}),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, initial: Mapping[str, Any] | None = None) -> None:
        """Ask for both ends, and name them by what they are here."""
        super().__init__(data, initial=dict(initial or {}), label_suffix="")
        for name, label in (("since", words.SINCE), ("until", words.UNTIL)):
            self.fields[name].required = True
            self.fields[name].label = label
