"""What would make a pod fit, in sentences, by what somebody would have to do for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from clusters.engine.analysis.causes import suffices
from clusters.engine.analysis.nominations import awaited
from clusters.engine.analysis.pins import lifts_cordon, lifts_pin
from clusters.engine.analysis.realism import UNREALISTIC, Realism, realism_of, realism_of_remedy
from clusters.engine.analysis.remedies import volume_remedies
from clusters.engine.objects import labels_of, namespace_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.wording import lifts as words
from clusters.wording import ways
from clusters.wording.lists import begun
from clusters.wording.pending.ways import add_node, await_nomination, takes
from clusters.wording.reasons import as_reported
from clusters.wording.remedies import remedy_sentence
from dashboard.presenters.decisions.preemption import CandidateView, candidate_view
from dashboard.presenters.shared.kubectl import edit_command, uncordon_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.relaxing.edits import Edit
    from clusters.engine.relaxing.relaxations import Lift
    from clusters.engine.simulation.one_more import OneMoreNode

Kind = Literal["single", "pair", "filter"]
KINDS: tuple[Kind, ...] = ("single", "pair", "filter")
# A pair of dozens of requirements is no longer advice.
MOST = 12

# What has a section of its own with lifts; to request none of a resource is a detail of lower requests.
_LIFTED = (
    Realism.TOLERATE,
    Realism.PREFER,
    Realism.CHANGE_NODE,
    Realism.REMOVE,
    Realism.REPAIR_NODE,
    Realism.CONTROL_PLANE,
)
# So many sizes of nodes are named of which one more would take the pod.
_MOST_NODES = 3
# So many nodes are uncordoned by one command.
_MOST_UNCORDONED = 5


@dataclass(frozen=True, slots=True)
class LiftView:
    """One way to gain nodes; `kind` and `number` address it, `command` does it where kubectl can."""

    kind: Kind
    number: int
    sentence: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class WayView:
    """One way without nodes of its own to open; `command` does it where kubectl can."""

    sentence: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
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
    def lowers_requests(self) -> bool:
        """Whether it is to request less."""
        return self.realism in (Realism.LOWER_UNUSED, Realism.LOWER)

    @property
    def first(self) -> WayView | LiftView | None:
        """What is told first of it, unless all of it is detail."""
        every: tuple[WayView | LiftView, ...] = (*self.sentences, *self.lifts)
        return every[0] if every else None


@dataclass(frozen=True, slots=True)
class RelaxationsView:
    """The ways, the most realistic first.

    `summary` is one sentence; `command` is what does it where kubectl can, and `like` names the node of which one more
    does. `preempting` is the node that preemption would take, `hidden` says how many are left out; empty where none is.
    """

    summary: str
    preempting: CandidateView | None
    advice: tuple[Advice, ...]
    hidden: str
    command: str = ""
    like: str = ""


def lifts(explanation: Explanation, kind: Kind) -> tuple[Lift, ...]:
    """Return the engine's answers of one kind."""
    found = explanation.relaxations
    return {"single": found.singles, "pair": found.pairs, "filter": found.filters}[kind]


def relaxations(
    explanation: Explanation, more: Sequence[OneMoreNode] = (), needed: Mapping[str, int] | None = None
) -> RelaxationsView:
    """Present every way; none in a cluster without nodes, where nothing about the pod matters.

    `more` are nodes of which one more would take the pod, and `needed` is what it would request by what is used.
    """
    if not explanation.node_count:
        return RelaxationsView(ways.without_nodes(), None, (), "")
    every = sorted(_advice(explanation, more, needed or {}), key=lambda each: each.realism)
    found = [each for each in every if each.sentences or each.lifts or each.details]
    hidden = sum(max(0, len(lifts(explanation, kind)) - MOST) for kind in KINDS)
    summary = _summary(explanation, found)
    leading = next((each for each in found if each.first is not None), None)
    first = None if leading is None else leading.first
    # Where nothing has to change nothing is to be copied or simulated.
    is_told = first is not None and summary.endswith(first.sentence)
    return RelaxationsView(
        summary=summary,
        preempting=_preempting(explanation),
        advice=tuple(found),
        hidden=ways.hidden(hidden) if hidden else "",
        command=first.command if first is not None and is_told else "",
        like=leading.like[0] if leading is not None and leading.like and is_told else "",
    )


def _preempting(explanation: Explanation) -> CandidateView | None:
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None:
        return None
    return candidate_view(preemption.selected, preemption)


