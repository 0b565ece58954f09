"""Nodes that could be added to a mirrored cluster, one of each shape, kept for a revision; and pods that could go."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.conf import settings

from clusters.engine.simulation.making_room import pods_to_move
from clusters.engine.simulation.one_more import MoreNodes, NodeLikeness, node_shapes
from clusters.models import Node, Pod
from clusters.services.computing.caches import Cache
from clusters.services.mirror.configurations import configuration_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation, Snapshot
    from clusters.engine.analysis.advice import Tried
    from clusters.models import Cluster

_latest: Cache[int, MoreNodes] = Cache("nodes to add", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def more_nodes_of(*, cluster: Cluster, snapshot: Snapshot) -> MoreNodes:
    """Return what tells which pods one more node would take, in the state of a snapshot of the cluster.

    The result is shared with others who ask for it: leave it as it is.
    """
    return _latest.get(cluster.pk, lambda: MoreNodes(snapshot, _likenesses(cluster, snapshot)), version=snapshot)


def tried_ways(*, cluster: Cluster, explanation: Explanation) -> tuple[Tried, ...]:
    """Return the nodes of which one more would take a pending pod, and the pods that could make room for it."""

    def documents(keys: Sequence[str]) -> list[dict[str, Any]]:
        names = [key.split("/", 1) for key in keys]
        named = Pod.objects.filter(cluster=cluster, name__in={name for _, name in names})
        found = named.filter(namespace__in={namespace for namespace, _ in names})
        return list(found.values_list("object", flat=True))

    more = more_nodes_of(cluster=cluster, snapshot=explanation.snapshot).taking(explanation)
    moved = pods_to_move(explanation, configuration_of(cluster), documents)
    return more if moved is None else (*more, moved)


def _likenesses(cluster: Cluster, snapshot: Snapshot) -> list[NodeLikeness]:
    names = node_shapes(snapshot)
    # A node that has just gone is not among them.
    nodes = Node.objects.filter(cluster=cluster, name__in=names).values_list("name", "object")
    daemons: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pods = Pod.objects.filter(cluster=cluster, node_name__in=names, owner_kind="DaemonSet", deleted_at=None)
    for name, pod in pods.order_by("namespace", "name").values_list("node_name", "object"):
        daemons[name].append(pod)
    return [NodeLikeness(document, tuple(daemons[name])) for name, document in nodes if name in snapshot.nodes.index]
