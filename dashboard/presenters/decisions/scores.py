"""Scores: the best nodes as a table of the plugins that tell nodes apart, and how each differs from the one taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.scheduling import likely_row
from clusters.wording.amounts import grouped
from clusters.wording.decisions import scores as words
from clusters.wording.decisions.context import sampled_best
from clusters.wording.decisions.nodes import rank
from clusters.wording.decisions.ties import tie_sentence
from clusters.wording.plugins import wording_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.scheduling import ScoreCell

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
class EqualScore:
    """What a plugin gives every feasible node, and one of them whose arithmetic it is."""

    plugin: str
    points: int
    node: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One node with its cells; `is_best` shares the highest total, `is_own` holds the pod.

    In a table `differences` from the node that it is compared with stand beside the cells, and `beside` sums them up.
    """

    rank: int
    node: str
    cells: tuple[ScoreView, ...]
    total: int
    is_best: bool
    is_own: bool
    differences: tuple[int, ...] = ()
    beside: str = ""


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The table with what must be said about it; `own` is the pod's own node where the rows do not hold it.

    It has a column for each plugin that tells feasible nodes apart; `equal` are the others. Rows are compared with the
    `reference`, the node that is taken or the first of those.
    """

    columns: tuple[PluginColumn, ...]
    rows: tuple[ScoreRow, ...]
    own: ScoreRow | None
    equal: tuple[EqualScore, ...]
    reference: str
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
    differing = [number for number, score in enumerate(explanation.scores) if len(np.unique(score.weighted)) > 1]
    likely = likely_row(explanation) if explanation.fits else None
    taken = int((explanation.cycle.choices if explanation.fits else explanation.ranking())[0])
    taken = taken if likely is None else likely
    reference = row_of(explanation, taken)
    shown = tuple(found for row in rows if (found := _compared(explanation, row, own, reference, differing)))
    own_row = explanation.snapshot.nodes.index.get(own)
    held = own_row is None or any(row.is_own for row in shown)
    node = explanation.snapshot.nodes.names[taken]
    return ScoreTable(
        columns=tuple(
            PluginColumn(score.plugin, grouped(score.weight), wording_of(score.plugin).decides())
            for score in (explanation.scores[number] for number in differing)
        ),
        rows=shown,
        own=None if held or own_row is None else _compared(explanation, own_row, own, reference, differing),
        equal=tuple(
            EqualScore(score.plugin, int(score.weighted[0]), node)
            for number, score in enumerate(explanation.scores)
            if number not in differing
        ),
        reference=node,
        sentence=words.table_sentence(explanation),
        notes=tuple(_notes(explanation)),
    )


def _compared(
    explanation: Explanation, row: int, own: str, reference: ScoreRow | None, differing: Sequence[int]
) -> ScoreRow | None:
    """Present one node by the plugins that tell nodes apart, beside the node that it is compared with."""
    found = row_of(explanation, row, own)
    if found is None or reference is None:
        return found
    differences = [found.cells[number].weighted - reference.cells[number].weighted for number in differing]
    is_reference = found.node == reference.node
    return replace(
        found,
        cells=tuple(found.cells[number] for number in differing),
        differences=tuple(differences),
        beside=words.POINTS(points=found.total) if is_reference else words.signed(found.total - reference.total),
    )


def _notes(explanation: Explanation) -> Iterable[str]:
    if tie := tie_sentence(explanation):
        yield tie
    if sampled := sampled_best(explanation):
        yield sampled
