"""What a source lacks, and which answers are uncertain because of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Gap:
    """A kind that is missing, why we think so, and the answers that suffer."""

    kind: str
    why: str
    affects: str
    # Whether any pod of the source uses what is missing.
    felt: bool = True

    def as_dict(self) -> dict[str, str | bool]:
        return asdict(self)


# Pods run on a node that is missing, while other nodes are there.
MISSING_NODE = "Missing node"
# Pods that were written by hand, and lack what an API server would have given them.
UNDEFAULTED = "Defaults of pods"
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
    affects: str
    # The use that makes the gap hurt; empty where every pod is concerned.
    use: str = ""
    # Whether the gap is worth a word even where nothing uses the kind.
    is_common: bool = True


_SPREADING = "PodTopologySpread: pods without constraints of their own are spread by their services and controllers."
_VOLUMES = "VolumeBinding, VolumeZone and NodeVolumeLimits of pods with claims"
_DEVICES = "DynamicResources of pods with resource claims"
_NEEDS = (
    _Need("Node", "Every answer: no pod can be placed without nodes."),
    _Need("Pod", "Every answer about resources, ports, spreading and affinity: no node has anything on it."),
    _Need(
        "Namespace",
        "InterPodAffinity of terms that select namespaces by label: they match none.",
        "namespace selectors",
    ),
    _Need(
        "PriorityClass",
        "Preemption: priorities are those written in the pods, and what a new pod of a class would get is unknown.",
        "priority classes",
    ),
    _Need("PodDisruptionBudget", "Preemption and drains: victims are chosen as if nothing protected them."),
    _Need("Service", _SPREADING),
    _Need("ReplicationController", _SPREADING),
    _Need("ReplicaSet", _SPREADING),
    _Need("StatefulSet", _SPREADING),
    _Need("PersistentVolume", f"{_VOLUMES}: a bound volume's place is unknown.", "claims"),
    _Need("PersistentVolumeClaim", f"{_VOLUMES}: the claims count as not found.", "claims"),
    _Need("StorageClass", f"{_VOLUMES}: whether a claim may wait for its first pod is unknown.", "claims"),
    _Need("CSINode", f"{_VOLUMES}: how many volumes a node takes is unknown.", "claims"),
    _Need(
        "RuntimeClass", "Overhead and node selectors of pods with a runtime class.", "runtime classes", is_common=False
    ),
    _Need("ResourceClaim", f"{_DEVICES}: the claims count as not found.", "resource claims", is_common=False),
    _Need("ResourceSlice", f"{_DEVICES}: no node has devices.", "resource claims", is_common=False),
    _Need("DeviceClass", f"{_DEVICES}: the classes count as not found.", "resource claims", is_common=False),
)


def affected_by(kind: str) -> str:
    """Return the answers that suffer without a kind, empty where none does."""
    return next((need.affects for need in _NEEDS if need.kind == kind), "")


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
        affects = need.affects if is_used else f"Nothing so far: no pod uses {need.use}. Otherwise: {need.affects}"
        found.append(
            Gap(
                need.kind,
                "The source has neither an object nor a list of this kind: "
                "the cluster may have none, or they were not asked for.",
                affects,
                felt=is_used,
            )
        )
    if missing_nodes and "Node" in present:
        found.append(
            Gap(
                MISSING_NODE,
                f"The source does not hold {_some([_of_node(*entry) for entry in sorted(missing_nodes.items())])}.",
                "Those pods take no part in any answer, neither their requests nor their labels.",
            )
        )
    return found


def undefaulted_gap(pods: Sequence[str]) -> Gap:
    """Return what is to be said of pods, as ``namespace/name``, that never passed an API server."""
    are = "looks" if len(pods) == 1 else "look"
    return Gap(
        UNDEFAULTED,
        f"{_some(sorted(pods))} {are} written by hand: no API server has given them requests from limits, the priority "
        "of their class, the overhead of their RuntimeClass or the defaults of a LimitRange.",
        "Every answer about them and about the nodes that they are on: they count as they are written. Read the dump "
        "with --default-pods (manage.py ingest, explain or simulate) to have them completed as admission would.",
    )


def _of_node(node: str, pods: Sequence[str]) -> str:
    return f"the node {node}, on which {_some(sorted(pods))} run{'s' * (len(pods) == 1)}"


def _some(names: Sequence[str]) -> str:
    """Name the first few, and say how many more there are."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"
