"""What an attempt to schedule a group of pods comes to, and what is said of it."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.status import Code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.podgroups import (
        PodGroupKey,
    )
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index


class GroupVerdict(enum.StrEnum):
    """What an attempt to schedule a group ends with."""

    SCHEDULED = "scheduled"
    """It has as many pods as it needs: those with a node are bound."""
    UNSCHEDULABLE = "unschedulable"
    PREEMPTS = "preempts"
    """It is scheduled once the victims are gone (from 1.36)."""
    WAITS_ON_PERMIT = "waits-on-permit"
    """Its pods keep their nodes for some minutes, until there are enough of them or they are rejected (1.35)."""
    GATED = "gated"
    """A pod of it is kept out of the queue, and with it the whole group (from 1.37)."""
    ERROR = "error"
    UNCERTAIN = "uncertain"


class MemberAttempt(Struct, frozen=True):
    """One pod of a group, as ``namespace/name``: the node that it would take, or why it takes none.

    ``is_reached``: the attempt had not ended before its turn; ``is_error``: it ended it with an error. Of ``looked_at``
    nodes so many were ``feasible``, of which ``ties`` had the highest ``total`` (None where nothing was scored).
    ``plugins`` rejected nodes.
    """

    pod: str
    node: str = ""
    refusal: str = ""
    is_reached: bool = True
    is_error: bool = False
    total: int | None = None
    ties: int = 0
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()


class PlacementAttempt(Struct, frozen=True):
    """A topology domain that a group was tried in: how many ``nodes`` it has, and what came of it.

    ``found`` pods of the group have a node there or find one. ``is_feasible``: they are enough; ``message``: what is
    said where they are not. ``score``: by which the best of several is taken, None where nothing was compared.
    """

    domain: str
    nodes: int
    found: int
    is_feasible: bool
    message: str = ""
    score: int | None = None


class GroupAttempt(Struct, frozen=True, eq=False):
    """What an attempt to schedule the group of a pod comes to.

    ``least``: how many pods have to be scheduled together; None for a group with the basic policy. ``existing``: how
    many there are, of which ``scheduled`` have had a node before. ``members``: those that wait, in the order in which
    they are tried. ``message``: what the scheduler says of the group, ``found_message`` of each pod that has found a
    node and does not get it, ``unreached_message`` of those that the attempt does not come to. ``is_open``: something
    that is not computed could change what becomes of the group. ``snapshot``: the cluster as that pod finds it, and
    ``least``: how many pods have to be scheduled together; None for a group with the basic policy. ``existing``: how
    many there are, of which ``scheduled`` have had a node before. ``members``: those that wait, in the order in which
    they are tried. ``message``: what the scheduler says of the group, ``found_message`` of each pod that has found a
    node and does not get it, ``unreached_message`` of those that the attempt does not come to. ``is_open``: something
    that is not computed could change what becomes of the group. ``snapshot``: the cluster as that pod finds it, and
    ``rows`` the nodes that it is tried on, None for all. ``is_invalid``: the error is that pods or groups are unlike.
    ``held_back``: the first other pod of the group that is kept out of the queue. ``victims`` have to go for the
    group, whose pods are nominated for the nodes that they would take then, ``nominations``. ``domain``: the topology
    domain that all its pods go to, where it asks for one; ``placements``: those that were tried; ``is_random``: of
    equally good ones it is chance which is taken, ``tells_of_any``: and where none takes the group, which is told of.
    ``composite``: the CompositePodGroup with which the group is tried, where that is uncertain the one it names; empty
    for a group that is tried by itself.
    """

    key: PodGroupKey
    pod: str
    least: int | None
    existing: int
    scheduled: int
    verdict: GroupVerdict
    snapshot: Snapshot
    rows: Index | None = None
    is_invalid: bool = False
    members: tuple[MemberAttempt, ...] = ()
    message: str = ""
    found_message: str = ""
    unreached_message: str = ""
    is_open: bool = False
    held_back: str = ""
    victims: tuple[str, ...] = ()
    nominations: Mapping[str, str] = {}
    domain: str = ""
    placements: tuple[PlacementAttempt, ...] = ()
    is_random: bool = False
    tells_of_any: bool = False
    composite: str = ""

    @property
    def is_blocking(self) -> bool:
        """Whether no pod of the group gets a node, whatever it finds."""
        return self.verdict not in (GroupVerdict.SCHEDULED, GroupVerdict.UNCERTAIN)

    @property
    def found(self) -> int:
        """How many pods of the group have a node, or find one."""
        return self.scheduled + sum(bool(each.node) for each in self.members)

    @property
    def own(self) -> MemberAttempt | None:
        """The turn of the pod that the attempt is about; None where nobody was tried."""
        return next((each for each in self.members if each.pod == self.pod), None)

    @property
    def reason(self) -> str:
        """Of the condition that the scheduler gives the group."""
        match self.verdict:
            case GroupVerdict.SCHEDULED:
                return "Scheduled"
            case GroupVerdict.ERROR:
                is_told_apart = self.is_invalid and self.snapshot.release.rules.says_what_groups_lack
                return "PodGroupError" if is_told_apart else "SchedulerError"
            case _:
                return "Unschedulable"

    @property
    def speaks_for_pod(self) -> bool:
        """Whether the pod is told of its group, whatever nodes say of it: the attempt ended before its turn."""
        own = self.own
        return self.verdict is GroupVerdict.ERROR or (self.is_blocking and own is not None and not own.is_reached)

    @property
    def pod_message(self) -> str:
        """What the scheduler says of the pod that the attempt is about, unless no node takes it."""
        return self.found_message if self.own is None else self.message_of(self.own)

    def message_of(self, member: MemberAttempt) -> str:
        """What the scheduler says of a pod of the group that does not get a node."""
        if self.verdict is GroupVerdict.ERROR and not member.is_error:
            return self.found_message
        if not member.is_reached:
            return self.unreached_message
        return member.refusal or self.found_message

    @property
    def refused(self) -> tuple[MemberAttempt, ...]:
        """The pods that were tried and find no node."""
        return tuple(each for each in self.members if each.is_reached and not each.node)

    def as_recorded(self) -> Mapping[str, Any]:
        """In the shape in which what kube-scheduler did with a group is recorded; what is chance counts as uncertain.

        Keys as ``expectGroup`` in ``tests/data/oracle/README.md``.
        """
        if self.verdict is GroupVerdict.UNCERTAIN or self.is_random:
            return {**NOTHING_TRIED, "entity": str(GroupVerdict.UNCERTAIN)}
        if self.verdict is GroupVerdict.GATED:
            return NOTHING_TRIED
        is_scheduled = self.verdict is GroupVerdict.SCHEDULED
        pods: dict[str, dict[str, str]] = {}
        for each in self.members:
            is_bound = is_scheduled and bool(each.node)
            pods[each.pod] = {"node": each.node} if is_bound else {"message": self.message_of(each)}
            if each.pod in self.nominations:
                pods[each.pod]["nominated"] = self.nominations[each.pod]
        condition = {"status": str(is_scheduled), "reason": self.reason}
        if not is_scheduled:
            condition["message"] = self.message
        return {"entity": "group", "pods": pods, "victims": sorted(self.victims), "condition": condition}


NOTHING_TRIED: Final[Mapping[str, Any]] = {"entity": "none", "pods": {}, "victims": []}


# What kube-scheduler says of the pods of a group that is not scheduled.
#
# Upstream: ``schedule_one_podgroup.go`` and ``plugins/gangscheduling`` of v1.35.4, v1.36.3 and v1.37.2, and
# ``framework/preemption/podgrouppreemption.go`` of v1.37.2.

UNSCHEDULABLE: Final = "pod group is unschedulable"
WAITS_ON_PERMIT: Final = "waiting for minCount pods from a gang to be waiting on permit"
WAITS_TO_BE_SCHEDULED: Final = "waiting for minCount pods from a gang to be scheduled"
WAITS_FOR_PREEMPTION: Final = "pod group is waiting for preemption to complete"
NEVER_PREEMPTS: Final = "not eligible due to preemptionPolicy=Never."
NO_VICTIMS: Final = "No preemption victims found for incoming preemptor"
ONGOING: Final = "ongoing preemption on nominated nodes"
NO_PLACEMENTS: Final = "no feasible placements found"
NOMINATED_TAKES_NONE: Final = "nominated placement is feasible but no pending pod was scheduled"
NONE_SCHEDULED: Final = "no pods were schedulable"
NOTHING_PREPARED: Final = "not found"
CLAIMS_FREED: Final = "deallocation and deletion of ResourceClaims completed"


class GroupStatus(Struct, frozen=True):
    """How far a group is: ``code`` and ``reasons`` as the scheduler has them.

    ``is_waiting``: the pods that are left can still be enough. ``is_of_group``: that the group is unschedulable stands
    before its reasons, and alone where no reason is asked for. ``is_of_plugin``: it is what a plugin said, which the
    pods are told as it is.
    """

    code: Code = Code.SUCCESS
    reasons: tuple[str, ...] = ()
    is_waiting: bool = False
    is_of_group: bool = False
    is_of_plugin: bool = False

    @property
    def message(self) -> str:
        """All that is said."""
        return ", ".join((UNSCHEDULABLE, *self.reasons) if self.is_of_group else self.reasons)

    @property
    def error(self) -> str:
        """What is said of it in another message."""
        return UNSCHEDULABLE if self.is_of_group else self.message


def unschedulable(*reasons: str, is_of_group: bool = True) -> GroupStatus:
    """The status of a group that cannot be scheduled for these reasons."""
    return GroupStatus(Code.UNSCHEDULABLE, reasons, is_of_group=is_of_group)


def failed(message: str) -> GroupStatus:
    """The status of a group whose attempt ended in an error."""
    return GroupStatus(Code.ERROR, (message,))
