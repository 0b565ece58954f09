"""What others recorded about a pod, next to what is computed: sentences, and the cells in the order of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.adapters.bad_input import printable
from clusters.models import Observation
from clusters.services.observed.comparison import TOTAL, PairState, compare
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.services.observed.comparison import Comparison, NodePairs, Pair

# So many differences are named in the sentence, and so many attempts are offered at once.
_NAMED = 3
MOST_OFFERED = 12
_SIGNS = {
    PairState.EQUAL: ("=", "equals"),
    PairState.DIFFERS: ("≠", "differs from"),
    PairState.UNKNOWN: ("?", "cannot be held to"),
}
_WHO = {
    Observation.Source.SIMULATOR: "kube-scheduler-simulator",
    Observation.Source.LOG: "kube-scheduler's log",
}
# What happens after a node was chosen; only what did not succeed is worth a word.
_LATER = {"reserve": "Reserve", "permit": "Permit", "preBind": "PreBind", "bind": "Bind"}
_UNEVENTFUL = ("success", "")


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell: both sides, the sign between them, and the sign's words for those who do not see it.

    `is_absent` where nothing was recorded: the scheduler asks no further filter after the first that rejects.
    """

    column: str
    observed: str = ""
    computed: str = ""
    sign: str = ""
    words: str = ""
    state: str = ""

    @property
    def is_absent(self) -> bool:
        return not self.state


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a table; `label` is a node, or what was said about the pod as a whole.

    `is_here` where the node is one of the cluster's now.
    """

    label: str
    cells: tuple[CellView, ...]
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class AttemptLink:
    """An attempt that may be chosen."""

    pk: int
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """One page of nodes by plugin."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class ObservedView:
    """One attempt held against the explanation.

    `whole` is what was said about the pod as a whole, `whole_in_short` without what PreFilter and PreScore agree on;
    `differing` are those of the `nodes` that have a cell which differs.
    """

    sentence: str
    basis: str
    notes: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    attempts: tuple[AttemptLink, ...]
    more_attempts: str
    whole: tuple[RowView, ...]
    whole_in_short: tuple[RowView, ...]
    nodes: tuple[NodePairs, ...]
    differing: tuple[NodePairs, ...]


def observed_view(
    attempts: Sequence[Observation],
    chosen: Observation,
    explanation: Explanation,
    *,
    recorded: Mapping[str, int],
    is_placed: bool,
) -> ObservedView:
    """Present the chosen one of a pod's attempts, which are given latest first.

    `recorded` says how many there are by source; those given may be fewer.
    """
    document = chosen.document
    comparison = compare(document, explanation)
    return ObservedView(
        sentence=_sentence(attempts[0], chosen, recorded, comparison),
        basis=_basis(is_placed=is_placed),
        notes=tuple(_notes(chosen, comparison, explanation)),
        facts=tuple(_facts(chosen, document)),
        attempts=tuple(_offered(attempts, chosen, sum(recorded.values()))),
        more_attempts=_more(sum(recorded.values())),
        whole=tuple(_whole(comparison, is_short=False)),
        whole_in_short=tuple(_whole(comparison, is_short=True)),
        nodes=tuple(comparison.nodes),
        differing=tuple(node for node in comparison.nodes if node.differs),
    )


def tables(nodes: Sequence[NodePairs], explanation: Explanation) -> list[TableView]:
    """Lay out some nodes as tables of filters and of scores, plugins in the profile's order."""
    kinds = (
        ("Filters", [(node.node, node.filters) for node in nodes]),
        ("Scores, normalised and weighted", [(node.node, node.scores) for node in nodes]),
    )
    return [_table(title, rows, explanation) for title, rows in kinds if any(cells for _, cells in rows)]


def _table(title: str, rows: Iterable[tuple[str, Mapping[str, Pair]]], explanation: Explanation) -> TableView:
    order, here = (*explanation.profile.filter, *explanation.profile.score), explanation.snapshot.nodes.index
    known = [(node, cells) for node, cells in rows if cells]
    present = {plugin for _, cells in known for plugin in cells}
    ranks = {plugin: rank for rank, plugin in enumerate(order)}
    # The total is the sum of what stands before it.
    columns = tuple(sorted(present, key=lambda name: (name == TOTAL, ranks.get(name, len(ranks)), name)))
    return TableView(title, columns, tuple(_row(node, cells, columns, is_here=node in here) for node, cells in known))


def _row(label: str, cells: Mapping[str, Pair], columns: Iterable[str], *, is_here: bool) -> RowView:
    views = (_cell(column, cells[column]) if column in cells else CellView(column) for column in columns)
    return RowView(label, tuple(views), is_here)


def _cell(column: str, pair: Pair) -> CellView:
    sign, words = _SIGNS[pair.state]
    return CellView(column, pair.observed or "nothing", pair.computed, sign, words, pair.state)


