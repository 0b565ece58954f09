"""Which pods of a node a drain evicts, and what the Eviction API answers for each.

Upstream: ``k8s.io/kubectl/pkg/drain`` and the Eviction API, v1.34.1, as ``clusters.engine.disruption`` knows them. The
disruption controller has always just caught up here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.disruption.drain import DrainOptions, Flag, Handling, Treatment, handling_of
from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.matching.taints import Taint
from clusters.engine.objects import Pod

if TYPE_CHECKING:
    from clusters.engine.disruption.eviction import EvictionAnswer
    from clusters.engine.objects import Node
    from clusters.engine.simulation.course import Course

_CORDONED: Final = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
_UNMANAGED: Final = "cannot delete Pods that declare no controller (use --force to override)"


def cordoned(node: Node) -> Node:
    """A node that accepts no pods, with the taint that the node controller adds."""
    taints = node.taints if _CORDONED in node.taints else (*node.taints, _CORDONED)
    return replace(node, unschedulable=True, taints=taints)


@dataclass(frozen=True, slots=True)
class DrainingPod:
    """A pod of a node that is drained."""

    pod: Pod
    handling: Handling

    @property
    def refusal(self) -> str:
        """What kubectl says when it does not begin with a node on account of this pod; empty where it does."""
        return f"{_UNMANAGED}: {self.pod.key}" if Flag.FORCE in self.handling.wants else ""


class Draining:
    """Drains as kubectl does it with --ignore-daemonsets and --delete-emptydir-data, and without --force."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._ledger = Ledger(course.snapshot)

    def asked_on(self, node: str) -> list[DrainingPod]:
        """The pods that a drain does not leave where they are, by name."""
        found = []
        row, pods = self._course.snapshot.nodes.index[node], self._course.snapshot.pods
        for slot in sorted(pods.on_node(row).tolist(), key=pods.keys.__getitem__):
            pod = self._pod(slot)
            handling = handling_of(pod, DrainOptions())
            if self._course.is_terminating(pod.key):
                continue
            if not handling.treatment.stays:
                found.append(DrainingPod(pod, handling))
        return found

    def is_held(self, asked: list[DrainingPod]) -> bool:
        """Whether some pod keeps the drain of a node from beginning."""
        return any(each.handling.treatment is Treatment.HELD for each in asked)

    def answer(self, pod: Pod) -> EvictionAnswer:
        """What the eviction of a pod is answered now; a budget at whose expense it is granted is charged."""
        keys = self._ledger.keys_of(pod)
        self._ledger.look_again(keys)
        self._ledger.settle(self._course.snapshot, keys)
        return self._ledger.ask(pod)

    def _pod(self, slot: int) -> Pod:
        """A pod on a node: as it is known, or what the snapshot tells of it."""
        pods = self._course.snapshot.pods
        key = pods.keys[slot]
        known = self._course.known(key)
        if known is None:
            template = pods.templates[pods.template[slot]].pod(pods.labels(slot)).document
            known = {**template, "metadata": {**template["metadata"], "name": pods.name(slot)}}
        state = "True" if pods.ready[slot] else "False"
        status: dict[str, Any] = {
            "phase": "Pending" if pods.starting[slot] else "Running",
            "conditions": [{"type": "Ready", "status": state}],
        }
        return Pod({**known, "status": status})


def words(answer: EvictionAnswer) -> str:
    """What the API server says to a refused eviction."""
    return " ".join(each for each in (answer.message, answer.detail) if each)
