"""What controllers make of pods that went, and what a pod is like once it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.pod_copies import PodCopy, copy_of
from clusters.engine.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Container

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

_RUNNING: Document = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def running(pod: Document) -> Document:
    """A pod that was just placed, as if its containers were ready at once."""
    return {**pod, "status": _RUNNING}


def nominated(pod: Document, node: str) -> Document:
    """A waiting pod with a node nominated for it, or with none where the name is empty."""
    status = {field: value for field, value in (pod.get("status") or {}).items() if field != "nominatedNodeName"}
    if node:
        status["nominatedNodeName"] = node
    return {**pod, "status": status}


def successor_of(snapshot: Snapshot, pod: Document, taken: Container[str]) -> PodCopy | None:
    """The pod that its controller makes for one that was evicted or preempted; None where none does.

    A StatefulSet's pod keeps its name and its claims; others get the controller's name with the first number that no
    pod bears. Nobody makes a pod again that a kubelet reads from a file, and one that was being deleted has been
    replaced already.
    """
    controller = Controller.of(pod)
    if controller is None or controller.kind == "Node":
        return None
    if controller.kind == "StatefulSet":
        return copy_of(snapshot, pod, name_of(pod), keeps_claims=True)
    if metadata(pod).get("deletionTimestamp"):
        return None
    number = 1
    while f"{namespace_of(pod)}/{controller.name}-again-{number}" in taken:
        number += 1
    return copy_of(snapshot, pod, f"{controller.name}-again-{number}")
