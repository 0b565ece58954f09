"""PrioritySort: the order in which waiting pods are tried.

Upstream: ``pkg/scheduler/framework/plugins/queuesort`` v1.34.1.
"""

from __future__ import annotations

from clusters.engine.plugin import Plugin
from clusters.engine.traits import Reads


class PrioritySort(Plugin):
    """Sorts the queue by ``order``; has no part in a cycle."""

    name = "PrioritySort"
    reads = Reads.NOTHING
    colour = "olive"


def order(priority: int, queued_at: int) -> tuple[int, int]:
    """A key that sorts pods as the active queue does: higher priority first, then who was queued earlier."""
    return -priority, queued_at
