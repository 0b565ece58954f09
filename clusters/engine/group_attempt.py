"""What an attempt to schedule a group of pods comes to."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.snapshot import Snapshot


class GroupVerdict(enum.StrEnum):
    """What an attempt to schedule a group ends with."""

    SCHEDULED = "scheduled"
    """It has as many pods as it needs: those with a node are bound."""
    UNSCHEDULABLE = "unschedulable"
    PREEMPTS = "preempts"
    """It is scheduled once the victims are gone (from 1.37)."""
    WAITS_ON_PERMIT = "waits-on-permit"
    """Its pods keep their nodes for some minutes, until there are enough of them or they are rejected (1.35)."""
    GATED = "gated"
    """A pod of it is kept out of the queue, and with it the whole group (from 1.37)."""
    ERROR = "error"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class MemberAttempt:
    """One pod of a group, as ``namespace/name``: the node that it would take, or why it takes none.

    ``is_reached``: the attempt had not ended before its turn. Of ``looked_at`` nodes so many were ``feasible``, of
    which ``ties`` had the highest ``total`` (None where nothing was scored). ``plugins`` rejected nodes.
    """

    pod: str
    node: str = ""
    refusal: str = ""
    is_reached: bool = True
    total: int | None = None
    ties: int = 0
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GroupAttempt:
    """What an attempt to schedule the group of a pod comes to.

    ``least``: how many pods have to be scheduled together; None for a group with the basic policy. ``existing``: how
    many there are, of which ``scheduled`` have had a node before. ``members``: those that wait, in the order in which
    they are tried. ``message``: what the scheduler says of the group, ``found_message`` of each pod that has found a
    node and does not get it, ``unreached_message`` of those that the attempt does not come to. ``is_open``: something
    that is not computed could change what becomes of the group. ``snapshot``: the cluster as that pod finds it.
    ``held_back``: the first other pod of the group that is kept out of the queue. ``victims`` have to go for the group.
    ``domain``: the topology domain that all its pods go to, where it asks for one; the cluster is that domain then.
    ``composite``: the CompositePodGroup with which the group is tried, which is not computed; empty for any other.
    """

    key: PodGroupKey
    pod: str
    least: int | None
    existing: int
    scheduled: int
    verdict: GroupVerdict
    snapshot: Snapshot
    members: tuple[MemberAttempt, ...] = ()
    message: str = ""
    found_message: str = ""
    unreached_message: str = ""
    is_open: bool = False
    held_back: str = ""
    victims: tuple[str, ...] = ()
    domain: str = ""
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
    def status(self) -> str:
        """What is said of the group before preemption is asked."""
        return self.unreached_message or self.message

    @property
    def pod_message(self) -> str:
        """What the scheduler says of the pod that the attempt is about, unless no node takes it."""
        own = next((each for each in self.members if each.pod == self.pod), None)
        return self.found_message if own is None else self.message_of(own)

    def message_of(self, member: MemberAttempt) -> str:
        """What the scheduler says of a pod of the group that does not get a node."""
        if not member.is_reached:
            return self.unreached_message
        return member.refusal or self.found_message

    @property
    def refused(self) -> tuple[MemberAttempt, ...]:
        """The pods that were tried and find no node."""
        return tuple(each for each in self.members if each.is_reached and not each.node)
