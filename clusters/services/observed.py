"""What simulators and schedulers recorded: kept, and compared with what is computed."""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import F, Q, QuerySet
from msgspec import Struct, field

from clusters.adapters.observed import PASSED, SUCCESS
from clusters.engine.scheduling import Explanation, run_cycle
from clusters.engine.status import Code, Status
from clusters.models import Event, Observation, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# Observed next to computed: every cell that somebody else recorded against the same cell of an explanation.

Document = dict[str, Any]


class Unsaid(enum.Enum):
    """What stands in a cell where neither a scheduler nor Berth said anything in words of its own."""

    NOT_ASKED = "not-asked"
    NO_SUCH_NODE = "no-such-node"
    NOT_COMPUTED = "not-computed"
    NOT_RECORDED = "not-recorded"
    DOES_NOT_FIT = "does-not-fit"
    # A plugin that has nothing to check or to score.
    SKIPPED = "skipped"
    ALL_NODES = "all-nodes"
    NO_NODE_FITS = "no-node-fits"
    NO_NODE = "no-node"
    FITS = "fits"


class Score(Struct, frozen=True):
    """A plugin's score of a node, normalised and weighted, and raw; None where that one was not recorded."""

    weighted: int | None
    raw: int | None


class TotalWithoutExtenders(Struct, frozen=True):
    """A node's total as far as it can be computed, where extenders added to it."""

    total: int


class Nodes(Struct, frozen=True):
    """Some nodes by name, in order; ``chosen_fits`` where another one was chosen, which fits too."""

    names: tuple[str, ...]
    chosen_fits: bool = False

    @classmethod
    def of(cls, names: Iterable[str], *, chosen_fits: bool = False) -> Nodes:
        """Put nodes in order."""
        return cls(tuple(sorted(names)), chosen_fits)


# One side of a pair; a text is what a scheduler said or wrote, or would have.
Said = str | int | Unsaid | Score | TotalWithoutExtenders | Nodes


class RecordedFact(enum.Enum):
    """What was recorded that no single plugin or extender said."""

    TOTAL = "total"
    CHOSEN_NODE = "chosen-node"
    MESSAGE = "message"
    NOMINATED_NODE = "nominated-node"


class NodesOf(Struct, frozen=True):
    """The nodes to which PreFilter of a plugin narrows the search."""

    plugin: str


# What a cell is about; a text is the name of a plugin or an extender.
About = str | RecordedFact | NodesOf


class PairState(enum.StrEnum):
    """How an observed cell relates to the computed one; what cannot be compared is neither equal nor different."""

    EQUAL = "equal"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


class Pair(Struct, frozen=True):
    """One cell: what was observed, what is computed."""

    observed: Said
    computed: Said
    state: PairState

    @classmethod
    def of(cls, observed: Said, computed: Said) -> Pair:
        """A pair that says the same if both sides are the same."""
        return cls(observed, computed, PairState.EQUAL if observed == computed else PairState.DIFFERS)


class NodePairs(Struct):
    """The cells of one node by plugin; the total stands among the scores."""

    node: str
    filters: dict[About, Pair] = field(default_factory=dict)
    scores: dict[About, Pair] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        return any(pair.state is PairState.DIFFERS for cells in (self.filters, self.scores) for pair in cells.values())


class Comparison(Struct):
    """All cells of one attempt: nodes in order of name, then what was said about the pod as a whole.

    ``scored`` is over how many nodes the scores are computed: those that were scored then and fit now.
    """

    nodes: list[NodePairs]
    pre_filters: dict[About, Pair]
    pre_scores: dict[About, Pair]
    outcome: dict[About, Pair]
    scored: int = 0

    def cells(self) -> Iterator[tuple[str, About, Pair]]:
        """Yield node (empty for the pod as a whole), what it is about, and pair of every cell."""
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
        return Pair(observed, Unsaid.NO_SUCH_NODE, PairState.UNKNOWN)
    if _is_unknown(explanation, plugin, explanation.profile.filter):
        return Pair(observed, Unsaid.NOT_COMPUTED, PairState.UNKNOWN)
    cycle = explanation.cycle
    if cycle.stopped_by is not None or not cycle.considered[row]:
        return Pair(observed, Unsaid.NOT_ASKED, PairState.DIFFERS)
    # With pods nominated for the node the filters are asked twice, and the first rejection is the answer.
    rejections = explanation.rejections_with_nominated(row) or explanation.rejections_of(row)
    computed = rejections[plugin].said if plugin in rejections else PASSED
    state = PairState.EQUAL if _parts(observed) == _parts(computed) else PairState.DIFFERS
    return Pair(observed, computed, state)


