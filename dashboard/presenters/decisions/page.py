"""The decision on one pod: the verdict, the steps, groups of nodes, preemption, and what would make the pod fit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.analysis import (
    KINDS,
    MOST,
    UNREALISTIC,
    Advice,
    LiftKind,
    LowerRequests,
    NumberedLift,
    Realism,
    Tried,
    Way,
    absent_neighbours,
    advice as every_advice,
    lifts,
    lifts_cordon,
    lifts_pin,
    realism_of,
)
from clusters.engine.devices import uses_devices
from clusters.engine.kubelet import (
    ClaimsNotBound,
    HeldByFinalizers,
    KubeletRejection,
    KubeletTermination,
    PodTrouble,
    StuckDeletion,
    rejection_of,
    trouble_of,
)
from clusters.engine.objects import NOT_STARTED, labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling import (
    Candidate,
    Lift,
    NodeGroup,
    Part,
    PluginPart,
    Preemption,
    SearchChances,
    Stage,
    choice_chances,
    leaving_victims,
    may_share_an_evaluation,
    search_chances,
    stages,
)
from clusters.engine.simulation import OneMoreNode
from clusters.engine.spreading import PLUGIN as SPREADING
from clusters.engine.status import Code, Rejection, Status
from clusters.problems.inputs import OtherGap
from clusters.services.computing import OverTimeError, check
from clusters.wording import advice as advice_words, counts, pods as pods_words, states
from clusters.wording.advice import advice_summary, advice_title, details_title, way_sentence
from clusters.wording.amounts import grouped, percent, rate
from clusters.wording.conclusions import answer_sentences, circumstance_sentences, doubts
from clusters.wording.decisions import attempt as attempt_words, nodes as nodes_words, verdict as verdict_words
from clusters.wording.decisions.nodes import TOTAL_AND_RANK, rank, verdict_word
from clusters.wording.decisions.verdict import (
    pending_headline,
    pending_sentence,
    placement_sentence,
    state_of,
    tie_sentence,
    verdict_sentence,
)
from clusters.wording.evidence import missing
from clusters.wording.lists import TO, first_of, listed
from clusters.wording.pending import AWAITS_VICTIMS
from clusters.wording.plugins import NOTHING_TO_FILTER, NOTHING_TO_SCORE, wording_of
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, SearchStretch, SearchStripSpec
from dashboard.presenters.shared.page import edit_command, uncordon_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.documents.problems import WordedGap
    from clusters.engine import Explanation, UnknownScheduler
    from clusters.engine.edits import Edit
    from clusters.engine.snapshot import Snapshot
    from clusters.models import Pod


class NodeGroupView(Struct, frozen=True):
    """Nodes about which everything says the same.

    `verdict` is a word of the verdict tokens. `reported` is what the scheduler records (None: feasible), `everything`
    what each filter says on its own, and `instead` what stands there when no filter says anything. `nominated` names
    the nominated pods that make the scheduler's answer another one; empty where they do not.
    """

    number: int
    count: str
    share: str
    fill: float
    verdict: str
    verdict_text: str
    summary: str
    reported: tuple[str, Status] | None
    everything: tuple[tuple[str, Status], ...]
    instead: str
    nominated: str


class NodeLine(Struct, frozen=True):
    """One node of a group: what is missing here, or how it scores."""

    name: str
    brief: str


def _fill(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0


def groups(explanation: Explanation) -> list[NodeGroupView]:
    """Present the nodes by identical verdict."""
    return [group(explanation, number) for number in range(len(explanation.groups))]


def group(explanation: Explanation, number: int) -> NodeGroupView:
    """Present one group. Raises IndexError for a number that there is not."""
    found = explanation.groups[number]
    return NodeGroupView(
        number=number,
        count=counts.NODES(number=len(found)),
        share=percent(len(found), explanation.node_count),
        fill=_fill(len(found), explanation.node_count),
        verdict=verdict_token(found.verdict),
        verdict_text=verdict_word(found.verdict),
        summary=nodes_words.group_summary(found),
        reported=None if found.verdict is None else (found.verdict.plugin or "PreFilter", found.verdict.status),
        everything=tuple(found.filters.items()),
        instead=nodes_words.nothing_fails(explanation, found),
        nominated=_nominated(explanation, found),
    )


def _nominated(explanation: Explanation, found: NodeGroup) -> str:
    if not explanation.decided_by_nominated(int(found.rows[0])):
        return ""
    names = dict.fromkeys(name for row in found.rows.tolist() for name in explanation.nominated_on(row))
    return nodes_words.COUNTS_NOMINATED(pods=first_of(list(names)), number=len(found))


def verdict_token(rejection: Rejection | None) -> str:
    """Return the verdict's token."""
    if rejection is None:
        return "fits"
    match rejection.status.code:
        case Code.UNSCHEDULABLE:
            return "preemptible"
        case Code.ERROR:
            return "unknown"
        case _:
            return "rejected"


