"""Forms by which nodes and workloads are added to a sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.engine.sandbox import Apart, NodeFields, Spread, WorkloadFields, WorkloadKind
from clusters.engine.taints import Taint
from clusters.services.lessons.reading import MOST_PODS
from clusters.wording.lessons import sandbox as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import QueryDict

# Names of objects are subdomains.
_NAME: Final = r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\Z"
_MOST_GPUS: Final = 16
_MOST_PODS_OF_A_NODE: Final = 1_000
_HIGHEST_PRIORITY: Final = 1_000_000_000
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_USUAL: Final = ("kind", "name", "namespace", "replicas", "cpu", "memory", "gpus", "tolerates")
_PLAIN: Final = {"class": "form-control", "autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}


def _text(label: Any, initial: str = "", hint: Any = "", *, is_required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        initial=initial,
        help_text=hint,
        required=is_required,
        max_length=253,
        widget=forms.TextInput(attrs=_PLAIN),
    )


def _name(label: Any, initial: str = "") -> forms.RegexField:
    """Return the field of a name; what else is wrong with one the check of the manifest says."""
    return forms.RegexField(
        _NAME,
        label=label,
        initial=initial,
        max_length=253,
        error_messages={"invalid": words.BAD_NAME},
        widget=forms.TextInput(attrs=_PLAIN),
    )


def _number(label: Any, initial: int, most: int, hint: Any = "", *, least: int = 0) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        initial=initial,
        help_text=hint,
        min_value=least,
        max_value=most,
        widget=forms.NumberInput(attrs={"class": "form-control", "autocomplete": "off"}),
    )


def _choice(label: Any, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=list(choices),
        required=False,
        widget=forms.Select(attrs={"class": "form-select", "autocomplete": "off"}),
    )


class _LabelsField(forms.CharField):
    """Labels as people write them: ``key=value, key=value``."""

    def to_python(self, value: Any) -> Any:
        found: dict[str, str] = {}
        for each in filter(None, (part.strip() for part in str(value or "").split(","))):
            key, equals, text = each.partition("=")
            if not equals or not key.strip():
                raise forms.ValidationError(words.NOT_LABELS(found=each[:80]))
            found[key.strip()] = text.strip()
        return found

    def run_validators(self, value: Any) -> None:
        """Leave what labels may be to those who check the manifest."""


def _labels(label: Any, hint: Any) -> _LabelsField:
    return _LabelsField(
        label=label, help_text=hint, required=False, widget=forms.TextInput(attrs={**_PLAIN, "maxlength": 2_000})
    )


class _SandboxForm(forms.Form):
    def __init__(self, data: QueryDict | None = None, **known: Any) -> None:
        super().__init__(data, label_suffix="", auto_id=f"id_{self.kept}_%s", **known)
        for name, field in self.fields.items():
            if field.help_text:
                field.widget.attrs["aria-describedby"] = f"id_{self.kept}_{name}_helptext"

    # What tells its fields from those of other forms on the page.
    kept = ""


class SandboxNodeForm(_SandboxForm):
    """A node by a few fields."""

    kept = "node"
    name = _name(words.NAME)
    zone = _text(words.ZONE, "zone-a", words.ZONE_HINT)
    cpu = _text(words.CPU, "4", is_required=True)
    memory = _text(words.MEMORY, "8Gi", is_required=True)
    pods = _number(words.PODS, 110, _MOST_PODS_OF_A_NODE, least=1)
    gpus = _number(words.GPUS, 0, _MOST_GPUS)
    labels = _labels(words.LABELS, words.LABELS_HINT)
    taint_key = _text(words.TAINT_KEY)
    taint_value = _text(words.TAINT_VALUE)
    taint_effect = _choice(words.TAINT_EFFECT, (("", "–"), *((each, each) for each in _EFFECTS)))

    def clean(self) -> dict[str, Any]:
        """Hold the parts of the taint together."""
        found = super().clean() or {}
        key, effect = found.get("taint_key"), found.get("taint_effect")
        if key and not effect:
            self.add_error("taint_effect", str(words.KEY_WITHOUT_EFFECT))
        elif not key and (effect or found.get("taint_value")):
            self.add_error("taint_key", str(words.EFFECT_WITHOUT_KEY))
        return found

    @property
    def fields_of_node(self) -> NodeFields:
        """The node that a valid form describes."""
        found = self.cleaned_data
        key = found["taint_key"]
        taint = Taint(key, found["taint_value"], found["taint_effect"]) if key else None
        names = ("name", "cpu", "memory", "zone", "pods", "gpus", "labels")
        return NodeFields(**{name: found[name] for name in names}, taint=taint)


class SandboxWorkloadForm(_SandboxForm):
    """A workload by a few fields; ``taints`` are those of the cluster's nodes, which its pods may tolerate."""

    kept = "workload"
    kind = _choice(words.KIND, words.KINDS.items())
    name = _name(words.NAME)
    namespace = _name(words.NAMESPACE, "shop")
    replicas = _number(words.REPLICAS, 3, MOST_PODS)
    cpu = _text(words.CPU, "500m")
    memory = _text(words.MEMORY, "256Mi")
    gpus = _number(words.GPUS, 0, _MOST_GPUS)
    priority = _number(words.PRIORITY, 0, _HIGHEST_PRIORITY, words.PRIORITY_HINT, least=-_HIGHEST_PRIORITY)
    tolerates = _choice(words.TOLERATES, (("", words.NO_TOLERATION),))
    spread = _choice(words.SPREAD, words.SPREADS.items())
    apart = _choice(words.APART, words.APARTS.items())
    node_selector = _labels(words.NODE_SELECTOR, words.LABELS_HINT)
    zones = _text(words.ZONES, "", words.ZONES_HINT)
    near = _text(words.NEAR, "", words.NEAR_HINT)
    available = _number(words.AVAILABLE, 0, MOST_PODS, words.AVAILABLE_HINT)

    def __init__(self, data: QueryDict | None = None, *, taints: Mapping[str, Taint], **known: Any) -> None:
        super().__init__(data, **known)
        self._taints = taints
        choices = [("", str(words.NO_TOLERATION)), *((each, each) for each in taints)]
        self.fields["tolerates"].choices = choices  # type: ignore[attr-defined]

    @property
    def usual(self) -> list[forms.BoundField]:
        """The fields that most workloads need."""
        return [self[name] for name in _USUAL]

    @property
    def further(self) -> list[forms.BoundField]:
        """The other fields."""
        return [self[name] for name in self.fields if name not in _USUAL]

    @property
    def fields_of_workload(self) -> WorkloadFields:
        """The workload that a valid form describes."""
        found = self.cleaned_data
        names = (
            "name",
            "namespace",
            "replicas",
            "cpu",
            "memory",
            "gpus",
            "priority",
            "node_selector",
            "near",
            "available",
        )
        return WorkloadFields(
            kind=WorkloadKind(found["kind"] or WorkloadKind.DEPLOYMENT),
            zones=tuple(filter(None, (zone.strip() for zone in found["zones"].split(",")))),
            tolerates=self._taints.get(found["tolerates"]),
            spread=Spread(found["spread"]),
            apart=Apart(found["apart"]),
            **{name: found[name] for name in names},
        )
