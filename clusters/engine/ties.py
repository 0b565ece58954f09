"""Which of several nodes with the highest total kube-scheduler takes.

Upstream: ``selectHost`` of ``pkg/scheduler/schedule_one.go`` v1.34.1 draws one at random. From 1.35 on
(``newSortedNodeScores`` there, v1.35.4; ``framework/sorted_nodes.go`` v1.37.2) the nodes that a search found become a
heap, in the order in which they were found, and its root is taken. That is the first node of the search wherever that
is among the best, as several workers seldom change which node is found first.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.configuration.interest import interested_extenders
from clusters.engine.search_order import SearchOrder

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.cycle import Cycle
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Pod
    from clusters.engine.status import Mask
    from clusters.engine.versions import Release


class TieBreak(enum.StrEnum):
    """How one of equally good nodes is taken: by a random number, or as the first that the search found."""

    RANDOM = "random"
    FIRST_FOUND = "first-found"


@dataclass(frozen=True, slots=True)
class Tie:
    """Several nodes have the highest total.

    ``likely``: the row that is taken nearly always; None where that follows from no rule, or depends on where the
    search starts. ``is_start_known``: whether that is known, and not assumed to be the first node in the order.
    """

    by: TieBreak
    likely: int | None = None
    is_start_known: bool = False


def takes_first(release: Release, profile: Profile, pod: Pod, considered: Mask) -> bool:
    """Whether the first node of those that a search found is taken, and not a random one.

    An extender that is asked about the pod, also one that scores nothing, brings a random number for each node. Nodes
    that PreFilter names are searched in random order.
    """
    is_ruled = release.rules.takes_first_found and bool(considered.all())
    return is_ruled and not interested_extenders(profile, pod)


def first_found(cycle: Cycle, order: SearchOrder) -> int | None:
    """The row that is taken of the best of a cycle by a search from the start of ``order``; None for any of them."""
    best = cycle.choices
    if len(best) < 2 or not takes_first(cycle.snapshot.release, cycle.profile, cycle.context.pod, cycle.considered):
        return None
    if len(cycle.snapshot.nodes) != len(order):
        # Only the nodes of one placement of a group are searched.
        order = SearchOrder(cycle.snapshot.nodes, start=order.start)
    return order.first(best, cycle.feasible)


def first_row(cycle: Cycle) -> int:
    """The row that is taken of a cycle's best by a search from the first node; where any may be, the first by name."""
    row = first_found(cycle, SearchOrder(cycle.snapshot.nodes))
    return int(cycle.choices[0]) if row is None else row


def tie_of(explanation: Explanation) -> Tie | None:
    """How one of several best nodes is taken; None where one alone is the best, or none at all."""
    cycle = explanation.cycle
    if len(cycle.choices) < 2:
        return None
    if not takes_first(explanation.snapshot.release, explanation.profile, explanation.pod, cycle.considered):
        return Tie(TieBreak.RANDOM)
    is_known = cycle.search_start is not None
    if not is_known and len(cycle.feasible) > explanation.sampling.wanted:
        return Tie(TieBreak.FIRST_FOUND)
    order = SearchOrder(explanation.snapshot.nodes, start=cycle.search_start or 0)
    return Tie(TieBreak.FIRST_FOUND, first_found(cycle, order), is_known)


def likely_row(explanation: Explanation) -> int | None:
    """The row of the node that is taken, or nearly always is; None where any of several may be, or there is none."""
    rows, tie = explanation.cycle.choices, tie_of(explanation)
    if tie is not None:
        return tie.likely
    return int(rows[0]) if len(rows) else None
