"""Which remedy is told first: the one that somebody is most likely to take, with the reason why."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from clusters.engine.analysis.remedies import (
    AwaitDeletion,
    AwaitEphemeral,
    AwaitNodes,
    AwaitPods,
    AwaitTerminating,
    ChangeStrategy,
    DeleteStaying,
    MovePods,
    ReplaceOutdated,
)

# PodTopologySpread by name: a constraint can be corrected or loosened instead of removed.
from clusters.engine.plugins.pod_topology_spread import AdjustedSpreadSubject

# TaintToleration by name: to tolerate what a pool is reserved with is another thing to do than to require less.
from clusters.engine.plugins.taint_toleration import TaintSubject
from clusters.engine.registry import effort_of
from clusters.engine.relaxing.effort import Effort

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.analysis.remedies import Remedy
    from clusters.engine.plugin import Constraint


class Realism(enum.IntEnum):
    """What somebody would do for a pending pod, the most realistic first; each says why it stands where it does."""

    AWAIT_PREEMPTION = 0
    """The scheduler makes room already: whatever is changed now comes after it."""
    AWAIT = 1
    """What the pod lacks is on its way: pods or objects that are about to end or to come."""
    CORRECT = 2
    """A spread constraint counts nodes that the pod cannot go to, or more domains than there are."""
    UNBLOCK = 3
    """The update of its own workload waits for the pod, and the pod for the update."""
    PROVIDE = 4
    """The pod names an object that is missing or not ready, and no node takes it before that is repaired."""
    ADD_NODE = 5
    """It changes no workload and takes nothing from anybody, and is what a cluster that is full lacks."""
    LOWER_UNUSED = 6
    """Usage shows that the pods do not use what they request."""
    TOLERATE = 7
    """One line of the manifest; but who reserved the nodes has a say."""
    LOOSEN = 8
    """The wish stays, and is enforced less strictly."""
    PREFER = 9
    """The wish stays, as a preference: the pod runs where it would rather not."""
    CHANGE_NODE = 10
    """The nodes are well, but somebody cordoned them or set their limit on purpose."""
    LOWER = 11
    """Nothing shows that the pod gets by with less."""
    REMOVE = 12
    """What the pod requires is mostly what it needs: a selector, a port, a volume's zone."""
    MOVE_PODS = 13
    """Other workloads' pods are restarted for it; it is tried for a pod by itself, so that lists never lead with it."""
    REPAIR_NODE = 14
    """A node that is ill has to be well first; to tolerate that helps no pod."""
    CONTROL_PLANE = 15
    """Other pods there can slow down the whole cluster."""
    TWO_CHANGES = 16
    """Two things at once, each of which does nothing alone."""
    REQUEST_NONE = 17
    """Few pods run without what they request."""
    UNWANTED = 18
    """A DaemonSet makes its pod for one node, and another one has its own."""


# From here on a change is hard enough that another one is told first, however many pods it would free.
UNREALISTIC: Final = Realism.REPAIR_NODE

_OF_EFFORT: Final = {
    Effort.NODE: Realism.CHANGE_NODE,
    Effort.HEALTH: Realism.REPAIR_NODE,
    Effort.SYSTEM: Realism.CONTROL_PLANE,
    Effort.RESOURCE: Realism.REQUEST_NONE,
}


def realism_of(lifted: Iterable[Constraint]) -> Realism:
    """How realistic it is to lift requirements, all of them together."""
    each = [_of_constraint(constraint) for constraint in lifted]
    hardest = max(each)
    return max(hardest, Realism.TWO_CHANGES) if len(each) > 1 else hardest


def realism_of_remedy(remedy: Remedy) -> Realism:
    """How realistic it is to do something about claims, nodes or other pods."""
    if isinstance(remedy, AwaitDeletion | AwaitEphemeral | AwaitNodes | AwaitPods | AwaitTerminating):
        return Realism.AWAIT
    if isinstance(remedy, MovePods):
        return Realism.MOVE_PODS
    is_update = isinstance(remedy, ChangeStrategy | DeleteStaying | ReplaceOutdated)
    return Realism.UNBLOCK if is_update else Realism.PROVIDE


def _of_constraint(constraint: Constraint) -> Realism:
    effort = effort_of(constraint)
    if effort is not Effort.REQUIREMENT:
        return _OF_EFFORT[effort]
    if isinstance(constraint.subject, AdjustedSpreadSubject):
        is_loosened = constraint.subject.adjusted.max_skew > constraint.subject.constraint.max_skew
        return Realism.LOOSEN if is_loosened else Realism.CORRECT
    if isinstance(constraint.subject, TaintSubject):
        return Realism.TOLERATE
    may_prefer = constraint.subject is not None and constraint.subject.may_prefer
    return Realism.PREFER if may_prefer else Realism.REMOVE
