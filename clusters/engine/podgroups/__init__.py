"""Groups of pods that are scheduled together: Workloads and PodGroups of ``scheduling.k8s.io``, and who is of a group.

In 1.35 a pod names a Workload and one of the pod groups in it (``spec.workloadRef``), from 1.36 a PodGroup
(``spec.schedulingGroup``).
"""

from __future__ import annotations

from clusters.engine.podgroups.held import HeldGroups, held_groups
from clusters.engine.podgroups.members import GroupMember, GroupMembers
from clusters.engine.podgroups.objects import (
    CompositePodGroup,
    DisruptionMode,
    GroupPolicy,
    GroupTerms,
    PodGroup,
    SchedulingWorkload,
    WorkloadReference,
)
from clusters.engine.podgroups.reference import COMPOSITE, POD_GROUP, WORKLOAD, PodGroupKey, group_key_of

__all__ = (
    "COMPOSITE",
    "POD_GROUP",
    "WORKLOAD",
    "CompositePodGroup",
    "DisruptionMode",
    "GroupMember",
    "GroupMembers",
    "GroupPolicy",
    "GroupTerms",
    "HeldGroups",
    "PodGroup",
    "PodGroupKey",
    "SchedulingWorkload",
    "WorkloadReference",
    "group_key_of",
    "held_groups",
)
