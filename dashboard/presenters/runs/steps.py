"""One step of a simulation in words, and where on the way the telling steps are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.simulation import Outcome
from clusters.engine.simulation.steps import STAYED
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses
from dashboard.presenters.shared import failures
from dashboard.presenters.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.simulation import Step

# What somebody who looks for trouble wants to see next.
TELLING = frozenset({Outcome.UNSCHEDULABLE, Outcome.NOT_COMPUTED, Outcome.PREEMPTED, Outcome.EVICTED, *STAYED})
# Steps at which an attempt was made, which can be explained.
DECIDED = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE})

_BADGES = {
    Outcome.PLACED: ("placed", "good"),
    Outcome.UNSCHEDULABLE: ("left over", "bad"),
    Outcome.GATED: ("gated", ""),
    Outcome.NOT_COMPUTED: ("could not be computed", "warn"),
    Outcome.PREEMPTED: ("preempted", "warn"),
    Outcome.EVICTED: ("evicted", "warn"),
    Outcome.REFUSED: ("not evicted", "warn"),
    Outcome.HELD: ("drain does not begin", "warn"),
    Outcome.LEFT: ("left", ""),
}
_UNCERTAIN = ("placed, uncertain", "uncertain")
# So many marks are drawn over the slider; more would run together.
_MOST_MARKS = 400
_ROOMS_TOLD, _PODS_TOLD = 5, 3
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
    return StepView(
        number=step.number,
        shown=grouped(step.number + 1),
        badge=_UNCERTAIN if step.uncertain else _BADGES[step.outcome],
        sentence=step_sentence(step),
        message="" if step.outcome in (Outcome.PLACED, Outcome.LEFT) else step.message,
        at=after(step.at) if step.at else "",
        is_decision=step.outcome in DECIDED,
    )


def step_sentence(step: Step) -> str:
    """Say what happened in a step."""
    match step.outcome:
        case Outcome.PLACED:
            open_ = f" That is uncertain: {uncertainty_clauses(step.uncertain)}." if step.uncertain else ""
            return f"{step.pod} is placed on {step.node}{_among(step)}.{open_}"
        case Outcome.UNSCHEDULABLE:
            room = f" Room is made for it on {step.node}." if step.node else ""
            why = f": {listed(list(step.plugins))} {'reject' if len(step.plugins) > 1 else 'rejects'} it" * bool(
                step.plugins
            )
            return f"{step.pod} fits on none of {counted(step.looked_at, 'node', 'nodes')}{why}.{room}"
        case Outcome.GATED:
            return f"{step.pod} is held back by its scheduling gates."
        case Outcome.NOT_COMPUTED:
            return f"{step.pod} is not placed. {failures.what(step.by)}"
        case Outcome.PREEMPTED:
            return f"{step.pod} has to leave {step.node} for {step.by}."
        case Outcome.EVICTED:
            return f"{step.pod} is evicted from {step.node}{_because(step.by)}."
        case Outcome.REFUSED:
            return f"The eviction of {step.pod} from {step.node} is refused."
        case Outcome.HELD:
            return f"The drain of {step.node} does not begin without --force: nothing controls {step.pod}."
        case Outcome.LEFT:
            where = f" {step.node}" if step.node else " without having been placed"
            return f"{step.pod} has run its time and leaves{where}."


def kept_rooms(explanation: Explanation) -> list[str]:
    """Say which nodes are out only because their room is kept for pods that are nominated there."""
    world = explanation.cycle.nominated_world
    rows = [] if world is None else list(dict.fromkeys(world.rows.tolist()))
    kept = [row for row in rows if explanation.decided_by_nominated(row)]
    names = explanation.snapshot.nodes.names
    sentences = [
        f"The room on {names[row]} is kept for {listed(_few(explanation.nominated_on(row)))}, which made it."
        for row in kept[:_ROOMS_TOLD]
    ]
    more = len(kept) - len(sentences)
    return [*sentences, f"So it is on {counted(more, 'more node', 'more nodes')}."] if more > 0 else sentences


def search_sentence(step: Step) -> str:
    """Say how far the search for a node went, which is known of a simulation whether it samples or not."""
    return f"The search looked at {counted(step.looked_at, 'node', 'nodes')}; {grouped(step.feasible)} fit."


def _few(pods: Sequence[str]) -> list[str]:
    beyond = len(pods) - _PODS_TOLD
    return [*pods[:_PODS_TOLD], f"{grouped(beyond)} more"] if beyond > 0 else list(pods)


def _among(step: Step) -> str:
    if step.feasible <= 1:
        return ", the only node that fits" if step.feasible == 1 else ""
    tie = f", drawn by the seed among {grouped(step.ties)} equals" if step.ties > 1 else ""
    points = f" with {counted(step.total, 'point', 'points')}" if step.total is not None else ""
    return f"{points}, the best of {counted(step.feasible, 'node', 'nodes')} that fit{tie}"


def _because(by: str) -> str:
    if not by:
        return ""
    return f" by the taint {by}" if ":" in by or "=" in by else f" for the drain of {by}"


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
    """Return the telling steps before and after one; None where there is none."""
    before, following = None, None
    for step in steps:
        if step.outcome not in TELLING:
            continue
        if step.number < number:
            before = step.number
        elif step.number > number:
            following = step.number
            break
    return before, following
