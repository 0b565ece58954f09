"""Observed next to computed: every cell that somebody else recorded against the same cell of an explanation."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.adapters.observed.attempt import PASSED, SUCCESS
from clusters.engine.cycle import run_cycle
from clusters.engine.explanation import Explanation
from clusters.engine.status import Code, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Document = dict[str, Any]
NOT_ASKED = "not asked"
NO_SUCH_NODE = "no such node now"
NOT_COMPUTED = "not computed"
NOT_RECORDED = "not recorded"
DOES_NOT_FIT = "does not fit"
# A plugin that has nothing to check or to score says so without a word.
SKIPPED = "skipped"
TOTAL = "Total"


class PairState(enum.StrEnum):
    """How an observed cell relates to the computed one; what cannot be compared is neither equal nor different."""

    EQUAL = "equal"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Pair:
    """One cell: what was observed, what is computed, as texts."""

    observed: str
    computed: str
    state: PairState

    @classmethod
    def of(cls, observed: str, computed: str) -> Pair:
        """A pair of texts that say the same if they are the same."""
        return cls(observed, computed, PairState.EQUAL if observed == computed else PairState.DIFFERS)


@dataclass(slots=True)
class NodePairs:
    """The cells of one node by plugin; the total stands among the scores."""

    node: str
    filters: dict[str, Pair] = field(default_factory=dict)
    scores: dict[str, Pair] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        return any(pair.state is PairState.DIFFERS for cells in (self.filters, self.scores) for pair in cells.values())


@dataclass(slots=True)
class Comparison:
    """All cells of one attempt: nodes in order of name, then what was said about the pod as a whole.

    ``scored`` is over how many nodes the scores are computed: those that were scored then and fit now.
    """

    nodes: list[NodePairs]
    pre_filters: dict[str, Pair]
    pre_scores: dict[str, Pair]
    outcome: dict[str, Pair]
    scored: int = 0

    def cells(self) -> Iterator[tuple[str, str, Pair]]:
        """Yield node (empty for the pod as a whole), column and pair of every cell."""
        for cells in (self.outcome, self.pre_filters, self.pre_scores):
            for name, pair in cells.items():
                yield "", name, pair
        for node in self.nodes:
            for cells in (node.filters, node.scores):
                for name, pair in cells.items():
                    yield node.node, name, pair

    def counts(self) -> Counter[PairState]:
        """Return how many cells are equal, differ, and cannot be compared."""
        return Counter(pair.state for _, _, pair in self.cells())


def compare(document: Document, explanation: Explanation) -> Comparison:
    """Hold a recorded attempt, in its normal form, against an explanation of the same pod."""
    scored = _scored(document, explanation)
    nodes: dict[str, NodePairs] = {}
    for node, cells in document.get("filters", {}).items():
        found = nodes.setdefault(node, NodePairs(node))
        found.filters = {plugin: _filter(explanation, node, plugin, text) for plugin, text in cells.items()}
    for node, pairs in _score_pairs(document, scored):
        nodes.setdefault(node, NodePairs(node)).scores = pairs
    return Comparison(
        nodes=[nodes[name] for name in sorted(nodes)],
        pre_filters=dict(_pre_filters(document, explanation)),
        pre_scores=dict(_pre_scores(document, explanation)),
        outcome=dict(_outcome(document, explanation, scored)),
        scored=len(scored.cycle.feasible) if document.get("finalScores") or document.get("scores") else 0,
    )


# -- filters -----------------------------------------------------------------------------------------------------------


def _filter(explanation: Explanation, node: str, plugin: str, observed: str) -> Pair:
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        return Pair(observed, NO_SUCH_NODE, PairState.UNKNOWN)
    if _is_unknown(explanation, plugin, explanation.profile.filter):
        return Pair(observed, NOT_COMPUTED, PairState.UNKNOWN)
    cycle = explanation.cycle
    if cycle.stopped_by is not None or not cycle.considered[row]:
        return Pair(observed, NOT_ASKED, PairState.DIFFERS)
    # With pods nominated for the node the filters are asked twice, and the first rejection is the answer.
    rejections = explanation.rejections_with_nominated(row) or explanation.rejections_of(row)
    computed = _message(rejections[plugin]) if plugin in rejections else PASSED
    state = PairState.EQUAL if _parts(observed) == _parts(computed) else PairState.DIFFERS
    return Pair(observed, computed, state)


def _is_unknown(explanation: Explanation, plugin: str, asked: Iterable[str]) -> bool:
    """Tell whether no answer of a plugin is computed, or the profile does not ask it."""
    return plugin in explanation.unknown_plugins or plugin not in explanation.cycle.plugins or plugin not in asked


def _message(status: Status) -> str:
    return ", ".join(status.reasons)


def _parts(message: str) -> list[str]:
    """Several reasons of one plugin come in no fixed order."""
    return sorted(message.split(", "))


# -- scores ------------------------------------------------------------------------------------------------------------


def _scored(document: Document, explanation: Explanation) -> Explanation:
    """Return the explanation, scored over the nodes that were scored then: normalising depends on all of them."""
    index = explanation.snapshot.nodes.index
    names = {*document.get("finalScores", ()), *document.get("scores", ())}
    rows = np.array(sorted(index[name] for name in names if name in index), np.intp)
    among = np.intersect1d(rows, explanation.cycle.feasible)
    if not len(among) or len(among) == len(explanation.cycle.feasible):
        return explanation
    return Explanation(run_cycle(explanation.snapshot, explanation.pod, explanation.profile, among=among))


def _score_pairs(document: Document, scored: Explanation) -> Iterator[tuple[str, dict[str, Pair]]]:
    raws, finals = document.get("scores", {}), document.get("finalScores", {})
    extenders, totals = document.get("extenders", {}), document.get("totals", {})
    # Of an attempt that was cut off nobody knows what else there was.
    is_whole = "selectedNode" in document or bool(totals)
    for node in sorted({*raws, *finals, *extenders, *totals}):
        row = scored.snapshot.nodes.index.get(node)
        cells = {} if row is None else {cell.plugin: cell for cell in scored.cells_of(row)}
        pairs = {}
        for plugin in {**raws.get(node, {}), **finals.get(node, {})}:
            seen = _numbers(raws.get(node, {}).get(plugin), finals.get(node, {}).get(plugin))
            if row is None:
                pairs[plugin] = Pair(_shown(seen), NO_SUCH_NODE, PairState.UNKNOWN)
            elif _is_unknown(scored, plugin, scored.profile.score):
                pairs[plugin] = Pair(_shown(seen), NOT_COMPUTED, PairState.UNKNOWN)
            elif not cells and scored.verdict_of(row) is not None:
                pairs[plugin] = Pair(_shown(seen), DOES_NOT_FIT, PairState.DIFFERS)
            elif plugin in cells:
                pairs[plugin] = Pair.of(_shown(seen), _shown(_like(seen, cells[plugin].raw, cells[plugin].weighted)))
            else:
                skipped_too = all(not number for number in seen.values())
                pairs[plugin] = Pair(_shown(seen), SKIPPED, PairState.EQUAL if skipped_too else PairState.DIFFERS)
        if node in finals:
            for plugin, cell in cells.items():
                if plugin not in pairs and cell.weighted:
                    state = PairState.DIFFERS if is_whole else PairState.UNKNOWN
                    pairs[plugin] = Pair(NOT_RECORDED, _shown({"weighted": cell.weighted}), state)
        for extender, score in extenders.get(node, {}).items():
            pairs[extender] = Pair(str(score), NOT_COMPUTED, PairState.UNKNOWN)
        if node in totals:
            pairs[TOTAL] = _total(totals[node], row, scored, is_extended=bool(extenders))
        yield node, pairs


def _numbers(raw: int | None, weighted: int | None) -> dict[str, int]:
    given = {"raw": raw, "weighted": weighted}
    return {name: number for name, number in given.items() if number is not None}


def _like(seen: Mapping[str, int], raw: int, weighted: int) -> dict[str, int]:
    """Return of the computed numbers those that were observed too."""
    return {name: {"raw": raw, "weighted": weighted}[name] for name in seen}


def _shown(numbers: Mapping[str, int]) -> str:
    """Write the weighted score with the raw one behind it."""
    if "weighted" not in numbers:
        return f"raw {numbers['raw']}"
    return f"{numbers['weighted']} (raw {numbers['raw']})" if "raw" in numbers else str(numbers["weighted"])


def _total(observed: int, row: int | None, scored: Explanation, *, is_extended: bool) -> Pair:
    if row is None:
        return Pair(str(observed), NO_SUCH_NODE, PairState.UNKNOWN)
    computed = scored.total_of(row)
    if computed is None:
        return Pair(str(observed), DOES_NOT_FIT, PairState.DIFFERS)
    if is_extended:
        return Pair(str(observed), f"{computed} without extenders", PairState.UNKNOWN)
    return Pair.of(str(observed), str(computed))


# -- the pod as a whole ------------------------------------------------------------------------------------------------


def _pre_filters(document: Document, explanation: Explanation) -> Iterator[tuple[str, Pair]]:
    found = explanation.cycle.pre_filters
    for plugin, text in document.get("preFilter", {}).items():
        if plugin not in found or plugin in explanation.unknown_plugins:
            yield plugin, Pair(text or SKIPPED, NOT_COMPUTED, PairState.UNKNOWN)
        else:
            yield plugin, Pair.of(text or SKIPPED, _answer(found[plugin].status))
    for plugin, names in document.get("preFilterNodes", {}).items():
        if plugin not in found or plugin in explanation.unknown_plugins:
            yield f"{plugin}: nodes", Pair(_count(names), NOT_COMPUTED, PairState.UNKNOWN)
        else:
            computed = found[plugin].node_names
            state = PairState.EQUAL if computed is not None and set(names) == computed else PairState.DIFFERS
            yield f"{plugin}: nodes", Pair(_count(names), "all nodes" if computed is None else _count(computed), state)


def _answer(status: Status) -> str:
    if status.code is Code.SKIP:
        return SKIPPED
    return SUCCESS if status.ok else _message(status)


_NAMED = 5


def _count(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return ", ".join(ordered) if 0 < len(ordered) <= _NAMED else f"{len(ordered):,} nodes"


def _pre_scores(document: Document, explanation: Explanation) -> Iterator[tuple[str, Pair]]:
    for plugin, text in document.get("preScore", {}).items():
        observed = text or SKIPPED
        if _is_unknown(explanation, plugin, explanation.profile.pre_score):
            yield plugin, Pair(observed, NOT_COMPUTED, PairState.UNKNOWN)
        elif not explanation.fits:
            yield plugin, Pair(observed, NOT_ASKED, PairState.DIFFERS)
        else:
            yield plugin, Pair.of(observed, SKIPPED if plugin in explanation.cycle.unscored else SUCCESS)


def _outcome(document: Document, explanation: Explanation, scored: Explanation) -> Iterator[tuple[str, Pair]]:
    chosen = document.get("selectedNode")
    if chosen:
        yield "Chosen node", _chosen(chosen, explanation, scored)
    message = document.get("message")
    if message:
        yield "Message", Pair.of(message, explanation.message or "The pod fits.")
    nominated = document.get("nominatedNode") or next(
        (node for node, cells in document.get("postFilter", {}).items() if any(cells.values())), ""
    )
    if nominated:
        yield "Nominated node", _nominated(nominated, explanation)


def _chosen(node: str, explanation: Explanation, scored: Explanation) -> Pair:
    if not explanation.fits:
        return Pair(node, "no node fits", PairState.DIFFERS)
    best = scored.choices
    if node in best:
        return Pair(node, node, PairState.EQUAL)
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        return Pair(node, NO_SUCH_NODE, PairState.UNKNOWN)
    computed = _count(best)
    if scored is explanation and not explanation.sampling.complete and explanation.verdict_of(row) is None:
        # Which part of the nodes the scheduler compared was not recorded.
        return Pair(node, f"fits; the best of all: {computed}", PairState.UNKNOWN)
    return Pair(node, computed, PairState.DIFFERS)


def _nominated(node: str, explanation: Explanation) -> Pair:
    found = explanation.preemption
    if found is None or found.selected is None:
        return Pair(node, "none", PairState.DIFFERS)
    ranks = {candidate.node: candidate.preference()[:-1] for candidate in found.candidates}
    # Among candidates that rank alike the scheduler takes any.
    if ranks.get(node) == found.selected.preference()[:-1]:
        return Pair(node, node, PairState.EQUAL)
    return Pair(node, found.selected.node, PairState.DIFFERS)
