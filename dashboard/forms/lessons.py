"""The form that takes an archive of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from clusters.services.lessons.reading import MOST_BYTES
from clusters.wording.amounts import size
from clusters.wording.lessons import upload as words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.core.files.uploadedfile import UploadedFile
    from django.utils.datastructures import MultiValueDict


class LessonArchiveForm(forms.Form):
    """An archive; what is in it is for the services to read."""

    file = forms.FileField(
        label=words.ARCHIVE,
        allow_empty_file=True,
        error_messages={"required": words.ARCHIVE_MISSING},
        widget=forms.FileInput(
            attrs={"class": "form-control", "accept": ".zip,.tar.gz,.tgz,.tar", "aria-describedby": "id_file_helptext"}
        ),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, files: MultiValueDict[str, UploadedFile[Any]] | None = None
    ) -> None:
        super().__init__(data, files, label_suffix="")
        self.fields["file"].help_text = words.ARCHIVE_HINT(most=size(MOST_BYTES))

    @property
    def data_read(self) -> bytes:
        """The bytes of a valid form's file, as far as they are needed to tell that it is too large."""
        data: bytes = self.cleaned_data["file"].read(MOST_BYTES + 1)
        return data
