"""Why a pod is not on some node: in a sentence, what would have to change, and whether removing pods helps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.scheduling import remedy_for_node
from clusters.wording.decisions import preemption as preemption_words
from clusters.wording.decisions import why_not as words
from clusters.wording.decisions.nodes import rejection_sentence
from clusters.wording.decisions.ties import tie_sentence
from clusters.wording.evidence import missing
from clusters.wording.lifts import node_remedy
from dashboard.presenters.decisions.preemption import CandidateView, candidate_view
from dashboard.presenters.decisions.search_order import node_chances
from dashboard.presenters.decisions.two_nodes import Comparison, compare, decider
from dashboard.presenters.nodes.verdict import NodeVerdict, node_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation


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
        else node_remedy(remedy_for_node(explanation.cycle, row), name) or words.left_out(explanation, name),
        preemption="" if fits else preemption_words.on_node(explanation, row),
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
    runs = [str(words.RUNS_HERE)] if own == name else []
    return " ".join((*runs, *_standing(explanation, name, comparison)))


def _standing(explanation: Explanation, name: str, comparison: Comparison | None) -> Iterable[str]:
    """Say how a feasible node compares with the others."""
    if explanation.error is not None or explanation.takes_nominated:
        yield words.taken_elsewhere(explanation, name)
    elif comparison is None or comparison.first_total is None or comparison.second_total is None:
        yield words.ONLY_FEASIBLE(node=name)
    elif name in explanation.best:
        if others := len(explanation.best) - 1:
            yield words.TIED_BEST(node=name, points=comparison.first_total, others=others)
            yield tie_sentence(explanation)
        else:
            yield words.BEST(node=name, points=comparison.first_total)
            yield comparison.sentence
    else:
        yield words.BEHIND(node=name, points=comparison.second_total - comparison.first_total, other=comparison.second)
        if (made := decider(comparison)) is not None:
            yield words.LARGEST_PART(plugin=made.plugin, points=made.signed)


# -- where it does not -------------------------------------------------------------------------------------------------


def _rejected(explanation: Explanation, row: int, own: str) -> str:
    said = rejection_sentence(explanation, row)
    is_there = own == explanation.snapshot.nodes.names[row]
    return f"{words.WOULD_NOT_FIT_NOW!s} {said}" if is_there else said


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
