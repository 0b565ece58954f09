"""Following a scheduler's searches: where each began, which nodes it looked at, and whether it explains the choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.sampling import sampling_of
from clusters.engine.searching.attempts import SearchCourse, bound, refused
from clusters.engine.searching.orders import NodeOrders
from clusters.engine.searching.starts import ODD, SearchStarts, is_narrow
from clusters.engine.searching.walks import Walks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Node
    from clusters.engine.searching.starts import Attempt
    from clusters.engine.status import Index, Mask

# So much evidence proves that the scheduler has the nodes in one of the orders that are followed. It is bounded, so
# that a scheduler that starts anew and has them in another order is noticed soon, and one that is followed again, too.
_PROVES = ODD
_LEAST_EVIDENCE, _MOST_EVIDENCE = -ODD, 4 * ODD


@dataclass(frozen=True, slots=True)
class LookedAt:
    """How many nodes a search looked at: ``likely`` at so many, and ``possibly`` at others up to so many.

    It began at the node ``first``, at ``last``, or at one between them in the order of the search.
    """

    first: str
    last: str
    likely: int
    possibly: int


@dataclass(frozen=True, slots=True)
class SearchFinding:
    """What is known of the search that chose a node.

    It began in one of ``places`` places of ``nodes``, by the decisions before; ``is_expected``: the choice was to be
    expected from one of them, and then ``looked_at`` says what follows. ``is_followed``: the choices before are so much
    likelier from where their searches began than from anywhere that the order of the nodes is right.
    """

    places: int
    nodes: int
    is_expected: bool
    is_followed: bool
    looked_at: LookedAt | None

    @property
    def is_proof(self) -> bool:
        """Whether the choice follows from where the search began, which hardly any other choice would."""
        return self.is_followed and self.is_expected and is_narrow(self.places, self.nodes)


@dataclass(frozen=True, slots=True)
class HeardAttempt:
    """An attempt, the starts that were possible before it, and what is known of its search, if it chose a node."""

    before: SearchStarts
    attempt: Attempt
    finding: SearchFinding | None = None


@dataclass(frozen=True, slots=True)
class FollowedState:
    """What a follower knows: the orders of the nodes, as ``NodeOrders.told`` has them, the starts, and the evidence.

    ``evidence``: how much likelier the choices are from these starts than from any, as a logarithm.
    """

    heard: tuple[str, ...]
    numbers: tuple[int, int, int]
    starts: SearchStarts
    evidence: float


class SearchFollower:
    """The starts of one scheduler, as its decisions are heard, in the order in which it took them."""

    def __init__(self, parallelism: int, *, is_told_by_name: bool = True) -> None:
        """Begin with nothing known; ``parallelism`` is that of the scheduler's configuration.

        ``is_told_by_name``: whether a scheduler that starts is told of the nodes by name, and not in any order.
        """
        self._numbers = [1 << power for power in range(parallelism.bit_length())]
        self._orders = NodeOrders(is_told_by_name=is_told_by_name)
        self._starts: SearchStarts | None = None
        self._evidence = 0.0

    @property
    def state(self) -> FollowedState | None:
        """What another follower of the same scheduler can go on from; None where nothing is known."""
        return None if self._starts is None else FollowedState(*self._orders.told, self._starts, self._evidence)

    def resume(self, state: FollowedState) -> None:
        """Go on from what another follower knew, after the same decisions."""
        self._orders.go_on(state.heard, state.numbers)
        self._starts, self._evidence = state.starts, state.evidence

    def hear(self, explanation: Explanation, node: str | None) -> HeardAttempt | None:
        """Read what it says that a pod was bound to a node, or to one that the explanation does not allow (None).

        Where all nodes are looked at it says nothing.
        """
        if _is_complete(explanation):
            return None
        courses, starts = self._courses(explanation.snapshot.nodes.nodes)
        attempt = bound(explanation, node, starts, courses)
        is_sampled = len(explanation.cycle.feasible) > explanation.sampling.wanted and not explanation.takes_nominated
        if node is None or not is_sampled:
            return HeardAttempt(starts, attempt)
        expecting = starts.expecting(attempt)
        places = int(starts.kept.any(axis=0).sum())
        looked_at = _looked_at(explanation, courses, starts, expecting) if expecting.any() else None
        finding = SearchFinding(
            places=places,
            nodes=starts.nodes,
            is_expected=bool(expecting.any()),
            is_followed=self._evidence >= _PROVES,
            looked_at=looked_at,
        )
        return HeardAttempt(starts, attempt, finding)

    def hear_refusal(self, explanation: Explanation) -> HeardAttempt | None:
        """Read what it says that a pod was refused, if anything."""
        if _is_complete(explanation):
            return None
        courses, starts = self._courses(explanation.snapshot.nodes.nodes)
        return HeardAttempt(starts, refused(explanation, len(courses)))

    def take(self, heard: HeardAttempt) -> None:
        """Go on to where the search after an attempt can begin."""
        self._starts = heard.before.after(heard.attempt, together=len(self._numbers))
        if heard.finding is not None:
            evidence = self._evidence + heard.before.evidence(heard.attempt)
            self._evidence = min(max(evidence, _LEAST_EVIDENCE), _MOST_EVIDENCE)

    def lose(self) -> None:
        """Forget all: there were decisions of which nothing is known, or the scheduler is another one."""
        self._starts = None

    def _courses(self, nodes: Sequence[Node]) -> tuple[list[SearchCourse], SearchStarts]:
        known, kinds = self._orders.of(nodes), len(self._numbers)
        courses = [SearchCourse(order, workers) for order in known.orders for workers in self._numbers]
        if self._starts is None:
            return courses, SearchStarts.anywhere(len(courses), len(nodes))
        rows = [kinds * source + number for source in known.sources for number in range(kinds)]
        self._starts = self._starts.among(rows, len(nodes))
        return courses, self._starts


def _is_complete(explanation: Explanation) -> bool:
    """Whether the scheduler looks at all nodes in any case, and so ends where it began."""
    return sampling_of(explanation.profile, explanation.node_count).complete


def _looked_at(
    explanation: Explanation, courses: Sequence[SearchCourse], starts: SearchStarts, expecting: Mask
) -> LookedAt:
    """What searches that explain a choice have looked at, by the order of nodes that explains it best."""
    best = int(np.argmin(np.where(expecting, starts.surprises, np.inf).min(axis=1)))
    order = courses[best].order
    count, wanted = len(order), explanation.sampling.wanted
    fits = np.isin(order, explanation.cycle.feasible)
    everywhere = np.zeros(count, np.intp)
    surely, possibly, searches = everywhere, everywhere, 0
    for course, expected in zip(courses, expecting, strict=True):
        if course.order is order and expected.any():
            found, walks = np.flatnonzero(expected), Walks.of(fits, wanted, course.workers)
            surely = surely + _covered(found, walks.surely[found], count)
            possibly = possibly + _covered(found, walks.at_most[found], count)
            searches += len(found)
    places = np.flatnonzero(expecting[[each.order is order for each in courses]].any(axis=0))
    names = explanation.snapshot.nodes.names
    first, last = _arc(places, count)
    return LookedAt(
        first=names[int(order[first])],
        last=names[int(order[last])],
        likely=int((surely == searches).sum()),
        possibly=int((possibly > 0).sum()),
    )


def _covered(starts: Index, lengths: Index, count: int) -> Index:
    """How many of some walks look at each place, shape (N,)."""
    steps = np.zeros(2 * count + 1, np.intp)
    np.add.at(steps, starts, 1)
    np.add.at(steps, starts + lengths, -1)
    covered = np.cumsum(steps)
    twice: Index = covered[:count] + covered[count : 2 * count]
    return twice


def _arc(places: Index, count: int) -> tuple[int, int]:
    """The first and the last of some places, on the shortest way round that has them all."""
    gaps = np.diff(places, append=places[0] + count)
    widest = int(gaps.argmax())
    return int(places[(widest + 1) % len(places)]), int(places[widest])
