"""Each group of pods as it is: its policy, its members, and how many of them have a node."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.objects import DisruptionMode, GroupTerms
from clusters.engine.podgroups.reference import POD_GROUP, WORKLOAD, PodGroupKey
from clusters.engine.versions import Gate
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.podgroups.held import HeldGroups
    from clusters.engine.podgroups.members import GroupMember
    from clusters.engine.podgroups.objects import SchedulingWorkload
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release


def schedules_groups(release: Release) -> bool:
    """Whether kube-scheduler of a release schedules gangs together, by its feature gates."""
    # From 1.37 on there is no gate of gangs alone.
    gate = Gate.GANG_SCHEDULING if Gate.GANG_SCHEDULING in release.known_gates else Gate.GENERIC_WORKLOAD
    return release.enables(gate)


class GroupPhase(enum.StrEnum):
    """How far a group of pods is, what needs somebody first."""

    GATE_OFF = "gate-off"
    NOT_FOUND = "not-found"
    WAITING_FOR_PODS = "waiting-for-pods"
    PENDING = "pending"
    PARTLY_SCHEDULED = "partly-scheduled"
    SCHEDULED = "scheduled"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class PodGroupState:
    """One group of pods.

    ``terms``: None where pods name a group that is not held. ``members``: its unfinished pods by ``namespace/name``.
    ``workload``: the Workload that it is part of, or was made for by ``template``. ``controller``: kind and name of
    what it belongs to, as the Workload, the group or its pods say. ``conditions``: what the scheduler reported of it.
    ``is_read``: the scheduler of the release schedules such groups together.
    """

    key: PodGroupKey
    terms: GroupTerms | None
    members: Mapping[str, GroupMember]
    workload: str = ""
    template: str = ""
    parent: str = ""
    controller: tuple[str, str] | None = None
    conditions: tuple[Mapping[str, Any], ...] = ()
    is_read: bool = True

    @property
    def quorum(self) -> int:
        """How many of its pods have to be scheduled together; 0 for a group that is no gang."""
        return self.terms.policy.least or 0 if self.terms else 0

    @property
    def is_gang(self) -> bool:
        """Whether it is scheduled with its least number of pods, or not at all."""
        return self.terms is not None and self.terms.policy.is_gang

    @property
    def scheduled(self) -> int:
        """How many of its pods have a node."""
        return sum(bool(member.node) for member in self.members.values())

    @property
    def pending(self) -> int:
        """How many of its pods have none."""
        return len(self.members) - self.scheduled

    @property
    def missing(self) -> int:
        """How many pods have to be created before the gang is complete."""
        return max(0, self.quorum - len(self.members))

    @property
    def is_removed_whole(self) -> bool:
        """Whether its pods can be removed all at once alone."""
        return self.terms is not None and self.terms.disruption is DisruptionMode.ALL

    @property
    def phase(self) -> GroupPhase:
        """How far it is."""
        if not self.is_read:
            return GroupPhase.GATE_OFF
        if self.terms is None:
            return GroupPhase.NOT_FOUND
        if self.missing:
            return GroupPhase.WAITING_FOR_PODS
        if not self.members:
            return GroupPhase.EMPTY
        if not self.pending:
            return GroupPhase.SCHEDULED
        return GroupPhase.PARTLY_SCHEDULED if self.scheduled >= max(1, self.quorum) else GroupPhase.PENDING


_ORDER: Final = {phase: place for place, phase in enumerate(GroupPhase)}


def pod_group_states(snapshot: Snapshot) -> tuple[PodGroupState, ...]:
    """Return every group that an object describes or a pod names, those first that need somebody.

    Groups that the release does not read are among them: the objects are there either way.
    """
    held, named = held_groups(snapshot), set(snapshot.groups.known())
    found = (_state(snapshot, held, key) for key in {*named, *_described(held, named)})
    return tuple(sorted(found, key=lambda state: (_ORDER[state.phase], state.key)))


def _described(held: HeldGroups, named: set[PodGroupKey]) -> Iterator[PodGroupKey]:
    """Yield the groups that objects describe; of Workloads' those without pods, as each replica key makes a group."""
    yield from (PodGroupKey(namespace, name) for namespace, name in held.groups)
    seen = {(key.namespace, key.workload, key.name) for key in named}
    for (namespace, workload), each in held.workloads.items():
        yield from (
            PodGroupKey(namespace, name, workload) for name in each.groups if (namespace, workload, name) not in seen
        )


def _state(snapshot: Snapshot, held: HeldGroups, key: PodGroupKey) -> PodGroupState:
    release = snapshot.release
    group = None if key.workload else held.groups.get((key.namespace, key.name))
    made = group.workload if group else None
    workload = key.workload or (made.workload if made else "")
    document = snapshot.object(*((WORKLOAD, key.workload) if key.workload else (POD_GROUP, key.name)), key.namespace)
    members = snapshot.groups.of(key)
    return PodGroupState(
        key=key,
        terms=held.terms_of(key),
        members=dict(sorted(members.items())),
        workload=workload,
        template=made.template if made else "",
        parent=group.parent if group else "",
        controller=_controller(held.workloads.get((key.namespace, workload)), document, members),
        conditions=tuple(((document or {}).get("status") or {}).get("conditions") or ()),
        is_read=bool(key.workload) == release.rules.names_groups_in_workloads and schedules_groups(release),
    )


def _controller(
    workload: SchedulingWorkload | None, document: Mapping[str, Any] | None, members: Mapping[str, GroupMember]
) -> tuple[str, str] | None:
    """What a group belongs to; of its pods only where all have one controller."""
    if workload is not None and workload.controller is not None:
        return workload.controller
    owner = None if document is None else Controller.of(document)
    if owner is not None and owner.kind != WORKLOAD:
        return owner.kind, owner.name
    owners = {Controller.of(member.document) for member in members.values()}
    common = owners.pop() if len(owners) == 1 else None
    return None if common is None else (common.kind, common.name)
