"""Single nodes in a pod's decision: their scores, and why not one of them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.engine.scheduling import remedy_for_node
from clusters.wording.advice import node_remedy
from clusters.wording.amounts import grouped, signed
from clusters.wording.decisions import attempt as attempt_words, nodes as nodes_words, verdict as words
from clusters.wording.decisions.nodes import node_sentence, phrases, rejection_sentence, verdict_word
from clusters.wording.decisions.verdict import tie_sentence
from clusters.wording.evidence import EvidenceView, comparison_view, missing, normalisation_view, score_view
from clusters.wording.plugins import wording_of
from dashboard.pictures.tokens import plugin_colour
from dashboard.presenters.decisions.page import CandidateView, candidate_view, node_chances, verdict_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.documents.explanation import ExplanationDocument, RankedDocument
    from clusters.engine import Explanation


# -- Scores of the best nodes -----------------------------------------------------------------------------------------


class Arithmetic(Struct, frozen=True):
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


class ScoreView(Struct, frozen=True):
    """One plugin's score of one node; the numbers are whole."""

    plugin: str
    raw: int
    normalised: int
    weighted: int


class ScoreRow(Struct, frozen=True):
    """A feasible node with what each plugin gives it."""

    node: str
    cells: tuple[ScoreView, ...]
    total: int


def row_of(explanation: Explanation, row: int) -> ScoreRow | None:
    """Present one feasible node; None for a node that does not fit."""
    total = explanation.total_of(row)
    if total is None:
        return None
    cells = (ScoreView(cell.plugin, cell.raw, cell.normalised, cell.weighted) for cell in explanation.cells_of(row))
    return ScoreRow(explanation.snapshot.nodes.names[row], tuple(cells), total)


# A bar reaches so far from the middle.
_REACH = 100


class Difference(Struct, frozen=True):
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


class Outside(Struct, frozen=True):
    """A node that is not scored, and why; `answers` are plugins with the scheduler's words."""

    node: str
    sentence: str
    answers: tuple[tuple[str, str], ...]


class Comparison(Struct, frozen=True):
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
        answers=tuple((plugin, status.reported) for plugin, status in rejections.items()),
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
        signed=signed(first.total - second.total),
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
        signed=signed(points),
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
    return ScoreRow(row.node, cells, row.total)


# -- One node of a decision -------------------------------------------------------------------------------------------


MOST_MATCHES = 20


class FilterView(Struct, frozen=True):
    """One filter's answer on the node; `reasons` is empty where it lets the pod in."""

    plugin: str
    question: str
    reasons: str
    evidence: tuple[EvidenceView, ...]
    is_reported: bool


def node_verdict(explanation: Explanation, row: int) -> dict[str, Any]:
    """Present one node.

    The node with the scheduler's own verdict and all answers, rejections first; ``skipped`` had nothing to check.
    """
    rejection = explanation.verdict_of(row)
    rejections = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    evidence = explanation.evidence(row)
    filters = [
        FilterView(
            plugin=plugin,
            question=wording_of(plugin).decides(),
            reasons=rejections[plugin].reported if plugin in rejections else "",
            evidence=tuple(comparison_view(each) for each in found),
            is_reported=rejection is not None and rejection.plugin == plugin,
        )
        for plugin, found in evidence.items()
    ]
    return {
        "name": explanation.snapshot.nodes.names[row],
        "verdict": verdict_token(rejection),
        "verdict_text": verdict_word(rejection),
        "sentence": node_sentence(explanation, row),
        "filters": tuple(sorted(filters, key=lambda each: not each.reasons)),
        "skipped": tuple(name for name in explanation.profile.filter if name not in explanation.cycle.filters),
        "score": row_of(explanation, row),
    }


def matches(explanation: Explanation, text: str) -> list[str]:
    """Return names of nodes that contain a text, one more than are shown."""
    found = (name for name in explanation.snapshot.nodes.names if text in name)
    return [name for name, _ in zip(found, range(MOST_MATCHES + 1), strict=False)]


_NEAR = 5


class NamedNodes(Struct, frozen=True):
    """The nodes that a text may mean, at most `MOST_MATCHES`, and the sentence about them.

    `is_near` where no node has the text in its name, and these are spelled much like it.
    """

    names: tuple[str, ...]
    sentence: str
    is_near: bool = False


def named_nodes(explanation: Explanation, cluster: str, asked: str) -> NamedNodes:
    """Return the node of this name, or else those with the text in their name, or else those spelled much like it."""
    every = found(explanation, asked)
    names = tuple(every[:MOST_MATCHES])
    if len(every) > MOST_MATCHES:
        return NamedNodes(names, nodes_words.FIRST_MATCHES(nodes=len(names), asked=asked))
    if every:
        return NamedNodes(names, nodes_words.EVERY_MATCH(nodes=len(names), asked=asked))
    said, alike = nodes_words.WITHOUT_MATCH(cluster=cluster, asked=asked), tuple(near(explanation, asked))
    if alike:
        return NamedNodes(alike, f"{said} {nodes_words.SPELLED_ALIKE!s}", is_near=True)
    return NamedNodes((), said, is_near=True)