def _is_unknown(explanation: Explanation, plugin: str, asked: Iterable[str]) -> bool:
    """Tell whether no answer of a plugin is computed, or the profile does not ask it."""
    return plugin in explanation.unknown_plugins or plugin not in explanation.cycle.plugins or plugin not in asked


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


def _score_pairs(document: Document, scored: Explanation) -> Iterator[tuple[str, dict[About, Pair]]]:
    raws, finals = document.get("scores", {}), document.get("finalScores", {})
    extenders, totals = document.get("extenders", {}), document.get("totals", {})
    # Of an attempt that was cut off nobody knows what else there was.
    is_whole = "selectedNode" in document or bool(totals)
    for node in sorted({*raws, *finals, *extenders, *totals}):
        row = scored.snapshot.nodes.index.get(node)
        cells = {} if row is None else {cell.plugin: cell for cell in scored.cells_of(row)}
        pairs: dict[About, Pair] = {}
        for plugin in {**raws.get(node, {}), **finals.get(node, {})}:
            seen = Score(finals.get(node, {}).get(plugin), raws.get(node, {}).get(plugin))
            if row is None:
                pairs[plugin] = Pair(seen, Unsaid.NO_SUCH_NODE, PairState.UNKNOWN)
            elif _is_unknown(scored, plugin, scored.profile.score):
                pairs[plugin] = Pair(seen, Unsaid.NOT_COMPUTED, PairState.UNKNOWN)
            elif not cells and scored.verdict_of(row) is not None:
                pairs[plugin] = Pair(seen, Unsaid.DOES_NOT_FIT, PairState.DIFFERS)
            elif plugin in cells:
                pairs[plugin] = Pair.of(
                    seen,
                    Score(
                        None if seen.weighted is None else cells[plugin].weighted,
                        None if seen.raw is None else cells[plugin].raw,
                    ),
                )
            else:
                skipped_too = not seen.weighted and not seen.raw
                pairs[plugin] = Pair(seen, Unsaid.SKIPPED, PairState.EQUAL if skipped_too else PairState.DIFFERS)
        if node in finals:
            for plugin, cell in cells.items():
                if plugin not in pairs and cell.weighted:
                    state = PairState.DIFFERS if is_whole else PairState.UNKNOWN
                    pairs[plugin] = Pair(Unsaid.NOT_RECORDED, Score(cell.weighted, None), state)
        for extender, score in extenders.get(node, {}).items():
            pairs[extender] = Pair(score, Unsaid.NOT_COMPUTED, PairState.UNKNOWN)
        if node in totals:
            pairs[RecordedFact.TOTAL] = _total(totals[node], row, scored, is_extended=bool(extenders))
        yield node, pairs


def _total(observed: int, row: int | None, scored: Explanation, *, is_extended: bool) -> Pair:
    if row is None:
        return Pair(observed, Unsaid.NO_SUCH_NODE, PairState.UNKNOWN)
    computed = scored.total_of(row)
    if computed is None:
        return Pair(observed, Unsaid.DOES_NOT_FIT, PairState.DIFFERS)
    if is_extended:
        return Pair(observed, TotalWithoutExtenders(computed), PairState.UNKNOWN)
    return Pair.of(observed, computed)


# -- the pod as a whole ------------------------------------------------------------------------------------------------


def _pre_filters(document: Document, explanation: Explanation) -> Iterator[tuple[About, Pair]]:
    found = explanation.cycle.pre_filters
    for plugin, text in document.get("preFilter", {}).items():
        if plugin not in found or plugin in explanation.unknown_plugins:
            yield plugin, Pair(text or Unsaid.SKIPPED, Unsaid.NOT_COMPUTED, PairState.UNKNOWN)
        else:
            yield plugin, Pair.of(text or Unsaid.SKIPPED, _answer(found[plugin].status))
    for plugin, names in document.get("preFilterNodes", {}).items():
        if plugin not in found or plugin in explanation.unknown_plugins:
            yield NodesOf(plugin), Pair(Nodes.of(names), Unsaid.NOT_COMPUTED, PairState.UNKNOWN)
        else:
            computed = found[plugin].node_names
            state = PairState.EQUAL if computed is not None and set(names) == computed else PairState.DIFFERS
            narrowed = Unsaid.ALL_NODES if computed is None else Nodes.of(computed)
            yield NodesOf(plugin), Pair(Nodes.of(names), narrowed, state)


