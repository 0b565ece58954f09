"""What would make a pod fit, in sentences, by what somebody would have to do for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from clusters.engine.analysis.pins import lifts_pin
from clusters.engine.analysis.remedies import volume_remedies
from clusters.engine.relaxing.effort import Effort
from clusters.wording import lifts as words
from clusters.wording import ways
from clusters.wording.reasons import as_reported
from clusters.wording.remedies import remedy_sentence
from dashboard.presenters.decisions.preemption import CandidateView, candidate_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.relaxing.relaxations import Lift

Kind = Literal["single", "pair", "filter"]
KINDS: tuple[Kind, ...] = ("single", "pair", "filter")
# A pair of dozens of requirements is no longer advice.
MOST = 12

# What somebody would have to do, the easiest first; to request none of a resource is a detail of lower requests.
_EFFORTS = (Effort.REQUIREMENT, Effort.NODE, Effort.HEALTH, Effort.SYSTEM)


@dataclass(frozen=True, slots=True)
class LiftView:
    """One way to gain nodes; `kind` and `number` address it."""

    kind: Kind
    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Advice:
    """Ways of one sort: plain sentences, lifts that open to their nodes, and further lifts that are mere detail."""

    title: str
    sentences: tuple[str, ...] = ()
    lifts: tuple[LiftView, ...] = ()
    note: str = ""
    detail_title: str = ""
    details: tuple[LiftView, ...] = ()
    lowers_requests: bool = False


@dataclass(frozen=True, slots=True)
class RelaxationsView:
    """The ways, what is most easily done first.

    `summary` is one sentence, `preempting` the node that preemption would take, `hidden` says how many are left out;
    empty where none is.
    """

    summary: str
    preempting: CandidateView | None
    advice: tuple[Advice, ...]
    hidden: str


def lifts(explanation: Explanation, kind: Kind) -> tuple[Lift, ...]:
    """Return the engine's answers of one kind."""
    found = explanation.relaxations
    return {"single": found.singles, "pair": found.pairs, "filter": found.filters}[kind]


def relaxations(explanation: Explanation) -> RelaxationsView:
    """Present every way; none in a cluster without nodes, where nothing about the pod matters."""
    if not explanation.node_count:
        return RelaxationsView(ways.without_nodes(), None, (), "")
    found = [each for each in _advice(explanation) if each.sentences or each.lifts or each.details]
    hidden = sum(max(0, len(lifts(explanation, kind)) - MOST) for kind in KINDS)
    return RelaxationsView(
        summary=_summary(explanation, found),
        preempting=_preempting(explanation),
        advice=tuple(found),
        hidden=ways.hidden(hidden) if hidden else "",
    )


def _preempting(explanation: Explanation) -> CandidateView | None:
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None:
        return None
    return candidate_view(preemption.selected, preemption)


def _advice(explanation: Explanation) -> Iterable[Advice]:
    remedies = tuple(map(remedy_sentence, volume_remedies(explanation)))
    yield Advice(
        ways.lower_requests_title(),
        sentences=tuple(_reductions(explanation)),
        detail_title=ways.request_none_title(),
        details=_views(explanation, "single", Effort.RESOURCE),
        lowers_requests=True,
    )
    yield Advice(ways.volumes_title(), sentences=remedies)
    if not remedies or explanation.cycle.stopped_by is None:
        for effort in _EFFORTS:
            found = _views(explanation, "single", effort)
            yield Advice(ways.effort_title(effort), lifts=found, note=ways.effort_note(effort))
        yield Advice(ways.pairs_title(), lifts=_views(explanation, "pair"))
    yield Advice("", detail_title=ways.pinned_title(), details=_of_pin(explanation))
    yield Advice("", detail_title=ways.filters_title(), details=_views(explanation, "filter"))


def _reductions(explanation: Explanation) -> Iterable[str]:
    found, names = explanation.relaxations, explanation.snapshot.nodes.names
    yield from (words.reduction([each], names) for each in found.reductions)
    if found.together:
        yield words.reduction(found.together, names)


def _of_pin(explanation: Explanation) -> tuple[LiftView, ...]:
    return _views(explanation, "single", of_pin=True) + _views(explanation, "pair", of_pin=True)


def _views(
    explanation: Explanation, kind: Kind, effort: Effort | None = None, *, of_pin: bool = False
) -> tuple[LiftView, ...]:
    """Present the lifts of a kind, those of one effort or else the easiest first; those of a pin stand apart."""
    chosen = [
        (lift, LiftView(kind, number, gain(explanation, lift)))
        for number, lift in enumerate(lifts(explanation, kind)[:MOST])
        if (effort is None or lift.effort is effort) and lifts_pin(explanation, lift) is of_pin
    ]
    return tuple(view for _, view in sorted(chosen, key=lambda each: each[0].effort))


def gain(explanation: Explanation, lift: Lift) -> str:
    """Say what one way would gain."""
    return words.gain(lift, explanation.snapshot.nodes.names, fits=explanation.fits)


def _summary(explanation: Explanation, found: list[Advice]) -> str:
    leading = next((each for each in found if each.sentences or each.lifts), None)
    first = "" if leading is None else leading.sentences[0] if leading.sentences else leading.lifts[0].sentence
    if explanation.fits:
        if first:
            return ways.fits_already(first)
        return ways.fits_on_pinned() if _of_pin(explanation) else ways.nothing_gains()
    if _preempting(explanation) is not None:
        return ways.preemption_helps()
    if leading is not None:
        if leading.lifts and leading.lifts[0].kind == "pair":
            return ways.two_changes(first)
        is_one = bool(leading.lifts or (leading.lowers_requests and explanation.relaxations.reductions))
        return ways.one_change(first) if is_one else first
    if found and found[0].lowers_requests:
        return ways.lower_is_not_enough(found[0].details[0].sentence)
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return ways.ended_before_nodes(stopped.plugin or "PreFilter", as_reported(stopped.status))
    return ways.nothing_helps_pinned() if _of_pin(explanation) else ways.nothing_helps()
