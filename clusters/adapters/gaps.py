"""What a source lacks, and which answers are uncertain because of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.problems import encoded
from clusters.problems.gaps import NeverAdmitted, NodesNotInSource, NoneInSource

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Gap:
    """A kind that is missing, and why we think so; `worded_gap` says which answers suffer."""

    kind: str
    why: Problem
    # The use that would make it matter, where no pod of the source has it.
    unused: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the gap as rows hold it."""
        return {"kind": self.kind, "why": encoded(self.why), "unused": self.unused, "felt": not self.unused}


# Pods run on a node that is missing, while other nodes are there.
MISSING_NODE = "Missing node"
# Pods that were written by hand, and lack what an API server would have given them.
UNDEFAULTED = "Pod defaults"
_NAMED = 3

# What pods of the source ask for, recognised by the key in their canonical JSON: a quote within a text is escaped
# there, so the keys cannot be mistaken.
USES = {
    "claims": ('"persistentVolumeClaim":', '"volumeClaimTemplate":'),
    "priority classes": ('"priorityClassName":',),
    "namespace selectors": ('"namespaceSelector":',),
    "runtime classes": ('"runtimeClassName":',),
    "resource claims": ('"resourceClaims":',),
}


@dataclass(frozen=True, slots=True)
class _Need:
    kind: str
    # The use that makes the gap hurt; empty where every pod is concerned.
    use: str = ""
    # Whether the gap is worth a word even where nothing uses the kind.
    is_common: bool = True


_NEEDS = (
    _Need("Node"),
    _Need("Pod"),
    _Need("Namespace", "namespace selectors"),
    _Need("PriorityClass", "priority classes"),
    _Need("PodDisruptionBudget"),
    _Need("Service"),
    _Need("ReplicationController"),
    _Need("ReplicaSet"),
    _Need("StatefulSet"),
    _Need("PersistentVolume", "claims"),
    _Need("PersistentVolumeClaim", "claims"),
    _Need("StorageClass", "claims"),
    _Need("CSINode", "claims"),
    _Need("RuntimeClass", "runtime classes", is_common=False),
    _Need("ResourceClaim", "resource claims", is_common=False),
    _Need("ResourceSlice", "resource claims", is_common=False),
    _Need("DeviceClass", "resource claims", is_common=False),
)


def is_needed(kind: str) -> bool:
    """Tell whether answers suffer without a kind."""
    return any(need.kind == kind for need in _NEEDS)


def gaps_of(
    *, present: Collection[str], uses: Collection[str], missing_nodes: Mapping[str, Sequence[str]]
) -> list[Gap]:
    """Return the gaps of a source.

    `present` names the kinds of which it holds an object or an explicit list, `uses` what its pods ask for, and
    `missing_nodes` holds by name the nodes that the source lacks, and the pods that are on them.
    """
    found = []
    for need in _NEEDS:
        is_used = not need.use or need.use in uses
        if need.kind in present or not (is_used or need.is_common):
            continue
        found.append(Gap(need.kind, NoneInSource(), unused="" if is_used else need.use))
    if missing_nodes and "Node" in present:
        some = sorted(missing_nodes.items())[:_NAMED]
        why = NodesNotInSource(
            nodes=tuple(node for node, _ in some),
            pods=tuple(tuple(sorted(pods)[:_NAMED]) for _, pods in some),
            pod_numbers=tuple(len(pods) for _, pods in some),
            number=len(missing_nodes),
        )
        found.append(Gap(MISSING_NODE, why))
    return found


def undefaulted_gap(pods: Sequence[str]) -> Gap:
    """Return the gap of pods, as ``namespace/name``, that never passed an API server."""
    return Gap(UNDEFAULTED, NeverAdmitted(tuple(sorted(pods)[:_NAMED]), len(pods)))
