"""Groups of pods that are scheduled together: Workloads and PodGroups of ``scheduling.k8s.io``, and who is of a group.

In 1.35 a pod names a Workload and one of the pod groups in it (``spec.workloadRef``), from 1.36 a PodGroup
(``spec.schedulingGroup``)."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from clusters.engine.objects import Document, Pod, name_of, namespace_of
from clusters.engine.versions import Gate, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


# Workloads, PodGroups and CompositePodGroups as small typed values.
#
# Upstream: ``k8s.io/api/scheduling`` v1alpha1 (v0.35.4), v1alpha2 (v0.36.3), v1alpha3 and v1beta1 (v0.37.2,
# v0.38.0-beta.0). Objects of v1alpha2 are expected in the shape of v1beta1, as the mirror keeps them.

API_GROUP: Final = "scheduling.k8s.io"


def is_of_api(document: Document) -> bool:
    """Whether an object is of Kubernetes' own API: the coscheduling plugin has another kind called PodGroup."""
    version = str(document.get("apiVersion") or "")
    return not version or version.partition("/")[0] == API_GROUP


class DisruptionMode(enum.StrEnum):
    """Whether the pods of a group can be removed one by one, or all of them alone."""

    SINGLE = "single"
    ALL = "all"


class GroupPolicy(Struct, frozen=True):
    """How a group is scheduled: ``least`` members together, or with the basic policy (None) each when it can.

    Members are pods, or those of a CompositePodGroup, which are groups.
    """

    least: int | None = None

    @property
    def is_gang(self) -> bool:
        """Whether the group is scheduled with its least number of members, or not at all."""
        return self.least is not None

    @property
    def quorum(self) -> int:
        """How many members have to be scheduled for the group to count as scheduled."""
        return 1 if self.least is None else self.least


class GroupTerms(Struct, frozen=True):
    """What groups and the templates of groups have in common.

    ``topology_keys``: labels of nodes; all pods of the group go where the first has one value. ``is_constrained``: it
    has scheduling constraints, be they empty. ``disruption``: None where it is not said, which counts as single.
    ``priority``: None where nobody resolved it. ``preempts``: whether it may take the place of pods with a lower
    priority, None where it is not said.
    """

    policy: GroupPolicy = GroupPolicy()
    topology_keys: tuple[str, ...] = ()
    is_constrained: bool = False
    disruption: DisruptionMode | None = None
    priority_class: str = ""
    priority: int | None = None
    preempts: bool | None = None
    claims: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any], least: str = "minCount") -> GroupTerms:
        """Read the fields of a spec or template; ``least``: the name of the policy's number."""
        topology = (fields.get("schedulingConstraints") or {}).get("topology") or ()
        priority, mode = fields.get("priority"), fields.get("disruptionMode")
        return cls(
            policy=_policy(fields.get("schedulingPolicy"), least),
            topology_keys=tuple(str(each.get("key") or "") for each in topology),
            is_constrained=fields.get("schedulingConstraints") is not None,
            disruption=None if not mode else DisruptionMode.ALL if "all" in mode else DisruptionMode.SINGLE,
            priority_class=str(fields.get("priorityClassName") or ""),
            priority=None if priority is None else int(priority),
            preempts=fields["preemptionPolicy"] != "Never" if fields.get("preemptionPolicy") else None,
            claims=tuple(str(each.get("name") or "") for each in fields.get("resourceClaims") or ()),
        )


def _policy(fields: Mapping[str, Any] | None, least: str) -> GroupPolicy:
    gang = (fields or {}).get("gang")
    return GroupPolicy(None if gang is None else int(gang.get(least) or 0))


class WorkloadReference(Struct, frozen=True):
    """The Workload that a group was made for, and the template in it."""

    workload: str
    template: str

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any] | None) -> WorkloadReference | None:
        """Read a ``workloadRef``; None where there is none."""
        if not fields:
            return None
        return cls(str(fields.get("workloadName") or ""), str(fields.get("templateName") or ""))


def _parts_of(document: Document, least: str) -> tuple[str, str, GroupTerms, WorkloadReference | None, str]:
    """What a group of either kind is read to; ``least``: the field of its gang policy with the least number."""
    spec = document.get("spec") or {}
    return (
        namespace_of(document),
        name_of(document),
        GroupTerms.from_dict(spec, least),
        WorkloadReference.from_dict(spec.get("workloadRef")),
        str(spec.get("parentCompositePodGroupName") or ""),
    )


