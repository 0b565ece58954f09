"""The picture of a list's nodes as columns: zone by zone, shaded by how much of one resource is requested.

The browser draws it as it draws the picture of a whole cluster (`cluster.py`), from columns in the same form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.nodes import heat_map as wording
from clusters.wording.overview.picture import ZONE_AND_STATE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dashboard.presenters.nodes.heat_map import HeatCell, NodeMap

# The share is drawn in whole percents of at most three digits.
_MOST_PERCENT = 999


def picture_of(found: NodeMap) -> dict[str, Any]:
    """Return the columns; each node's `text` says its share in words."""
    cells = [cell for block in found.blocks for cell in block.cells]
    states = list(dict.fromkeys((cell.mark, cell.state) for cell in cells))
    number = {state: place for place, state in enumerate(states)}
    return {
        "zones": [
            {
                "name": block.zone,
                "nodes": len(block.cells),
                "words": {"share": wording.ZONE(nodes=len(block.cells), share=block.percent)},
            }
            for block in found.blocks
        ],
        "nodeStates": states,
        "says": {"where": ZONE_AND_STATE(zone="{zone}", state="{state}")},
        "nodes": {
            "name": [cell.name for cell in cells],
            "state": [number[cell.mark, cell.state] for cell in cells],
            "share": list(_percents(cells)),
            "text": [cell.text for cell in cells],
        },
        "pods": None,
    }


def _percents(cells: Iterable[HeatCell]) -> Iterable[int]:
    """Yield whole percents; one that is not nothing is at least 1, and what exceeds 90 or 100 stays above it."""
    for cell in cells:
        percent = 100 * cell.share
        nearest = round(percent)
        edge = next((edge for edge in (100, 90) if percent > edge), 0)
        yield min(_MOST_PERCENT, max(nearest, edge + 1 if edge else 1)) if percent > 0 else 0
