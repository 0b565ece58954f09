"""What others recorded or reported about a pod, beside what follows from the mirrored state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from clusters.adapters.bad_input import printable
from clusters.engine.nodes import is_autoscaler
from clusters.engine.status import Status, has_same_reasons
from clusters.models import Event, Observation, Pod
from clusters.services.observed import (
    About,
    Comparison,
    NodePairs,
    Nodes,
    NodesOf,
    Pair,
    PairState,
    RecordedFact,
    Said,
    Score,
    TotalWithoutExtenders,
    Unsaid,
    compare,
)
from clusters.wording.amounts import grouped
from clusters.wording.decisions import observed as observed_words, verdict as verdict_words
from clusters.wording.decisions.observed import nodes
from clusters.wording.lists import ON

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clusters.engine import Explanation


def side_text(said: Said) -> str:
    """Write one side of a pair."""
    match said:
        case Unsaid():
            return str(observed_words.UNSAID[said.value])
        case Score():
            return observed_words.score(said.weighted, said.raw)
        case TotalWithoutExtenders():
            return observed_words.TOTAL_WITHOUT_EXTENDERS(total=str(said.total))
        case Nodes(chosen_fits=True):
            return observed_words.FITS_TOO(nodes=nodes(said.names))
        case Nodes():
            return observed_words.nodes(said.names)
        case _:
            return str(said)


def about_text(about: About) -> str:
    """Name what a cell is about: a plugin, an extender, or a fact about the attempt."""
    match about:
        case RecordedFact():
            return str(observed_words.FACTS[about.value])
        case NodesOf():
            return observed_words.NODES_OF(plugin=about.plugin)
        case _:
            return about


# So many cells that differ are named in the sentence, and so many attempts are offered at once.
_NAMED = 3
MOST_OFFERED = 12
_SIGNS = {PairState.EQUAL: "=", PairState.DIFFERS: "≠", PairState.UNKNOWN: "?"}
_RECORDED_BY = {
    Observation.Source.SIMULATOR: observed_words.RECORDED_BY_SIMULATOR,
    Observation.Source.LOG: observed_words.RECORDED_BY_LOG,
}
# What happens after a node was chosen; only what did not succeed is worth a word.
_LATER = {"reserve": "Reserve", "permit": "Permit", "preBind": "PreBind", "bind": "Bind"}
_UNEVENTFUL = ("success", "")


class CellView(Struct, frozen=True):
    """One cell: both sides, the sign between them, and the words between them for those who do not see it.

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


class RowView(Struct, frozen=True):
    """A row of a table; `label` is a node, or what was said about the pod as a whole.

    `is_here` where the node is one of the cluster's now.
    """

    label: str
    cells: tuple[CellView, ...]
    is_here: bool = False


class AttemptLink(Struct, frozen=True):
    """An attempt that may be chosen."""

    pk: int
    label: str
    is_chosen: bool


class ObservedView(Struct, frozen=True):
    """One attempt held against the explanation.

    `whole` is what was said about the pod as a whole, `whole_in_short` without what PreFilter and PreScore agree on;
    `differing` are those of the `nodes` that have a cell which differs.
    """

    sentence: str
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
) -> ObservedView:
    """Present the chosen one of a pod's attempts, which are given latest first.

    `recorded` says how many there are by source; those given may be fewer.
    """
    document = chosen.document
    comparison = compare(document, explanation)
    return ObservedView(
        sentence=_sentence(recorded, comparison),
        notes=tuple(_notes(chosen, comparison, explanation)),
        facts=tuple(_facts(chosen, document)),
        attempts=tuple(_offered(attempts, chosen, sum(recorded.values()))),
        more_attempts=_more(sum(recorded.values())),
        whole=tuple(_whole(comparison, is_short=False)),
        whole_in_short=tuple(_whole(comparison, is_short=True)),
        nodes=tuple(comparison.nodes),
        differing=tuple(node for node in comparison.nodes if node.differs),
    )


