"""The small cluster of a lesson in words, before anything is decided in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from clusters.engine.resources import CPU
from clusters.wording import counts
from clusters.wording.amounts import at_most, grouped, quantity
from clusters.wording.lists import side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable

UNTAINTED: Final = pgettext_lazy("nodes of the map", "without taints")
OTHER_TAINTS: Final = pgettext_lazy("nodes of the map", "with other taints")
CORDONED: Final = pgettext_lazy("state of a node", "unschedulable (cordoned)")
NOT_READY: Final = pgettext_lazy("state of a node", "not ready")


def summary(nodes: int, keys: Iterable[str]) -> str:
    """Say the map before anything is decided: how many nodes there are, and how many have which taints."""
    return _("Map of %(nodes)s: %(keys)s.") % {"nodes": counts.nodes(nodes), "keys": side_by_side(keys)}


def key(nodes: int, label: str) -> str:
    """Count the nodes of one look."""
    return pgettext("nodes of the map", "%(nodes)s %(label)s") % {"nodes": grouped(nodes), "label": label}


def tainted(taints: str) -> str:
    """Say which taints nodes have."""
    return pgettext("nodes of the map", "with %(taints)s") % {"taints": taints}


def loads(resource: str) -> str:
    """Say what the bars of the nodes show."""
    named = "CPU" if resource == CPU else resource
    return _("Bars: what pods request of the %(resource)s of each node, a part for each pod.") % {"resource": named}


def free_of(resource: str, *, free: int, allocatable: int) -> str:
    """Say how much of a resource a node has left."""
    return _("%(free)s of %(allocatable)s free") % {
        "free": at_most(resource, max(0, free)),
        "allocatable": quantity(resource, allocatable),
    }


def requested_of(resource: str, *, requested: int, allocatable: int) -> str:
    """Say how much of a resource the pods of a node request."""
    return _("%(requested)s of %(allocatable)s requested") % {
        "requested": quantity(resource, requested),
        "allocatable": quantity(resource, allocatable),
    }


def pods_on(number: int, most: int) -> str:
    """Say how many pods a node has, and how many it may have."""
    return ngettext("%(number)s pod of at most %(most)s", "%(number)s pods of at most %(most)s", number) % {
        "number": grouped(number),
        "most": grouped(most),
    }


def pods_of(name: str, number: int) -> str:
    """Count the pods of a workload or of a node, by its name."""
    return ngettext("%(name)s: %(number)s pod", "%(name)s: %(number)s pods", number) % {
        "name": name,
        "number": grouped(number),
    }


def pool(zone: str, name: str) -> str:
    """Name the nodes of a zone and of a pool; one of both may be empty, and neither is said of nodes without."""
    return side_by_side(filter(None, (zone, name)))


def on_node(node: str) -> str:
    """Say on which node a pod runs."""
    return pgettext("where a pod is", "on %(node)s") % {"node": node}


def priority(value: int) -> str:
    """Say the priority of a pod."""
    return _("priority %(value)s") % {"value": grouped(value)}


def started(at: str) -> str:
    """Say at which hour and minute a pod began to run."""
    return _("started %(time)s") % {"time": at}


def described(facts: Iterable[str]) -> str:
    """Put what is known of a node or pod beside each other."""
    return side_by_side(facts)
