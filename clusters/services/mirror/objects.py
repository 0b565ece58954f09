"""Objects of a mirrored cluster, as they are told to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.models import Node, Pod

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class MirroredObjects:
    """Nodes and pods of one cluster, as the mirror has them now; what it does not have is left out."""

    def __init__(self, cluster_id: int) -> None:
        self._cluster_id = cluster_id

    def nodes_named(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return nodes by their names, in this order."""
        found = {node.name: node for node in Node.objects.filter(cluster_id=self._cluster_id, name__in=names)}
        return [found[name].object for name in names if name in found]

    def pods_named(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Return pods by ``namespace/name``, in any order."""
        wanted = set(keys)
        names = {key.partition("/")[2] for key in wanted}
        pods = Pod.objects.filter(cluster_id=self._cluster_id, name__in=names)
        return [pod.object for pod in pods if f"{pod.namespace}/{pod.name}" in wanted]

    def pods_on(self, node: str) -> list[dict[str, Any]]:
        """Return the pods that are bound to a node."""
        return [pod.object for pod in Pod.objects.filter(cluster_id=self._cluster_id, node_name=node)]
