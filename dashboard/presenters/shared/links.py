"""Addresses of the pages of objects that a simulation or a review names, where the cluster has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import NoReverseMatch, reverse

from clusters.services.mirror.objects import existing_nodes, existing_workloads

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.models import Cluster

    WorkloadName = tuple[str, str, str]


def node_links(cluster: Cluster | None, names: Iterable[str]) -> Mapping[str, str]:
    """Return the pages of nodes by name; of those that a simulation added there is none."""
    if cluster is None:
        return {}
    found = {name: address("node", cluster=cluster.name, name=name) for name in existing_nodes(cluster, names)}
    return {name: url for name, url in found.items() if url}


def workload_links(cluster: Cluster | None, workloads: Iterable[WorkloadName]) -> Mapping[WorkloadName, str]:
    """Return the pages of workloads by kind, namespace and name; a pod that nothing controls leads to its decision."""
    if cluster is None:
        return {}
    found = {}
    for each in existing_workloads(cluster, workloads):
        kind, namespace, name = each
        named = {"cluster": cluster.name, "namespace": namespace, "name": name}
        url = address("decision", **named) if kind == "Pod" else address("workload", kind=kind, **named)
        if url:
            found[each] = url
    return found


def address(view: str, **parameters: str) -> str:
    """Return an address; empty for a name that none can hold."""
    try:
        return reverse(view, kwargs=parameters)
    except NoReverseMatch:
        return ""
