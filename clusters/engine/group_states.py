"""How far groups of pods are: those that a snapshot holds, and what keeps their pods from being scheduled."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from clusters.engine.objects import Pod
from clusters.engine.owners import Controller
from clusters.engine.status import SUCCESS, Reason, Status, unresolvable
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release
from clusters.engine.podgroups import (
    COMPOSITE,
    POD_GROUP,
    WORKLOAD,
    CompositePodGroup,
    DisruptionMode,
    GroupMember,
    GroupTerms,
    NamespacedName,
    PodGroup,
    PodGroupKey,
    SchedulingWorkload,
    is_of_api,
    schedules_groups,
)


class HeldGroups(NamedTuple):
    """Objects of scheduling.k8s.io by namespace and name."""

    workloads: Mapping[NamespacedName, SchedulingWorkload]
    groups: Mapping[NamespacedName, PodGroup]
    composites: Mapping[NamespacedName, CompositePodGroup]

    def terms_of(self, key: PodGroupKey) -> GroupTerms | None:
        """How a group is scheduled; None where the object that says it is not held."""
        if not key.workload:
            group = self.groups.get((key.namespace, key.name))
            return None if group is None else group.terms
        workload = self.workloads.get((key.namespace, key.workload))
        policy = None if workload is None else workload.groups.get(key.name)
        return None if policy is None else GroupTerms(policy)

    def lineage(self, key: PodGroupKey, *, is_nested: bool) -> tuple[PodGroup | CompositePodGroup, ...]:
        """A group that is held and, where groups nest, the composites that it is part of, upwards; () for another.

        Upstream: ``TraverseHierarchyUp`` in ``framework/preemption/util.go`` v1.37.2.
        """
        group = None if key.workload else self.groups.get((key.namespace, key.name))
        found: list[PodGroup | CompositePodGroup] = [] if group is None else [group]
        while is_nested and found and found[-1].parent and len(found) < DEEPEST:
            parent = self.composites.get((key.namespace, found[-1].parent))
            if parent is None or parent in found:
                break
            found.append(parent)
        return tuple(found)


def held_groups(snapshot: Snapshot) -> HeldGroups:
    """Return the Workloads, PodGroups and CompositePodGroups of a snapshot; read once until one of them changes."""
    return snapshot.derived(_read, WORKLOAD, POD_GROUP, COMPOSITE)


def _read(snapshot: Snapshot) -> HeldGroups:
    workloads, groups, composites = (
        [each for each in snapshot.objects(kind) if is_of_api(each)] for kind in (WORKLOAD, POD_GROUP, COMPOSITE)
    )
    return HeldGroups(
        {(each.namespace, each.name): each for each in map(SchedulingWorkload.from_dict, workloads)},
        {(each.namespace, each.name): each for each in map(PodGroup.from_dict, groups)},
        {(each.namespace, each.name): each for each in map(CompositePodGroup.from_dict, composites)},
    )


# So many levels a tree has at most (WorkloadMaxTreeDepth), the group of pods among them.
DEEPEST: Final = 4


def known_members(snapshot: Snapshot, key: PodGroupKey, queue: frozenset[str]) -> set[str]:
    """The pods of a group that a scheduler knows: those with a node, and of the others those of its own ``queue``.

    Upstream: ``addPod`` in ``eventhandlers.go`` v1.36.3 and v1.37.2; v1.35.4 knows all.
    """
    members = snapshot.groups.of(key).items()
    if key.workload:
        return {name for name, _ in members}
    return {name for name, each in members if each.node or Pod(each.document).scheduler_name in queue}


class GroupWaits(Reason, frozen=True):
    """The pod's group is not there, has too few pods, or is not scheduled."""

    kind = "group-waits"
    # GangScheduling by name: its reasons, as what the scheduler says of a whole group is told as one of them.
    plugin = "GangScheduling"

    message: str

    def __str__(self) -> str:
        return self.message


_NOT_BUILT: Final = "failed to build hierarchy snapshot"


def may_be_nested(snapshot: Snapshot, group: PodGroup | None) -> bool:
    """Whether a group is tried as part of a CompositePodGroup, or may be: an API server keeps that with the gate on."""
    gate = Gate.COMPOSITE_POD_GROUP
    is_open = snapshot.release.enables(gate) or not snapshot.release.decides(gate)
    return is_open and group is not None and bool(group.parent)


def absent_group(key: PodGroupKey, release: Release) -> Status:
    """What GangScheduling says of a pod of a group that nothing describes."""
    if release.rules.says_what_groups_lack:
        return unresolvable(_not_created(key.name))
    if release.enables(Gate.COMPOSITE_POD_GROUP):
        name = f"podgroup/{key.namespace}/{key.name}"
        return unresolvable(GroupWaits(f"{_NOT_BUILT}: pod group object not found in state for {name}"))
    if key.workload:
        return unresolvable(GroupWaits(f'pod group "{key.name}" doesn\'t exist for a workload "{key.workload}"'))
    return unresolvable(GroupWaits(f'waiting for pods\'s pod group "{key.name}" to appear in scheduling queue'))


