"""What the forms of changes share: what a cluster offers to choose from, and how short texts are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.utils.functional import lazy
from msgspec import Struct

from clusters.engine.owners import Workload
from clusters.models import Cluster, KubeObject, Pod, PodDisruptionBudget
from clusters.services.mirror.state import utilisation_of
from clusters.services.workloads import workloads_of
from clusters.wording.absent import THERE_IS_NO
from clusters.wording.filters import NO_WHOLE_NUMBER
from clusters.wording.lists import alternatives, first_of
from clusters.wording.runs import building as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.core.files.uploadedfile import UploadedFile
    from django.utils.datastructures import MultiValueDict
    from django.utils.functional import _StrOrPromise

    from clusters.wording.messages import Message
    from dashboard.presenters.runs.listing import Offers

Entry = dict[str, Any]

# The name of the field that says which change an entry is.
CHANGE = "change"

_SEPARATORS = re.compile(r"[,\s]+")
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


class OfferedField(forms.CharField):
    """Names of which the page has a list of suggestions, ``offers``; its example has so many, ``shown``."""

    def __init__(self, *, offers: str, shown: int, **more: Any) -> None:
        super().__init__(**more)
        self.offers, self.shown = offers, shown


def text(
    label: _StrOrPromise,
    placeholder: _StrOrPromise = "",
    *,
    offers: str = "",
    shown: int = 1,
    hint: _StrOrPromise = "",
) -> forms.CharField:
    """Return a short text; ``offers`` names the list of suggestions on the page, of which ``shown`` are an example."""
    attrs: dict[str, Any] = {
        "class": "form-control",
        "placeholder": placeholder,
        "spellcheck": "false",
        "autocomplete": "off",
    }
    if offers:
        attrs["list"] = f"offers-{offers}"
    widget = forms.TextInput(attrs=attrs)
    about: dict[str, Any] = {"label": label, "required": False, "max_length": 4000, "widget": widget, "help_text": hint}
    return OfferedField(offers=offers, shown=shown, **about) if offers else forms.CharField(**about)


def show_examples(form: forms.Form, offers: Offers) -> None:
    """Show names of the cluster where it offers some, in place of those of an example."""
    for field in form.fields.values():
        if isinstance(field, OfferedField) and (offered := getattr(offers, field.offers)):
            field.widget.attrs["placeholder"] = ", ".join(offered[: field.shown])


def whole(
    label: _StrOrPromise, *, least: int = 1, most: int = 100_000, initial: int | None = None
) -> forms.IntegerField:
    """Return a whole number."""
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=most,
        initial=initial,
        error_messages={
            "invalid": NO_WHOLE_NUMBER,
            "min_value": lazy(words.TOO_SMALL, str)(least=least),
            "max_value": lazy(words.TOO_LARGE, str)(most=most),
        },
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"}),
    )


def select(
    label: _StrOrPromise, choices: Iterable[tuple[str, _StrOrPromise]], *, initial: str = ""
) -> forms.ChoiceField:
    """Return a choice."""
    widget = forms.Select(attrs={"class": "form-select"})
    return forms.ChoiceField(label=label, required=False, choices=list(choices), initial=initial, widget=widget)


def listed(given: str) -> list[str]:
    """Split names at commas and blanks, each once."""
    return list(dict.fromkeys(part for part in _SEPARATORS.split(given) if part))


def pairs(given: str, problem: Message) -> dict[str, str]:
    """Read `a=b, c=d`; ``problem`` words what is none. Raises ValidationError."""
    found = {}
    for part in listed(given):
        key, equals, value = part.partition("=")
        if not key or not equals:
            raise forms.ValidationError(problem(text=part))
        found[key] = value
    return found


def taint(given: str) -> dict[str, str]:
    """Read `key=value:Effect` or `key:Effect`. Raises ValidationError."""
    left, colon, effect = given.rpartition(":")
    key, _, value = left.partition("=")
    if not colon or not key or effect not in _EFFECTS:
        raise forms.ValidationError(words.NO_TAINT(text=given, effects=alternatives(_EFFECTS)))
    return {"key": key, "effect": effect, **({"value": value} if value else {})}


class ChangeForm(forms.Form):
    """One kind of change. ``title`` stands on the page, ``button`` on what adds it.

    An empty form asks for nothing; a filled one gives entries of a run's changes.
    """

    title: ClassVar[_StrOrPromise]
    about: ClassVar[_StrOrPromise] = ""
    button: ClassVar[_StrOrPromise] = words.ADD_CHANGE
    template_name: str = "runs/_change_form.html"
    use_required_attribute = False

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: MultiValueDict[str, UploadedFile[Any]] | None = None,
        *,
        name: str,
        offers: Offers,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, files, prefix=name, initial=dict(initial or {}), auto_id="id_%s", label_suffix="")
        self.name = name
        self.offers = offers
        show_examples(self, offers)

    @property
    def is_filled(self) -> bool:
        """Whether somebody wrote something into it; a choice always has a value."""
        written = [name for name in self.changed_data if not isinstance(self.fields[name], forms.ChoiceField)]
        return self.is_bound and bool(written)

    def words(self) -> dict[str, Any]:
        """Return what was written into it, but for files, which a browser does not send twice."""
        return {field.name: field.value() for field in self if not isinstance(field.field, forms.FileField)}

    def entries(self) -> list[Entry]:
        """Return the changes of a valid form."""
        raise NotImplementedError

    def notes(self) -> list[dict[str, Any]]:
        """Return what is to be said about what was added."""
        return []

    def needs(self, name: str, problem: _StrOrPromise = "") -> None:
        """Note what is wrong with a field; without a problem, that it is not filled in."""
        if name not in self.errors:
            self.add_error(name, str(problem or self.fields[name].error_messages["required"]))


class NodesForm(ChangeForm):
    """A change to some nodes: by their names, by a label selector, or a whole zone."""

    nodes = text(words.NODES, "node-1, node-2", offers="nodes", shown=2)
    selector = text(words.BY_LABEL, "pool=spot,!old")
    zone = text(words.BY_ZONE, "zone-a", offers="zones")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        given = [name for name in ("nodes", "selector", "zone") if cleaned.get(name)]
        if len(given) != 1:
            self.needs(given[1] if given else "nodes", words.NO_CHOICE)
        return cleaned

    def target(self) -> Entry:
        """Return the nodes that are meant, as an entry holds them."""
        given = self.cleaned_data
        if given.get("nodes"):
            return {"nodes": listed(given["nodes"])}
        return {"selector": given["selector"]} if given.get("selector") else {"zone": given["zone"]}


class Known(Struct, frozen=True):
    """What there is to begin with: a cluster as it is now, or nothing."""

    cluster: Cluster | None

    def problem(self, change: Entry, before: Sequence[Entry] = ()) -> str:
        """Say what a change names that is not there, as far as no change before it adds it; empty where all is there.

        Raises ConfigurationError and ChangingTooFastError.
        """
        match change.get(CHANGE):
            case "scale" | "remove-workload":
                return self._without_workload(change, before)
            case "remove-budget":
                return self._without_budget(change, before)
            case "trace":
                return ""
            case _:
                return self._without_nodes(change, before)

    def _without_nodes(self, change: Entry, before: Iterable[Entry]) -> str:
        named = [*(change.get("nodes") or ()), *([change["like"]] if change.get("like") else [])]
        if not named or any(each.get(CHANGE) in ("add-nodes", "trace") for each in before):
            return ""
        known = () if self.cluster is None else utilisation_of(cluster=self.cluster).snapshot.nodes.index
        missing = [name for name in named if name not in known]
        return words.NO_SUCH_NODES(names=first_of(missing, most=5)) if missing else ""

    def _without_workload(self, change: Entry, before: Iterable[Entry]) -> str:
        kind, namespace, name = change["kind"], change["namespace"], change["name"]
        if (kind, namespace, name) in _put(before, "add-workload") or self._has(Workload(namespace, kind, name)):
            return ""
        return words.NO_SUCH_WORKLOAD(workload=f"{kind} {namespace}/{name}")

    def _has(self, workload: Workload) -> bool:
        if self.cluster is None:
            return False
        place = {"cluster": self.cluster, "namespace": workload.namespace, "name": workload.name}
        if workload.kind == "Pod":
            return Pod.objects.filter(**place).exists()
        # One without pods is an object still.
        found = workload in workloads_of(cluster=self.cluster).states
        return found or KubeObject.objects.filter(**place, kind=workload.kind).exists()

    def _without_budget(self, change: Entry, before: Iterable[Entry]) -> str:
        namespace, name = change["namespace"], change["name"]
        if ("PodDisruptionBudget", namespace, name) in _put(before, "put-budget"):
            return ""
        there = PodDisruptionBudget.objects.filter(cluster=self.cluster, namespace=namespace, name=name)
        if self.cluster is not None and there.exists():
            return ""
        return THERE_IS_NO(object_kind="budget", name=f"{namespace}/{name}")


def _put(changes: Iterable[Entry], kind: str) -> set[tuple[str, str, str]]:
    """Return what changes of a kind add, by kind, namespace and name."""
    manifests = [each["manifest"] for each in changes if each.get(CHANGE) == kind]
    places = [(each["kind"], each.get("metadata") or {}) for each in manifests]
    return {(kind, place.get("namespace", "default"), place.get("name", "")) for kind, place in places}
