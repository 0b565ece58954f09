"""One step of a simulation in words, and where on the way the telling steps are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.simulation import MOVE_COST, STAYED, AwaitsOrdinal, Outcome
from clusters.engine.status import tells_failed_binding
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.runs import steps as words
from clusters.wording.states import NEEDS_FORCE, UNSCHEDULABLE
from dashboard.pictures.cluster import Highlight
from dashboard.presenters.decisions.page import judged
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.simulation import Step
    from dashboard.pictures.cluster import HighlightLook

# A pod got no node, or was refused: what somebody who looks for failures wants to see next.
FAILURES = frozenset({Outcome.UNSCHEDULABLE, Outcome.FORBIDDEN, Outcome.NOT_COMPUTED, *STAYED})
# What has a mark over the slider.
TELLING = FAILURES | {Outcome.PREEMPTED, Outcome.EVICTED, Outcome.DELETED}

_BADGES = {
    Outcome.PLACED: (words.PLACED, "good"),
    Outcome.UNSCHEDULABLE: (words.UNSCHEDULABLE, "bad"),
    Outcome.GATED: (words.GATED, ""),
    Outcome.FORBIDDEN: (words.FORBIDDEN, "bad"),
    Outcome.NOT_COMPUTED: (words.NOT_COMPUTED, "warn"),
    Outcome.PREEMPTED: (words.PREEMPTED, "warn"),
    Outcome.EVICTED: (words.EVICTED, "warn"),
    Outcome.DELETED: (words.DELETED, "warn"),
    Outcome.TERMINATED: (words.TERMINATED, ""),
    Outcome.REFUSED: (words.REFUSED, "warn"),
    Outcome.HELD: (NEEDS_FORCE, "warn"),
    Outcome.COMPLETED: (words.COMPLETED, ""),
}
_LOOKS: dict[Outcome, HighlightLook] = {
    Outcome.PLACED: "placed",
    Outcome.UNSCHEDULABLE: "nominated",
    Outcome.REFUSED: "kept",
    Outcome.HELD: "kept",
}
_GONE = {
    Outcome.DELETED: words.deleted,
    Outcome.TERMINATED: words.terminated,
    Outcome.COMPLETED: words.completed,
}
_UNCERTAIN = (words.PLACED_UNCERTAIN, "uncertain")
# So many marks are drawn over the slider; more would run together.
_MOST_MARKS = 400
_NODES_NAMED = 5
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60))


@dataclass(frozen=True, slots=True)
class StepView:
    """A step: its number in words, what happened, and whether it can be explained."""

    number: int
    shown: str
    badge: tuple[str, str]
    sentence: str
    message: str
    at: str
    is_decision: bool


def step_view(step: Step) -> StepView:
    """Present one step."""
    word, kind = _UNCERTAIN if step.uncertain else _BADGES[step.outcome]
    return StepView(
        number=step.number,
        shown=grouped(step.number + 1),
        badge=(str(word), kind),
        sentence=step_sentence(step),
        message="" if step.outcome in (Outcome.PLACED, Outcome.COMPLETED) else words.message_of(step),
        at=after(step.at) if step.at else "",
        is_decision=step.is_decision,
    )


def highlight(step: Step) -> Highlight | None:
    """Return what a step is about on the picture of the cluster after it; None where that is no node."""
    return Highlight(step.node, step.pod, _LOOKS.get(step.outcome, "left")) if step.node else None


def step_verdict(step: Step, explanation: Explanation) -> tuple[str, str, str | None]:
    """Return the verdict on the pod of a step: its token, its word, and the scheduler's message.

    They are those of the explanation, which ends before the pod is bound, unless binding failed.
    """
    if tells_failed_binding(step.message):
        return "rejected", str(UNSCHEDULABLE), step.message
    return *judged(explanation), explanation.message


def step_sentence(step: Step) -> str:
    """Say what happened in a step, and how long a pod that has to go still terminates."""
    said = _happened(step)
    return " ".join((said, words.TERMINATES(seconds=step.grace))) if step.grace else said


def _happened(step: Step) -> str:
    match step.outcome:
        case Outcome.PLACED:
            return " ".join(_placed(step))
        case Outcome.UNSCHEDULABLE if tells_failed_binding(step.message):
            return words.CLAIM_REFUSED(pod=step.pod)
        case Outcome.UNSCHEDULABLE:
            said = words.unschedulable(pod=step.pod, nodes=step.looked_at, plugins=step.plugins)
            return " ".join((said, _nominated(step))) if step.node else said
        case Outcome.GATED:
            return words.gated(step.pod)
        case Outcome.NOT_COMPUTED:
            return " ".join((words.NOT_PLACED(pod=step.pod), failures.what(step.by)))
        case Outcome.FORBIDDEN:
            waits = isinstance(step.problem, AwaitsOrdinal)
            return words.NOT_CREATED_YET(pod=step.pod) if waits else words.forbidden(step.pod)
        case Outcome.PREEMPTED:
            return words.preempted(pod=step.pod, node=step.node, preemptor=step.by)
        case Outcome.EVICTED:
            return _evicted(step)
        case Outcome.REFUSED:
            return words.refused(pod=step.pod, node=step.node)
        case Outcome.HELD:
            return words.HELD(pod=step.pod, node=step.node)
        case Outcome.DELETED | Outcome.TERMINATED | Outcome.COMPLETED:
            return _GONE[step.outcome](pod=step.pod, node=step.node)


def kept_rooms(explanation: Explanation) -> list[str]:
    """Say which nodes are out only because pods that are nominated there count as running on them."""
    world = explanation.cycle.nominated_world
    rows = [] if world is None else list(dict.fromkeys(world.rows.tolist()))
    kept = [row for row in rows if explanation.decided_by_nominated(row)]
    names = explanation.snapshot.nodes.names
    sentences = [
        words.kept_for_nominated(node=names[row], pods=explanation.nominated_on(row)) for row in kept[:_NODES_NAMED]
    ]
    more = len(kept) - len(sentences)
    return [*sentences, words.KEPT_ON_MORE(nodes=more)] if more > 0 else sentences


def search_sentence(step: Step) -> str:
    """Say how far the search for a node went, which is known of a simulation whether it samples or not."""
    return words.SEARCHED(nodes=step.looked_at, feasible=step.feasible)


def _placed(step: Step) -> list[str]:
    said = [words.placed(pod=step.pod, node=step.node, feasible=step.feasible, points=step.total)]
    if step.feasible > 1 and step.ties > 1:
        said.append(words.TIE(nodes=step.ties))
    if step.uncertain:
        said.append(uncertain_sentence(step.uncertain))
    return said


def _nominated(step: Step) -> str:
    if step.waits is None:
        return words.NOMINATED(node=step.node)
    return words.nominated_and_waits(node=step.node, seconds=step.waits.seconds, victims=step.waits.victims)


def _evicted(step: Step) -> str:
    if not step.by and step.total is not None:
        return words.MOVED(pod=step.pod, node=step.node, points=step.total, cost=MOVE_COST)
    if not step.by:
        return words.evicted(pod=step.pod, node=step.node)
    if ":" in step.by or "=" in step.by:
        return words.EVICTED_BY_TAINT(pod=step.pod, node=step.node, taint=step.by)
    if "/" in step.by:
        return words.EVICTED_FOR_POD(pod=step.pod, node=step.node, other=step.by)
    return words.EVICTED_BY_DRAIN(pod=step.pod, node=step.node, drained=step.by)


def after(nanoseconds: int) -> str:
    """Write how long after the beginning something happened, in the two largest units."""
    seconds = nanoseconds // 1_000_000_000
    parts = []
    for unit, length in _UNITS:
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(f"{grouped(number)} {unit}")
    if seconds or not parts:
        parts.append(f"{seconds} s")
    return " ".join(parts[:2])


def marks(steps: Sequence[Step]) -> list[tuple[float, str]]:
    """Return where telling steps stand, in percent of the way, with the word for their colour."""
    last = max(1, len(steps) - 1)
    found = [(round(100 * step.number / last, 2), step.outcome.value) for step in steps if step.outcome in TELLING]
    stride = max(1, len(found) // _MOST_MARKS)
    return found[::stride]


def neighbours(steps: Iterable[Step], number: int) -> tuple[int | None, int | None]:
    """Return the failures before and after a step; None where there is none."""
    before, following = None, None
    for step in steps:
        if step.outcome not in FAILURES:
            continue
        if step.number < number:
            before = step.number
        elif step.number > number:
            following = step.number
            break
    return before, following
