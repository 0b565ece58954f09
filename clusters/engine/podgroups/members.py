"""The pods of each group, as the scheduler knows them: all that have not finished, with a node or without.

Upstream: ``backend/workloadmanager`` (v1.35.4) and ``backend/cache/podgroupstate.go`` (v1.36.3, v1.37.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.podgroups.reference import named_groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document, Pod
    from clusters.engine.podgroups.reference import PodGroupKey


class GroupMember(NamedTuple):
    """A pod of a group: the node that it is on, empty for one without, and the pod itself."""

    node: str
    document: Document


_NOBODY: Mapping[str, GroupMember] = {}


class GroupMembers:
    """The pods of every group, by ``namespace/name``, brought forward pod by pod."""

    def __init__(self) -> None:
        self._members: dict[PodGroupKey, dict[str, GroupMember]] = {}
        self._groups: dict[str, tuple[PodGroupKey, ...]] = {}

    def of(self, key: PodGroupKey) -> Mapping[str, GroupMember]:
        """The pods of a group, empty for one that nobody belongs to."""
        return self._members.get(key, _NOBODY)

    def known(self) -> tuple[PodGroupKey, ...]:
        """The groups that pods belong to."""
        return tuple(self._members)

    def add(self, pod: Pod) -> None:
        """Take in a pod that is not there, or that was removed before; one that names no group is passed over."""
        groups = named_groups(pod.spec, pod.namespace)
        if not groups:
            return
        member = GroupMember(pod.node_name, pod.document)
        for group in groups:
            self._members.setdefault(group, {})[pod.key] = member
        self._groups[pod.key] = groups

    def remove(self, pod: str) -> None:
        """Forget a pod, as ``namespace/name``; one that is not there is no error."""
        for group in self._groups.pop(pod, ()):
            members = self._members[group]
            del members[pod]
            if not members:
                del self._members[group]

    def copy(self) -> GroupMembers:
        """Independent members that start equal to these."""
        twin = GroupMembers()
        twin._members = {group: dict(members) for group, members in self._members.items()}
        twin._groups = dict(self._groups)
        return twin

    def content(self) -> dict[PodGroupKey, dict[str, str]]:
        """The node of each pod of each group."""
        return {
            group: {pod: member.node for pod, member in members.items()} for group, members in self._members.items()
        }
