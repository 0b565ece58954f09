"""DefaultPreemption: removes pods of lower priority; ``clusters.engine.scheduling.preemption`` computes it.

Upstream: ``pkg/scheduler/framework/plugins/defaultpreemption`` v1.34.1.
"""

from __future__ import annotations

from clusters.engine.plugin import ClusterEvent, Plugin, Reads


class DefaultPreemption(Plugin):
    """Tries nodes without their pods of lower priority once no node passes the filters."""

    name = "DefaultPreemption"
    reads = Reads.PODS
    requeue_on = (ClusterEvent.POD_DELETE,)
    colour = "amber"
    preempts = True
