"""What extenders answer about the nodes that passed every filter, where somebody can ask them.

Upstream: ``findNodesThatPassExtenders`` and ``prioritizeNodes`` in ``pkg/scheduler/schedule_one.go`` and
``pkg/scheduler/extender.go``, v1.34.1. An extender that does not answer here may well answer the scheduler: then its
part stays unknown, and counts as letting every node pass.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from clusters.engine.plugin import MAX_NODE_SCORE
from clusters.engine.status import Rejection, unresolvable, unschedulable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.candidates import Candidate
    from clusters.engine.configuration import Extender
    from clusters.engine.objects import Document
    from clusters.engine.status import Index, Ints

MAX_EXTENDER_SCORE: Final = 10


class Silence(enum.StrEnum):
    """Why nothing is known of what an extender would answer."""

    NOT_LISTED = "not-listed"
    """Its host is not among those that may be asked, or its address was not kept."""
    TIMED_OUT = "timed-out"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """It answered with another HTTP status than 200."""
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    TOO_MANY_VICTIMS = "too-many-victims"
    """More pods would have to be told of than Berth sends."""
    UNIDENTIFIED = "unidentified"
    """A pod that would have to be told of has no UID in the source, or is not kept by it."""


@dataclass(frozen=True, slots=True)
class FilterReply:
    """The nodes that an extender keeps, and the others with its message, those apart that removing pods cannot help.

    ``error``: it gives up on the pod, whatever else it says; empty where it does not.
    """

    kept: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    unresolvable: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class ScoreReply:
    """An extender's scores by node, of 0 to 10."""

    scores: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class NamedVictim:
    """A victim as an extender names it; ``key`` is its namespace/name, empty where no pod of the node has the UID."""

    uid: str
    key: str


@dataclass(frozen=True, slots=True)
class NamedVictims:
    """A node that an extender has for a candidate of preemption, and whose removal it takes."""

    node: str
    victims: tuple[NamedVictim, ...]
    pdb_violations: int


@dataclass(frozen=True, slots=True)
class PreemptReply:
    """The candidates of preemption that an extender leaves, each with its victims."""

    nodes: tuple[NamedVictims, ...] = ()


