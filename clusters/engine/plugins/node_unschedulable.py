"""NodeUnschedulable: a cordoned node takes only pods that tolerate being there.

Upstream: ``pkg/scheduler/framework/plugins/nodeunschedulable`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.edits import Tolerate
from clusters.engine.evidence import Comparison
from clusters.engine.matching import tolerates
from clusters.engine.plugin import NOTHING_LIFTED, ClusterEvent, Constraint, Plugin, Reads
from clusters.engine.status import PASS, FilterAnswer, Reason, unresolvable
from clusters.engine.taints import Taint

if TYPE_CHECKING:
    from clusters.engine.world import World


class Cordoned(Reason, frozen=True):
    """The node is cordoned."""

    kind = "cordoned"
    plugin = "NodeUnschedulable"
    text = "node(s) were unschedulable"


_CORDON = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


class CordonComparison(Comparison, frozen=True):
    """Whether the node is cordoned (``spec.unschedulable``), and whether the pod tolerates the taint of a cordon."""

    kind = "cordon"

    unschedulable: bool
    tolerated: bool

    @property
    def holds(self) -> bool:
        return self.tolerated or not self.unschedulable


class NodeUnschedulable(Plugin):
    """Filters out cordoned nodes."""

    name = "NodeUnschedulable"
    reads = Reads.NODES
    requeue_on = (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT, ClusterEvent.POD_TOLERATION)
    colour = "brown"
    is_lifted_on_nodes = True
    whole = (Tolerate(_CORDON),)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if 0 in lifted or tolerates(self.pod.tolerations, _CORDON):
            return PASS
        nodes = self.snapshot.nodes
        return nodes.kept.by_nodes(
            self.name, lambda: FilterAnswer.first_of((nodes.unschedulable, unresolvable(Cordoned())))
        )

    def constraints(self) -> tuple[Constraint, ...]:
        return (Constraint(self.name, edit=self.whole[0]),)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        tolerated = tolerates(self.pod.tolerations, _CORDON)
        return (CordonComparison(bool(self.snapshot.nodes.unschedulable[row]), tolerated),)
