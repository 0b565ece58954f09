"""When the NoExecute taints that a node has now evict one of its pods.

Upstream: ``processPodOnNode`` of ``pkg/controller/tainteviction`` v1.34.1. The controller counts from the moment at
which it sees the taints. Once an eviction is planned, further taints do not change its time, be theirs shorter or
longer: only a taint that is not tolerated evicts at once, and taints that are all tolerated for ever cancel the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusters.engine.disruption.taint_eviction import TaintStay, taint_stay, tolerated_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Document


@dataclass(frozen=True, slots=True)
class TimedTaint:
    """A taint NoExecute; ``added``: seconds since the epoch, None where the node does not say."""

    taint: Taint
    added: int | None


@dataclass(frozen=True, slots=True)
class PlannedEviction:
    """A pod's eviction ``seconds`` after ``start`` (seconds since the epoch; None where that is not known).

    ``taint`` decides. ``overruled``: a taint that came later, tolerated for so short that it would evict sooner, were
    the plan made anew.
    """

    taint: Taint
    start: int | None
    seconds: int
    is_tolerated: bool
    overruled: Taint | None = None

    @property
    def at(self) -> int | None:
        """When the pod is deleted, in seconds since the epoch."""
        return None if self.start is None else self.start + self.seconds


def taint_stays(taints: Sequence[TimedTaint], tolerations: Sequence[Document]) -> list[TaintStay]:
    """How long a pod with these tolerations stays on account of each taint by itself."""
    return [taint_stay(each.taint, tolerations) for each in taints]


def planned_eviction(
    taints: Sequence[TimedTaint], tolerations: Sequence[Document], *, since: int = 0
) -> PlannedEviction | None:
    """What the controller plans for a pod with these tolerations; None where it may stay for ever.

    ``since``: when the pod came to the node, in seconds since the epoch; it counts for taints that were there before.
    Taints that are gone again are not known here, so that a plan made for them, which would go on, is not either.
    Where a time is missing, all taints count as having come together.
    """
    times = [max(since, each.added) for each in taints if each.added is not None]
    if len(times) < len(taints):
        return _decided([each.taint for each in taints], tolerations, None)
    plan: PlannedEviction | None = None
    for moment in sorted(set(times)):
        if plan is not None and plan.at is not None and plan.at <= moment:
            break
        there = [each.taint for each in taints if each.added is not None and each.added <= moment]
        decided = _decided(there, tolerations, moment)
        if decided is None or not decided.is_tolerated or plan is None:
            plan = decided
            if decided is not None and not decided.is_tolerated:
                break
        elif plan.at is not None and moment + decided.seconds < plan.at:
            plan = replace(plan, overruled=decided.taint)
    return plan


def _decided(taints: Sequence[Taint], tolerations: Sequence[Document], start: int | None) -> PlannedEviction | None:
    """What follows from taints that are seen together: one that is not tolerated, else the shortest toleration."""
    stays = [taint_stay(taint, tolerations) for taint in taints]
    refused = next((stay for stay in stays if not stay.is_tolerated), None)
    if refused is not None:
        return PlannedEviction(refused.taint, start, 0, is_tolerated=False)
    shortest = tolerated_seconds(taints, tolerations)
    if shortest is None:
        return None
    decisive = next(stay.taint for stay in stays if stay.seconds == shortest)
    return PlannedEviction(decisive, start, shortest, is_tolerated=True)
