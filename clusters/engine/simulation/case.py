"""A simulation: how large it may be, what it begins with, and what happens in it, one thing after another.

The same case always takes the same steps; case and steps are the whole of a run.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from clusters.engine.configuration.problems import NoScheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.engine.snapshot import Snapshot

# How large a simulation may be.

MOST_CHANGES: Final = 200
# Nodes that are added, all changes together.
MOST_NODES: Final = 20_000
MOST_REPLICAS: Final = 50_000
# Pods that are to be placed, all changes together.
MOST_WANTED: Final = 50_000


# What it begins with.


def copied_again(namespace: str, controller: str, number: int) -> str:
    """Name the pod that a controller makes in place of one that is gone, so that it is seen to be such a pod."""
    return f"{controller}-again-{number}"


class Origin(StrEnum):
    """Why a pod is wanted: the question brings it, it lost its node to the question, or it was pending before."""

    ADDED = "added"
    DISPLACED = "displaced"
    PENDING_BEFORE = "pending_before"


class Wanted(Struct, frozen=True):
    """A pod that is to be placed: when it arrives, and when it leaves, in nanoseconds from the beginning.

    A pod leaves ``until`` whether or not it was placed; None: it stays.
    """

    pod: Document
    at: int = 0
    until: int | None = None
    origin: Origin = Origin.ADDED


class Case(Struct, frozen=True):
    """The inputs of a simulation.

    ``snapshot`` is the cluster after all changes that happen at once; the simulation works on a copy. ``wanted``
    are the pods to be placed; those of one time in the order in which they enter the queue. ``drained`` are nodes
    that are cordoned, then drained by eviction, one after another and each as far as budgets allow before the next;
    pods that were pending before arrive after that. ``unreachable`` are nodes that stop reporting at time 0,
    ``not_ready`` nodes that report not to be ready from time 0 on.
    ``samples``: whether the search for nodes ends early as the scheduler's does
    (percentageOfNodesToScore, from a start that rotates, zones in turn), or looks at every node. ``seed`` decides
    among equally good nodes where the release takes any. ``placed``: documents of the pods on nodes from the beginning,
    by ``namespace/name``, for the copies that controllers make of those that have to go; what is missing there does not
    come back.
    ``replaced``: pods that came in the place of others before the beginning, by those, both as ``namespace/name``.
    ``admits_pods``: whether pods that are created have to keep the snapshot's LimitRanges and are charged in its
    quotas, whose status says what is used; otherwise pods to which a quota applies are uncertain. ``orders_ordinals``:
    whether added pods of a StatefulSet with the policy OrderedReady are created only once those before have nodes.
    ``is_graceful``: whether pods that are deleted take their grace period, if the case has times.
    ``leaving``: when pods leave that are on nodes from the beginning, by ``namespace/name``, in nanoseconds.
    ``replaces``: whether controllers make pods in place of those that had to go, and Jobs fail of them.
    ``preferred``: which of equally good nodes is taken, by ``namespace/name``, whatever the seed.
    ``copy_name``: what the pod is called that a controller makes, the so many-th, by namespace, controller and number.
    """

    snapshot: Snapshot
    configuration: SchedulerConfiguration
    wanted: Sequence[Wanted] = ()
    drained: Sequence[str] = ()
    unreachable: Sequence[str] = ()
    not_ready: Sequence[str] = ()
    samples: bool = False
    seed: int = 0
    placed: Mapping[str, Document] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    admits_pods: bool = False
    orders_ordinals: bool = False
    is_graceful: bool = False
    leaving: Mapping[str, int] = field(default_factory=dict)
    replaces: bool = True
    preferred: Mapping[str, str] = field(default_factory=dict)
    copy_name: Callable[[str, str, int], str] = copied_again

    @property
    def has_times(self) -> bool:
        """Whether things happen at more than one time."""
        is_timed = any(each.at or each.until is not None for each in self.wanted)
        return is_timed or bool(self.unreachable or self.not_ready or self.leaving)


# What happens in it.


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


class VictimsWait(Struct, frozen=True):
    """How long a preemptor waits: ``seconds`` at most, the longest grace period of so many ``victims``."""

    seconds: int
    victims: int


class Step(Struct, frozen=True):
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