class Extenders(Protocol):
    """Asks extenders; ``nodes`` are names, in the order of the snapshot."""

    def filtered(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> FilterReply | Silence:
        """Ask which of the nodes an extender keeps."""

    def scored(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> ScoreReply | Silence:
        """Ask how an extender scores nodes."""

    def preempted(self, extender: Extender, pod: Document, candidates: Sequence[Candidate]) -> PreemptReply | Silence:
        """Ask what an extender leaves of the candidates for preemption."""


class Verb(enum.StrEnum):
    """What an extender was asked to do."""

    FILTER = "filter"
    PRIORITIZE = "prioritize"
    PREEMPT = "preempt"


@dataclass(frozen=True, slots=True)
class CandidateChange:
    """What an extender made of a candidate for preemption: other victims, or another number of violated budgets.

    It took away what has no ``after``, and added what has no ``before``.
    """

    node: str
    before: Candidate | None
    after: Candidate | None


@dataclass(frozen=True, slots=True)
class ExtenderCall:
    """An extender that has a say, and what came of it.

    ``asked`` nodes were sent, ``kept`` of them stay, or have a score; of candidates for preemption it may add some, and
    ``changes`` says what it changed of them. ``silence`` is None where it answered; ``error`` is what it gave up with,
    which an ignorable one may do without consequence.
    """

    extender: Extender
    verb: Verb
    asked: int
    kept: int = 0
    silence: Silence | None = None
    error: str = ""
    changes: tuple[CandidateChange, ...] = ()

    @property
    def is_answered(self) -> bool:
        return self.silence is None


@dataclass(slots=True)
class Extended:
    """What filtering extenders leave: rows that stay feasible, what rejects others, and the error that ends it all."""

    feasible: Index
    rejected: dict[int, Rejection] = field(default_factory=dict)
    calls: list[ExtenderCall] = field(default_factory=list)
    error: tuple[str, str] | None = None


def filter_by_extenders(
    extenders: Extenders, interested: Sequence[Extender], pod: Document, names: Sequence[str], feasible: Index
) -> Extended:
    """Ask extenders in turn about the feasible rows; each is asked about what those before it kept."""
    found = Extended(feasible)
    index = {name: row for row, name in enumerate(names)}
    for extender in interested:
        if not len(found.feasible):
            break
        if not extender.filter_verb:
            continue
        asked = [names[row] for row in found.feasible.tolist()]
        reply = extenders.filtered(extender, pod, asked)
        if isinstance(reply, Silence):
            found.calls.append(ExtenderCall(extender, Verb.FILTER, len(asked), silence=reply))
            continue
        error = reply.error or _unknown_node(extender, reply, asked)
        if error:
            found.calls.append(ExtenderCall(extender, Verb.FILTER, len(asked), error=error))
            if not extender.ignorable:
                found.error = (extender.address, error)
                return found
            continue
        _leave_out(found, extender, reply, index)
        found.calls.append(ExtenderCall(extender, Verb.FILTER, len(asked), len(found.feasible)))
    return found


def _unknown_node(extender: Extender, reply: FilterReply, asked: Sequence[str]) -> str:
    """The error of an extender that knows nodes by name and keeps one that it was not asked about."""
    known = frozenset(asked)
    strange = next((name for name in reply.kept if name not in known), None) if extender.node_cache_capable else None
    if strange is None:
        return ""
    return f'extender "{extender.address}" claims a filtered node "{strange}" which is not found in the input node list'


def _leave_out(found: Extended, extender: Extender, reply: FilterReply, index: Mapping[str, int]) -> None:
    kept = np.array(sorted({index[name] for name in reply.kept if name in index}), np.intp)
    # A node about which it says nothing is left out without a reason, as one that removing pods cannot help.
    for row in np.setdiff1d(found.feasible, kept).tolist():
        found.rejected[row] = Rejection(extender.address, unresolvable())
    statuses = {
        **{name: unschedulable(message) for name, message in reply.failed.items()},
        **{name: unresolvable(message) for name, message in reply.unresolvable.items()},
    }
    for name, status in statuses.items():
        row = index.get(name)
        if row is not None and row in found.rejected:
            found.rejected[row] = Rejection(extender.address, status)
    found.feasible = np.intersect1d(found.feasible, kept)


@dataclass(frozen=True, slots=True)
class ExtenderScores:
    """One extender's scores of the feasible nodes, shape (F,): raw of 0 to 10, and scaled to 0 to 100."""

    extender: Extender
    raw: Ints
    scaled: Ints


def score_by_extenders(
    extenders: Extenders, interested: Sequence[Extender], pod: Document, names: Sequence[str]
) -> tuple[list[ExtenderScores], list[ExtenderCall]]:
    """Ask extenders for scores of the feasible nodes ``names``; what one does not name has 0 of it."""
    scores: list[ExtenderScores] = []
    calls: list[ExtenderCall] = []
    index = {name: number for number, name in enumerate(names)}
    for extender in interested:
        if not extender.prioritize_verb:
            continue
        reply = extenders.scored(extender, pod, names)
        if isinstance(reply, Silence):
            calls.append(ExtenderCall(extender, Verb.PRIORITIZE, len(names), silence=reply))
            continue
        raw = np.zeros(len(names), np.int64)
        for name, score in reply.scores:
            if name in index:
                raw[index[name]] += score
        scores.append(ExtenderScores(extender, raw, raw * (MAX_NODE_SCORE // MAX_EXTENDER_SCORE)))
        named = len({name for name, _ in reply.scores} & index.keys())
        calls.append(ExtenderCall(extender, Verb.PRIORITIZE, len(names), named))
    return scores, calls