class Miss(Struct, frozen=True):
    """A text that is not the name of one node, in a form that compares two; `other` is that of the other field."""

    field: str
    other: str
    names: tuple[str, ...]
    sentence: str


def miss(explanation: Explanation, asked: str, field: str, other: str) -> Miss:
    """Present the nodes that may be meant by a text that names no single node."""
    alike = tuple((found(explanation, asked) or near(explanation, asked))[:MOST_MATCHES])
    return Miss(field, other, alike, nodes_words.NOT_ONE_NODE(asked=asked))


def found(explanation: Explanation, asked: str) -> list[str]:
    """Return the node of this name, or else those with the text in their name, one more than are shown."""
    return [asked] if asked in explanation.snapshot.nodes.index else matches(explanation, asked)


def near(explanation: Explanation, asked: str) -> list[str]:
    """Return the names of nodes that are spelled much like a text."""
    return get_close_matches(asked, explanation.snapshot.nodes.names, _NEAR)


class WhyNot(Struct, frozen=True):
    """The answer about one node.

    `chances` say whether a search that ends early comes to the node. `missing` says what is not met, in amounts.
    `change` is empty where the pod fits. `preemption` says whether removing pods would make room, `candidate` whom it
    would cost. `comparison` is with the best, or the next best.
    """

    node: dict[str, Any]
    sentence: str
    chances: tuple[str, ...]
    missing: tuple[str, ...]
    change: str
    preemption: str
    candidate: CandidateView | None
    comparison: Comparison | None


def why_not(explanation: Explanation, row: int, own: str) -> WhyNot:
    """Answer for the node of one row; `own` is the node that the pod runs on."""
    fits = explanation.total_of(row) is not None
    comparison = _comparison(explanation, row) if fits else None
    name = explanation.snapshot.nodes.names[row]
    return WhyNot(
        node=node_verdict(explanation, row),
        sentence=_fitting(explanation, row, own, comparison) if fits else _rejected(explanation, row, own),
        chances=node_chances(explanation, row),
        missing=() if fits else tuple(_missing(explanation, row)),
        change=""
        if fits
        else node_remedy(remedy_for_node(explanation.cycle, row), name) or nodes_words.left_out(explanation, name),
        preemption="" if fits else attempt_words.on_node(explanation, row),
        candidate=_candidate(explanation, name),
        comparison=comparison,
    )


# -- where it fits -----------------------------------------------------------------------------------------------------


def _comparison(explanation: Explanation, row: int) -> Comparison | None:
    """Compare a node with the best one, or the best with the next."""
    other = next((int(each) for each in explanation.ranking()[:2] if int(each) != row), None)
    return None if other is None or explanation.error is not None else compare(explanation, row, other)


def _fitting(explanation: Explanation, row: int, own: str, comparison: Comparison | None) -> str:
    name = explanation.snapshot.nodes.names[row]
    runs = [str(nodes_words.RUNS_HERE)] if own == name else []
    return " ".join((*runs, *_standing(explanation, name, comparison)))


def _standing(explanation: Explanation, name: str, comparison: Comparison | None) -> Iterable[str]:
    """Say how a feasible node compares with the others."""
    if explanation.error is not None or explanation.takes_nominated:
        yield nodes_words.taken_elsewhere(explanation, name)
    elif comparison is None or comparison.first_total is None or comparison.second_total is None:
        yield nodes_words.ONLY_FEASIBLE(node=name)
    elif name in explanation.best:
        if others := len(explanation.best) - 1:
            yield nodes_words.TIED_BEST(node=name, points=comparison.first_total, others=others)
            yield tie_sentence(explanation)
        else:
            yield nodes_words.BEST(node=name, points=comparison.first_total)
            yield comparison.sentence
    else:
        yield nodes_words.BEHIND(
            node=name, points=comparison.second_total - comparison.first_total, other=comparison.second
        )
        if (made := decider(comparison)) is not None:
            yield nodes_words.LARGEST_PART(plugin=made.plugin, points=made.signed)


# -- where it does not -------------------------------------------------------------------------------------------------


def _rejected(explanation: Explanation, row: int, own: str) -> str:
    said = rejection_sentence(explanation, row)
    is_there = own == explanation.snapshot.nodes.names[row]
    return f"{nodes_words.WOULD_NOT_FIT_NOW!s} {said}" if is_there else said


def _missing(explanation: Explanation, row: int) -> Iterable[str]:
    """Say of each filter that rejects the node what it compared."""
    evidence = explanation.evidence(row)
    for plugin in {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}:
        if said := missing(evidence[plugin]):
            yield f"{plugin}: {said}"


# -- removing pods -----------------------------------------------------------------------------------------------------


def _candidate(explanation: Explanation, name: str) -> CandidateView | None:
    preemption = explanation.preemption
    if preemption is None:
        return None
    each = next((each for each in preemption.candidates if each.node == name), None)
    return None if each is None else candidate_view(each, preemption, explanation.snapshot)
