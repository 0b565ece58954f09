"""The forms of studies: room for more pods, nodes that a workload needs, and a run under several configurations."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.documents.words import remark_document
from clusters.engine.problems import NotTogether
from clusters.engine.simulation import KindNotRead, WhyNotRead
from clusters.services.decisions.explain import BadText, parsed, read_configuration
from clusters.services.runs.spec import WORKLOADS, SpecError, read_manifests
from clusters.services.studies.asking import AS_IS, BUILT_IN, CONFIGURATION, LARGEST_GANG, PRESETS
from clusters.wording.problems import both_sentences, placed_sentence, problem_sentence
from clusters.wording.runs import building as words, changes
from dashboard.forms.runs.base import select, show_examples, text, whole
from dashboard.forms.runs.nodes import KUBERNETES_CHOICES, chosen_release
from dashboard.forms.runs.workloads import editor, workload_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.utils.functional import _StrOrPromise

    from clusters.engine.versions import Release
    from dashboard.presenters.runs.listing import Offers

_SHARE = re.compile(r"(?P<share>[1-9][0-9]{0,2})\s*[x×]\s*(?P<rest>.+)", re.IGNORECASE)
# As machines are advertised: 2 CPU 4 GiB.
_WORDS = re.compile(r"(?<=[\s\d])(?:v?cpus?|cores?|memory|ram)\b", re.IGNORECASE)
_UNIT = re.compile(r"(?<=\d)\s*([KMGTP]i?)B?\b")
_WEIGHT = re.compile("[0-9]{1,9}")
# NodeAffinity by name: an example of what to write.
# ImageLocality by name: an example of what to write.
_WEIGHT_EXAMPLE = "NodeAffinity=5"
_MOST_LINES = 50


def _lines(label: _StrOrPromise, placeholder: str, hint: _StrOrPromise) -> forms.CharField:
    widget = forms.Textarea(
        attrs={"class": "form-control", "rows": 3, "placeholder": placeholder, "spellcheck": "false"}
    )
    return forms.CharField(label=label, required=False, max_length=8_000, widget=widget, help_text=hint)


def _shared(line: str) -> tuple[int, str]:
    """Read `3x shop/web`; without a number it is one."""
    match = _SHARE.fullmatch(line)
    return (int(match["share"]), match["rest"].strip()) if match else (1, line)


def sized(name: str, cpu: str, memory: str) -> dict[str, Any]:
    """Return a pod that requests so much and nothing else."""
    requests = {"cpu": cpu, "memory": memory}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [{"name": "main", "image": "any", "resources": {"requests": requests}}]},
    }


class StudyForm(forms.Form):
    """What the forms of studies share."""

    use_required_attribute = False

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        prefix: str,
        initial: Mapping[str, Any] | None = None,
        offers: Offers | None = None,
    ) -> None:
        """Take ``offers`` for examples, and its workloads for those that may be named without their kind."""
        # A field's own name has the prefix, so that no two forms of a page share an id.
        super().__init__(data, prefix=prefix, initial=dict(initial or {}), auto_id="id_%s", label_suffix="")
        self._known = offers.workloads if offers else ()
        if offers:
            show_examples(self, offers)


class HeadroomForm(StudyForm):
    """Shapes of pods, each by itself or in turns."""

    workloads = _lines(words.LIKE_WORKLOADS, "", words.LIKE_WORKLOADS_HINT)
    sizes = _lines(words.SIZES, "500m 1Gi", words.SIZES_HINT)
    manifest = editor(words.SHAPES_MANIFEST, rows=3, hint=words.SHAPES_MANIFEST_HINT)
    gang = whole(words.GANG, most=LARGEST_GANG)
    is_mix = forms.BooleanField(
        label=words.MIX,
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )

    def __init__(self, *args: Any, offers: Offers, **more: Any) -> None:
        super().__init__(*args, offers=offers, **more)
        # A list of suggestions is of fields of one line.
        self.fields["workloads"].widget.attrs["placeholder"] = next(iter(offers.workloads), "shop/web")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        cleaned["of_workloads"] = self._read("workloads", partial(workload_of, known=self._known))
        cleaned["of_sizes"] = self._read("sizes", _size)
        cleaned["documents"], cleaned["notes"] = [], []
        given = (cleaned.get("manifest") or "").strip()
        if given:
            try:
                found = read_manifests(given)
                cleaned["documents"] = [each for each in found.documents if each["kind"] in WORKLOADS]
                cleaned["notes"] = list(map(remark_document, [*found.remarks, *_beside(found.documents)]))
            except SpecError as error:
                self.add_error("manifest", placed_sentence(error.problem, error.field, line=error.line))
        if not self.errors and not (cleaned["of_workloads"] or cleaned["of_sizes"] or cleaned["documents"]):
            self.add_error("workloads", str(words.NO_SHAPES))
        if cleaned.get("gang") and cleaned.get("is_mix"):
            self.add_error("gang", problem_sentence(NotTogether((str(words.GANG), str(words.MIX)))))
        return cleaned

    def _read(self, name: str, read: Any) -> list[tuple[int, Any]]:
        """Return what each line of a field says, with its share."""
        lines = [line.strip() for line in (self.cleaned_data.get(name) or "").splitlines() if line.strip()]
        if len(lines) > _MOST_LINES:
            self.add_error(name, words.TOO_MANY_LINES(most=_MOST_LINES))
            return []
        found = []
        for line in lines:
            share, rest = _shared(line)
            try:
                found.append((share, read(rest)))
            except forms.ValidationError as error:
                self.add_error(name, error)
        return found


def _beside(found: Iterable[dict[str, Any]]) -> list[KindNotRead]:
    """Return remarks about the objects of a manifest that are no shapes of pods."""
    kinds = sorted({each["kind"] for each in found if each["kind"] not in WORKLOADS})
    return [KindNotRead(kind, WhyNotRead.NO_SHAPE.value) for kind in kinds]


def _size(line: str) -> tuple[str, str]:
    parts = _UNIT.sub(r"\1", _WORDS.sub(" ", line)).replace(",", " ").split()
    if len(parts) != 2:
        raise forms.ValidationError(words.STUDIES_NO_SIZE(text=line))
    return parts[0], parts[1]


class NeededForm(StudyForm):
    """A workload that is to fit, and the nodes that would be added for it."""

    workload = text(words.STUDIES_WORKLOAD, "shop/web", offers="workloads")
    count = whole(words.STUDIES_COUNT, most=10_000)
    manifest = editor(words.STUDIES_MANIFEST, rows=4, hint=words.MANIFEST_HINT)
    like = text(words.STUDIES_LIKE, "node-1", offers="nodes")
    cpu = text(words.CPU, "8")
    memory = text(words.MEMORY, "32Gi")
    zones = text(words.ZONES, "zone-a, zone-b", offers="zones", shown=2)

    field_order = ("workload", "count", "like", "cpu", "memory", "zones", "manifest")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        has_manifest = bool((cleaned.get("manifest") or "").strip())
        if cleaned.get("workload"):
            try:
                cleaned["of"] = workload_of(cleaned["workload"], self._known)
            except forms.ValidationError as error:
                self.add_error("workload", error)
            if not cleaned.get("count") and "count" not in self.errors:
                self.add_error("count", self.fields["count"].error_messages["required"])
        elif not has_manifest:
            self.add_error("workload", str(words.STUDIES_NO_WORKLOAD))
        if not cleaned.get("like") and not (cleaned.get("cpu") and cleaned.get("memory")):
            self.add_error("like", str(words.NO_SIZE))
        return cleaned


class SweepForm(StudyForm):
    """The configurations under which a run is tried."""

    built_in = forms.MultipleChoiceField(
        label=words.CONFIGURATIONS,
        required=False,
        choices=[(kind, changes.BUILT_IN[kind]) for kind in BUILT_IN],
        widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
    )
    weights = _lines(words.WEIGHTS, f"{_WEIGHT_EXAMPLE}, ImageLocality=0", words.WEIGHTS_HINT)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        variants: list[dict[str, Any]] = [{"kind": kind} for kind in cleaned.get("built_in") or ()]
        for line in (cleaned.get("weights") or "").splitlines():
            if line.strip():
                variants += self._weights(line.strip())
        if not variants and not self.errors:
            self.add_error("built_in", str(words.NO_CONFIGURATION))
        cleaned["variants"] = variants
        return cleaned

    def _weights(self, line: str) -> list[dict[str, Any]]:
        weights = {}
        for part in line.replace(",", " ").split():
            plugin, equals, weight = part.partition("=")
            if not plugin or not equals or not _WEIGHT.fullmatch(weight):
                self.add_error("weights", words.NO_WEIGHT(text=part, example=_WEIGHT_EXAMPLE))
                return []
            weights[plugin] = int(weight)
        return [{"kind": "weights", "weights": weights}]


ALL: Final = "all"
OFFERED: Final = (*PRESETS, AS_IS, CONFIGURATION)


class OtherConfigurationForm(forms.Form):
    """Which configuration, and whether it places all pods again."""

    use_required_attribute = False

    preset = forms.ChoiceField(
        label=changes.PRESET,
        choices=[(kind, changes.PRESETS[kind][0]) for kind in OFFERED],
        initial=OFFERED[0],
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )
    pods = forms.ChoiceField(
        label=changes.PODS_PLACED,
        choices=[(ALL, changes.PLACE_ALL), ("pending", changes.PENDING_PODS)],
        initial=ALL,
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )
    kubernetes = select(words.KUBERNETES, KUBERNETES_CHOICES)
    configuration = editor(changes.YOURS, rows=14, hint=changes.YOURS_HINT)

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
                    self.add_error("configuration", words.IN_LINE(line=each.line, problem=said) if each.line else said)
        if cleaned.get("preset") == AS_IS and not cleaned.get("kubernetes"):
            self.add_error("kubernetes", str(changes.NOTHING_DIFFERS))
        return cleaned

    def meanings(self) -> list[tuple[Any, str]]:
        """Return each choice of a preset with what it does."""
        return [(box, str(changes.PRESETS[kind][1])) for box, kind in zip(self["preset"], OFFERED, strict=True)]

    def variants(self) -> list[dict[str, Any]]:
        """Return the configurations of the sweep: the present one, and the one that was chosen."""
        kind = self.cleaned_data["preset"]
        chosen = {"kind": kind}
        if kind == CONFIGURATION:
            chosen["configuration"] = self.cleaned_data["document"]
        if version := self.cleaned_data["kubernetes"]:
            name = changes.configuration_name(kind)
            chosen["kubernetes"] = version
            chosen["label"] = changes.ON_VERSION(configuration=name, minor=self.minor())
        return [{"kind": AS_IS}, chosen]

    def minor(self) -> str:
        """Return the Kubernetes minor that was chosen; empty for the cluster's own."""
        version: str = self.cleaned_data["kubernetes"]
        return version.removeprefix("v")

    def spec(self) -> dict[str, Any]:
        """Return the run that is made with both."""
        place = [{"change": "place", "pods": ALL}] if self.cleaned_data["pods"] == ALL else []
        return {"version": 1, "base": {"kind": "cluster"}, "changes": place}
