"""How a cluster gets here: as a dump, or followed live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.conf import settings

from clusters.adapters.kube import BadConnectionError, contexts_of, is_in_cluster
from clusters.models import Cluster, Ingest
from clusters.services.watching.connections import kubeconfigs_in
from clusters.wording import clusters as words
from clusters.wording.problems import both_sentences
from dashboard.limits.bodies import body_too_large

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from django.core.files.uploadedfile import UploadedFile
    from django.utils.datastructures import MultiValueDict

_NAME = {"class": "form-control", "autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}
_IN_CLUSTER = "in-cluster"


class Choice(NamedTuple):
    """Credentials that people may choose; no kubeconfig means the pod's service account."""

    kubeconfig: Path | None
    context: str


class Offer(NamedTuple):
    """What can be chosen, by the value in the form, and what is wrong with files that offer nothing."""

    choices: dict[str, Choice]
    problems: list[str]


def offer() -> Offer:
    """Read the contexts of every kubeconfig that the settings allow.

    People choose among these and name no path of their own: a kubeconfig can name programs to run, so which files are
    read as one is for whoever set Berth up to say.
    """
    choices = {_IN_CLUSTER: Choice(None, "")} if is_in_cluster() else {}
    problems = []
    for path in kubeconfigs_in(settings.BERTH_KUBECONFIGS):
        try:
            choices |= {f"{context}@{path}": Choice(path, context) for context in contexts_of(path)}
        except BadConnectionError as error:
            problems.append(both_sentences(error.problem))
    return Offer(choices, problems)


class NameForm(forms.Form):
    """A cluster's name."""

    name = forms.CharField(
        label=words.NAME,
        max_length=63,
        help_text=words.NAME_HINT,
        validators=Cluster._meta.get_field("name").validators,
        error_messages={"required": words.NAME_MISSING, "cluster-name": words.NAME_RULE},
        widget=forms.TextInput(attrs=_NAME),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        for name, field in self.fields.items():
            field.widget.attrs["aria-describedby"] = f"id_{name}_helptext"

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.initial.get("name") and Cluster.objects.filter(name=name).exists():
            raise forms.ValidationError(words.NAME_TAKEN(name=name))
        return name


class LiveClusterForm(NameForm):
    """A cluster to follow: its name, and one of the contexts that are offered."""

    connection = forms.ChoiceField(
        label=words.CONNECTION,
        help_text=words.CONNECTION_HINT,
        error_messages={
            "required": words.CONNECTION_MISSING,
            "invalid_choice": words.CONNECTION_GONE,
        },
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, offered: Offer, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        groups: dict[str, list[tuple[str, str]]] = {}
        for value, choice in offered.choices.items():
            source = str(words.THIS_POD) if choice.kubeconfig is None else str(choice.kubeconfig)
            groups.setdefault(source, []).append((value, choice.context or str(words.SERVICE_ACCOUNT)))
        field = self.fields["connection"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = list(groups.items())


class DumpForm(forms.Form):
    """A newer dump of a cluster that is mirrored already, which is the target."""

    target: Cluster

    file = forms.FileField(
        label=words.DUMP,
        help_text=words.DUMP_HINT,
        allow_empty_file=True,
        error_messages={"required": words.DUMP_MISSING},
        widget=forms.FileInput(attrs={"class": "form-control"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, files: MultiValueDict[str, UploadedFile[Any]] | None = None
    ) -> None:
        super().__init__(data, files, label_suffix="")
        for name, field in self.fields.items():
            field.widget.attrs["aria-describedby"] = f"id_{name}_helptext"

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        length = file.size or 0
        if not length:
            raise forms.ValidationError(words.DUMP_EMPTY)
        if length > settings.BERTH_UPLOAD_LIMIT_BYTES:
            raise forms.ValidationError(body_too_large())
        return file


class NewClusterForm(DumpForm):
    """The first dump of a cluster, and the name of the cluster.

    The target is a new cluster; one of that name goes when the reading of its first dump fails.
    """

    name = forms.CharField(
        label=words.NAME,
        max_length=63,
        help_text=words.NAME_HINT,
        validators=Cluster._meta.get_field("name").validators,
        error_messages={"required": words.NAME_MISSING, "cluster-name": words.NAME_RULE},
        widget=forms.TextInput(
            attrs={"class": "form-control", "autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}
        ),
    )
    field_order = ("name", "file")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        found = Cluster.objects.filter(name=name).first()
        if found and not found.is_unread:
            raise forms.ValidationError(words.NAME_TAKEN_BY_DUMP(name=name))
        if found and found.ingests.filter(state__in=Ingest.UNFINISHED).exists():
            raise forms.ValidationError(words.BEING_READ(name=name))
        self.target = found or Cluster(name=name)
        return name
