"""An explanation as the journal keeps it: what a page needs years later, in less than 20 KB.

Everything is counted in full; what is listed is bounded, by number and, as names and reasons can be long, by bytes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from clusters.documents.writing import Bounds, explanation_document

if TYPE_CHECKING:
    from clusters.documents.explanation import Dropped, ExplanationDocument
    from clusters.engine import Explanation

MOST_BYTES = 20_000

USUAL = Bounds(
    relaxations=False, candidates=0, groups=20, examples=3, choices=20, victims=20, ranking=5, reasons=8, text=512,
    message=4000, pools=150,
)  # fmt: skip
_COUNTED = replace(USUAL, examples=0, pools=None)
# From the full document to one that is small whatever stands in it: examples go before groups, groups before reasons.
_LADDER = (
    USUAL,
    replace(USUAL, examples=1, choices=8, victims=8, pools=0),
    replace(USUAL, examples=0, choices=3, victims=3, message=3000, pools=0),
    replace(_COUNTED, choices=1, victims=1, ranking=3, groups=12, reasons=6, text=320, message=2000),
    replace(_COUNTED, choices=1, victims=1, ranking=3, groups=5, reasons=4, text=256, message=1000),
    replace(_COUNTED, choices=1, victims=1, ranking=1, groups=1, reasons=2, text=128, message=500),
)


def decision_document(explanation: Explanation, chosen: str | None) -> ExplanationDocument:
    """Return what the journal keeps of an explanation; ``chosen`` is the node that the cluster decided for.

    ``nodes`` has that node's answers, where the state holds it. ``dropped`` names what was listed more briefly than
    usual: "examples", "groups", "reasons", "message". At most MOST_BYTES long as JSON.
    """
    row = None if chosen is None else explanation.snapshot.nodes.index.get(chosen)
    nodes = () if row is None else (row,)
    *usual, last = _LADDER
    for bounds in usual:
        document = _within(bounds, explanation, nodes)
        if len(msgspec.json.encode(document)) <= MOST_BYTES:
            return document
    return _within(last, explanation, nodes)


def _within(bounds: Bounds, explanation: Explanation, nodes: tuple[int, ...]) -> ExplanationDocument:
    document = explanation_document(explanation, bounds, nodes=nodes)
    less: set[Dropped] = set(document.dropped)
    if bounds.examples != USUAL.examples:
        less.add("examples")
    if bounds.groups != USUAL.groups and document.other_groups is not None:
        less.add("groups")
    return msgspec.structs.replace(document, dropped=tuple(sorted(less)))
