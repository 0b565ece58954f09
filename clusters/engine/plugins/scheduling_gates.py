"""SchedulingGates: a pod with gates does not enter the queue.

Upstream: ``pkg/scheduler/framework/plugins/schedulinggates`` v1.34.1 (PreEnqueue).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.status import SUCCESS, Status, unresolvable

if TYPE_CHECKING:
    from clusters.engine.objects import Pod

NAME = "SchedulingGates"


def pre_enqueue(pod: Pod) -> Status:
    """Success when the pod may be queued, else a status that names the gates it waits for."""
    gates = pod.scheduling_gates
    if not gates:
        return SUCCESS
    return unresolvable(f"waiting for scheduling gates: [{' '.join(gates)}]")
