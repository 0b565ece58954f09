"""A figure as the page shows it: a sentence, a picture, and the same numbers as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from dashboard.pictures.drawing import drawing
from dashboard.pictures.shapes import NARROW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import Spec

_WIDE = 760


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its words; `id` is unique on the page, `rows` are cells as text under `columns`.

    A figure without columns has its table beside it. `address` is where the same figure is as a chart to explore, empty
    where the picture says all.
    """

    id: str
    title: str
    summary: str
    spec: Spec
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    address: str = ""

    @property
    def wide(self) -> SafeString:
        """The drawing for wide screens."""
        return self._drawn(_WIDE)

    @property
    def narrow(self) -> SafeString:
        """The drawing for narrow screens and columns."""
        return self._drawn(NARROW)

    def _drawn(self, width: int) -> SafeString:
        # The drawing escapes every word that it writes.
        words = f"{self.title}. {self.summary}"
        return mark_safe(drawing(self.spec, name=self.id, words=words, width=width))  # noqa: S308
