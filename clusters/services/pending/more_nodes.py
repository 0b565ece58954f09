"""Nodes that could be added to a mirrored cluster: one of each shape that it has, kept for each revision."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.conf import settings

from clusters.engine.simulation.one_more import MoreNodes, NodeLikeness, node_shapes
from clusters.models import Node, Pod
from clusters.services.computing.caches import Cache

if TYPE_CHECKING:
    from clusters.engine import Snapshot
    from clusters.models import Cluster

_latest: Cache[int, MoreNodes] = Cache("nodes to add", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def more_nodes_of(*, cluster: Cluster, snapshot: Snapshot) -> MoreNodes:
    """Return what tells which pods one more node would take, in the state of a snapshot of the cluster.

    The result is shared with others who ask for it: leave it as it is.
    """
    return _latest.get(cluster.pk, lambda: MoreNodes(snapshot, _likenesses(cluster, snapshot)), version=snapshot)


def _likenesses(cluster: Cluster, snapshot: Snapshot) -> list[NodeLikeness]:
    names = node_shapes(snapshot)
    # A node that has just gone is not among them.
    nodes = Node.objects.filter(cluster=cluster, name__in=names).values_list("name", "object")
    daemons: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pods = Pod.objects.filter(cluster=cluster, node_name__in=names, owner_kind="DaemonSet", deleted_at=None)
    for name, pod in pods.order_by("namespace", "name").values_list("node_name", "object"):
        daemons[name].append(pod)
    return [NodeLikeness(document, tuple(daemons[name])) for name, document in nodes if name in snapshot.nodes.index]
