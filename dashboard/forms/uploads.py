"""The upload form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings

from clusters.models import Cluster, Ingest
from clusters.wording import clusters as words
from dashboard.limits.bodies import body_too_large

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.core.files.uploadedfile import UploadedFile
    from django.utils.datastructures import MultiValueDict


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
