"""Which group a pod says that it belongs to.

Upstream: ``WorkloadReference`` of ``k8s.io/api/core/v1`` v0.35.4, ``PodSchedulingGroup`` of v0.36.3 and v0.37.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from clusters.engine.objects import Document, Pod
    from clusters.engine.versions import Release

WORKLOAD: Final = "Workload"
POD_GROUP: Final = "PodGroup"
COMPOSITE: Final = "CompositePodGroup"


@dataclass(frozen=True, slots=True, order=True)
class PodGroupKey:
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


def field_of(pod: Pod, release: Release) -> str:
    """The field by which a pod names its group, as in ``spec.schedulingGroup``; empty for a pod that names none."""
    key = group_key_of(pod, release)
    return "" if key is None else "spec.workloadRef" if key.workload else "spec.schedulingGroup"


def has_group(pod: Pod) -> bool:
    """Whether a pod names a group, whichever releases read that."""
    return bool(named_groups(pod.spec, pod.namespace))


def group_key_of(pod: Pod, release: Release) -> PodGroupKey | None:
    """The group of a pod as a release reads it; None for a pod that names none."""
    for key in named_groups(pod.spec, pod.namespace):
        if bool(key.workload) == release.rules.names_groups_in_workloads:
            return key
    return None
