"""A figure as the page shows it: a sentence, a picture drawn once for pages and files, and its numbers as a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from dashboard.pictures.columns import bars_body, columns_body, headroom_body, stacks_body, trend_body
from dashboard.pictures.domains import domains_body, histogram_body
from dashboard.pictures.relations import relations_body
from dashboard.pictures.rows import marks_body, node_shares_body, scale_body, search_strip_body, slots_body
from dashboard.pictures.shapes import NARROW, SIZE, WIDE
from dashboard.pictures.specs import (
    BarsSpec,
    ColumnsSpec,
    DomainHistogramSpec,
    DomainsSpec,
    HeadroomSpec,
    MarksSpec,
    NodeSharesSpec,
    RelationsSpec,
    ScaleSpec,
    SearchStripSpec,
    SlotsSpec,
    Spec,
    StackSpec,
    TimelineSpec,
    TrendSpec,
)
from dashboard.pictures.timelines import timeline_body

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


# -- A picture of numbers as one SVG element --------------------------------------------------------------------------


# How each kind of picture is drawn; trends, marks and relations have no fillings whose ids need a prefix.
_BODIES: Final[Mapping[type[Any], Callable[[Any, int, str], tuple[str, float]]]] = {
    StackSpec: stacks_body,
    HeadroomSpec: headroom_body,
    BarsSpec: bars_body,
    ColumnsSpec: columns_body,
    TimelineSpec: timeline_body,
    ScaleSpec: scale_body,
    SearchStripSpec: search_strip_body,
    DomainsSpec: domains_body,
    SlotsSpec: slots_body,
    NodeSharesSpec: node_shares_body,
    DomainHistogramSpec: histogram_body,
}


def drawing(spec: Spec, *, name: str, words: str, width: int = WIDE, font: str = "") -> str:
    """Draw a picture as one `svg` element whose alternative is `words`.

    `font` is a family for where none is inherited. Ids in the drawing begin with `name`, unique on its page, and the
    width.
    """
    prefix = f"{name}-{width}"
    body, height = _body(spec, width, prefix)
    # What a picture with links holds is not hidden from those who do not see it.
    role = "group" if isinstance(spec, MarksSpec | RelationsSpec) else "img"
    family = f' font-family="{escape(font)}"' if font else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
        f'height="{height:.0f}" role="{role}" aria-label="{escape(words)}" font-size="{SIZE}"{family} '
        f'fill="var(--ink)">{body}</svg>'
    )


def _body(spec: Spec, width: int, prefix: str) -> tuple[str, float]:
    if isinstance(spec, TrendSpec):
        return trend_body(spec, width)
    if isinstance(spec, MarksSpec):
        return marks_body(spec, width)
    if isinstance(spec, RelationsSpec):
        return relations_body(spec, width)
    return _BODIES[type(spec)](spec, width, prefix)


# -- A figure as the page shows it ------------------------------------------------------------------------------------


_WIDE = 760


class Figure(Struct, frozen=True):
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
