"""Which nodes a search that ends early probably looks at: its order as a picture, and which nodes the pod may get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.scheduling import choice_chances, search_chances
from clusters.services.computing import OverTimeError, check
from clusters.wording.amounts import grouped, rate
from clusters.wording.decisions import search_order as words
from clusters.wording.decisions.ties import tie_sentence
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, SearchStretch, SearchStripSpec

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.scheduling import SearchChances

# So many bars are told apart on a phone.
_MOST_STRETCHES = 60
_MOST_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that the pod may get: its place in the order, its total among all feasible nodes, and its chances."""

    node: str
    place: str
    total: str
    reached: str
    chosen: str


@dataclass(frozen=True, slots=True)
class SearchOrderView:
    """The order in words and as a picture; `candidates` are the likeliest, `summary` says how many there are."""

    sentence: str
    note: str
    figure: Figure
    summary: str
    candidates: tuple[Candidate, ...]


def search_order_line(explanation: Explanation) -> str:
    """Say in a sentence why every node is looked at; empty where a search may end before."""
    if explanation.sampling.complete:
        return words.whole_sentence(explanation)
    if len(explanation.cycle.feasible) <= explanation.sampling.wanted:
        return words.found_all_sentence(explanation)
    return ""


def search_order(explanation: Explanation) -> SearchOrderView | None:
    """Present a search that may end early; None where every node is looked at, or another rule decides."""
    chances = search_chances(explanation)
    if chances is None:
        return None
    try:
        chosen = choice_chances(explanation, chances, between=check)
    except OverTimeError:
        chosen = None
    return SearchOrderView(
        words.search_sentence(chances),
        str(words.ORDER_NOTE),
        _figure(explanation, chances),
        str(words.NO_CHOICES) if chosen is None else _candidates_sentence(explanation, len(chosen)),
        tuple(_candidates(explanation, chances, chosen or {})),
    )


def _candidates_sentence(explanation: Explanation, count: int) -> str:
    return " ".join(filter(None, (words.CANDIDATES_SENTENCE(count=count), tie_sentence(explanation))))


def node_chances(explanation: Explanation, row: int) -> tuple[str, ...]:
    """Say of one node with what chance it is looked at and, where it fits, taken; nothing where that is certain."""
    chances = search_chances(explanation)
    if chances is None:
        return ()
    name = explanation.snapshot.nodes.names[row]
    said = words.node_sentence(chances, name, row)
    if explanation.total_of(row) is None:
        return (said,)
    try:
        chosen = choice_chances(explanation, chances, row, between=check)
    except OverTimeError:
        chosen = None
    return (said, str(words.NO_CHOICES) if chosen is None else words.choice_sentence(name, chosen.get(row, 0.0)))


def _figure(explanation: Explanation, chances: SearchChances) -> Figure:
    fits = np.zeros(chances.starts, np.bool_)
    fits[explanation.cycle.feasible] = True
    edges = np.linspace(0, chances.starts, min(_MOST_STRETCHES, chances.starts) + 1).astype(np.intp)
    names = explanation.snapshot.nodes.names
    stretches, rows = [], []
    for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        among = chances.order[first:end]
        reached = chances.reached[among]
        label = words.BIN_LABEL(first=first + 1, last=end)
        mean = 100 * float(reached.mean()) / chances.starts
        stretches.append(SearchStretch(mean, end - first, int(fits[among].sum()), label))
        rows.append(
            (
                label,
                grouped(int(fits[among].sum())),
                grouped(end - first),
                rate(int(reached.min()), chances.starts),
                rate(int(reached.max()), chances.starts),
            )
        )
    keys = (
        Key(str(words.FEASIBLE), "verdict-fits-solid"),
        Key(str(words.REJECTED), "verdict-rejected-solid", pattern="/"),
    )
    first, last = names[chances.order[0]], names[chances.order[-1]]
    spec = SearchStripSpec(str(words.AXIS), keys, tuple(stretches), first, last)
    return Figure(
        "search-order",
        str(words.FIGURE_TITLE),
        words.search_sentence(chances),
        spec,
        (str(words.PLACES), str(words.FEASIBLE), str(words.NODES), str(words.LEAST), str(words.MOST)),
        rows,
    )


def _candidates(explanation: Explanation, chances: SearchChances, chosen: dict[int, float]) -> list[Candidate]:
    places = np.empty(chances.starts, np.intp)
    places[chances.order] = np.arange(chances.starts)
    likeliest = sorted(chosen, key=lambda row: (-chosen[row], row))[:_MOST_CANDIDATES]
    return [
        Candidate(
            explanation.snapshot.nodes.names[row],
            grouped(int(places[row]) + 1),
            grouped(explanation.total_of(row) or 0),
            rate(int(chances.reached[row]), chances.starts),
            words.chance_text(chosen[row]),
        )
        for row in likeliest
    ]
