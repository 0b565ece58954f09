"""PrioritySort: the order in which pending pods are tried; ``clusters.engine.queueing`` keeps it.

Upstream: ``pkg/scheduler/framework/plugins/queuesort`` v1.34.1.
"""

from __future__ import annotations

from clusters.engine.plugin import Plugin, Reads


class PrioritySort(Plugin):
    """Sorts the queue; has no part in a cycle."""

    name = "PrioritySort"
    reads = Reads.NOTHING
    colour = "olive"