class PodGroup(Struct, frozen=True):
    """A group of pods. ``parent``: the CompositePodGroup that it is part of, empty without one."""

    namespace: str
    name: str
    terms: GroupTerms
    workload: WorkloadReference | None = None
    parent: str = ""

    @classmethod
    def from_dict(cls, document: Document) -> PodGroup:
        """Read a PodGroup of scheduling.k8s.io."""
        return cls(*_parts_of(document, "minCount"))


class CompositePodGroup(Struct, frozen=True):
    """A group of groups; ``terms.policy`` counts these."""

    namespace: str
    name: str
    terms: GroupTerms
    workload: WorkloadReference | None = None
    parent: str = ""

    @classmethod
    def from_dict(cls, document: Document) -> CompositePodGroup:
        """Read a CompositePodGroup of scheduling.k8s.io/v1alpha3, from 1.38 on v1beta1."""
        return cls(*_parts_of(document, "minGroupCount"))


class SchedulingWorkload(Struct, frozen=True):
    """A Workload of scheduling.k8s.io.

    ``groups``: the policies of its pod groups by name, which pods of 1.35 belong to. ``templates``: what PodGroups are
    made of from 1.36, by name. ``composites``: what CompositePodGroups are made of, those within others too.
    ``controller``: kind and name of what it belongs to, where that is said.
    """

    namespace: str
    name: str
    groups: Mapping[str, GroupPolicy]
    templates: Mapping[str, GroupTerms]
    composites: Mapping[str, GroupTerms]
    controller: tuple[str, str] | None = None

    @classmethod
    def from_dict(cls, document: Document) -> SchedulingWorkload:
        """Read a Workload of any version."""
        spec = document.get("spec") or {}
        controller = spec.get("controllerRef")
        levels = tuple(_levels(spec))
        return cls(
            namespace_of(document),
            name_of(document),
            {str(each.get("name")): _policy(each.get("policy"), "minCount") for each in spec.get("podGroups") or ()},
            {
                str(each.get("name")): GroupTerms.from_dict(each)
                for level in levels
                for each in level.get("podGroupTemplates") or ()
            },
            {str(each.get("name")): GroupTerms.from_dict(each, "minGroupCount") for each in levels[1:]},
            None if not controller else (str(controller.get("kind") or ""), str(controller.get("name") or "")),
        )


