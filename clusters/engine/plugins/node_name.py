"""NodeName: a pod that names its node fits only there.

Upstream: ``pkg/scheduler/framework/plugins/nodename`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.edits import RemoveNodeName
from clusters.engine.evidence import Comparison
from clusters.engine.plugin import NOTHING_LIFTED, PROCEED, ClusterEvent, Constraint, Plugin, PreFilter, Reads
from clusters.engine.status import PASS, FilterAnswer, Reason, unresolvable

if TYPE_CHECKING:
    from clusters.engine.world import World


class OtherNode(Reason, frozen=True):
    """The pod names another node."""

    kind = "other-node"
    plugin = "NodeName"
    text = "node(s) didn't match the requested node name"


class NodeNameComparison(Comparison, frozen=True):
    """The node that the pod names (``requested``), and the node that it is compared with."""

    kind = "node-name"

    requested: str
    node: str

    @property
    def holds(self) -> bool:
        return self.requested == self.node


class NodeName(Plugin):
    """Filters by ``spec.nodeName``."""

    name = "NodeName"
    reads = Reads.NODES
    requeue_on = (ClusterEvent.NODE_ADD,)
    colour = "navy"
    judges_resizes = True
    whole = (RemoveNodeName(),)

    def pre_filter(self) -> PreFilter:
        # Before 1.37 there is none, and no profile of such a release asks it.
        return PreFilter(node_names=frozenset({self.pod.node_name})) if self.pod.node_name else PROCEED

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        wanted = self.pod.node_name
        if not wanted or 0 in lifted:
            return PASS
        elsewhere = np.ones(len(self.snapshot.nodes), np.bool_)
        row = self.snapshot.nodes.index.get(wanted)
        if row is not None:
            elsewhere[row] = False
        return FilterAnswer.first_of((elsewhere, unresolvable(OtherNode())))

    def constraints(self) -> tuple[Constraint, ...]:
        return (Constraint(self.name, edit=self.whole[0]),)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        wanted = self.pod.node_name
        return (NodeNameComparison(wanted, self.snapshot.nodes.names[row]),) if wanted else ()
