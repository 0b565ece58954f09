"""SchedulingGates: a pod with gates does not enter the queue.

Upstream: ``pkg/scheduler/framework/plugins/schedulinggates`` v1.34.1 (PreEnqueue).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.plugin import ClusterEvent, Plugin, Reads
from clusters.engine.status import SUCCESS, Reason, Status, unresolvable

if TYPE_CHECKING:
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot


class GatesWait(Reason, frozen=True):
    """The pod has scheduling gates."""

    kind = "gates-wait"
    plugin = "SchedulingGates"

    gates: tuple[str, ...]

    def __str__(self) -> str:
        return f"waiting for scheduling gates: [{' '.join(self.gates)}]"


class SchedulingGates(Plugin):
    """Keeps pods out of the queue that have gates."""

    name = "SchedulingGates"
    reads = Reads.NOTHING
    requeue_on = (ClusterEvent.POD_GATES_ELIMINATED,)
    colour = "slate"

    @classmethod
    def pre_enqueue(cls, pod: Pod, snapshot: Snapshot, queue: frozenset[str]) -> Status:
        gates = pod.scheduling_gates
        return unresolvable(GatesWait(tuple(gates))) if gates else SUCCESS
