"""Which pods of a cluster are not what their phase says: rejected, unable to start or to end, ended for memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from django.db.models import Count, Q

from clusters.engine.columns.pods import NOWHERE
from clusters.engine.kubelet.pod_states import (
    LACKS,
    OOM_KILLED,
    REJECTIONS,
    ClaimsNotBound,
    HeldByFinalizers,
    StuckDeletion,
    is_rejection,
    trouble_of,
)
from clusters.models import Pod
from clusters.services.workloads.owners import makers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.workloads.pod_template import Workload
    from clusters.models import Cluster

REJECTED: Final = Q(phase="Failed") & (Q(status_reason__startswith=LACKS) | Q(status_reason__in=sorted(REJECTIONS)))
KILLED: Final = Q(status_reason=OOM_KILLED)
# So many pods are read at once.
_CHUNK: Final = 500


class PodTroubles(NamedTuple):
    """How many pods kubelets rejected, cannot start, cannot end, and had a container that was ended for its memory.

    ``stuck`` are those on unreachable nodes, ``held`` those that finalizers keep.
    """

    rejected: int
    unstartable: int
    stuck: int
    held: int
    killed: int


def troubles_of(*, cluster: Cluster, snapshot: Snapshot) -> PodTroubles:
    """Count the pods of a cluster that are in trouble on their nodes."""
    pods = Pod.objects.filter(cluster=cluster, status_reason__gt="").order_by()
    counts = {row[:2]: row[2] for row in pods.values_list("phase", "status_reason").annotate(Count("pk"))}
    found = [type(trouble_of(each, snapshot)) for each in _on_their_way(cluster, snapshot)]
    return PodTroubles(
        rejected=sum(number for (phase, reason), number in counts.items() if is_rejection(phase, reason)),
        unstartable=found.count(ClaimsNotBound),
        stuck=found.count(StuckDeletion),
        held=found.count(HeldByFinalizers),
        killed=sum(number for (_, reason), number in counts.items() if reason == OOM_KILLED),
    )


def _on_their_way(cluster: Cluster, snapshot: Snapshot) -> Iterator[Document]:
    """Yield the pods that are starting or terminating on a node."""
    table = snapshot.pods
    slots = np.flatnonzero((table.starting | table.terminating) & (table.node != NOWHERE))
    keys = [table.keys[slot] for slot in slots.tolist() if slot < len(table.keys)]
    for first in range(0, len(keys), _CHUNK):
        wanted = set(keys[first : first + _CHUNK])
        names = {key.partition("/")[2] for key in wanted}
        rows = Pod.objects.filter(cluster=cluster, name__in=names).values_list("namespace", "name", "object")
        yield from (document for namespace, name, document in rows if f"{namespace}/{name}" in wanted)


def killed_pods_of(*, cluster: Cluster) -> Counter[Workload]:
    """Count the pods of each workload of which a container was ended for its memory."""
    pods = list(Pod.objects.filter(KILLED, cluster=cluster).only("namespace", "name", "owner_kind", "owner_name"))
    return Counter(makers_of(cluster, pods))
