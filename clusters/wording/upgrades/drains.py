"""What an upgrade changes for the drain of each node pool, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.upgrading import DrainAspect
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.drains.plan import BLOCKS
from clusters.wording.lists import first_of
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.disruption import Block

TITLE: Final = gettext_lazy("Drain of each node pool")
FIGURE: Final = gettext_lazy("Nodes of each pool by what differs in their drain")
POOL: Final = pgettext_lazy("column", "Node pool")
SAME: Final = pgettext_lazy("drain of a node under both releases", "nothing changes")
NOT_DRAINED: Final = pgettext_lazy("drain of a node under both releases", "not evaluated")
ASPECTS: Final = {
    DrainAspect.VERDICT: pgettext_lazy("what differs in a drain", "Whether it is drained"),
    DrainAspect.NODES: pgettext_lazy("what differs in a drain", "Nodes of the replacements"),
    DrainAspect.MESSAGE: gettext_lazy("FailedScheduling message"),
}
_NO_POOL: Final = gettext_lazy("nodes without a pool")
_DRAINED: Final = pgettext_lazy("drain of a node", "Drained")


def pool_name(name: str) -> str:
    """Name a pool, or the nodes that have none."""
    return name or str(_NO_POOL)


def headline(*, changed: int, drained: int, pools: int) -> str:
    """Say of how many nodes the drain meets something else."""
    named = {"nodes": counts.nodes(drained), "pools": NODE_POOLS(number=pools), "changed": grouped(changed)}
    if not changed:
        return _("Drain: nothing changes for %(nodes)s of %(pools)s, drained one after another.") % named
    return (
        _("Drain: %(changed)s of %(nodes)s of %(pools)s, drained one after another, would meet something else.") % named
    )


NODE_POOLS = plural("%(number)s node pool", "%(number)s node pools", by="number")
DRAINED_OF = plural("%(drained)s of %(nodes)s node evaluated", "%(drained)s of %(nodes)s nodes evaluated", by="nodes")
LEFT_OUT = plural(
    "%(number)s node pool is not drained: the preview is limited.",
    "%(number)s node pools are not drained: the preview is limited.",
    by="number",
)


def drained(replacements: int) -> str:
    """Say that a node is drained, and for how many of its pods a replacement is placed."""
    if not replacements:
        return str(_DRAINED)
    return ngettext(
        "Drained; %(number)s replacement is placed on another node.",
        "Drained; %(number)s replacements are placed on other nodes.",
        replacements,
    ) % {"number": grouped(replacements)}


def blocked(block: Block) -> str:
    """Say what keeps a node from being drained."""
    return str(BLOCKS[block])


def blocked_by(*, block: Block, budgets: Sequence[str], pods: Sequence[str], total: int) -> str:
    """Say which budgets keep a node from being drained, and of which pods."""
    return _("%(reason)s: %(budgets)s refuses %(pods)s.") % {
        "reason": BLOCKS[block],
        "budgets": first_of(budgets),
        "pods": first_of(pods, total=total),
    }


def left_pending(*, block: Block, pods: Sequence[str], total: int, message: str) -> str:
    """Say whose replacements would be pending, with the message of the first."""
    return _("%(reason)s: %(pods)s. %(message)s") % {
        "reason": BLOCKS[block],
        "pods": first_of(pods, total=total),
        "message": message,
    }


def replaced_on(*, pod: str, node: str) -> str:
    """Say where the replacement of a pod is placed."""
    return _("%(pod)s on %(node)s") % {"pod": pod, "node": node}


def replaced_uncertainly_on(*, pod: str, node: str) -> str:
    """Say where the replacement of a pod is placed, where something is not computed."""
    return _("%(pod)s on %(node)s, uncertain") % {"pod": pod, "node": node}