def node_lines(explanation: Explanation, rows: Iterable[int]) -> list[NodeLine]:
    """Present nodes of a list, each with what counts there in one line."""
    return [NodeLine(explanation.snapshot.nodes.names[row], _line(explanation, row)) for row in rows]


def _line(explanation: Explanation, row: int) -> str:
    total = explanation.total_of(row)
    if total is not None:
        return TOTAL_AND_RANK(points=total, rank=rank(explanation, total))
    evidence = explanation.evidence(row)
    rejecting = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    if rejecting:
        return "; ".join(missing(evidence[plugin]) or status.reported for plugin, status in rejecting.items())
    rejection = explanation.verdict_of(row)
    return "" if rejection is None else rejection.status.reported


# So many bars are told apart on a phone.
_MOST_STRETCHES = 60
_MOST_CANDIDATES = 10


class LikelyNode(Struct, frozen=True):
    """A node that the pod may get: its place in the order, its total among all feasible nodes, and its chances."""

    node: str
    place: str
    total: str
    reached: str
    chosen: str


def search_order(explanation: Explanation) -> dict[str, Any] | None:
    """Present a search that may end early; None where every node is looked at, or another rule decides.

    The order as a picture; ``candidates`` are the likeliest, ``summary`` says which of equals is taken.
    """
    chances = search_chances(explanation)
    if chances is None:
        return None
    try:
        chosen = choice_chances(explanation, chances, between=check)
    except OverTimeError:
        chosen = None
    return {
        "figure": _figure(explanation, chances),
        "summary": str(attempt_words.NO_CHOICES) if chosen is None else tie_sentence(explanation),
        "candidates": tuple(_candidates(explanation, chances, chosen or {})),
    }


def node_chances(explanation: Explanation, row: int) -> tuple[str, ...]:
    """Say of one node with what chance it is looked at and, where it fits, taken; nothing where that is certain."""
    chances = search_chances(explanation)
    if chances is None:
        return ()
    name = explanation.snapshot.nodes.names[row]
    said = attempt_words.node_sentence(chances, name, row)
    if explanation.total_of(row) is None:
        return (said,)
    try:
        chosen = choice_chances(explanation, chances, row, between=check)
    except OverTimeError:
        chosen = None
    return (
        said,
        str(attempt_words.NO_CHOICES) if chosen is None else attempt_words.choice_sentence(name, chosen.get(row, 0.0)),
    )


def _figure(explanation: Explanation, chances: SearchChances) -> Figure:
    fits = np.zeros(chances.starts, np.bool_)
    fits[explanation.cycle.feasible] = True
    edges = np.linspace(0, chances.starts, min(_MOST_STRETCHES, chances.starts) + 1).astype(np.intp)
    names = explanation.snapshot.nodes.names
    stretches, rows = [], []
    for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        among = chances.order[first:end]
        reached = chances.reached[among]
        label = TO(first=first + 1, last=end)
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
        Key(str(attempt_words.FEASIBLE), "verdict-fits-solid"),
        Key(str(attempt_words.REJECTED), "verdict-rejected-solid", pattern="/"),
    )
    first, last = names[chances.order[0]], names[chances.order[-1]]
    spec = SearchStripSpec(str(attempt_words.AXIS), keys, tuple(stretches), first, last)
    return Figure(
        "search-order",
        str(attempt_words.FIGURE_TITLE),
        attempt_words.search_sentence(chances),
        spec,
        (
            str(attempt_words.PLACES),
            str(attempt_words.FEASIBLE),
            str(attempt_words.NUMBER_OF_NODES),
            str(attempt_words.LEAST),
            str(attempt_words.MOST),
        ),
        rows,
    )


