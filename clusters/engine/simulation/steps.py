"""What happens in a simulation, one thing after another; together with the case it is the whole of a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from clusters.engine.configuration.problems import NoScheduler

if TYPE_CHECKING:
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.problems import Problem


class Outcome(StrEnum):
    """What a step did to its pod."""

    PLACED = "placed"
    UNSCHEDULABLE = "unschedulable"
    GATED = "gated"
    # The API server refused to create it: it does not exist.
    FORBIDDEN = "forbidden"
    # The attempt failed: the pod stays without a node, and is not tried again.
    NOT_COMPUTED = "not-computed"
    PREEMPTED = "preempted"
    EVICTED = "evicted"
    # An eviction that budgets refused: the pod stays where it is.
    REFUSED = "refused"
    # A pod on account of which kubectl does not begin the drain of its node.
    HELD = "held"
    # A pod that its Job deleted, as it failed.
    DELETED = "deleted"
    # The end of a pod that was preempted, evicted or deleted before.
    TERMINATED = "terminated"
    # A pod whose time was over.
    COMPLETED = "completed"


# What an attempt to schedule a pod ends with.
_DECISIONS = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE})
# After these a pod is where it was.
STAYED = frozenset({Outcome.REFUSED, Outcome.HELD})
# They say nothing of what becomes of a pod that no other step says.
ASIDE = STAYED | {Outcome.TERMINATED}


@dataclass(frozen=True, slots=True)
class VictimsWait:
    """How long a preemptor waits: ``seconds`` at most, the longest grace period of so many ``victims``."""

    seconds: int
    victims: int


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened: ``number`` counts from 0, ``at`` is in nanoseconds from the beginning.

    ``node``: where the pod was placed, nominated (an unschedulable pod for which others make room), or lay before it
    went. Of an attempt to place it: ``feasible`` nodes among ``looked_at`` ones, the highest ``total``, on how many
    nodes (``ties``), ``plugins`` that rejected it; of a pod that moves to a better node, its ``total`` on the one that
    it leaves. ``message`` is the scheduler's, why an eviction was refused, or the error of an attempt that could not be
    computed; ``problem`` is what keeps a pod from a node where no scheduler has a message for it, such as a quota's
    refusal, or why its Job makes none in its place. ``by``: the pod that preempted it or that it moves for, the node
    that was drained for it, the taint that drove it out, or the reference of that error. ``uncertain``: what could have
    kept a pod that was placed from its node and is not computed. ``waits``: how long an unschedulable pod that is
    nominated would wait for its victims. ``grace``: for how many seconds a pod that has to go still terminates on its
    node; 0: it is gone at once.
    """

    number: int
    at: int
    outcome: Outcome
    pod: str
    node: str = ""
    total: int | None = None
    ties: int = 0
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()
    message: str = ""
    by: str = ""
    uncertain: tuple[Uncertainty, ...] = ()
    problem: Problem | None = None
    waits: VictimsWait | None = None
    grace: int = 0

    @property
    def is_decision(self) -> bool:
        """Whether kube-scheduler decided about the pod, so that the decision can be computed again."""
        return self.outcome in _DECISIONS and not isinstance(self.problem, NoScheduler)
