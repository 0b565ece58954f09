"""What a source lacks, and which answers are uncertain because of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.stored_problems import encoded
from clusters.problems.gaps import NeverAdmitted, NodesNotInSource, NoneInSource, NotReadable, OtherGap, Use

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clusters.adapters.bad_input import BadInput
    from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Gap:
    """A kind that is missing, or an `OtherGap`, and why we think so; `worded_gap` says which answers suffer."""

    kind: str
    why: Problem
    # The use that would make it matter, where no pod of the source has it.
    unused: Use | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the gap as rows hold it."""
        return {"kind": self.kind, "why": encoded(self.why), "unused": self.unused or "", "felt": self.unused is None}


_NAMED = 3

# What pods of the source use, recognised by the key in their canonical JSON: a quote within a text is escaped
# there, so the keys cannot be mistaken.
USES = {
    Use.CLAIMS: ('"persistentVolumeClaim":', '"volumeClaimTemplate":'),
    Use.PRIORITY_CLASSES: ('"priorityClassName":',),
    Use.NAMESPACE_SELECTORS: ('"namespaceSelector":',),
    Use.RUNTIME_CLASSES: ('"runtimeClassName":',),
    Use.RESOURCE_CLAIMS: ('"resourceClaims":',),
    Use.POD_GROUPS: ('"schedulingGroup":',),
    Use.WORKLOADS: ('"workloadRef":',),
}


@dataclass(frozen=True, slots=True)
class _Need:
    kind: str
    # The use that makes the gap hurt; None where every pod is concerned.
    use: Use | None = None
    # Whether the gap is worth a word even where nothing uses the kind.
    is_common: bool = True
    # Whether an API server may do without the kind: pods of such a one cannot use it.
    is_optional: bool = False


_NEEDS = (
    _Need("Node"),
    _Need("Pod"),
    _Need("Namespace", Use.NAMESPACE_SELECTORS),
    _Need("PriorityClass", Use.PRIORITY_CLASSES),
    _Need("PodDisruptionBudget"),
    _Need("Service"),
    _Need("ReplicationController"),
    _Need("ReplicaSet"),
    _Need("StatefulSet"),
    _Need("PersistentVolume", Use.CLAIMS),
    _Need("PersistentVolumeClaim", Use.CLAIMS),
    _Need("StorageClass", Use.CLAIMS),
    _Need("CSINode", Use.CLAIMS),
    _Need("RuntimeClass", Use.RUNTIME_CLASSES, is_common=False),
    _Need("ResourceClaim", Use.RESOURCE_CLAIMS, is_common=False),
    _Need("ResourceSlice", Use.RESOURCE_CLAIMS, is_common=False),
    _Need("DeviceClass", Use.RESOURCE_CLAIMS, is_common=False),
    _Need("PodGroup", Use.POD_GROUPS, is_common=False, is_optional=True),
    _Need("Workload", Use.WORKLOADS, is_common=False, is_optional=True),
)


def is_needed(kind: str, *, is_served: bool = True) -> bool:
    """Tell whether answers suffer without a kind, which the API server has or does not have."""
    return any(need.kind == kind and (is_served or not need.is_optional) for need in _NEEDS)


def gaps_of(
    *, present: Collection[str], uses: Collection[Use], missing_nodes: Mapping[str, Sequence[str]]
) -> list[Gap]:
    """Return the gaps of a source.

    `present` names the kinds of which it holds an object or an explicit list, `uses` what its pods use, and
    `missing_nodes` holds by name the nodes that the source lacks, and the pods that are on them.
    """
    found = []
    for need in _NEEDS:
        is_used = need.use is None or need.use in uses
        if need.kind in present or not (is_used or need.is_common):
            continue
        found.append(Gap(need.kind, NoneInSource(), unused=None if is_used else need.use))
    if missing_nodes and "Node" in present:
        some = sorted(missing_nodes.items())[:_NAMED]
        why = NodesNotInSource(
            nodes=tuple(node for node, _ in some),
            pods=tuple(tuple(sorted(pods)[:_NAMED]) for _, pods in some),
            pod_numbers=tuple(len(pods) for _, pods in some),
            number=len(missing_nodes),
        )
        found.append(Gap(OtherGap.MISSING_NODE, why))
    return found


def undefaulted_gap(pods: Sequence[str]) -> Gap:
    """Return the gap of pods, as ``namespace/name``, that never passed an API server."""
    return Gap(OtherGap.POD_DEFAULTS, NeverAdmitted(tuple(sorted(pods)[:_NAMED]), len(pods)))


def unreadable_gap(first: BadInput, number: int) -> Gap:
    """Return the gap of objects and files that could not be read, of which one is named."""
    return Gap(OtherGap.UNREADABLE, NotReadable(**first.place, why=first.problem, number=number))