def small_group(key: PodGroupKey, release: Release) -> Status:
    """What GangScheduling says of a pod of a gang with too few pods."""
    if release.rules.says_what_groups_lack:
        return unresolvable(GroupWaits(f"waiting for podgroup/{key.namespace}/{key.name} to meet its quorum"))
    return unresolvable(GroupWaits("waiting for minCount pods from a gang to appear in scheduling queue"))


def _not_created(group: str) -> GroupWaits:
    return GroupWaits(f'pod group "{group}" or one of its composite pod group ancestors has not been created yet')


def tree_status(snapshot: Snapshot, group: PodGroup, pod: Pod, queue: frozenset[str]) -> Status | None:
    """Whether the tree that a group is part of lets a pod enter the queue.

    None for one that has no end, and where no CompositePodGroup is held: the source has most likely left them out.
    """
    held, root = held_groups(snapshot), group.parent
    says_what_lacks = snapshot.release.rules.says_what_groups_lack
    if not held.composites:
        return None
    for _ in range(DEEPEST - 1):
        key = f"compositepodgroup/{group.namespace}/{root}"
        composite = held.composites.get((group.namespace, root))
        if composite is None and says_what_lacks:
            return unresolvable(_not_created(group.name))
        if composite is None:
            return unresolvable(GroupWaits(f"{_NOT_BUILT}: composite pod group object not found in state for {key}"))
        if not composite.parent:
            break
        root = composite.parent
    else:
        return None
    if _Tree(snapshot, held, group.namespace, pod, queue).is_ready(root, DEEPEST):
        return SUCCESS
    if not says_what_lacks:
        return unresolvable(GroupWaits(f'waiting for composite pod group "{root}" tree to meet quorum'))
    if composite.terms.policy.is_gang:
        return unresolvable(GroupWaits(f"waiting for {key} to meet its quorum"))
    return unresolvable(GroupWaits(f"waiting for {key} tree to have at least one ready child group"))


class _Tree:
    """The groups of a namespace by what they are part of."""

    def __init__(self, snapshot: Snapshot, held: HeldGroups, namespace: str, pod: Pod, queue: frozenset[str]) -> None:
        self._snapshot, self._namespace, self._pod, self._queue = snapshot, namespace, pod, queue
        self._composites = {name: each for (space, name), each in held.composites.items() if space == namespace}
        self._groups = [each for (space, _), each in held.groups.items() if space == namespace]

    def is_ready(self, composite: str, levels: int) -> bool:
        """Whether enough parts of a CompositePodGroup have their pods, so many levels down."""
        parts = [
            *(self._has_pods(each) for each in self._groups if each.parent == composite),
            *(
                levels > 1 and self.is_ready(name, levels - 1)
                for name, each in self._composites.items()
                if each.parent == composite
            ),
        ]
        return sum(parts) >= self._composites[composite].terms.policy.quorum

    def _has_pods(self, group: PodGroup) -> bool:
        members = known_members(self._snapshot, PodGroupKey(self._namespace, group.name), self._queue)
        is_own = (self._pod.spec.get("schedulingGroup") or {}).get("podGroupName") == group.name
        return len(members | ({self._pod.key} if is_own else set())) >= group.terms.policy.quorum


class GroupPhase(enum.StrEnum):
    """How far a group of pods is, what needs somebody first."""

    GATE_OFF = "gate-off"
    NOT_FOUND = "not-found"
    WAITING_FOR_PODS = "waiting-for-pods"
    PENDING = "pending"
    PARTLY_SCHEDULED = "partly-scheduled"
    SCHEDULED = "scheduled"
    EMPTY = "empty"


class GroupCounts(Struct, frozen=True):
    """How far the ``members`` of a group are, its unfinished pods by ``namespace/name``."""

    members: Mapping[str, GroupMember]

    @property
    def quorum(self) -> int:
        """How many of its pods are needed together; 0 where none are, or it is not known."""
        raise NotImplementedError

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
        """How many pods have to be created before it has all that it needs."""
        return max(0, self.quorum - len(self.members))


class PodGroupState(GroupCounts, frozen=True, kw_only=True):
    """One group of pods.

    ``terms``: None where pods name a group that is not held. ``members``: its unfinished pods by ``namespace/name``.
    ``workload``: the Workload that it is part of, or was made for by ``template``. ``controller``: kind and name of
    what it belongs to, as the Workload, the group or its pods say. ``conditions``: what the scheduler reported of it.
    ``is_read``: the scheduler of the release schedules such groups together.
    """

    key: PodGroupKey
    terms: GroupTerms | None
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
