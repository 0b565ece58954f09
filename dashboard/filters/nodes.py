"""The nodes page's filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from clusters.engine.nodes import pressures
from clusters.engine.objects import Node as EngineNode
from clusters.wording import filters as words, nodes as nodes_words
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import Node

# A zone's name is never just a dash, so it can stand for "no zone label".
NO_ZONE = "-"
READINESS = {
    "yes": (nodes_words.READY, Q(ready=True)),
    "no": (nodes_words.NOT_READY, Q(ready=False)),
    "unknown": (nodes_words.READY_UNKNOWN, Q(ready=None)),
}
SCHEDULING = {
    "open": (nodes_words.NOT_CORDONED, Q(unschedulable=False)),
    "cordoned": (nodes_words.CORDONED, Q(unschedulable=True)),
}
# What keeps new pods away beside pressure, which only the objects tell of.
_CLOSED = Q(unschedulable=True) | Q(ready=False)
HEALTH = {"pressure": nodes_words.UNDER_PRESSURE, "closed": nodes_words.CLOSED}
TAINTS = {
    "with": (nodes_words.TAINTED, Q(taint_count__gt=0)),
    "without": (nodes_words.NOT_TAINTED, Q(taint_count=0)),
}


class NodeFilter(FilterForm):
    """Search, zone, readiness, cordon, health, taints."""

    q = search(words.SEARCH, nodes_words.SEARCH_HINT)
    zone = choice(words.ZONE, ())
    ready = choice(words.READY, ((value, label) for value, (label, _) in READINESS.items()))
    scheduling = choice(nodes_words.SCHEDULING, ((value, label) for value, (label, _) in SCHEDULING.items()))
    health = choice(nodes_words.HEALTH, HEALTH.items())
    taints = choice(nodes_words.TAINTS, ((value, label) for value, (label, _) in TAINTS.items()))

    def __init__(self, data: Mapping[str, Any], *, zones: list[str]) -> None:
        super().__init__(data)
        self.offer("zone", ((zone or NO_ZONE, zone or nodes_words.NO_ZONE) for zone in zones))

    def apply(self, nodes: QuerySet[Node]) -> QuerySet[Node]:
        """Return the nodes that every given filter lets through."""
        given = self.given()
        if text := given.get("q"):
            nodes = nodes.filter(name__icontains=text)
        if zone := given.get("zone"):
            nodes = nodes.filter(zone="" if zone == NO_ZONE else zone)
        if ready := given.get("ready"):
            nodes = nodes.filter(READINESS[ready][1])
        if scheduling := given.get("scheduling"):
            nodes = nodes.filter(SCHEDULING[scheduling][1])
        if taints := given.get("taints"):
            nodes = nodes.filter(TAINTS[taints][1])
        if health := given.get("health"):
            pressed = Q(pk__in=_under_pressure(nodes))
            nodes = nodes.filter(pressed if health == "pressure" else pressed | _CLOSED)
        return nodes


def _under_pressure(nodes: QuerySet[Node]) -> list[int]:
    """Return the keys of nodes of which a condition is true that should not be, as the overview counts them."""
    rows = nodes.order_by().values_list("pk", "object")
    return [key for key, document in rows if pressures(EngineNode.from_dict(document))]
