"""What a drain of one node meets now, in a sentence of the node's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.disruption import Block, Outlook
from clusters.wording.nodes import drain as words

if TYPE_CHECKING:
    from clusters.engine.disruption import NodeDrain
    from clusters.services.disruption import ClusterDrains


def drain_sentence(drains: ClusterDrains, node: str) -> str:
    """Say whether a node can be drained, and what to change where it cannot; empty for one that is not known there."""
    found = drains.nodes.get(node)
    if found is None:
        return ""
    drain = found.drain
    refusals = () if drain.blocked is None else drain.blocked.refusals
    match drain.outlook:
        case Outlook.LASTING:
            return words.blocked_until_changed([each.budget.key for each in refusals if each.lasts])
        case Outlook.WAITS:
            return words.blocked_for_now([each.budget.key for each in refusals])
        case Outlook.FORCE:
            return words.NEEDS_FORCE(pods=len(_pods(drain, Block.FLAG)) or drain.unmanaged)
        case Outlook.NO_ROOM:
            return words.without_room(_pods(drain, Block.NO_ROOM))
        case Outlook.NOW:
            return words.drainable(drain.evicted)
        case _:
            return words.ALLOWED(pods=drain.evicted)


def _pods(drain: NodeDrain, kind: Block) -> list[str]:
    return [each.pod for each in drain.blockers or () if each.kind is kind]
