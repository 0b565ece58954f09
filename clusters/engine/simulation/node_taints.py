"""The taints of a node after the node lifecycle controller changed them.

Upstream: ``SwapNodeControllerTaint`` of ``pkg/controller/util/node`` v1.34.1, which removes the opposite taint.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusters.engine.disruption.taint_eviction import NO_EXECUTE
from clusters.engine.matching.taints import Taint
from clusters.engine.nodes.lifecycle import NOT_READY_KEY, UNREACHABLE_KEY, TaintChange

if TYPE_CHECKING:
    from clusters.engine.nodes.lifecycle import TaintEvent
    from clusters.engine.objects import Node


def tainted(node: Node, event: TaintEvent) -> Node:
    """The node with one of the two taints of its condition, or without those that evict."""
    effect = "NoSchedule" if event.change is TaintChange.NO_SCHEDULE else NO_EXECUTE
    kept = [
        taint for taint in node.taints if taint.effect != effect or taint.key not in (NOT_READY_KEY, UNREACHABLE_KEY)
    ]
    if event.change is not TaintChange.LIFTED:
        kept.append(Taint(event.key, "", effect))
    return replace(node, taints=tuple(kept))