def _candidates(explanation: Explanation, chances: SearchChances, chosen: dict[int, float]) -> list[LikelyNode]:
    places = np.empty(chances.starts, np.intp)
    places[chances.order] = np.arange(chances.starts)
    likeliest = sorted(chosen, key=lambda row: (-chosen[row], row))[:_MOST_CANDIDATES]
    return [
        LikelyNode(
            explanation.snapshot.nodes.names[row],
            grouped(int(places[row]) + 1),
            grouped(explanation.total_of(row) or 0),
            rate(int(chances.reached[row]), chances.starts),
            attempt_words.chance_text(chosen[row]),
        )
        for row in likeliest
    ]


# Of a step the first that some plugin did decides how it looks.
_RANKS = (Part.REJECTED, Part.RAN, Part.NOT_COMPUTED, Part.SKIPPED, Part.NOT_REACHED)


class PluginView(Struct, frozen=True):
    """One plugin at one point: a word and a sentence.

    ``state`` is a part with a hyphen instead of a blank; ``rejected`` says how many nodes it turned down, where it did.
    """

    name: str
    question: str
    state: str
    word: str
    rejected: str
    sentence: str


class ExtensionPointView(Struct, frozen=True):
    """One extension point; ``summary`` counts what its plugins did, ``state`` is the most telling of it."""

    name: str
    state: str
    summary: str
    note: str
    plugins: tuple[PluginView, ...]


class StripView(Struct, frozen=True):
    """The whole attempt: how far it comes, its steps, and what is to be known beside; ``leading`` names one step."""

    sentence: str
    leading: str
    steps: tuple[ExtensionPointView, ...]
    notes: tuple[str, ...]


def strip(explanation: Explanation) -> StripView:
    """Present an attempt from PreEnqueue to PostBind."""
    found = stages(explanation)
    return StripView(
        sentence=attempt_words.outcome(explanation),
        leading=_leading(explanation),
        steps=tuple(_step(explanation, stage) for stage in found),
        notes=tuple(_notes(explanation)),
    )


def _leading(explanation: Explanation) -> str:
    """Name the step that decides."""
    if not explanation.gates.ok or not explanation.node_count:
        return "PreEnqueue"
    if explanation.cycle.stopped_by is not None:
        return "PreFilter"
    if explanation.takes_nominated or (explanation.error is not None and not explanation.error.phase.is_scoring):
        return "Filter"
    return "Score" if len(explanation.cycle.feasible) > 1 else "Filter"


def _notes(explanation: Explanation) -> Iterable[str]:
    everywhere = [name for name, points in explanation.profile.unknown_plugins.items() if "multiPoint" in points]
    if everywhere:
        yield attempt_words.UNKNOWN_POINTS(plugins=listed(everywhere), number=len(everywhere))
    if len(explanation.cycle.feasible) and may_share_an_evaluation(explanation):
        yield str(attempt_words.SHARED_EVALUATION)


def _step(explanation: Explanation, stage: Stage) -> ExtensionPointView:
    name = f"{stage.point[0].upper()}{stage.point[1:]}"
    parts = Counter(each.part for each in stage.parts)
    leading = next((part for part in _RANKS if parts[part]), Part.NOT_REACHED if not stage.reached else None)
    unseen = stage.point in ("reserve", "permit", "preBind", "bind", "postBind")
    return ExtensionPointView(
        name=name,
        state="empty" if leading is None else leading.value,
        summary=attempt_words.step_summary(stage, parts),
        note=str(attempt_words.AFTER_THE_CHOICE)
        if unseen and stage.reached and stage.parts
        else attempt_words.why_not_reached(explanation, stage),
        plugins=tuple(_plugin(explanation, stage.point, each) for each in stage.parts),
    )


def _plugin(explanation: Explanation, point: str, part: PluginPart) -> PluginView:
    return PluginView(
        name=part.plugin,
        question=wording_of(part.plugin).decides(),
        state=part.part.value,
        word=str(attempt_words.PARTS[part.part]),
        rejected=grouped(part.rejected) if part.rejected else "",
        sentence=_what(explanation, point, part),
    )


