"""A figure as the page shows it: a sentence, a picture, and the same numbers as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Figure:
    """A plain plotly figure with its words; `id` is unique on the page, `rows` are cells as text under `columns`."""

    id: str
    title: str
    summary: str
    data: Sequence[dict[str, Any]]
    layout: dict[str, Any]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def data_id(self) -> str:
        """The id of the JSON block; charts.js draws it into the element of the same name that ends in `-plot`."""
        return f"{self.id}-data"

    @property
    def plot(self) -> dict[str, Any]:
        """Return what plotly draws; zoom survives updates because the revision is the figure's identity."""
        return {"data": list(self.data), "layout": {"uirevision": self.id, **self.layout}}
