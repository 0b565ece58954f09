"""PrioritySort: the order in which waiting pods are tried.

Upstream: ``pkg/scheduler/framework/plugins/queuesort`` v1.34.1.
"""

from __future__ import annotations

NAME = "PrioritySort"


def order(priority: int, queued_at: int) -> tuple[int, int]:
    """A key that sorts pods as the active queue does: higher priority first, then who was queued earlier."""
    return -priority, queued_at
