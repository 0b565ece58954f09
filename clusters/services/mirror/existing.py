"""Which of the objects that a simulation or a review names the mirror holds now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.models import KubeObject, Node, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.models import Cluster

    WorkloadName = tuple[str, str, str]


def existing_nodes(cluster: Cluster, names: Iterable[str]) -> frozenset[str]:
    """Return those of these nodes that the cluster has."""
    return frozenset(Node.objects.filter(cluster=cluster, name__in=set(names)).values_list("name", flat=True))


def existing_workloads(cluster: Cluster, workloads: Iterable[WorkloadName]) -> frozenset[WorkloadName]:
    """Return those of these workloads, each by kind, namespace and name, that the cluster has; Pod is a kind, too."""
    asked = frozenset(workloads)
    kinds, names = {kind for kind, _, _ in asked}, {name for _, _, name in asked}
    objects = KubeObject.objects.filter(cluster=cluster, kind__in=kinds, name__in=names)
    found = set(objects.values_list("kind", "namespace", "name"))
    if "Pod" in kinds:
        pods = Pod.objects.filter(cluster=cluster, name__in={name for kind, _, name in asked if kind == "Pod"})
        found |= {("Pod", namespace, name) for namespace, name in pods.values_list("namespace", "name")}
    return asked & found
