"""What controllers make of pods that went, and what a pod is like once it runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.simulation.case import copied_again
from clusters.engine.workloads.job_failures import DISRUPTION_TARGET
from clusters.engine.workloads.pod_copies import PodCopy, copy_of
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

# That there is a time matters, not which.
_DELETED: Final = "1970-01-01T00:00:00Z"
_RUNNING: Document = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def running(pod: Document) -> Document:
    """A pod that was just placed, as if its containers were ready at once."""
    return {**pod, "status": _RUNNING}


def terminating(pod: Document, node: str, *, is_preempted: bool) -> Document:
    """A pod on a node whose deletion has begun, by the scheduler for another pod or for anything else."""
    status = pod.get("status") or {}
    if is_preempted:
        condition = {"type": DISRUPTION_TARGET, "status": "True", "reason": "PreemptionByScheduler"}
        others = (each for each in status.get("conditions") or () if each.get("type") != DISRUPTION_TARGET)
        status = {**status, "conditions": [*others, condition]}
    fields = {**metadata(pod), "deletionTimestamp": _DELETED}
    return {
        **pod,
        "kind": "Pod",
        "metadata": fields,
        "spec": {**(pod.get("spec") or {}), "nodeName": node},
        "status": status,
    }


def nominated(pod: Document, node: str) -> Document:
    """A pending pod with a node nominated for it, or with none where the name is empty."""
    status = {field: value for field, value in (pod.get("status") or {}).items() if field != "nominatedNodeName"}
    if node:
        status["nominatedNodeName"] = node
    return {**pod, "status": status}


class Successors:
    """The pods that controllers make for those that were evicted or preempted."""

    def __init__(self, copy_name: Callable[[str, str, int], str] = copied_again) -> None:
        self._copy_name = copy_name
        self._made: Counter[tuple[str, str]] = Counter()

    def copy(self) -> Successors:
        """Independent ones that go on with the same numbers."""
        twin = Successors(self._copy_name)
        twin._made = self._made.copy()
        return twin

    def of(self, snapshot: Snapshot, pod: Document, is_taken: Callable[[str], bool]) -> PodCopy | None:
        """The pod that replaces one that is gone; None where nobody makes one.

        A StatefulSet's pod keeps its name and its claims; others get the name of the next number that no pod
        bears. Nobody makes a pod again that a kubelet reads from a file, and one that was being deleted already
        has been replaced.
        """
        controller = Controller.of(pod)
        if controller is None or controller.kind == "Node":
            return None
        if controller.kind == "StatefulSet":
            return copy_of(snapshot, pod, name_of(pod), keeps_claims=True)
        if metadata(pod).get("deletionTimestamp"):
            return None
        namespace = namespace_of(pod)
        while True:
            self._made[namespace, controller.name] += 1
            name = self._copy_name(namespace, controller.name, self._made[namespace, controller.name])
            if not is_taken(f"{namespace}/{name}"):
                return copy_of(snapshot, pod, name)
