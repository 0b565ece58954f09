"""The small cluster of a lesson in words, before anything is decided in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, pgettext_lazy

from clusters.engine.resources import CPU
from clusters.wording.amounts import at_most, quantity
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

UNTAINTED: Final = pgettext_lazy("nodes of the map", "without taints")
OTHER_TAINTS: Final = pgettext_lazy("nodes of the map", "with other taints")
CORDONED: Final = pgettext_lazy("state of a node", "unschedulable (cordoned)")
NOT_READY: Final = pgettext_lazy("state of a node", "not ready")


SUMMARY = message("Map of %(nodes)s: %(keys)s.")


TAINTED = message("with %(taints)s", context="nodes of the map")


def loads(resource: str) -> str:
    """Say what the bars of the nodes show."""
    named = "CPU" if resource == CPU else resource
    return _("Bars: what pods request of %(resource)s, by node and pod.") % {"resource": named}


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


PODS_ON = plural("%(number)s pod of at most %(most)s", "%(number)s pods of at most %(most)s", by="number")
PODS_OF = plural("%(name)s: %(number)s pod", "%(name)s: %(number)s pods", by="number")


def pool(zone: str, name: str) -> str:
    """Name the nodes of a zone and of a pool; one of both may be empty, and neither is said of nodes without."""
    return ", ".join(filter(None, (zone, name)))


ON_NODE = message("on %(node)s", context="where a pod is")
PRIORITY = message("priority %(priority)s")
STARTED = message("started %(time)s")


def described(facts: Iterable[str]) -> str:
    """Put what is known of a node or pod beside each other."""
    return ", ".join(facts)
