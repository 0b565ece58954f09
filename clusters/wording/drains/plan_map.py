"""The map of a plan of a drain in words: what becomes of nodes, and which pods leave and arrive there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.decisions.verdict_map import key
from clusters.wording.drains.plan import EVICTED
from clusters.wording.lists import first_of, side_by_side
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DRAINED: Final = pgettext_lazy("nodes of the map of a drain", "drained")
DRAINED_LATER: Final = pgettext_lazy("nodes of the map of a drain", "drained, evictions refused at first")
RECEIVES: Final = pgettext_lazy("nodes of the map of a drain", "receiving pods")
UNCHANGED: Final = pgettext_lazy("nodes of the map of a drain", "neither drained nor receiving pods")
NO_SUCH_POOL: Final = gettext_lazy("The cluster has no such zone or pool.")
NO_SUCH_NODE: Final = gettext_lazy("The cluster has no such node.")
# A pool by itself has not got the nodes to which the pods of others go.
OTHER_ENDS: Final = gettext_lazy("Arrows to elsewhere are on the map of all nodes.")


EVICTIONS = plural("%(number)s eviction", "%(number)s evictions", by="number")
ARRIVING = plural("%(number)s replacement", "%(number)s replacements", by="number")


_SUMMARY = plural(
    "Map of %(nodes)s: %(keys)s. %(moved)s pod moves.", "Map of %(nodes)s: %(keys)s. %(moved)s pods move.", by="moved"
)


def summary(nodes: int, keys: Iterable[tuple[int, str]], moved: int) -> str:
    """Say the whole map: what becomes of how many nodes, and how many pods go from node to node."""
    said = side_by_side(key(number, label, "") for number, label in keys)
    return _SUMMARY(nodes=counts.nodes(nodes), keys=said, moved=moved)


def figure(*, leaving: int, arriving: int) -> str:
    """Say in signed numbers how many pods leave a node and how many arrive; empty where none does."""
    left = f"−{grouped(leaving)}" if leaving else ""
    came = f"+{grouped(arriving)}" if arriving else ""
    return f"{left} {came}".strip()


MORE_DRAINED = plural("%(nodes)s more drained node", "%(nodes)s more drained nodes", by="nodes")


_REFUSED = message("Refused at first: %(pods)s.")
_PLACED_ON = message("Replacements are placed on %(nodes)s.")
_ARRIVE = plural(
    "%(pods)s replacement is placed here, from %(nodes)s.",
    "%(pods)s replacements are placed here, from %(nodes)s.",
    by="pods",
)
BLOCKED_BY = message("Blocked by %(pods)s.")
_NODE = message("%(node)s (%(pods)s)", context="node and its pods")


def leave(pods: int, refused: int, targets: Sequence[tuple[str, int]]) -> str:
    """Say how many pods of a node are evicted, how many of them not at once, and where their replacements go."""
    said = [EVICTED(pods=pods)]
    if refused:
        said.append(_REFUSED(pods=refused))
    if targets:
        said.append(_PLACED_ON(nodes=_nodes(targets)))
    return " ".join(said)


def arrive(pods: int, sources: Sequence[tuple[str, int]]) -> str:
    """Say how many replacements are placed on a node, and from which nodes their pods come."""
    return _ARRIVE(pods=pods, nodes=_nodes(sources))


def _nodes(nodes: Sequence[tuple[str, int]]) -> str:
    return first_of([_NODE(node=name, pods=pods) for name, pods in nodes])