def _whole(comparison: Comparison, *, is_short: bool) -> Iterable[RowView]:
    """Yield what was said about the pod as a whole, each a row of one cell."""
    column = "Observed and computed"
    for name, pair in comparison.outcome.items():
        yield RowView(name, (_cell(column, pair),))
    for kind, cells in (("PreFilter", comparison.pre_filters), ("PreScore", comparison.pre_scores)):
        for name, pair in cells.items():
            if not is_short or pair.state is PairState.DIFFERS:
                yield RowView(f"{kind} {name}", (_cell(column, pair),))


# -- words -------------------------------------------------------------------------------------------------------------


def _sentence(latest: Observation, chosen: Observation, recorded: Mapping[str, int], comparison: Comparison) -> str:
    sources = [(who, recorded[source]) for source, who in _WHO.items() if recorded.get(source)]
    told = listed([f"{who} recorded {counted(number, 'attempt', 'attempts')}" for who, number in sources])
    is_only = sum(recorded.values()) == 1
    place = "" if is_only else "in the last one " if chosen.pk == latest.pk else "in the chosen one "
    counts = comparison.counts()
    total, equal, differing = counts.total(), counts[PairState.EQUAL], counts[PairState.DIFFERS]
    if not total:
        return f"{told}; {place}nothing that could be compared."
    start = f"{told}; {place}{_of_all(equal, total)} Berth's"
    unknown = counts[PairState.UNKNOWN]
    rest = f"; {grouped(unknown)} cannot be compared" if unknown else ""
    if not differing:
        return f"{start}{rest}."
    return f"{start}{rest}; {grouped(differing)} {'differs' if differing == 1 else 'differ'}: {_examples(comparison)}."


def _of_all(equal: int, total: int) -> str:
    if equal == total:
        return "the only cell equals" if total == 1 else f"all {grouped(total)} cells equal"
    return f"{grouped(equal)} of {counted(total, 'cell', 'cells')} {'equals' if equal == 1 else 'equal'}"


def _examples(comparison: Comparison) -> str:
    found = [(node, name) for node, name, pair in comparison.cells() if pair.state is PairState.DIFFERS]
    named = [f"{name} on {node}" if node else name for node, name in found[:_NAMED]]
    return listed(named if len(found) <= _NAMED else [*named, f"{grouped(len(found) - _NAMED)} more"])


def _basis(*, is_placed: bool) -> str:
    as_if = ", as if the pod were pending" if is_placed else ""
    return (
        f"Computed on the present state of the cluster{as_if}; when the attempt was made, the cluster may have looked "
        "different."
    )


def _notes(chosen: Observation, comparison: Comparison, explanation: Explanation) -> Iterable[str]:
    if chosen.source == Observation.Source.LOG:
        yield "A log tells scores and outcomes; what each filter said of each node is in none of its lines."
    feasible = len(explanation.cycle.feasible)
    if 0 < comparison.scored < feasible:
        yield (
            f"Only {counted(comparison.scored, 'node was', 'nodes were')} scored then, of {grouped(feasible)} that fit "
            "now; the scores are computed among these."
        )


def _facts(chosen: Observation, document: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    yield "From", chosen.origin
    for key, label in (("evaluatedNodes", "Nodes looked at"), ("feasibleNodes", "Feasible among them")):
        number = document.get(key)
        if isinstance(number, int):
            yield label, grouped(number)
    for key in ("preFilterMessage", "postFilterMessage"):
        text = document.get(key)
        if isinstance(text, str) and text not in str(document.get("message", "")):
            yield ("PreFilter said" if key == "preFilterMessage" else "PostFilter said"), printable(text)
    for key, label in _LATER.items():
        answers = document.get(key)
        if isinstance(answers, dict):
            for plugin, text in answers.items():
                if text not in _UNEVENTFUL:
                    yield f"{label} {plugin}", str(text)


def _offered(attempts: Sequence[Observation], chosen: Observation, total: int) -> Iterable[AttemptLink]:
    """Yield the latest attempts, and the chosen one with its neighbours where that lies further back."""
    place = next(index for index, each in enumerate(attempts) if each.pk == chosen.pk)
    near = range(max(0, place - 1), min(len(attempts), place + 2))
    for index in sorted({*range(min(MOST_OFFERED, len(attempts))), *near}):
        each = attempts[index]
        yield AttemptLink(each.pk, _label(each, total - index), is_chosen=index == place)


def _label(observation: Observation, number: int) -> str:
    if observation.source == Observation.Source.LOG:
        when = f", {observation.observed_at:%Y-%m-%d %H:%M:%S} UTC" if observation.observed_at else ""
        return f"Log {grouped(number)}{when}"
    if observation.attempt is None:
        return "Simulator, latest"
    return f"Simulator {grouped(observation.attempt)}"


def _more(total: int) -> str:
    left = total - MOST_OFFERED
    return f"{counted(left, 'earlier attempt', 'earlier attempts')} not listed." if left > 0 else ""
