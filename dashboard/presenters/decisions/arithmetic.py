"""How one cell of the scores came about, as the page shows it: parts, raw score, normalised, times the weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from clusters.wording.evidence import EvidenceView, normalisation_view, score_view
from clusters.wording.plugins import wording_of

if TYPE_CHECKING:
    from clusters.engine import Explanation


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How one cell came about: each part with its line, the lines that join them, normalised, times the weight."""

    plugin: str
    node: str
    question: str
    raw: str
    parts: tuple[EvidenceView, ...]
    joined: tuple[str, ...]
    normalisation: EvidenceView | None
    normalised: str
    product: str


def arithmetic(explanation: Explanation, row: int, plugin: str) -> Arithmetic:
    """Present how a cell came about. Raises LookupError for a node or a plugin without a score."""
    cell = {each.plugin: each for each in explanation.cells_of(row)}[plugin]
    weight = next(score.weight for score in explanation.scores if score.plugin == plugin)
    how = explanation.normalisation(row, plugin)
    view = score_view(explanation.score_evidence(row, plugin), cell.raw)
    return Arithmetic(
        plugin=plugin,
        node=explanation.snapshot.nodes.names[row],
        question=wording_of(plugin).decides(),
        raw=grouped(cell.raw),
        parts=view.parts,
        joined=view.lines,
        normalisation=None if how is None else normalisation_view(how),
        normalised=grouped(cell.normalised),
        product=f"{grouped(cell.normalised)} × {grouped(weight)} = {grouped(cell.weighted)}",
    )
