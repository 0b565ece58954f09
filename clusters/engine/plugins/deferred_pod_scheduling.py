"""DeferredPodScheduling: room is made for a pod whose resize is deferred on its own node alone, if that may be.

Upstream: ``pkg/scheduler/framework/plugins/deferredpodscheduling`` v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.evidence import Comparison
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.status import PASS, FilterAnswer, QuotedReason, Reason, Status, unresolvable

if TYPE_CHECKING:
    from clusters.engine.world import World

FITS: Final = "pod resize fits, waiting for Kubelet actuation"


class RunsElsewhere(Reason, frozen=True):
    """The pod runs on another node."""

    kind = "runs-elsewhere"
    plugin = "DeferredPodScheduling"
    text = "pod assigned to different node"


class NoResizePreemption(Reason, frozen=True):
    """The node does not preempt pods for resized ones."""

    kind = "no-resize-preemption"
    plugin = "DeferredPodScheduling"
    text = "node had resize preemption disabled"


class ResizeComparison(Comparison, frozen=True):
    """A node that is not to make room for resized pods, or is (``allows_preemption``), and the node of the pod."""

    kind = "resize-preemption"

    pod_node: str
    node: str
    allows_preemption: bool

    @property
    def holds(self) -> bool:
        return self.pod_node in ("", self.node) and self.allows_preemption


class DeferredPodScheduling(Plugin):
    """Filters pods whose resize is deferred by their node, and by ``spec.podPreemptionPolicy`` of that."""

    name = "DeferredPodScheduling"
    reads = Reads.NODES
    requeue_on = (ClusterEvent.NODE_PREEMPTION_POLICY, ClusterEvent.NODE_ADD)
    colour = "rose"
    skips_for_good = True
    is_lifted_on_nodes = True
    judges_resizes = True

    def pre_filter(self) -> PreFilter:
        return PROCEED if self.context.is_resize else SKIP_FILTER

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if not self.context.is_resize or 0 in lifted:
            return PASS
        nodes = self.snapshot.nodes
        own = self.pod.node_name
        elsewhere = np.array([bool(own) and name != own for name in nodes.names], np.bool_)
        disabled = np.array([each.refuses_resizes for each in nodes.nodes], np.bool_)
        return FilterAnswer.first_of(
            (elsewhere, unresolvable(RunsElsewhere())), (disabled, unresolvable(NoResizePreemption()))
        )

    def constraints(self) -> tuple[Constraint, ...]:
        return (Constraint(self.name),) if self.context.is_resize else ()

    def permit(self) -> Status | None:
        return unresolvable(QuotedReason(FITS)) if self.context.is_resize else None

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        if not self.context.is_resize:
            return ()
        node, names = self.snapshot.nodes.nodes[row], self.snapshot.nodes.names
        return (ResizeComparison(self.pod.node_name, names[row], not node.refuses_resizes),)
