"""Changes to workloads, budgets and priority classes, and traces."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from django import forms

from clusters.adapters.bad_input import BadInput
from clusters.adapters.traces import openb
from clusters.documents.words import remark_document
from clusters.services.runs.spec import (
    BUDGET,
    MOST_BYTES,
    PRIORITY_CLASS,
    REPLICATED,
    WORKLOADS,
    SpecError,
    read_manifests,
)
from clusters.wording import configuration as configuration_words
from clusters.wording.amounts import size
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems import input_sentence, placed_sentence
from clusters.wording.runs import building as words
from dashboard.forms.runs.base import CHANGE, ChangeForm, Entry, select, text, whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.core.files.uploadedfile import UploadedFile
    from django.utils.functional import _StrOrPromise

# What a manifest's kind makes of it; everything else is a workload, or what one needs.
_PUT = {BUDGET: "put-budget", PRIORITY_CLASS: "put-priority-class"}
_SCALED = ("Deployment", "StatefulSet", "ReplicaSet", "Job")

# Kind, namespace and name.
_PARTS = 3
_MOST_NAMED = 5
# A longer name is that of no workload, and comparing takes time.
_LONGEST = 317

# As much as the whole form may have.
_MOST_TRACE_BYTES = 4 * 1024 * 1024


def workload_of(given: str, known: Iterable[str]) -> tuple[str, str, str]:
    """Read `Deployment shop/web`, or `Deployment/shop/web` as addresses have it.

    Without a kind, or with nothing but a name, it is the one of the `known` that is called so. Raises ValidationError,
    which names what is called nearly so.
    """
    parts = given.replace("/", " ").split()
    if 0 < len(parts) < _PARTS and given.strip() == "/".join(parts):
        called = {each: "/".join(each.replace("/", " ").split()[-len(parts) :]) for each in known}
        name = "/".join(parts)
        problems = []
        if name not in called.values():
            problems = [words.NO_SUCH_WORKLOAD(workload=name)]
            name = next(iter(get_close_matches(name[:_LONGEST], called.values(), n=1)), "")
        found = [each for each in called if called[each] == name]
        if found and (problems or len(found) > 1):
            problems.append(words.SEVERAL_WORKLOADS(workloads=alternatives(found[:_MOST_NAMED])))
        if problems:
            raise forms.ValidationError(problems)
        parts = found[0].replace("/", " ").split()
    elif len(parts) != _PARTS or given.count("/") not in (1, 2):
        raise forms.ValidationError(words.NO_WORKLOAD(text=given))
    kind, namespace, name = parts
    return kind, namespace, name


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


class WorkloadForm(ChangeForm):
    """A change to one workload."""

    workload = text(words.WORKLOAD, "shop/web", offers="workloads")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("workload"):
            self.needs("workload")
            return cleaned
        try:
            cleaned["of"] = workload_of(cleaned["workload"], self.offers.workloads)
        except forms.ValidationError as error:
            self.add_error("workload", error)
        return cleaned

    def target(self) -> Entry:
        """Return the workload that is meant, as an entry holds it."""
        kind, namespace, name = self.cleaned_data["of"]
        return {"kind": kind, "namespace": namespace, "name": name}


class ScaleForm(WorkloadForm):
    """Another number of replicas."""

    title = words.SCALE
    about = words.SCALE_ABOUT
    how = select(
        words.WORKLOADS_HOW, (("more", words.MORE), ("fewer", words.FEWER), ("to", words.IN_ALL)), initial="more"
    )
    count = whole(words.REPLICAS, least=0, most=10_000)
    field_order = ("workload", "count", "how")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("count") is None:
            self.needs("count")
        if "of" in cleaned and cleaned["of"][0] not in _SCALED:
            self.needs("workload", words.NOT_SCALED(kinds=listed(_SCALED)))
        return cleaned

    def entries(self) -> list[Entry]:
        count, how = self.cleaned_data["count"], self.cleaned_data["how"]
        amount = {"replicas": count} if how == "to" else {"by": -count if how == "fewer" else count}
        return [{CHANGE: "scale", **self.target(), **amount}]


class RemoveWorkloadForm(WorkloadForm):
    """A workload that is removed."""

    title = words.WORKLOADS_REMOVE

    def entries(self) -> list[Entry]:
        return [{CHANGE: "remove-workload", **self.target()}]


class ManifestForm(ChangeForm):
    """Whatever a manifest holds."""

    title = words.MANIFEST
    about = words.MANIFEST_ABOUT
    manifest = editor(words.TEXT, rows=12, hint=words.TEXT_HINT)
    file = upload(configuration_words.FILE_LABEL, ".yaml,.yml,.json")
    replicas = whole(words.OTHER_REPLICAS, least=0, most=100_000)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        typed = (cleaned.get("manifest") or "").strip()
        try:
            sent = content(cleaned.get("file"), MOST_BYTES).decode()
        except UnicodeDecodeError:
            self.needs("file", words.NOT_UTF_8)
            return cleaned
        except forms.ValidationError as error:
            self.add_error("file", error)
            return cleaned
        if not typed and not sent:
            self.needs("file" if cleaned.get("file") else "manifest", words.NO_MANIFEST)
            return cleaned
        try:
            cleaned["found"] = read_manifests(sent or typed)
        except SpecError as error:
            self.add_error("file" if sent else "manifest", placed_sentence(error.problem, error.field, line=error.line))
        return cleaned

    def entries(self) -> list[Entry]:
        # What workloads need goes before them, whatever the order of the text.
        documents = sorted(self.cleaned_data["found"].documents, key=lambda each: each["kind"] in WORKLOADS)
        return [self._entry(document) for document in documents]

    def notes(self) -> list[dict[str, Any]]:
        """Return remarks about what of the text a simulation does not read, as documents."""
        return list(map(remark_document, self.cleaned_data["found"].remarks))

    def _entry(self, document: dict[str, Any]) -> Entry:
        put = _PUT.get(document["kind"])
        if put is not None:
            return {CHANGE: put, "manifest": document}
        replicas = self.cleaned_data.get("replicas")
        given = {"replicas": replicas} if replicas is not None and document["kind"] in REPLICATED else {}
        return {CHANGE: "add-workload", "manifest": document, **given}


class RemoveBudgetForm(ChangeForm):
    """A disruption budget that is removed."""

    title = words.REMOVE_BUDGET
    budget = text(words.BUDGET, "shop/web", offers="budgets")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        namespace, slash, name = (cleaned.get("budget") or "").strip().partition("/")
        if not (namespace and slash and name):
            self.needs("budget", words.NO_WORKLOAD(text=cleaned["budget"]) if cleaned.get("budget") else "")
        cleaned["of"] = {"namespace": namespace, "name": name}
        return cleaned

    def entries(self) -> list[Entry]:
        return [{CHANGE: "remove-budget", **self.cleaned_data["of"]}]


class TraceForm(ChangeForm):
    """Pods, and perhaps nodes, of a trace."""

    title = words.TRACE
    about = words.TRACE_ABOUT
    pods = upload(words.TRACE_PODS, ".csv")
    nodes = upload(words.TRACE_NODES, ".csv")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("pods"):
            self.needs("pods", words.NO_TRACE)
        cleaned["rows"] = {}
        for name, read in (("pods", openb.read_pods), ("nodes", openb.read_nodes)):
            file = cleaned.get(name)
            if file is None:
                continue
            try:
                cleaned["rows"][name] = read(content(file, _MOST_TRACE_BYTES), file=file.name)
            except BadInput as error:
                self.add_error(name, input_sentence(error.problem, **error.place))
            except forms.ValidationError as error:
                self.add_error(name, error)
        return cleaned

    def entries(self) -> list[Entry]:
        return [{CHANGE: "trace", "format": "openb", **self.cleaned_data["rows"]}]
