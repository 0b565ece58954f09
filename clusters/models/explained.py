"""Rows that keep the explanation of a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from clusters.models.packed import packed, unpacked

if TYPE_CHECKING:
    from clusters.documents.explanation import ExplanationDocument


class Explained(models.Model):
    """A row with an explanation, compressed: nobody searches in it."""

    packed_explanation = models.BinaryField(null=True)

    class Meta:
        abstract = True

    @property
    def explanation(self) -> ExplanationDocument | None:
        """What was computed; None while there is nothing."""
        # Every process loads the models, and few read an explanation.
        from clusters.documents.writing import read_explanation

        return None if self.packed_explanation is None else read_explanation(unpacked(self.packed_explanation))

    @explanation.setter
    def explanation(self, document: ExplanationDocument | None) -> None:
        self.packed_explanation = None if document is None else packed(document)
