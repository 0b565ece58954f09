"""The headings of a map's zones."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from clusters.wording import counts
from clusters.wording.maps import NO_ZONE
from dashboard.pictures.shapes import label_width, shortened

if TYPE_CHECKING:
    from dashboard.pictures.verdict_map.layout import PlacedZone


def zone_head(zone: PlacedZone) -> str:
    """Draw a zone's name beside its colour, and how many nodes it has."""
    nodes = counts.nodes(zone.nodes)
    room = zone.room - 12 - label_width(nodes) - 8
    name = shortened(zone.name or str(NO_ZONE), max(room, 40.0), is_bold=True)
    colour = f"zone-{zone.colour}" if zone.colour else "line-strong"
    corner = f'x="{zone.left:g}" y="{zone.top + 3:g}"'
    return (
        f'<rect class="map-fill" {corner} width="4" height="14" rx="1" fill="var(--{colour})"/>'
        f'<text x="{zone.left + 10:g}" y="{zone.top + 15:g}"><tspan font-weight="600">{escape(name)}</tspan>'
        f'<tspan dx="8" fill="var(--ink-muted)">{escape(nodes)}</tspan></text>'
    )
