"""What a drain of each node by itself would meet now, for all nodes at once."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.disruption.drain_plan import Block, BlockedNode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.disruption.drain_plan import Blocker
    from clusters.engine.disruption.drains import BlockedDrain
    from clusters.engine.snapshot import Snapshot


class Outlook(enum.StrEnum):
    """What a drain that starts now meets: nothing, or what weighs most of that which is in its way.

    ``ALLOWED``: budgets and controllers allow it, and whether the pods fit on other nodes was not looked at. ``WAITS``:
    budgets allow nothing until pods are ready, which those that are unschedulable do not become by themselves.
    """

    NOW = "now"
    ALLOWED = "allowed"
    WAITS = "waits"
    FORCE = "force"
    NO_ROOM = "room"
    LASTING = "lasting"


_OUTLOOKS: Final = {
    Block.TWO_BUDGETS: Outlook.LASTING,
    Block.NEVER: Outlook.LASTING,
    Block.FLAG: Outlook.FORCE,
    Block.NO_ROOM: Outlook.NO_ROOM,
    Block.BUDGET: Outlook.WAITS,
}


@dataclass(frozen=True, slots=True)
class NodeDrain:
    """A node and its pods: ``evicted`` are asked for, of which nothing controls ``unmanaged``; ``staying`` are not.

    ``blocked``: what budgets do to the drain, None where they let it pass. ``blockers``: the pods that block it as the
    plan for the node alone says, None where none was made.
    """

    node: str
    evicted: int
    unmanaged: int
    staying: int
    blocked: BlockedDrain | None
    blockers: tuple[Blocker, ...] | None = None

    @property
    def outlook(self) -> Outlook:
        """Lasting budgets, then pods that only go by force, then room, then budgets that wait for pods to be ready."""
        if self.blockers is not None:
            return _OUTLOOKS[BlockedNode(self.node, self.blockers).kind] if self.blockers else Outlook.NOW
        if self.blocked is not None and self.blocked.lasts:
            return Outlook.LASTING
        if self.unmanaged:
            return Outlook.FORCE
        if self.blocked is not None:
            return Outlook.WAITS
        return Outlook.ALLOWED if self.evicted else Outlook.NOW

    @property
    def needs_plan(self) -> bool:
        """Whether more than the node's budgets and controllers decides about its drain."""
        return self.outlook in (Outlook.ALLOWED, Outlook.WAITS)


def node_drains(snapshot: Snapshot, blocked: Iterable[BlockedDrain]) -> list[NodeDrain]:
    """Every node, in order of name. Pods that have finished are not counted: they go without a question."""
    pods, count = snapshot.pods, len(snapshot.nodes)
    slots = np.flatnonzero(pods.node >= 0)
    rows, templates = pods.node[slots], pods.template[slots]
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    bare = np.array([template.controller is None for template in pods.templates], np.bool_)
    stays = pinned[templates] if len(slots) else np.zeros(0, np.bool_)
    alone = bare[templates] if len(slots) else np.zeros(0, np.bool_)
    evicted = np.bincount(rows[~stays], minlength=count).tolist()
    unmanaged = np.bincount(rows[alone], minlength=count).tolist()
    staying = np.bincount(rows[stays], minlength=count).tolist()
    by_node = {drain.node: drain for drain in blocked}
    return [
        NodeDrain(name, evicted[row], unmanaged[row], staying[row], by_node.get(name))
        for row, name in enumerate(snapshot.nodes.names)
    ]
