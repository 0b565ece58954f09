"""The nodes page's filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clusters.engine.nodes.health import pressures
from clusters.engine.objects import Node as EngineNode
from dashboard.filters.base import FilterForm, choice, search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet
    from django.forms import ChoiceField

    from clusters.models import Node

# A zone's name is never just a dash, so it can stand for "no zone label".
NO_ZONE = "-"
READINESS = {
    "yes": ("Ready", Q(ready=True)),
    "no": ("Not ready", Q(ready=False)),
    "unknown": ("Not known", Q(ready=None)),
}
SCHEDULING = {
    "open": ("Not cordoned", Q(unschedulable=False)),
    "cordoned": ("Cordoned", Q(unschedulable=True)),
}
# What keeps new pods away beside pressure, which only the objects tell of.
_CLOSED = Q(unschedulable=True) | Q(ready=False)
HEALTH = {"pressure": "Under pressure", "closed": "Takes no new pods"}
TAINTS = {
    "with": ("With taints", Q(taint_count__gt=0)),
    "without": ("Without taints", Q(taint_count=0)),
}


class NodeFilter(FilterForm):
    """Search, zone, readiness, cordon, health, taints."""

    q = search("Search", "Part of a node's name")
    zone = choice("Zone", ())
    ready = choice("Ready", ((value, label) for value, (label, _) in READINESS.items()))
    scheduling = choice("Scheduling", ((value, label) for value, (label, _) in SCHEDULING.items()))
    health = choice("Health", HEALTH.items())
    taints = choice("Taints", ((value, label) for value, (label, _) in TAINTS.items()))

    def __init__(self, data: Mapping[str, Any], *, zones: list[str]) -> None:
        super().__init__(data)
        field: ChoiceField = self.fields["zone"]  # type: ignore[assignment]
        field.choices = [("", "Any"), *((zone or NO_ZONE, zone or "No zone label") for zone in zones)]

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

    def conditions(self) -> list[str]:
        """Return what each given filter asks for, in words."""
        words = {
            "q": lambda value: f"name contains “{value}”",
            "zone": lambda value: "no zone label" if value == NO_ZONE else f"zone {value}",
            "ready": lambda value: f"readiness {READINESS[value][0].lower()}",
            "scheduling": lambda value: SCHEDULING[value][0].lower(),
            "health": lambda value: HEALTH[value].lower(),
            "taints": lambda value: TAINTS[value][0].lower(),
        }
        return [words[name](value) for name, value in self.given().items()]


def _under_pressure(nodes: QuerySet[Node]) -> list[int]:
    """Return the keys of nodes of which a condition is true that should not be, as the overview counts them."""
    rows = nodes.order_by().values_list("pk", "object")
    return [key for key, document in rows if pressures(EngineNode.from_dict(document))]