def _levels(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A Workload's spec and the composite templates in it, from the outside in."""
    yield fields
    for each in fields.get("compositePodGroupTemplates") or ():
        yield from _levels(each)


# Which group a pod says that it belongs to.
#
# Upstream: ``WorkloadReference`` of ``k8s.io/api/core/v1`` v0.35.4, ``PodSchedulingGroup`` of v0.36.3 and v0.37.2.

WORKLOAD: Final = "Workload"
POD_GROUP: Final = "PodGroup"
COMPOSITE: Final = "CompositePodGroup"


class PodGroupKey(Struct, frozen=True, order=True):
    """One group of pods: ``name`` is that of a PodGroup.

    In 1.35 it is that of a pod group in a ``workload``, and pods with another ``replica`` key are another group.
    """

    namespace: str
    name: str
    workload: str = ""
    replica: str = ""

    def __str__(self) -> str:
        parts = (self.workload, self.name, self.replica) if self.workload else (self.name,)
        return "/".join((self.namespace, *(part for part in parts if part)))


def named_groups(spec: Document, namespace: str) -> tuple[PodGroupKey, ...]:
    """The groups that a pod's spec names, in whichever field."""
    group, reference = spec.get("schedulingGroup"), spec.get("workloadRef")
    if group is None and reference is None:
        return ()
    found = []
    if group and group.get("podGroupName"):
        found.append(PodGroupKey(namespace, str(group["podGroupName"])))
    if reference and reference.get("name"):
        name, workload = str(reference.get("podGroup") or ""), str(reference["name"])
        found.append(PodGroupKey(namespace, name, workload, str(reference.get("podGroupReplicaKey") or "")))
    return tuple(found)


def groups_of_pod(pod: Pod) -> tuple[PodGroupKey, ...]:
    """The groups that a pod names."""
    return named_groups(pod.spec, pod.namespace)


def field_of(pod: Pod, release: Release) -> str:
    """The field by which a pod names its group, as in ``spec.schedulingGroup``; empty for a pod that names none."""
    key = group_key_of(pod, release)
    return "" if key is None else "spec.workloadRef" if key.workload else "spec.schedulingGroup"


def has_group(pod: Pod) -> bool:
    """Whether a pod names a group, whichever releases read that."""
    return bool(groups_of_pod(pod))


def group_key_of(pod: Pod, release: Release) -> PodGroupKey | None:
    """The group of a pod as a release reads it; None for a pod that names none."""
    for key in groups_of_pod(pod):
        if bool(key.workload) == release.rules.names_groups_in_workloads:
            return key
    return None


# The groups of pods that a snapshot holds, as objects by name.

NamespacedName = tuple[str, str]


# Groups of pods that are parts of CompositePodGroups: whether the whole tree has the pods that it needs.
#
# Upstream: ``preEnqueueWithHierarchies`` of ``plugins/gangscheduling`` and ``BuildHierarchySnapshotFromPod`` of
# ``backend/cache/cache.go`` v1.37.2. What becomes of a tree once its pods are in the queue is not computed.


# The pods of each group, as the scheduler knows them: all that have not finished, with a node or without.
#
# Upstream: ``backend/workloadmanager`` (v1.35.4) and ``backend/cache/podgroupstate.go`` (v1.36.3, v1.37.2).


class GroupMember(NamedTuple):
    """A pod of a group: the node that it is on, empty for one without, and the pod itself."""

    node: str
    document: Document


_NOBODY: Mapping[str, GroupMember] = {}
_Key = TypeVar("_Key")


class GroupMembers(Generic[_Key]):
    """The pods of every group, by ``namespace/name``, brought forward pod by pod; ``named``: the groups of a pod."""

    def __init__(self, named: Callable[[Pod], tuple[_Key, ...]]) -> None:
        self._named = named
        self._members: dict[_Key, dict[str, GroupMember]] = {}
        self._groups: dict[str, tuple[_Key, ...]] = {}

    def of(self, key: _Key) -> Mapping[str, GroupMember]:
        """The pods of a group, empty for one that nobody belongs to."""
        return self._members.get(key, _NOBODY)

    def known(self) -> tuple[_Key, ...]:
        """The groups that pods belong to."""
        return tuple(self._members)

    def add(self, pod: Pod) -> None:
        """Take in a pod that is not there, or that was removed before; one that names no group is passed over."""
        groups = self._named(pod)
        if groups:
            self.enter(pod.key, groups, GroupMember(pod.node_name, pod.document))

    def enter(self, pod: str, groups: tuple[_Key, ...], member: GroupMember) -> None:
        """Take in a pod, as ``namespace/name``, of groups that are known already."""
        for group in groups:
            self._members.setdefault(group, {})[pod] = member
        self._groups[pod] = groups

    def remove(self, pod: str) -> None:
        """Forget a pod, as ``namespace/name``; one that is not there is no error."""
        for group in self._groups.pop(pod, ()):
            members = self._members[group]
            del members[pod]
            if not members:
                del self._members[group]

    def copy(self) -> GroupMembers[_Key]:
        """Independent members that start equal to these."""
        twin = GroupMembers(self._named)
        twin._members = {group: dict(members) for group, members in self._members.items()}
        twin._groups = dict(self._groups)
        return twin

    def content(self) -> dict[_Key, dict[str, str]]:
        """The node of each pod of each group."""
        return {
            group: {pod: member.node for pod, member in members.items()} for group, members in self._members.items()
        }


# Each group of pods as it is: its policy, its members, and how many of them have a node.


def schedules_groups(release: Release) -> bool:
    """Whether kube-scheduler of a release schedules gangs together, by its feature gates."""
    # From 1.37 on there is no gate of gangs alone.
    gate = Gate.GANG_SCHEDULING if Gate.GANG_SCHEDULING in release.known_gates else Gate.GENERIC_WORKLOAD
    return release.enables(gate)