def _advice(explanation: Explanation, more: Sequence[OneMoreNode], needed: Mapping[str, int]) -> Iterable[Advice]:
    remedies = volume_remedies(explanation)
    if remedies:
        yield Advice(
            min(map(realism_of_remedy, remedies)),
            ways.volumes_title(),
            sentences=tuple(WayView(remedy_sentence(each)) for each in remedies),
        )
    if more:
        # Of each pool the smallest: its other zones are no other advice.
        named = tuple({each.pool or each.like: each for each in reversed(more)}.values())[::-1][:_MOST_NODES]
        yield Advice(
            Realism.ADD_NODE,
            ways.realism_title(Realism.ADD_NODE),
            sentences=tuple(WayView(takes(begun(add_node(each.like, each.pool)), 1, 1)) for each in named),
            note=ways.realism_note(Realism.ADD_NODE),
            like=tuple(each.like for each in named),
        )
    yield _lower_requests(explanation, needed)
    if not remedies or explanation.cycle.stopped_by is None:
        for realism in _LIFTED:
            found = _views(explanation, "single", realism)
            yield Advice(realism, ways.realism_title(realism), lifts=found, note=ways.realism_note(realism))
        yield Advice(Realism.TWO_CHANGES, ways.pairs_title(), lifts=_views(explanation, "pair"))
    yield Advice(Realism.UNWANTED, "", detail_title=ways.pinned_title(), details=_of_pin(explanation))
    yield Advice(Realism.UNWANTED, "", detail_title=ways.filters_title(), details=_views(explanation, "filter"))


def _lower_requests(explanation: Explanation, needed: Mapping[str, int]) -> Advice:
    found = explanation.relaxations
    is_unused = any(suffices(each, needed) for each in (*((each,) for each in found.reductions), found.together))
    sentences = tuple(_reductions(explanation))
    details = _views(explanation, "single", Realism.REQUEST_NONE)
    realism = Realism.LOWER_UNUSED if is_unused else Realism.LOWER if sentences else Realism.REQUEST_NONE
    return Advice(
        realism,
        ways.lower_requests_title(),
        sentences=sentences,
        note=ways.realism_note(realism),
        detail_title=ways.request_none_title(),
        details=details,
    )


def _reductions(explanation: Explanation) -> Iterable[WayView]:
    found, names = explanation.relaxations, explanation.snapshot.nodes.names
    for reduced in (*((each,) for each in found.reductions), found.together):
        if reduced:
            yield WayView(words.reduction(reduced, names), _command(explanation, [each.edit for each in reduced]))


def _command(explanation: Explanation, edits: Sequence[Edit]) -> str:
    pod = explanation.pod.document
    workload = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
    return edit_command(workload, pod, edits) if edits else ""


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


def _of_pin(explanation: Explanation) -> tuple[LiftView, ...]:
    return _views(explanation, "single", of_pin=True) + _views(explanation, "pair", of_pin=True)


def _views(
    explanation: Explanation, kind: Kind, realism: Realism | None = None, *, of_pin: bool = False
) -> tuple[LiftView, ...]:
    """Present the lifts of a kind, those of one sort or else the easiest first; those of a pin stand apart."""
    chosen = [
        (lift, LiftView(kind, number, gain(explanation, lift), _lift_command(explanation, lift)))
        for number, lift in enumerate(lifts(explanation, kind)[:MOST])
        if (realism is None or realism_of(lift.lifted) is realism) and lifts_pin(explanation, lift) is of_pin
    ]
    return tuple(view for _, view in sorted(chosen, key=lambda each: each[0].effort))


def gain(explanation: Explanation, lift: Lift) -> str:
    """Say what one way would gain."""
    return words.gain(lift, explanation.snapshot.nodes.names, fits=explanation.fits)


def _summary(explanation: Explanation, found: list[Advice]) -> str:
    leading = next((each for each in found if each.first is not None), None)
    first = "" if leading is None or leading.first is None else leading.first.sentence
    if explanation.fits:
        if first:
            return ways.fits_already(first)
        return ways.fits_on_pinned() if _of_pin(explanation) else ways.nothing_gains()
    waits = awaited(explanation)
    if waits is not None:
        return await_nomination(waits.node, waits.leaving)
    if _preempting(explanation) is not None:
        return ways.preemption_helps()
    if leading is not None:
        if leading.lifts and leading.lifts[0].kind == "pair":
            return ways.two_changes(first)
        is_one = bool(leading.lifts or (leading.lowers_requests and explanation.relaxations.reductions))
        return ways.one_change(first) if is_one else first
    none = next((each for each in found if each.realism is Realism.REQUEST_NONE), None)
    if none is not None:
        return ways.lower_is_not_enough(none.details[0].sentence)
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return ways.ended_before_nodes(stopped.plugin or "PreFilter", as_reported(stopped.status))
    return ways.nothing_helps_pinned() if _of_pin(explanation) else ways.nothing_helps()
