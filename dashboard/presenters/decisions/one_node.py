"""One node of a decision: what each filter compared there, how it scores, and why the pod is not on it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from clusters.engine.scheduling import remedy_for_node
from clusters.wording.decisions import attempt as attempt_words, nodes as nodes_words
from clusters.wording.decisions.nodes import node_sentence, rejection_sentence, verdict_word
from clusters.wording.decisions.verdict import tie_sentence
from clusters.wording.evidence import EvidenceView, comparison_view, missing
from clusters.wording.lifts import node_remedy
from clusters.wording.plugins import wording_of
from dashboard.presenters.decisions.page import CandidateView, candidate_view, node_chances, verdict_token
from dashboard.presenters.decisions.scores import Comparison, ScoreRow, compare, decider, row_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation

MOST_MATCHES = 20


@dataclass(frozen=True, slots=True)
class FilterView:
    """One filter's answer on the node; `reasons` is empty where it lets the pod in."""

    plugin: str
    question: str
    reasons: str
    evidence: tuple[EvidenceView, ...]
    is_reported: bool


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """The node with the scheduler's own verdict and all answers, rejections first; `skipped` had nothing to check."""

    name: str
    verdict: str
    verdict_text: str
    sentence: str
    filters: tuple[FilterView, ...]
    skipped: tuple[str, ...]
    score: ScoreRow | None


def node_verdict(explanation: Explanation, row: int) -> NodeVerdict:
    """Present one node."""
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
    return NodeVerdict(
        name=explanation.snapshot.nodes.names[row],
        verdict=verdict_token(rejection),
        verdict_text=verdict_word(rejection),
        sentence=node_sentence(explanation, row),
        filters=tuple(sorted(filters, key=lambda each: not each.reasons)),
        skipped=tuple(name for name in explanation.profile.filter if name not in explanation.cycle.filters),
        score=row_of(explanation, row),
    )


def matches(explanation: Explanation, text: str) -> list[str]:
    """Return names of nodes that contain a text, one more than are shown."""
    found = (name for name in explanation.snapshot.nodes.names if text in name)
    return [name for name, _ in zip(found, range(MOST_MATCHES + 1), strict=False)]


_NEAR = 5


@dataclass(frozen=True, slots=True)
class NamedNodes:
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
    return NamedNodes((), said if explanation.node_count else f"{said} {nodes_words.WITHOUT_NODES!s}", is_near=True)


@dataclass(frozen=True, slots=True)
class Miss:
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


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer about one node.

    `chances` say whether a search that ends early comes to the node. `missing` says what is not met, in amounts.
    `change` is empty where the pod fits. `preemption` says whether removing pods would make room, `candidate` whom it
    would cost. `comparison` is with the best, or the next best.
    """

    node: NodeVerdict
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
