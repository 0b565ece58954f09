"""Lessons that trainers upload, beside those that come with Berth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from clusters.models.cluster import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping


class StoredLesson(models.Model):
    """The files of a lesson, as somebody uploaded them."""

    name = models.CharField(max_length=40, unique=True)
    title = models.CharField(max_length=200)
    # A name and no account: who wrote a lesson is to be read after the account is gone.
    uploaded_by = models.CharField(max_length=150)
    packed_files = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def files(self) -> dict[str, str]:
        """The text of each file by its path."""
        files: dict[str, str] = unpacked(self.packed_files)
        return files

    @files.setter
    def files(self, files: Mapping[str, str]) -> None:
        self.packed_files = packed(dict(files))
