"""What would make a pod schedulable, in the order in which it is told: the most realistic first.

Whoever tells it (page, terminal, API, review) asks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from clusters.engine.analysis.claim_remedies import claim_remedies
from clusters.engine.analysis.other_remedies import other_remedies
from clusters.engine.analysis.pins import lifts_pin
from clusters.engine.analysis.realism import Realism, realism_of, realism_of_remedy
from clusters.engine.analysis.remedies import (
    AwaitPods,
    AwaitTerminating,
    ChangeStrategy,
    DeleteStaying,
    FreeClaim,
    MovePods,
    Remedy,
)
from clusters.engine.analysis.stateful_remedies import stateful_remedies
from clusters.engine.simulation.one_more import OneMoreNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.relaxing.relaxations import Lift, Reduction

Kind = Literal["adjustment", "single", "pair", "filter"]
KINDS: tuple[Kind, ...] = ("adjustment", "single", "pair", "filter")
# A pair of dozens of requirements is no longer advice.
MOST = 12
# What has a section of its own with lifts; to request none of a resource is a detail of lower requests.
_LIFTED = (
    Realism.CORRECT,
    Realism.TOLERATE,
    Realism.LOOSEN,
    Realism.PREFER,
    Realism.CHANGE_NODE,
    Realism.REMOVE,
    Realism.REPAIR_NODE,
    Realism.CONTROL_PLANE,
)
# So many sizes of nodes are named of which one more would take the pod.
_MOST_NODES = 3


@dataclass(frozen=True, slots=True)
class NumberedLift:
    """A lift, and where it stands among those of its kind."""

    kind: Kind
    number: int
    lift: Lift


@dataclass(frozen=True, slots=True)
class LowerRequests:
    """Requests that would do, of one resource or of several together."""

    reduced: tuple[Reduction, ...]


Tried = OneMoreNode | MovePods
Way = Remedy | OneMoreNode | LowerRequests | NumberedLift


@dataclass(frozen=True, slots=True)
class Advice:
    """Ways of one sort; ``details`` are lifts that nobody would be told of first."""

    realism: Realism
    ways: tuple[Way, ...] = ()
    details: tuple[NumberedLift, ...] = ()


def lifts(explanation: Explanation, kind: Kind) -> tuple[Lift, ...]:
    """Return the engine's answers of one kind."""
    found = explanation.relaxations
    match kind:
        case "adjustment":
            return found.adjustments
        case "single":
            return found.singles
        case "pair":
            return found.pairs
        case "filter":
            return found.filters


def remedies_of(explanation: Explanation) -> list[Remedy]:
    """Return what somebody could do about claims, nodes and other pods; each is told once."""
    found = [*claim_remedies(explanation), *other_remedies(explanation), *stateful_remedies(explanation)]
    held = {pod for each in found if isinstance(each, ChangeStrategy | DeleteStaying) for pod in each.pods}
    awaited = {pod for each in found if isinstance(each, AwaitPods) for pod in each.pods}
    return [
        each
        for each in found
        if not (isinstance(each, FreeClaim) and held.issuperset(each.pods))
        and not (isinstance(each, AwaitTerminating) and awaited.issuperset(each.pods))
    ]


def advice(
    explanation: Explanation, tried: Sequence[Tried] = (), needed: Mapping[str, int] | None = None
) -> list[Advice]:
    """Return every way, the most realistic first; none in a cluster without nodes.

    ``tried`` are nodes of which one more would take the pod, and pods that could go elsewhere; ``needed`` is what it
    would request by what is used.
    """
    if not explanation.node_count:
        return []
    found = sorted(_advice(explanation, tried, needed or {}), key=lambda each: each.realism)
    return [each for each in found if each.ways or each.details]


def _advice(explanation: Explanation, tried: Sequence[Tried], needed: Mapping[str, int]) -> Iterable[Advice]:
    remedies = sorted(remedies_of(explanation), key=realism_of_remedy)
    moves = tuple(each for each in tried if isinstance(each, MovePods))
    more = [each for each in tried if isinstance(each, OneMoreNode)]
    for realism, alike in groupby(remedies, key=realism_of_remedy):
        yield Advice(realism, tuple(alike))
    # Of each pool the smallest: its other zones are no other advice.
    pools = {each.pool or each.like: each for each in reversed(more)}
    yield Advice(Realism.ADD_NODE, tuple(pools.values())[::-1][:_MOST_NODES])
    yield Advice(Realism.MOVE_PODS, moves)
    yield _lower_requests(explanation, needed)
    # Where claims end the cycle, nothing else has been looked at.
    if not remedies or explanation.cycle.stopped_by is None:
        for realism in _LIFTED:
            yield Advice(realism, tuple(_lifts(explanation, ("adjustment", "single"), realism)))
        yield Advice(Realism.TWO_CHANGES, tuple(_lifts(explanation, ("pair",))))
    yield Advice(Realism.UNWANTED, details=tuple(_lifts(explanation, ("single", "pair"), of_pin=True)))
    yield Advice(Realism.UNWANTED, details=tuple(_lifts(explanation, ("filter",))))


def _lower_requests(explanation: Explanation, needed: Mapping[str, int]) -> Advice:
    found = explanation.relaxations
    ways = tuple(LowerRequests(each) for each in (*((each,) for each in found.reductions), found.together) if each)
    is_unused = any(is_enough(each.reduced, needed) for each in ways)
    realism = Realism.LOWER_UNUSED if is_unused else Realism.LOWER if ways else Realism.REQUEST_NONE
    return Advice(realism, ways, tuple(_lifts(explanation, ("single",), Realism.REQUEST_NONE)))


def is_enough(reduced: Iterable[Reduction], needed: Mapping[str, int]) -> bool:
    """Whether usage shows of each of some lower requests that it is enough; not where there are none."""
    told = [each.resource in needed and needed[each.resource] <= each.fitting for each in reduced]
    return bool(told) and all(told)


def _lifts(
    explanation: Explanation, kinds: Iterable[Kind], realism: Realism | None = None, *, of_pin: bool = False
) -> Iterator[NumberedLift]:
    """Yield the lifts of some kinds, those of one sort or else the easiest first; those of a pin stand apart."""
    for kind in kinds:
        chosen = [
            NumberedLift(kind, number, lift)
            for number, lift in enumerate(lifts(explanation, kind)[:MOST])
            if (realism is None or realism_of(lift.lifted) is realism) and lifts_pin(explanation, lift) is of_pin
        ]
        yield from sorted(chosen, key=lambda each: each.lift.effort)
