"""Which pods of a workload go first when there are to be fewer.

Upstream: ``ActivePodsWithRanks`` in ``pkg/controller/controller_utils.go`` and ``getPodsRankedByRelatedPodsOnSameNode``
in ``pkg/controller/replicaset/replica_set.go``, v1.34.1. What is not mirrored plays no part: deletion costs and
counts of restarts. Times are compared as they are, where the controller compares their logarithms and lets
chance decide.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from clusters.engine.objects import NOT_STARTED, Pod, name_of, sortable_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document

_PHASES = {"Pending": 0, "Unknown": 1}
_RUNNING = 2


def first_to_go(pods: Iterable[Document], count: int) -> list[Document]:
    """So many pods of a ReplicaSet, or of all that a Deployment has; those of a Job go alike."""
    given = [Pod(document) for document in pods]
    doubled = Counter(pod.node_name for pod in given if pod.node_name)

    def rank(pod: Pod) -> tuple[Any, ...]:
        return (
            bool(pod.node_name),
            _PHASES.get(str(pod.status.get("phase") or "Pending"), _RUNNING),
            pod.ready,
            -doubled[pod.node_name],
            -_ready_since(pod),
            -pod.created,
            pod.uid,
        )

    return [pod.document for pod in sorted(given, key=rank)[:count]]


def last_ordinals(pods: Iterable[Document], count: int) -> list[Document]:
    """So many pods of a StatefulSet: the highest ordinals."""
    return sorted(pods, key=ordinal_of, reverse=True)[:count]


def ordinal_of(pod: Document) -> int:
    """The ordinal of a StatefulSet's pod, -1 where its name has none."""
    return ordinal_in(name_of(pod))


def ordinal_in(name: str) -> int:
    """The ordinal at the end of a StatefulSet's pod's name, -1 where there is none."""
    text = name.rpartition("-")[2]
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _ready_since(pod: Pod) -> int:
    """When a ready pod became so, as a number that sorts like it; the latest where nobody says."""
    for condition in pod.status.get("conditions") or ():
        if pod.ready and condition.get("type") == "Ready" and condition.get("lastTransitionTime"):
            return sortable_time(condition["lastTransitionTime"])
    return NOT_STARTED