def _what(explanation: Explanation, point: str, part: PluginPart) -> str:
    match part.part:
        case Part.REJECTED:
            return attempt_words.rejected(point, part)
        case Part.NOT_REACHED:
            return ""
        case Part.NOT_COMPUTED:
            return attempt_words.not_computed(explanation, point, part.plugin)
        case Part.SKIPPED if point in ("preFilter", "filter"):
            return NOTHING_TO_FILTER()
        case Part.SKIPPED:
            return NOTHING_TO_SCORE()
        case Part.RAN:
            return attempt_words.ran(explanation, point, part)


_SHOWN_VICTIMS = 5
_SHOWN_CHANGES = 20


class Victim(Struct, frozen=True):
    """A pod that would have to go, or is going already."""

    namespace: str
    name: str
    priority: str
    is_leaving: bool


class CandidateView(Struct, frozen=True):
    """A node where removing the victims makes room; `more` counts victims that are not listed.

    `started` says when the most important victims started, where that decides between nodes.
    """

    node: str
    victims: tuple[Victim, ...]
    more: int
    count: str
    violations: str
    is_selected: bool
    started: str


class PreemptionView(Struct, frozen=True):
    """What there is to say; `message` is the scheduler's own, empty where preemption would help.

    `changes` are what extenders changed, each with its node; `more` counts those that are not listed.
    """

    sentence: str
    why: str
    message: str
    note: str
    changes: tuple[tuple[str, str], ...]
    more: str


def preemption(explanation: Explanation) -> PreemptionView | None:
    """Present the answer; None for a pod that fits, or a profile that does not preempt."""
    found = explanation.preemption
    if found is None:
        return None
    selected, changes = found.selected, tuple(attempt_words.change_sentences(found))
    is_choice = found.eligible and selected is not None and len(found.candidates) > 1
    return PreemptionView(
        sentence=attempt_words.headline(found),
        why=attempt_words.selected_because(selected.node, _criterion(found))
        if is_choice and selected is not None
        else "",
        message=found.message if not found.eligible or selected is None else "",
        note=attempt_words.sampled(found) if found.eligible and selected is not None else "",
        changes=changes[:_SHOWN_CHANGES],
        more=attempt_words.MORE_CHANGES(nodes=len(changes) - _SHOWN_CHANGES) if len(changes) > _SHOWN_CHANGES else "",
    )


def _criterion(found: Preemption) -> int:
    """Return which criterion of `Candidate.preference` sets the selected candidate apart from the next best."""
    first, second = sorted(candidate.preference() for candidate in found.candidates)[:2]
    return next(number for number, (mine, theirs) in enumerate(zip(first, second, strict=True)) if mine != theirs)


def ranked(found: Preemption) -> list[Candidate]:
    """Return the candidates in the scheduler's order of preference."""
    return sorted(found.candidates, key=lambda candidate: candidate.preference())


def candidate_view(candidate: Candidate, found: Preemption, snapshot: Snapshot) -> CandidateView:
    """Present one candidate with its most important victims."""
    leaving = leaving_victims(snapshot, candidate)
    shown = zip(candidate.victims[:_SHOWN_VICTIMS], candidate.priorities, strict=False)
    return CandidateView(
        node=candidate.node,
        victims=tuple(_victim(key, priority, is_leaving=key in leaving) for key, priority in shown),
        more=max(0, len(candidate.victims) - _SHOWN_VICTIMS),
        count=attempt_words.VICTIMS(victims=len(candidate.victims)),
        violations=grouped(candidate.pdb_violations),
        is_selected=candidate == found.selected,
        started=_started(candidate)
        if len(found.candidates) > 1 and _criterion(found) == attempt_words.STARTED_LAST
        else "",
    )


def _started(candidate: Candidate) -> str:
    if candidate.earliest_start == NOT_STARTED:
        return str(attempt_words.NOT_STARTED)
    digits = f"{candidate.earliest_start:014d}"
    date, time = (digits[:4], digits[4:6], digits[6:8]), (digits[8:10], digits[10:12], digits[12:14])
    return attempt_words.STARTED(moment=f"{'-'.join(date)} {':'.join(time)}")


