"""Small sandboxes for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.sandbox import SandboxCluster, imported, run_queue

if TYPE_CHECKING:
    from clusters.engine.objects import Document


def built(*documents: Document) -> SandboxCluster:
    """Return a sandbox of some objects, whose pods are not scheduled yet."""
    return SandboxCluster(imported(documents).objects)


def scheduled(*documents: Document) -> SandboxCluster:
    """Return a sandbox of some objects, whose pods are scheduled as far as they fit."""
    return SandboxCluster(run_queue(built(*documents)).objects)


def pods_of(cluster: SandboxCluster, name: str) -> list[Any]:
    """Return the pods whose names begin so, in the order in which they came."""
    return [pod for each, pod in cluster.objects.items() if each.kind == "Pod" and each.name.startswith(name)]


def nodes_of(cluster: SandboxCluster, name: str) -> list[str]:
    """Return the nodes of those pods, empty for those that are pending."""
    return [pod["spec"].get("nodeName", "") for pod in pods_of(cluster, name)]
