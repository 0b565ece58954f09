"""What would make a pod fit, in sentences, by what somebody would have to do for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from clusters.engine.analysis.pins import lifts_pin
from clusters.engine.analysis.remedies import volume_remedies
from clusters.engine.relaxing.relaxations import Effort
from clusters.wording import lifts as words
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

_LESS = "Asking for less"
_PINNED = "If its DaemonSet had not made it for one node"
_TITLES = {
    Effort.REQUIREMENT: "Requiring less",
    Effort.NODE: "Changing a node",
    Effort.HEALTH: "Mending a node",
    Effort.SYSTEM: "Using nodes of the control plane",
}
_NOTES = {
    Effort.HEALTH: "The node is unhealthy, which is what these taints say. It takes pods again once it is well; "
    "tolerating the taint would place the pod there as it is.",
    Effort.SYSTEM: "These nodes are kept for the control plane; other pods there can slow down the whole cluster.",
}


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


@dataclass(frozen=True, slots=True)
class RelaxationsView:
    """The ways, what is most easily done first.

    `summary` is one sentence, `preempting` the node that preemption would take, `hidden` says how many are left out.
    """

    summary: str
    preempting: CandidateView | None
    advice: tuple[Advice, ...]
    hidden: int


def lifts(explanation: Explanation, kind: Kind) -> tuple[Lift, ...]:
    """Return the engine's answers of one kind."""
    found = explanation.relaxations
    return {"single": found.singles, "pair": found.pairs, "filter": found.filters}[kind]


def relaxations(explanation: Explanation) -> RelaxationsView:
    """Present every way; none in a cluster without nodes, where nothing about the pod matters."""
    if not explanation.node_count:
        return RelaxationsView("Upload the nodes too: nothing about the pod itself would help.", None, (), 0)
    found = [each for each in _advice(explanation) if each.sentences or each.lifts or each.details]
    return RelaxationsView(
        summary=_summary(explanation, found),
        preempting=_preempting(explanation),
        advice=tuple(found),
        hidden=sum(max(0, len(lifts(explanation, kind)) - MOST) for kind in KINDS),
    )


def _preempting(explanation: Explanation) -> CandidateView | None:
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None:
        return None
    return candidate_view(preemption.selected, preemption)


def _advice(explanation: Explanation) -> Iterable[Advice]:
    remedies = tuple(map(remedy_sentence, volume_remedies(explanation)))
    yield Advice(
        _LESS,
        sentences=tuple(_reductions(explanation)),
        detail_title="Asking for nothing of a resource",
        details=_views(explanation, "single", Effort.RESOURCE),
    )
    yield Advice("What its volumes need", sentences=remedies)
    if not remedies or explanation.cycle.stopped_by is None:
        for effort, title in _TITLES.items():
            yield Advice(title, lifts=_views(explanation, "single", effort), note=_NOTES.get(effort, ""))
        yield Advice("Two changes together", lifts=_views(explanation, "pair"))
    yield Advice("", detail_title=_PINNED, details=_of_pin(explanation))
    yield Advice("", detail_title="If a whole filter let every node pass", details=_views(explanation, "filter"))


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
        if not first:
            if _of_pin(explanation):
                return "It fits on the node that its DaemonSet made it for, and is meant for no other."
            return "No requirement of the pod, lifted by itself, would gain a node."
        return f"It fits already. One change would gain more nodes. {first}"
    if _preempting(explanation) is not None:
        return "Nothing has to change: preemption would make room."
    if leading is not None:
        if leading.lifts and leading.lifts[0].kind == "pair":
            return f"No single change is enough, but two together are. {first}"
        is_one = bool(leading.lifts or (leading.title == _LESS and explanation.relaxations.reductions))
        return f"One change is enough. {first}" if is_one else first
    if found and found[0].title == _LESS:
        return f"Asking for less is not enough. {found[0].details[0].sentence}"
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return f"What {stopped.plugin or 'PreFilter'} says comes before all else: {as_reported(stopped.status)}."
    if _of_pin(explanation):
        return "No change that was tried would make it fit on the node that its DaemonSet made it for."
    return "Neither a single change nor any two that were tried together would make it fit anywhere."
