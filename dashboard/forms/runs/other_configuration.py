"""The form of what would change under another configuration: a named preset, or the present one edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.services.decisions.explain import BadText, parsed, read_configuration
from clusters.services.studies.asking import AS_IS, CONFIGURATION, PRESETS
from clusters.wording.problems import both_sentences
from clusters.wording.runs import building, changes as words
from dashboard.forms.runs.base import select
from dashboard.forms.runs.kubernetes import KUBERNETES_CHOICES, chosen_release
from dashboard.forms.runs.manifests import editor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.versions import Release

ALL: Final = "all"
OFFERED: Final = (*PRESETS, AS_IS, CONFIGURATION)


class OtherConfigurationForm(forms.Form):
    """Which configuration, and whether it places all pods again."""

    use_required_attribute = False

    preset = forms.ChoiceField(
        label=words.PRESET,
        choices=[(kind, words.PRESETS[kind][0]) for kind in OFFERED],
        initial=OFFERED[0],
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )
    pods = forms.ChoiceField(
        label=words.PODS_PLACED,
        choices=[(ALL, words.ALL_PODS), ("pending", words.PENDING_PODS)],
        initial=ALL,
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )
    kubernetes = select(building.KUBERNETES, KUBERNETES_CHOICES)
    configuration = editor(words.YOURS, rows=14, hint=words.YOURS_HINT)

    def __init__(
        self,
        own: Release,
        data: Mapping[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Read a configuration as the chosen minor, or else as the cluster's ``own`` release does."""
        super().__init__(data, initial=dict(initial or {}), auto_id="id_%s", label_suffix="")
        self._own = own

    def clean(self) -> dict[str, Any]:
        """Read the configuration, where it is the one that is asked for."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("preset") == CONFIGURATION:
            try:
                release = chosen_release(cleaned.get("kubernetes"), self._own)
                read_configuration(cleaned.get("configuration") or "", release)
                cleaned["document"] = parsed(cleaned["configuration"])
            except BadText as error:
                for each in error.problems:
                    said = f"{each.field} {both_sentences(each.problem)}".strip()
                    self.add_error("configuration", building.in_line(each.line, said) if each.line else said)
        if cleaned.get("preset") == AS_IS and not cleaned.get("kubernetes"):
            self.add_error("kubernetes", str(words.NOTHING_DIFFERS))
        return cleaned

    def meanings(self) -> list[tuple[Any, str]]:
        """Return each choice of a preset with what it does."""
        return [(box, str(words.PRESETS[kind][1])) for box, kind in zip(self["preset"], OFFERED, strict=True)]

    def variants(self) -> list[dict[str, Any]]:
        """Return the configurations of the sweep: the present one, and the one that was chosen."""
        kind = self.cleaned_data["preset"]
        chosen = {"kind": kind}
        if kind == CONFIGURATION:
            chosen["configuration"] = self.cleaned_data["document"]
        if version := self.cleaned_data["kubernetes"]:
            name = words.configuration_name(kind)
            chosen["kubernetes"] = version
            chosen["label"] = words.ON_VERSION(configuration=name, minor=self.minor())
        return [{"kind": AS_IS}, chosen]

    def minor(self) -> str:
        """Return the Kubernetes minor that was chosen; empty for the cluster's own."""
        version: str = self.cleaned_data["kubernetes"]
        return version.removeprefix("v")

    def spec(self) -> dict[str, Any]:
        """Return the run that is made with both."""
        place = [{"change": "place", "pods": ALL}] if self.cleaned_data["pods"] == ALL else []
        return {"version": 1, "base": {"kind": "cluster"}, "changes": place}
