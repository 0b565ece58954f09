"""PrioritySort: the order in which pending pods are tried; ``clusters.engine.queueing.queue`` keeps it.

Upstream: ``pkg/scheduler/framework/plugins/queuesort`` v1.34.1.
"""

from __future__ import annotations

from clusters.engine.plugin import Plugin
from clusters.engine.traits import Reads


class PrioritySort(Plugin):
    """Sorts the queue; has no part in a cycle."""

    name = "PrioritySort"
    reads = Reads.NOTHING
    colour = "olive"
