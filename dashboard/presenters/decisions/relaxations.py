"""What would make a pod fit, for its page: the ways in their order, and what each opens to, copies or tries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.analysis import (
    KINDS,
    MOST,
    UNREALISTIC,
    LowerRequests,
    NumberedLift,
    Realism,
    lifts,
    lifts_cordon,
    lifts_pin,
    realism_of,
)
from clusters.engine.analysis import advice as every_advice
from clusters.engine.objects import labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.simulation import OneMoreNode
from clusters.wording import lifts as words
from clusters.wording import ways
from clusters.wording.advice import advice_summary, advice_title, details_title, way_sentence
from clusters.wording.circumstances import circumstance_sentences
from dashboard.presenters.decisions.preemption import CandidateView, candidate_view
from dashboard.presenters.shared.kubectl import edit_command, uncordon_command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.analysis import Advice, LiftKind, Tried, Way
    from clusters.engine.edits import Edit
    from clusters.engine.scheduling import Lift

# So many nodes are uncordoned by one command.
_MOST_UNCORDONED = 5


@dataclass(frozen=True, slots=True)
class LiftView:
    """One way to gain nodes; `kind` and `number` address it, `command` does it where kubectl can."""

    kind: LiftKind
    number: int
    sentence: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class WayView:
    """One way without nodes of its own to open; `command` does it where kubectl can."""

    sentence: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class AdviceView:
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


@dataclass(frozen=True, slots=True)
class RelaxationsView:
    """The ways, the most realistic first.

    `summary` is one sentence; `command` is what does it where kubectl can, and `like` names the node of which one more
    does. `preempting` is the node that preemption would take, `hidden` says how many are left out; empty where none is.
    `circumstances` are what is worth knowing beside the verdict.
    """

    summary: str
    preempting: CandidateView | None
    advice: tuple[AdviceView, ...]
    hidden: str
    command: str = ""
    like: str = ""
    circumstances: tuple[str, ...] = ()


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
        hidden=ways.HIDDEN(ways=hidden) if hidden else "",
        command=first.command if first is not None and is_told else "",
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
        note=ways.realism_note(advice.realism),
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
    return words.gain(lift, explanation.snapshot.nodes.names, fits=explanation.fits)
