"""The map of a cluster by what the drain of each node alone would meet now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.disruption import Outlook
from clusters.wording.amounts import grouped
from clusters.wording.drains import page as words
from clusters.wording.drains.plan_map import EVICTIONS
from dashboard.pictures.verdict_map.spec import MapKey, VerdictMap
from dashboard.presenters.shared.map_pools import map_pools

if TYPE_CHECKING:
    from clusters.services.disruption import ClusterDrains

# Colours and marks are those of the map of a plan, where it has the same state.
_LOOKS = {
    Outlook.NOW: ("verdict-fits-solid", ""),
    Outlook.ALLOWED: ("verdict-chosen-solid", "plus"),
    Outlook.WAITS: ("verdict-preemptible-solid", "bar"),
    Outlook.FORCE: ("verdict-unknown-solid", "corner"),
    Outlook.NO_ROOM: ("verdict-uncertain-solid", "square"),
    Outlook.LASTING: ("verdict-rejected-solid", "cross"),
}
# Of so many nodes the page says how many pods each drain evicts; of more, the numbers on bars and tiles do.
MOST_LINES = 300
_NUMBER = {outlook: number for number, outlook in enumerate(_LOOKS)}


def outlook_key(outlook: Outlook, nodes: int) -> MapKey:
    """Return what the nodes of an outlook have in common."""
    return MapKey(str(words.OUTLOOKS[outlook]), "", *_LOOKS[outlook], nodes)


def outlook_map(found: ClusterDrains, sentence: str) -> VerdictMap:
    """Present every node by its outlook, with how many of its pods a drain evicts; the sentence says it in words."""
    pools, order = map_pools(found.snapshot.nodes.nodes)
    nodes = [found.nodes[found.snapshot.nodes.names[row]] for row in order.tolist()]
    counted = Counter(node.drain.outlook for node in nodes)
    return VerdictMap(
        sentence=sentence,
        keys=tuple(outlook_key(outlook, counted[outlook]) for outlook in _LOOKS),
        pools=pools,
        names=tuple(node.name for node in nodes),
        key_of=tuple(_NUMBER[node.drain.outlook] for node in nodes),
        shade_of=(0,) * len(nodes),
        lines=tuple(EVICTIONS(number=node.drain.evicted) for node in nodes) if len(nodes) <= MOST_LINES else (),
        figures=tuple(grouped(node.drain.evicted) if node.drain.evicted else "" for node in nodes),
    )
