"""The groups of pods that a snapshot holds, as objects by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.podgroups.objects import (
    CompositePodGroup,
    GroupTerms,
    PodGroup,
    SchedulingWorkload,
    is_of_api,
)
from clusters.engine.podgroups.reference import COMPOSITE, POD_GROUP, WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.snapshot import Snapshot

NamespacedName = tuple[str, str]


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
