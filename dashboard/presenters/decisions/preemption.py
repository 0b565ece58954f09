"""Preemption in words: whether it is tried, where it would help, whom it would cost, and which node is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import NOT_STARTED
from clusters.engine.scheduling import leaving_victims
from clusters.wording.amounts import grouped
from clusters.wording.decisions import preemption as words

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.scheduling import Candidate, Preemption
    from clusters.engine.snapshot import Snapshot

_SHOWN_VICTIMS = 5
_SHOWN_CHANGES = 20


@dataclass(frozen=True, slots=True)
class Victim:
    """A pod that would have to go, or is going already."""

    namespace: str
    name: str
    priority: str
    is_leaving: bool


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
    selected, changes = found.selected, tuple(words.change_sentences(found))
    is_choice = found.eligible and selected is not None and len(found.candidates) > 1
    return PreemptionView(
        sentence=words.headline(found),
        why=words.selected_because(selected.node, _criterion(found)) if is_choice and selected is not None else "",
        message=found.message if not found.eligible or selected is None else "",
        note=words.sampled(found) if found.eligible and selected is not None else "",
        changes=changes[:_SHOWN_CHANGES],
        more=words.MORE_CHANGES(nodes=len(changes) - _SHOWN_CHANGES) if len(changes) > _SHOWN_CHANGES else "",
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
        count=words.VICTIMS(victims=len(candidate.victims)),
        violations=grouped(candidate.pdb_violations),
        is_selected=candidate == found.selected,
        started=_started(candidate) if len(found.candidates) > 1 and _criterion(found) == words.STARTED_LAST else "",
    )


def _started(candidate: Candidate) -> str:
    if candidate.earliest_start == NOT_STARTED:
        return str(words.NOT_STARTED)
    digits = f"{candidate.earliest_start:014d}"
    date, time = (digits[:4], digits[4:6], digits[6:8]), (digits[8:10], digits[10:12], digits[12:14])
    return words.STARTED(moment=f"{'-'.join(date)} {':'.join(time)}")


def _victim(key: str, priority: int, *, is_leaving: bool) -> Victim:
    namespace, _, name = key.partition("/")
    return Victim(namespace, name, grouped(priority), is_leaving)