def tables(nodes: Sequence[NodePairs], explanation: Explanation) -> list[dict[str, Any]]:
    """Lay out some nodes as tables of filters and of scores, plugins in the profile's order."""
    kinds = (
        (observed_words.FILTERS, [(node.node, node.filters) for node in nodes]),
        (observed_words.SCORES, [(node.node, node.scores) for node in nodes]),
    )
    return [_table(str(title), rows, explanation) for title, rows in kinds if any(cells for _, cells in rows)]


def _table(title: str, rows: Iterable[tuple[str, Mapping[About, Pair]]], explanation: Explanation) -> dict[str, Any]:
    order, here = (*explanation.profile.filter, *explanation.profile.score), explanation.snapshot.nodes.index
    known = [(node, cells) for node, cells in rows if cells]
    present = {plugin for _, cells in known for plugin in cells}
    ranks: dict[About, int] = {plugin: rank for rank, plugin in enumerate(order)}
    # The total is the sum of what stands before it.
    columns = sorted(
        present, key=lambda each: (each is RecordedFact.TOTAL, ranks.get(each, len(ranks)), about_text(each))
    )
    shown = tuple(_row(node, cells, columns, is_here=node in here) for node, cells in known)
    return {"title": title, "columns": tuple(map(about_text, columns)), "rows": shown}


def _row(label: str, cells: Mapping[About, Pair], columns: Iterable[About], *, is_here: bool) -> RowView:
    views = (
        _cell(about_text(column), cells[column]) if column in cells else CellView(about_text(column))
        for column in columns
    )
    return RowView(label, tuple(views), is_here)


def _cell(column: str, pair: Pair) -> CellView:
    observed, computed = side_text(pair.observed) or str(observed_words.EMPTY), side_text(pair.computed)
    return CellView(column, observed, computed, _SIGNS[pair.state], str(observed_words.BETWEEN[pair.state]), pair.state)


def _whole(comparison: Comparison, *, is_short: bool) -> Iterable[RowView]:
    """Yield what was said about the pod as a whole, each a row of one cell."""
    column = str(observed_words.BOTH_SIDES)
    for about, pair in comparison.outcome.items():
        yield RowView(about_text(about), (_cell(column, pair),))
    for kind, cells in (("PreFilter", comparison.pre_filters), ("PreScore", comparison.pre_scores)):
        for about, pair in cells.items():
            if not is_short or pair.state is PairState.DIFFERS:
                yield RowView(f"{kind} {about_text(about)}", (_cell(column, pair),))


# -- words -------------------------------------------------------------------------------------------------------------


def _sentence(recorded: Mapping[str, int], comparison: Comparison) -> str:
    said = [tell(attempts=recorded[source]) for source, tell in _RECORDED_BY.items() if recorded.get(source)]
    return " ".join((*said, *_counted(comparison)))


def _counted(comparison: Comparison) -> Iterable[str]:
    counts = comparison.counts()
    if not counts:
        yield str(observed_words.NOTHING_TO_COMPARE)
        return
    yield observed_words.EQUAL_CELLS(equal=counts[PairState.EQUAL], total=counts.total())
    if counts[PairState.UNKNOWN]:
        yield observed_words.INCOMPARABLE_CELLS(number=counts[PairState.UNKNOWN])
    found = [(node, about) for node, about, pair in comparison.cells() if pair.state is PairState.DIFFERS]
    if found:
        first = [ON(what=about_text(each), where=node) if node else about_text(each) for node, each in found[:_NAMED]]
        yield observed_words.differing_cells(len(found), first)


def _notes(chosen: Observation, comparison: Comparison, explanation: Explanation) -> Iterable[str]:
    if chosen.source == Observation.Source.LOG:
        yield str(observed_words.LIMITS_OF_LOGS)
    feasible = len(explanation.cycle.feasible)
    if 0 < comparison.scored < feasible:
        yield observed_words.SCORED_AMONG(scored=comparison.scored, feasible=feasible)


