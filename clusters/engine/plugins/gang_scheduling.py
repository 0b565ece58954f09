"""GangScheduling: pods of a gang wait until all that it needs exist, and are scheduled together or not at all.

Upstream: ``pkg/scheduler/framework/plugins/gangscheduling``, as of v1.35.4, v1.36.3, v1.37.2 and v1.38.0-beta.0
(PreEnqueue). What is decided of a group once its pods are in the queue is in ``clusters.engine.podgroups``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.group_states import (
    GroupWaits,
    absent_group,
    held_groups,
    known_members,
    may_be_nested,
    small_group,
    tree_status,
)
from clusters.engine.plugin import ClusterEvent, Plugin, Reads
from clusters.engine.podgroups import group_key_of
from clusters.engine.status import SUCCESS, Status, unresolvable
from clusters.engine.versions import Gate, Release

if TYPE_CHECKING:
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot


class GangScheduling(Plugin):
    """Keeps pods out of the queue whose group is not there, or has fewer pods than its gang needs."""

    name = "GangScheduling"
    reads = Reads.NOTHING
    requeue_on = (
        ClusterEvent.POD_ADD,
        ClusterEvent.WORKLOAD_ADD,
        ClusterEvent.POD_GROUP_ADD,
        ClusterEvent.POD_GROUP_UPDATE,
        ClusterEvent.COMPOSITE_POD_GROUP_ADD,
        ClusterEvent.COMPOSITE_POD_GROUP_UPDATE,
    )
    colour = "pine"
    asks_for_group = True

    @classmethod
    def registers(cls, event: ClusterEvent, release: Release) -> bool:
        match event:
            case ClusterEvent.WORKLOAD_ADD:
                return release.rules.names_groups_in_workloads
            case ClusterEvent.POD_GROUP_ADD:
                return not release.rules.names_groups_in_workloads
            case ClusterEvent.POD_GROUP_UPDATE:
                return release.rules.evaluates_groups_first
            case ClusterEvent.COMPOSITE_POD_GROUP_ADD:
                return release.enables(Gate.COMPOSITE_POD_GROUP)
            case ClusterEvent.COMPOSITE_POD_GROUP_UPDATE:
                return release.enables(Gate.COMPOSITE_POD_GROUP) and release.rules.says_what_groups_lack
            case _:
                return True

    @classmethod
    def pre_enqueue(cls, pod: Pod, snapshot: Snapshot, queue: frozenset[str]) -> Status | None:
        key = group_key_of(pod, snapshot.release)
        if key is None:
            return SUCCESS
        held = held_groups(snapshot)
        if key.workload and (key.namespace, key.workload) not in held.workloads:
            return unresolvable(
                GroupWaits(f'waiting for pods\'s workload "{key.workload}" to appear in scheduling queue')
            )
        terms = held.terms_of(key)
        if terms is None:
            return absent_group(key, snapshot.release)
        group = held.groups.get((key.namespace, key.name))
        if group is not None and may_be_nested(snapshot, group):
            is_nested = snapshot.release.enables(Gate.COMPOSITE_POD_GROUP)
            return tree_status(snapshot, group, pod, queue) if is_nested else None
        members = known_members(snapshot, key, queue) | {pod.key}
        return SUCCESS if len(members) >= terms.policy.quorum else small_group(key, snapshot.release)
