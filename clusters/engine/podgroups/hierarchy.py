"""Groups of pods that are parts of CompositePodGroups: whether the whole tree has the pods that it needs.

Upstream: ``preEnqueueWithHierarchies`` of ``plugins/gangscheduling`` and ``BuildHierarchySnapshotFromPod`` of
``backend/cache/cache.go`` v1.37.2. What becomes of a tree once its pods are in the queue is not computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.reference import PodGroupKey
from clusters.engine.status import SUCCESS, Status, unresolvable
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from clusters.engine.objects import Pod
    from clusters.engine.podgroups.held import HeldGroups
    from clusters.engine.podgroups.objects import PodGroup
    from clusters.engine.snapshot import Snapshot

# So many levels a tree has at most (WorkloadMaxTreeDepth), the group of pods among them.
_DEEPEST: Final = 4
_NOT_BUILT: Final = "failed to build hierarchy snapshot"


def may_be_nested(snapshot: Snapshot, group: PodGroup | None) -> bool:
    """Whether a group is tried as part of a CompositePodGroup, or may be: an API server keeps that with the gate on."""
    gate = Gate.COMPOSITE_POD_GROUP
    is_open = snapshot.release.enables(gate) or not snapshot.release.decides(gate)
    return is_open and group is not None and bool(group.parent)


def absent_group(key: PodGroupKey) -> Status:
    """What GangScheduling says of a pod whose PodGroup is not there, where groups may have parents."""
    return unresolvable(f"{_NOT_BUILT}: pod group object not found in state for podgroup/{key.namespace}/{key.name}")


def tree_status(snapshot: Snapshot, group: PodGroup, pod: Pod) -> Status | None:
    """Whether the tree that a group is part of lets a pod enter the queue.

    None for one that has no end, and where no CompositePodGroup is held: the source has most likely left them out.
    """
    held, root = held_groups(snapshot), group.parent
    if not held.composites:
        return None
    for _ in range(_DEEPEST - 1):
        composite = held.composites.get((group.namespace, root))
        if composite is None:
            name = f"compositepodgroup/{group.namespace}/{root}"
            return unresolvable(f"{_NOT_BUILT}: composite pod group object not found in state for {name}")
        if not composite.parent:
            break
        root = composite.parent
    else:
        return None
    if _Tree(snapshot, held, group.namespace, pod).is_ready(root, _DEEPEST):
        return SUCCESS
    return unresolvable(f'waiting for composite pod group "{root}" tree to meet quorum')


class _Tree:
    """The groups of a namespace by what they are part of."""

    def __init__(self, snapshot: Snapshot, held: HeldGroups, namespace: str, pod: Pod) -> None:
        self._snapshot, self._namespace, self._pod = snapshot, namespace, pod
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
        members = self._snapshot.groups.of(PodGroupKey(self._namespace, group.name)).keys()
        is_own = (self._pod.spec.get("schedulingGroup") or {}).get("podGroupName") == group.name
        return len(members | ({self._pod.key} if is_own else set())) >= group.terms.policy.quorum
