"""Preemption in words: whether it is tried, where it would help, whom it would cost, and which node is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import NOT_STARTED
from clusters.wording.amounts import counted, grouped

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.preemption import Candidate, Preemption

_SHOWN_VICTIMS = 5

_LATEST = "its most important victims started last"
# In the order of Candidate.preference().
_CRITERIA = (
    "it breaks the fewest disruption budgets",
    "its most important victim has the lowest priority",
    "the priorities of its victims add up to the least",
    "it has the fewest victims",
    _LATEST,
    "its name comes first; among equals the scheduler picks at random",
)


@dataclass(frozen=True, slots=True)
class Victim:
    """A pod that would have to go."""

    namespace: str
    name: str
    priority: str


@dataclass(frozen=True, slots=True)
class CandidateView:
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


@dataclass(frozen=True, slots=True)
class PreemptionView:
    """What there is to say; `message` is the scheduler's own, empty where preemption would help."""

    sentence: str
    why: str
    message: str
    note: str


def preemption(explanation: Explanation) -> PreemptionView | None:
    """Present the answer; None for a pod that fits, or a profile that does not preempt."""
    found = explanation.preemption
    if found is None:
        return None
    selected = found.selected
    if not found.eligible:
        return PreemptionView("Preemption is not tried for this pod.", "", found.message, "")
    if selected is None:
        return PreemptionView("Removing pods of lower priority would not make room anywhere.", "", found.message, "")
    victims = counted(len(selected.victims), "pod", "pods")
    others = len(found.candidates) - 1
    elsewhere = f" It would also help on {counted(others, 'other node', 'other nodes')}." if others else ""
    return PreemptionView(
        sentence=f"Removing {victims} of lower priority from {selected.node} would make room.{elsewhere}",
        why=f"{selected.node} would be taken because {_criterion(found)}." if others else "",
        message="",
        note=_note(found),
    )


def _criterion(found: Preemption) -> str:
    """Name the first criterion by which the selected candidate beats the next best."""
    first, second = sorted(candidate.preference() for candidate in found.candidates)[:2]
    return next(words for words, mine, theirs in zip(_CRITERIA, first, second, strict=True) if mine != theirs)


def _note(found: Preemption) -> str:
    if found.sample >= found.potential_nodes:
        return ""
    return (
        f"The scheduler tries {grouped(found.sample)} or more of the {grouped(found.potential_nodes)} nodes where "
        "removing pods might help, from a random one on; here all are tried, so it may take another of these nodes."
    )


def ranked(found: Preemption) -> list[Candidate]:
    """Return the candidates in the scheduler's order of preference."""
    return sorted(found.candidates, key=lambda candidate: candidate.preference())


def candidate_view(candidate: Candidate, found: Preemption) -> CandidateView:
    """Present one candidate with its most important victims."""
    shown = zip(candidate.victims[:_SHOWN_VICTIMS], candidate.priorities, strict=False)
    return CandidateView(
        node=candidate.node,
        victims=tuple(_victim(key, priority) for key, priority in shown),
        more=max(0, len(candidate.victims) - _SHOWN_VICTIMS),
        count=counted(len(candidate.victims), "victim", "victims"),
        violations=grouped(candidate.pdb_violations),
        is_selected=candidate == found.selected,
        started=_started(candidate) if len(found.candidates) > 1 and _criterion(found) == _LATEST else "",
    )


def _started(candidate: Candidate) -> str:
    if candidate.earliest_start == NOT_STARTED:
        return "of the highest priority: not started yet"
    digits = f"{candidate.earliest_start:014d}"
    date, time = (digits[:4], digits[4:6], digits[6:8]), (digits[8:10], digits[10:12], digits[12:14])
    return f"of the highest priority: started {'-'.join(date)} {':'.join(time)} UTC"


def _victim(key: str, priority: int) -> Victim:
    namespace, _, name = key.partition("/")
    return Victim(namespace, name, grouped(priority))
