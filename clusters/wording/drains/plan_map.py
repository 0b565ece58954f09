"""The map of a plan of a drain in words: what becomes of nodes, and which pods leave and arrive there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.disruption import Block
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.decisions.verdict_map import key
from clusters.wording.drains.plan import EVICTED
from clusters.wording.lists import first_of, side_by_side
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DRAINED: Final = pgettext_lazy("nodes of the map of a drain", "drained")
DRAINED_LATER: Final = pgettext_lazy(
    "nodes of the map of a drain", "drained, though a budget refuses evictions at first"
)
NOT_DRAINED: Final = {
    Block.FLAG: pgettext_lazy("nodes of the map of a drain", "not drained: needs a flag"),
    Block.TWO_BUDGETS: pgettext_lazy("nodes of the map of a drain", "not drained: several budgets"),
    Block.NEVER: pgettext_lazy("nodes of the map of a drain", "not drained: budget blocks until changed"),
    Block.BUDGET: pgettext_lazy("nodes of the map of a drain", "not drained: budget blocks until pods are ready"),
    Block.NO_ROOM: pgettext_lazy("nodes of the map of a drain", "not drained: replacements unschedulable"),
    Block.NOT_COMPUTED: pgettext_lazy("nodes of the map of a drain", "not drained: not computed"),
}
RECEIVES: Final = pgettext_lazy("nodes of the map of a drain", "receiving pods")
UNCHANGED: Final = pgettext_lazy("nodes of the map of a drain", "neither drained nor receiving pods")
NO_SUCH_POOL: Final = gettext_lazy("The cluster has no such zone or pool.")
NO_SUCH_NODE: Final = gettext_lazy("The cluster has no such node.")
# A pool by itself has not got the nodes to which the pods of others go.
OTHER_ENDS: Final = gettext_lazy("Arrows to other zones and pools are on the map of all nodes.")


EVICTIONS = plural("%(number)s eviction", "%(number)s evictions", by="number")
ARRIVING = plural("%(number)s replacement", "%(number)s replacements", by="number")


def summary(nodes: int, keys: Iterable[tuple[int, str]], moved: int) -> str:
    """Say the whole map: what becomes of how many nodes, and how many pods go from node to node."""
    said = side_by_side(key(number, label, "") for number, label in keys)
    return ngettext(
        "Map of %(nodes)s in the drain: %(keys)s. %(moved)s pod moves.",
        "Map of %(nodes)s in the drain: %(keys)s. %(moved)s pods move.",
        moved,
    ) % {"nodes": counts.nodes(nodes), "keys": said, "moved": grouped(moved)}


def figure(*, leaving: int, arriving: int) -> str:
    """Say in signed numbers how many pods leave a node and how many arrive; empty where none does."""
    left = f"−{grouped(leaving)}" if leaving else ""
    came = f"+{grouped(arriving)}" if arriving else ""
    return f"{left} {came}".strip()


MORE_DRAINED = plural("%(nodes)s more drained node", "%(nodes)s more drained nodes", by="nodes")


def leave(pods: int, refused: int, targets: Sequence[tuple[str, int]]) -> str:
    """Say how many pods of a node are evicted, how many of them not at once, and where their replacements go."""
    said = [EVICTED(pods=pods)]
    if refused:
        said.append(
            ngettext(
                "A budget refuses %(pods)s of the evictions at first.",
                "Budgets refuse %(pods)s of the evictions at first.",
                refused,
            )
            % {"pods": grouped(refused)}
        )
    if targets:
        said.append(_("Replacements are placed on %(nodes)s.") % {"nodes": _nodes(targets)})
    return " ".join(said)


def arrive(pods: int, sources: Sequence[tuple[str, int]]) -> str:
    """Say how many replacements are placed on a node, and from which nodes their pods come."""
    return ngettext(
        "%(pods)s replacement is placed here, of a pod from %(nodes)s.",
        "%(pods)s replacements are placed here, of pods from %(nodes)s.",
        pods,
    ) % {"pods": grouped(pods), "nodes": _nodes(sources)}


def blocked_by(pods: Sequence[str]) -> str:
    """Say which pods keep a node from being drained."""
    return ngettext("%(pods)s blocks the drain.", "%(pods)s block the drain.", len(pods)) % {"pods": first_of(pods)}


def _nodes(nodes: Sequence[tuple[str, int]]) -> str:
    return first_of(
        [
            pgettext("node and its pods", "%(node)s (%(pods)s)") % {"node": name, "pods": grouped(pods)}
            for name, pods in nodes
        ]
    )
