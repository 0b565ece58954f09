"""Rows that keep the journal document of a decision."""

from __future__ import annotations

from typing import Any

from django.db import models

from clusters.models.packed import packed, unpacked


class Explained(models.Model):
    """A row with an explanation, compressed: nobody searches in it."""

    packed_explanation = models.BinaryField(null=True)

    class Meta:
        abstract = True

    @property
    def explanation(self) -> dict[str, Any] | None:
        """The journal document, as clusters.services.journal.document makes it; None while there is none."""
        return None if self.packed_explanation is None else unpacked(self.packed_explanation)

    @explanation.setter
    def explanation(self, document: dict[str, Any] | None) -> None:
        self.packed_explanation = None if document is None else packed(document)
