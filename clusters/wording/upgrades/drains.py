"""What an upgrade changes for the drain of each node pool."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.upgrading import DrainAspect
from clusters.wording import counts
from clusters.wording.messages import message, plural

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
DRAINED: Final = pgettext_lazy("drain of a node", "Drained")
NODE_POOLS = plural("%(number)s node pool", "%(number)s node pools", by="number")
DRAINED_OF = plural("%(drained)s of %(nodes)s node evaluated", "%(drained)s of %(nodes)s nodes evaluated", by="nodes")
LEFT_OUT = plural(
    "Not drained, beyond the limit: %(number)s node pool.",
    "Not drained, beyond the limit: %(number)s node pools.",
    by="number",
)
DRAINED_WITH = plural(
    "Drained; %(number)s replacement is placed.", "Drained; %(number)s replacements are placed.", by="number"
)
BLOCKED_BY = message("%(reason)s: %(budgets)s refuses %(pods)s.")
LEFT_PENDING = message("%(reason)s: %(pods)s. %(message)s")
REPLACED_ON = message("%(pod)s on %(node)s")
REPLACED_UNCERTAINLY_ON = message("%(pod)s on %(node)s, uncertain")
_HEADLINE = message("Drain: %(changed)s of %(nodes)s in %(pools)s would meet something else.")


def pool_name(name: str) -> str:
    """Name a pool, or the nodes that have none."""
    return name or str(_NO_POOL)


def headline(*, changed: int, drained: int, pools: int) -> str:
    """Say of how many nodes the drain meets something else."""
    return _HEADLINE(changed=changed, nodes=counts.nodes(drained), pools=NODE_POOLS(number=pools))