def _victim(key: str, priority: int, *, is_leaving: bool) -> Victim:
    namespace, _, name = key.partition("/")
    return Victim(namespace, name, grouped(priority), is_leaving)


# So many nodes are uncordoned by one command.
_MOST_UNCORDONED = 5


class LiftView(Struct, frozen=True):
    """One way to gain nodes; `kind` and `number` address it, `command` does it where kubectl can."""

    kind: LiftKind
    number: int
    sentence: str
    command: str = ""


class WayView(Struct, frozen=True):
    """One way without nodes of its own to open; `command` does it where kubectl can."""

    sentence: str
    command: str = ""


class AdviceView(Struct, frozen=True):
    """Ways of one sort: plain sentences, lifts that open to their nodes, and further lifts that are mere detail.

    `like` names the nodes of which one more would do, for a simulation of it.
    """

    realism: Realism
    title: str
    sentences: tuple[WayView, ...] = ()
    lifts: tuple[LiftView, ...] = ()
    note: str = ""
    detail_title: str = ""
    details: tuple[LiftView, ...] = ()
    like: tuple[str, ...] = ()

    @property
    def first(self) -> WayView | LiftView | None:
        """What is told first of it, unless all of it is detail."""
        every: tuple[WayView | LiftView, ...] = (*self.sentences, *self.lifts)
        return every[0] if every else None


class RelaxationsView(Struct, frozen=True):
    """The ways, the most realistic first.

    `summary` is one sentence; `first` is the way that it tells, if it tells one, and `like` names the node of which one
    more does it. `preempting` is the node that preemption would take, `hidden` says how many are left out; empty where
    none is. `circumstances` are what is worth knowing beside the verdict.
    """

    summary: str
    preempting: CandidateView | None
    advice: tuple[AdviceView, ...]
    hidden: str
    first: WayView | LiftView | None = None
    like: str = ""
    circumstances: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[AdviceView, ...]:
        """The advice without the first way."""
        rest = (
            replace(
                each,
                sentences=tuple(way for way in each.sentences if way != self.first),
                lifts=tuple(lift for lift in each.lifts if lift != self.first),
                like=tuple(name for name in each.like if name != self.like),
            )
            for each in self.advice
        )
        return tuple(each for each in rest if each.sentences or each.lifts or each.details)


def relaxations(
    explanation: Explanation, tried: Sequence[Tried] = (), needed: Mapping[str, int] | None = None
) -> RelaxationsView:
    """Present every way; none in a cluster without nodes, where nothing about the pod matters.

    `tried` are nodes of which one more would take the pod, and pods that could go elsewhere; `needed` is what it would
    request by what is used.
    """
    found = every_advice(explanation, tried, needed)
    summary = advice_summary(explanation, found)
    views = tuple(_view(explanation, each) for each in found)
    hidden = sum(max(0, len(lifts(explanation, kind)) - MOST) for kind in KINDS) if found else 0
    leading = next((each for each in views if each.first is not None), None)
    first = None if leading is None else leading.first
    # Where nothing has to change nothing is to be copied or simulated.
    is_told = first is not None and summary.endswith(first.sentence)
    return RelaxationsView(
        summary=summary,
        preempting=_preempting(explanation),
        advice=views,
        hidden=advice_words.HIDDEN(ways=hidden) if hidden else "",
        first=first if is_told else None,
        like=leading.like[0] if leading is not None and leading.like and is_told else "",
        circumstances=tuple(circumstance_sentences(explanation)),
    )


def _preempting(explanation: Explanation) -> CandidateView | None:
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None:
        return None
    return candidate_view(preemption.selected, preemption, explanation.snapshot)


def _view(explanation: Explanation, advice: Advice) -> AdviceView:
    return AdviceView(
        advice.realism,
        advice_title(advice) if advice.realism is not Realism.UNWANTED else "",
        sentences=tuple(
            WayView(way_sentence(explanation, each), _way_command(explanation, each))
            for each in advice.ways
            if not isinstance(each, NumberedLift)
        ),
        lifts=tuple(_lift_view(explanation, each) for each in advice.ways if isinstance(each, NumberedLift)),
        note=str(advice_words.REALISM_NOTES.get(advice.realism, "")),
        detail_title=details_title(advice),
        details=tuple(_lift_view(explanation, each) for each in advice.details),
        like=tuple(each.like for each in advice.ways if isinstance(each, OneMoreNode)),
    )