def _answer(status: Status) -> Said:
    if status.code is Code.SKIP:
        return Unsaid.SKIPPED
    return SUCCESS if status.ok else status.said


def _pre_scores(document: Document, explanation: Explanation) -> Iterator[tuple[About, Pair]]:
    for plugin, text in document.get("preScore", {}).items():
        observed = text or Unsaid.SKIPPED
        if _is_unknown(explanation, plugin, explanation.profile.pre_score):
            yield plugin, Pair(observed, Unsaid.NOT_COMPUTED, PairState.UNKNOWN)
        elif not explanation.fits:
            yield plugin, Pair(observed, Unsaid.NOT_ASKED, PairState.DIFFERS)
        else:
            yield plugin, Pair.of(observed, Unsaid.SKIPPED if plugin in explanation.cycle.unscored else SUCCESS)


def _outcome(document: Document, explanation: Explanation, scored: Explanation) -> Iterator[tuple[About, Pair]]:
    chosen = document.get("selectedNode")
    if chosen:
        yield RecordedFact.CHOSEN_NODE, _chosen(chosen, explanation, scored)
    message = document.get("message")
    if message:
        yield RecordedFact.MESSAGE, Pair.of(message, explanation.message or Unsaid.FITS)
    nominated = document.get("nominatedNode") or next(
        (node for node, cells in document.get("postFilter", {}).items() if any(cells.values())), ""
    )
    if nominated:
        yield RecordedFact.NOMINATED_NODE, _nominated(nominated, explanation)


def _chosen(node: str, explanation: Explanation, scored: Explanation) -> Pair:
    if not explanation.fits:
        return Pair(node, Unsaid.NO_NODE_FITS, PairState.DIFFERS)
    best = scored.choices
    if node in best:
        return Pair(node, node, PairState.EQUAL)
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        return Pair(node, Unsaid.NO_SUCH_NODE, PairState.UNKNOWN)
    if scored is explanation and not explanation.sampling.complete and explanation.verdict_of(row) is None:
        # Which part of the nodes the scheduler compared was not recorded.
        return Pair(node, Nodes.of(best, chosen_fits=True), PairState.UNKNOWN)
    return Pair(node, Nodes.of(best), PairState.DIFFERS)


def _nominated(node: str, explanation: Explanation) -> Pair:
    found = explanation.preemption
    if found is None or found.selected is None:
        return Pair(node, Unsaid.NO_NODE, PairState.DIFFERS)
    ranks = {candidate.node: candidate.preference()[:-1] for candidate in found.candidates}
    # Among candidates that rank alike the scheduler takes any.
    if ranks.get(node) == found.selected.preference()[:-1]:
        return Pair(node, node, PairState.EQUAL)
    return Pair(node, found.selected.node, PairState.DIFFERS)


# What others recorded of a pod's scheduling attempts.


def observations_of(pod: Pod) -> QuerySet[Observation]:
    """Return what was recorded about a pod, latest first and without the documents.

    Simulators number attempts, logs tell the time; a source that does not name the pod's UID means every pod of that
    name.
    """
    found = (
        Observation.objects.filter(
            Q(pod_uid="") | Q(pod_uid=pod.uid), cluster=pod.cluster, namespace=pod.namespace, name=pod.name
        )
        .order_by(F("observed_at").desc(nulls_last=True), F("attempt").desc(nulls_first=True), "-pk")
        .defer("packed_document")
    )
    past = pod.cluster.past
    return found if past is None else found.filter(observed_at__lte=past.at)


def events_of(pod: Pod) -> QuerySet[Event]:
    """Return what components reported about a pod, latest first."""
    events = Event.objects.filter(
        cluster=pod.cluster, involved_kind="Pod", involved_namespace=pod.namespace, involved_name=pod.name
    ).order_by("-last_seen", "-pk")
    past = pod.cluster.past
    return events if past is None else events.filter(last_seen__lte=past.at)
