"""What a drain of each node by itself would meet now, for all nodes at once."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.disruption.drain_plan import Block

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.disruption.drain_plan import Blocker
    from clusters.engine.disruption.drains import BlockedDrain
    from clusters.engine.snapshot import Snapshot


class Outlook(enum.StrEnum):
    """What a drain that starts now meets: nothing, or what weighs most of that which is in its way.

    ``ALLOWED``: budgets and controllers allow it, and whether the pods fit on other nodes was not looked at.
    """

    NOW = "now"
    ALLOWED = "allowed"
    WAITS = "waits"
    FORCE = "force"
    NO_ROOM = "room"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True)
class NodeDrain:
    """A node and its pods: ``evicted`` are asked for, of which nothing controls ``unmanaged``; ``staying`` are not.

    ``blocked``: what budgets do to the drain, None where they let it pass. ``blockers``: pods that keep a node from
    being drained though budgets allow it, None where they were not looked for.
    """

    node: str
    evicted: int
    unmanaged: int
    staying: int
    blocked: BlockedDrain | None
    blockers: tuple[Blocker, ...] | None = None

    @property
    def outlook(self) -> Outlook:
        """Lasting budgets, then pods that only go by force, then budgets that allow nothing for now, then room."""
        if self.blocked is not None and self.blocked.lasts:
            return Outlook.LASTING
        if self.unmanaged:
            return Outlook.FORCE
        if self.blocked is not None:
            return Outlook.WAITS
        if self.blockers is None:
            return Outlook.ALLOWED if self.evicted else Outlook.NOW
        if any(blocker.kind is Block.FLAG for blocker in self.blockers):
            return Outlook.FORCE
        return Outlook.NO_ROOM if self.blockers else Outlook.NOW


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
