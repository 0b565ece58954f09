"""Scores: the best nodes as a table, and the arithmetic behind each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from clusters.wording.decisions import scores as words
from clusters.wording.decisions.context import sampled_best
from clusters.wording.decisions.nodes import rank
from clusters.wording.plugins import wording_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.explanation import ScoreCell

TOP = 10


@dataclass(frozen=True, slots=True)
class PluginColumn:
    """A column of the table."""

    plugin: str
    weight: str
    question: str


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One plugin's score of one node; the numbers are whole."""

    plugin: str
    raw: int
    normalised: int
    weighted: int


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One node with all its cells; `is_best` shares the highest total, `is_own` holds the pod."""

    rank: int
    node: str
    cells: tuple[ScoreView, ...]
    total: int
    is_best: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The table with what must be said about it; `own` is the pod's own node where the rows do not hold it."""

    columns: tuple[PluginColumn, ...]
    rows: tuple[ScoreRow, ...]
    own: ScoreRow | None
    sentence: str
    notes: tuple[str, ...]

    @property
    def width(self) -> int:
        """How many columns the table has: rank, node and total beside the plugins."""
        return len(self.columns) + 3


def row_of(explanation: Explanation, row: int, own: str = "") -> ScoreRow | None:
    """Present one feasible node; None for a node that does not fit."""
    total = explanation.total_of(row)
    if total is None:
        return None
    node = explanation.snapshot.nodes.names[row]
    return ScoreRow(
        rank=rank(explanation, total),
        node=node,
        cells=tuple(_cell(cell) for cell in explanation.cells_of(row)),
        total=total,
        is_best=total == int(explanation.cycle.totals.max()),
        is_own=node == own,
    )


def _cell(cell: ScoreCell) -> ScoreView:
    return ScoreView(cell.plugin, cell.raw, cell.normalised, cell.weighted)


def score_table(explanation: Explanation, rows: Iterable[int], own: str = "") -> ScoreTable:
    """Present the feasible nodes of these rows, best first, and the pod's own node."""
    shown = tuple(found for row in rows if (found := row_of(explanation, row, own)) is not None)
    own_row = explanation.snapshot.nodes.index.get(own)
    held = own_row is None or any(row.is_own for row in shown)
    return ScoreTable(
        columns=tuple(
            PluginColumn(score.plugin, grouped(score.weight), wording_of(score.plugin).decides())
            for score in explanation.scores
        ),
        rows=shown,
        own=None if held or own_row is None else row_of(explanation, own_row, own),
        sentence=words.table_sentence(explanation),
        notes=tuple(_notes(explanation)),
    )


def _notes(explanation: Explanation) -> Iterable[str]:
    if len(explanation.best) > 1:
        yield words.tie_note()
    if sampled := sampled_best(explanation):
        yield sampled