def _way_command(explanation: Explanation, way: Way) -> str:
    if not isinstance(way, LowerRequests):
        return ""
    return _command(explanation, [each.edit for each in way.reduced])


def _command(explanation: Explanation, edits: Sequence[Edit]) -> str:
    pod = explanation.pod.document
    workload = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
    return edit_command(workload, pod, edits) if edits else ""


def _lift_view(explanation: Explanation, each: NumberedLift) -> LiftView:
    return LiftView(each.kind, each.number, gain(explanation, each.lift), _lift_command(explanation, each.lift))


def _lift_command(explanation: Explanation, lift: Lift) -> str:
    """Return the command that lifts requirements: of the pod in its workload's template, or of a few nodes.

    What nobody should do has none.
    """
    if lifts_cordon(lift):
        names = explanation.snapshot.nodes.names
        return uncordon_command(names[row] for row in lift.rows) if len(lift.rows) <= _MOST_UNCORDONED else ""
    if max(map(realism_of, ([each] for each in lift.lifted))) >= UNREALISTIC or lifts_pin(explanation, lift):
        return ""
    return _command(explanation, lift.edits)


def gain(explanation: Explanation, lift: Lift) -> str:
    """Say what one way would gain."""
    return advice_words.gain(lift, explanation.snapshot.nodes.names, fits=explanation.fits)


# So many pods on missing nodes are named.
_NAMED = 3
_FINISHED = ("Succeeded", "Failed")
_TROUBLED: Final = {
    HeldByFinalizers: states.TERMINATING,
    KubeletRejection: states.FAILED,
    KubeletTermination: states.FAILED,
    ClaimsNotBound: states.CANNOT_START,
    StuckDeletion: states.TERMINATING,
}
_TOKENS: Final = (
    (states.NO_NODES, "unknown"),
    (states.GATED, "unknown"),
    (states.SCHEDULER_ERROR, "rejected"),
    (states.UNCERTAIN, "uncertain"),
    (states.FITS, "fits"),
    (states.NOMINATED, "preemptible"),
    (states.FITS_BY_PREEMPTION, "preemptible"),
    (states.MAY_FIT_BY_PREEMPTION, "preemptible"),
    (states.UNSCHEDULABLE, "rejected"),
)

# Kinds that scheduling reads for the same purpose.
_OWNERS = ("Service", "ReplicationController", "ReplicaSet", "StatefulSet")
_STORAGE = ("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode")
_DEVICES = ("ResourceClaim", "ResourceSlice", "DeviceClass")


class VerdictView(Struct, frozen=True):
    """`kind` is a word of the verdict tokens, `word` stands beside its shape; `context` says how it was judged."""

    kind: str
    word: str
    sentence: str
    context: tuple[str, ...]
    unknowns: tuple[str, ...]


def verdict(pod: Pod, explanation: Explanation) -> VerdictView:
    """Present the verdict on a pod."""
    trouble = trouble_of(pod.object, explanation.snapshot)
    if trouble is not None:
        kind, word = "rejected", str(_TROUBLED[type(trouble)])
        sentence, context = pods_words.trouble_sentence(trouble), _beside_trouble(pod, explanation, trouble)
    else:
        kind, word = _kind(pod, explanation)
        sentence, context = _sentence(pod, explanation), _context(pod, explanation)
    return VerdictView(
        kind=kind,
        word=word,
        sentence=sentence,
        context=(*context, *answer_sentences(explanation)),
        unknowns=tuple(doubts(explanation)),
    )


def _beside_trouble(pod: Pod, explanation: Explanation, trouble: PodTrouble) -> Iterator[str]:
    """Say what to do about a pod that is in trouble on its node, and what the scheduler would decide of it."""
    yield pods_words.trouble_remedy(trouble)
    yield str(verdict_words.HAS_ENDED if pod.phase in _FINISHED else verdict_words.AS_OF_NOW)
    yield verdict_sentence(explanation)