def _facts(chosen: Observation, document: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    yield str(observed_words.ORIGIN), chosen.origin
    for key, said in observed_words.DETAILS.items():
        match document.get(key):
            case int() as number:
                yield str(said), grouped(number)
            case str() as text if text not in str(document.get("message", "")):
                yield str(said), printable(text)
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
        when = f"{observation.observed_at:%Y-%m-%d %H:%M:%S}" if observation.observed_at else ""
        return observed_words.attempt_in_log(number, when)
    if observation.attempt is None:
        return str(observed_words.LATEST_OF_SIMULATOR)
    return observed_words.ATTEMPT_OF_SIMULATOR(number=observation.attempt)


def _more(total: int) -> str:
    return observed_words.MORE_ATTEMPTS(number=total - MOST_OFFERED) if total > MOST_OFFERED else ""


_CUT = "..."
_FAILED = "FailedScheduling"


class Computed(Protocol):
    """What a recorded message is compared with: an explanation, or what a list keeps of one."""

    @property
    def message(self) -> str | None: ...

    @property
    def refusal(self) -> str | None: ...

    @property
    def gates(self) -> Status: ...


class ReportView(Struct, frozen=True):
    """One recorded message; `kind` is an alert's kind, `sentence` says whether it agrees with the computed one.

    `is_same` where it does so letter for letter: it need not be shown twice.
    """

    source: str
    message: str
    at: datetime | None
    kind: str
    sentence: str
    is_same: bool


def condition_report(pod: Pod, explanation: Explanation) -> ReportView | None:
    """Present the PodScheduled condition while it is False."""
    if not pod.unschedulable_message:
        return None
    kind, sentence = compared(pod.unschedulable_message, explanation)
    is_same = pod.unschedulable_message == explanation.message
    return ReportView(str(verdict_words.CONDITION), pod.unschedulable_message, None, kind, sentence, is_same)


def unexplained_reports(pod: Pod, events: Iterable[Event]) -> list[ReportView]:
    """Present the PodScheduled condition and the events of a pod with which nothing can be compared."""
    condition = ReportView(str(verdict_words.CONDITION), pod.unschedulable_message, None, "info", "", is_same=False)
    return [
        *((condition,) if pod.unschedulable_message else ()),
        *(
            ReportView(
                verdict_words.event(event.reason, event.reporting_component),
                event.message,
                event.last_seen,
                "info",
                "",
                is_same=False,
            )
            for event in events
        ),
    ]


def autoscaler_sentences(events: Iterable[Event]) -> list[str]:
    """Quote the latest event of each reason that those who add nodes reported; events come the latest first."""
    latest: dict[tuple[str, str], str] = {}
    for event in events:
        if is_autoscaler(event.reporting_component):
            latest.setdefault((event.reporting_component, event.reason), event.message)
    return [
        verdict_words.recorded(component=component, reason=reason, message=message)
        for (component, reason), message in latest.items()
    ]


def event_reports(events: Iterable[Event], explanation: Explanation) -> list[ReportView]:
    """Present the pod's events; only those of a failed attempt of a scheduler can be compared."""
    reports = []
    for event in events:
        is_attempt = event.reason == _FAILED and not is_autoscaler(event.reporting_component)
        kind, sentence = compared(event.message, explanation) if is_attempt else ("info", "")
        source = verdict_words.event(event.reason, event.reporting_component)
        is_same = is_attempt and event.message == explanation.message
        reports.append(ReportView(source, event.message, event.last_seen, kind, sentence, is_same))
    return reports


def compared(recorded: str, explanation: Computed) -> tuple[str, str]:
    """Say whether a recorded message agrees with the computed one: an alert's kind and a sentence."""
    computed, refusal = explanation.message, explanation.refusal
    if computed is None or refusal is None:
        if explanation.gates.ok:
            return "warning", str(verdict_words.FITS_NOW)
        return "info", str(verdict_words.OF_GATES)
    if recorded == computed:
        return "success", str(verdict_words.SAME)
    if recorded.endswith(_CUT) and computed.startswith(recorded.removesuffix(_CUT)):
        return "success", str(verdict_words.SAME_AS_FAR)
    if recorded.startswith(refusal):
        return "success", str(verdict_words.SAME_FOR_NODES)
    if has_same_reasons(recorded, refusal):
        return "success", str(verdict_words.SAME_REASONS)
    return "warning", str(verdict_words.DIFFERS)
