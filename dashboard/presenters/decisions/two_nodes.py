"""Comparison of two nodes: by how many points each plugin prefers one of them, and the sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from clusters.wording.decisions import scores as words
from clusters.wording.decisions.nodes import phrases
from clusters.wording.plugins import wording_of
from clusters.wording.reasons import as_reported
from dashboard.pictures.tokens import plugin_colour
from dashboard.presenters.decisions.scores import ScoreRow, ScoreView, row_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.documents.explanation import ExplanationDocument, RankedDocument
    from clusters.engine import Explanation

# A bar reaches so far from the middle.
_REACH = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """What one plugin makes of the two: `points` is the first's weighted score less the second's.

    `x` and `width` are of a bar around the middle of 200; `colour` is the plugin's token.
    """

    plugin: str
    weight: str
    question: str
    colour: str
    first: ScoreView
    second: ScoreView
    points: int
    signed: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Outside:
    """A node that is not scored, and why; `answers` are plugins with the scheduler's words."""

    node: str
    sentence: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer; `differences` are empty, and a total None, where a node is `outside`."""

    first: str
    second: str
    sentence: str
    differences: tuple[Difference, ...]
    first_total: int | None
    second_total: int | None
    signed: str
    outside: tuple[Outside, ...]

    @property
    def made(self) -> list[Difference]:
        """The plugins that make a difference, the greatest first."""
        return sorted((each for each in self.differences if each.points), key=lambda each: -abs(each.points))

    @property
    def equal(self) -> list[Difference]:
        """The plugins that give both the same."""
        return [each for each in self.differences if not each.points]


def compare(explanation: Explanation, first: int, second: int) -> Comparison:
    """Compare the nodes of two rows."""
    names = explanation.snapshot.nodes.names
    error = explanation.error
    if error is not None and error.phase.is_scoring:
        return Comparison(names[first], names[second], words.ended_in_error(error), (), None, None, "", ())
    rows = row_of(explanation, first), row_of(explanation, second)
    if rows[0] is not None and rows[1] is not None:
        weights = {score.plugin: score.weight for score in explanation.scores}
        return scored(rows[0], rows[1], weights)
    outside = tuple(
        _outside(explanation, row) for row, found in zip((first, second), rows, strict=True) if found is None
    )
    fitting = next((found for found in rows if found is not None), None)
    said = " ".join(each.sentence for each in dict.fromkeys(outside))
    if fitting is not None:
        said = f"{said} {words.FITS_WITH(node=fitting.node, points=fitting.total)}"
    return Comparison(
        first=names[first],
        second=names[second],
        sentence=said,
        differences=(),
        first_total=None if rows[0] is None else rows[0].total,
        second_total=None if rows[1] is None else rows[1].total,
        signed="",
        outside=tuple(dict.fromkeys(outside)),
    )


def _outside(explanation: Explanation, row: int) -> Outside:
    node = explanation.snapshot.nodes.names[row]
    rejections = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    verdict = explanation.verdict_of(row)
    if not rejections and verdict is not None:
        rejections = {verdict.plugin or "PreFilter": verdict.status}
    return Outside(
        node=node,
        sentence=words.NOT_SCORED(node=node, reasons=phrases(rejections.values())),
        answers=tuple((plugin, as_reported(status)) for plugin, status in rejections.items()),
    )


def scored(first: ScoreRow, second: ScoreRow, weights: Mapping[str, int]) -> Comparison:
    """Compare two nodes that have scores of the same plugins, in the same order."""
    pairs = list(zip(first.cells, second.cells, strict=True))
    longest = max((abs(one.weighted - other.weighted) for one, other in pairs), default=0)
    differences = tuple(_difference(one, other, weights, longest) for one, other in pairs)
    return Comparison(
        first=first.node,
        second=second.node,
        sentence=_sentence(first, second, differences),
        differences=differences,
        first_total=first.total,
        second_total=second.total,
        signed=words.signed(first.total - second.total),
        outside=(),
    )


def _difference(first: ScoreView, second: ScoreView, weights: Mapping[str, int], longest: int) -> Difference:
    points = first.weighted - second.weighted
    width = round(_REACH * abs(points) / longest, 2) if longest else 0.0
    return Difference(
        plugin=first.plugin,
        weight=grouped(weights[first.plugin]) if first.plugin in weights else "",
        question=wording_of(first.plugin).decides(),
        colour=plugin_colour(first.plugin),
        first=first,
        second=second,
        points=points,
        signed=words.signed(points),
        x=_REACH - width if points < 0 else _REACH,
        width=width,
    )


def _sentence(first: ScoreRow, second: ScoreRow, differences: Sequence[Difference]) -> str:
    if first.node == second.node:
        return words.WITH_ITSELF(node=first.node)
    made = sorted((each for each in differences if each.points), key=lambda each: -abs(each.points))
    if not made:
        return words.EQUAL_EVERYWHERE(first=first.node, second=second.node, points=first.total)
    parts = [(each.plugin, each.points) for each in made]
    return words.compared(first.node, second.node, first.total - second.total, parts)


def decider(comparison: Comparison) -> Difference | None:
    """Return the plugin that does most for the side that is ahead; None where nobody is."""
    if comparison.first_total is None or comparison.second_total is None:
        return None
    ahead = comparison.first_total - comparison.second_total
    found = [each for each in comparison.differences if each.points * ahead > 0]
    return max(found, key=lambda each: abs(each.points), default=None)


def default_pair(explanation: Explanation, own: str) -> tuple[int, int] | None:
    """Return the rows to begin with: the pod's own node or else the best, and the best with another total.

    Where all totals are the same, the other is any; None where there are no two nodes to compare.
    """
    ranking = explanation.ranking()
    row = explanation.snapshot.nodes.index.get(own)
    first = int(ranking[0]) if row is None and len(ranking) else row
    if first is None:
        return None
    others = ranking[ranking != first]
    differing = (each for each in others.tolist() if explanation.total_of(each) != explanation.total_of(first))
    other = next(differing, None if not len(others) else int(others[0]))
    return None if other is None else (first, other)


def then(document: ExplanationDocument, decided: str) -> Comparison | None:
    """Compare, as the journal keeps it, the node decided for with the best of the others; None where it is unscored."""
    chosen = document.scored(decided)
    others = [row for row in document.ranking if row.node != decided]
    if chosen is None or not others:
        return None
    other = next((row for row in others if row.total != chosen.total), others[0])
    order = list(other.scores)
    if set(order) != set(chosen.scores):
        return None
    first, second = (_kept(row, order) for row in (chosen, other))
    return scored(first, second, {})


def _kept(row: RankedDocument, order: Sequence[str]) -> ScoreRow:
    scores = ((plugin, row.scores[plugin]) for plugin in order)
    cells = tuple(ScoreView(plugin, score.raw, score.normalised, score.weighted) for plugin, score in scores)
    return ScoreRow(rank=0, node=row.node, cells=cells, total=row.total, is_best=False, is_own=False)