def _kind(pod: Pod, explanation: Explanation) -> tuple[str, str]:
    if pod.node_name and pod.node_name not in explanation.snapshot.nodes.index:
        return "unknown", str(states.NODE_NOT_FOUND)
    if pod.node_name:
        return "chosen", str(states.OF_PHASE.get(pod.phase, states.SCHEDULED))
    state, _ = pending_headline(explanation)
    return _token(state), state


def judged(explanation: Explanation) -> tuple[str, str]:
    """Return the verdict on a pod that is to be scheduled: its token and its word."""
    state = state_of(explanation)
    return _token(state), state


def _token(state: str) -> str:
    return next(token for each, token in _TOKENS if str(each) == state)


def _sentence(pod: Pod, explanation: Explanation) -> str:
    if pod.node_name:
        return placement_sentence(explanation, pod.node_name, pod.phase)
    _, said = pending_headline(explanation)
    return said


def _context(pod: Pod, explanation: Explanation) -> Iterator[str]:
    status = pod.object.get("status") or {}
    reason, message = str(status.get("reason") or ""), str(status.get("message") or "")
    if pod.node_name and (reason or message):
        yield pods_words.REPORTED_STATUS(said=f"{reason}: {message}" if reason and message else reason or message)
    if pod.phase in _FINISHED:
        yield str(verdict_words.HAS_ENDED)
    elif explanation.pod.node_name:
        yield str(verdict_words.NAMES_ITS_NODE)
    elif pod.node_name:
        yield str(verdict_words.AS_OF_NOW)
    if pod.deleted_at is not None:
        yield str(verdict_words.BEING_DELETED)
    if not pod.node_name and pending_headline(explanation)[0] == str(states.NOMINATED):
        # What it waits for is the headline; why no node takes it as things are comes after that.
        yield pending_sentence(explanation)
    elif pod.nominated_node_name and not pod.node_name:
        said = verdict_words.HAS_ROOM if explanation.takes_nominated else AWAITS_VICTIMS
        yield said(node=pod.nominated_node_name)


def unknown_scheduler(pod: Pod, error: UnknownScheduler) -> VerdictView:
    """Present a pod whose scheduler the configuration does not have."""
    said = verdict_words.OTHER_SCHEDULER(scheduler=error.scheduler_name)
    rejection = rejection_of(pod.object)
    if rejection is not None:
        told = pods_words.trouble_sentence(rejection), pods_words.trouble_remedy(rejection)
        return VerdictView("rejected", str(states.FAILED), told[0], (told[1], said), ())
    return VerdictView("unknown", str(states.OTHER_SCHEDULER), said, (), ())


def gaps_that_matter(gaps: Sequence[WordedGap], explanation: Explanation) -> list[WordedGap]:
    """Return what the mirror lacks and this pod's answer depends on."""
    untouched = _untouched(explanation)
    found = [gap for gap in gaps if gap.kind not in untouched and gap.kind != OtherGap.MISSING_NODE]
    absent = absent_neighbours(explanation) if len(found) < len(gaps) else []
    if absent:
        affects = verdict_words.ABSENT_NEIGHBOURS(pods=first_of(absent), number=len(absent))
        found += [replace(gap, affects=affects) for gap in gaps if gap.kind == OtherGap.MISSING_NODE]
    return found


def _untouched(explanation: Explanation) -> set[str]:
    """Return the kinds that make no difference for this pod; the others concern every pod."""
    pod, preemption = explanation.pod, explanation.preemption
    affinity = pod.affinity
    terms = (*affinity.required, *affinity.required_anti, *affinity.preferred, *affinity.preferred_anti)
    concerned = {
        ("Namespace",): any(term.namespace_selector is not None for term in terms),
        ("PriorityClass",): preemption is not None and "priority" not in pod.spec,
        ("PodDisruptionBudget",): preemption is not None and bool(preemption.candidates),
        ("RuntimeClass",): bool(pod.spec.get("runtimeClassName")),
        _OWNERS: SPREADING in explanation.profile.score and not pod.spec.get("topologySpreadConstraints"),
        _STORAGE: any("persistentVolumeClaim" in volume or "ephemeral" in volume for volume in pod.volumes),
        _DEVICES: uses_devices(explanation.snapshot, pod),
    }
    return {kind for kinds, is_concerned in concerned.items() if not is_concerned for kind in kinds}
