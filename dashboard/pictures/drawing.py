"""A picture of numbers as one SVG element: drawn once, for pages, HTML files and PDFs.

A drawing names colours by tokens, `var(--ink)`; `light_theme.with_colours` gives them values where no style sheet does.
It has no style element and no script. Each part of it is labelled directly, and areas that touch differ by their
filling too, so that a grey printer loses nothing. Sizes are units of the drawing, which is `width` wide; a narrow one
suits a phone.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from dashboard.pictures.columns import bars_body, columns_body
from dashboard.pictures.differences import differences_body
from dashboard.pictures.domains import domains_body, histogram_body
from dashboard.pictures.lines import trend_body
from dashboard.pictures.marks import marks_body
from dashboard.pictures.node_shares import node_shares_body
from dashboard.pictures.relations import relations_body
from dashboard.pictures.scales import scale_body
from dashboard.pictures.search_strips import search_strip_body
from dashboard.pictures.shapes import SIZE, WIDE
from dashboard.pictures.slots import slots_body
from dashboard.pictures.specs import (
    BarsSpec,
    ColumnsSpec,
    DifferencesSpec,
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
from dashboard.pictures.stacks import headroom_body, stacks_body
from dashboard.pictures.timelines import timeline_body

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


# How each kind of picture is drawn; trends, marks and relations have no fillings whose ids need a prefix.
_BODIES: Final[Mapping[type[Any], Callable[[Any, int, str], tuple[str, float]]]] = {
    StackSpec: stacks_body,
    HeadroomSpec: headroom_body,
    BarsSpec: bars_body,
    DifferencesSpec: differences_body,
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
