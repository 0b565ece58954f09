"""What a review says of requests, allocatable and capacity."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.lists import begun
from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_name

NONE_PENDING: Final = gettext_lazy("No pod is pending.")
MAY_BE_PENDING: Final = gettext_lazy("If a node fails, pods may be pending.")
# Figures and parts of pictures.
NODES: Final = pgettext_lazy("figure", "Nodes")
SCHEDULED_PODS: Final = pgettext_lazy("figure", "Scheduled pods")
CAPACITY: Final = pgettext_lazy("picture", "Capacity of the cluster")
REQUESTED: Final = pgettext_lazy("capacity", "requested")
FREE: Final = pgettext_lazy("capacity", "free")
RESERVED: Final = pgettext_lazy("capacity", "reserved for the system")
NO_ZONE: Final = pgettext_lazy("nodes", "no zone")
NO_POOL: Final = pgettext_lazy("nodes", "no node pool")


SHARE_OF = message("%(share)s of the %(resource)s")
REQUESTED_OF = plural(
    "The pods request %(shares)s of %(nodes)s node.", "The pods request %(shares)s of %(nodes)s nodes.", by="nodes"
)
SCHEDULED = plural("%(pods)s pod is scheduled.", "%(pods)s pods are scheduled.", by="pods")
PENDING = plural("%(pods)s pod is pending.", "%(pods)s pods are pending.", by="pods")
AMOUNTS = message("Requested: %(cpu)s of %(cpu_allocatable)s, memory: %(memory)s of %(memory_allocatable)s.")
NOT_READY = message("NotReady: %(nodes)s.")
UNDER_PRESSURE = message("With a pressure condition: %(nodes)s.")
CORDONED = message("Cordoned: %(nodes)s.")
NOT_REQUESTED = message("No pod requests %(resources)s.")
NEARLY_ALL_REQUESTED = message("More than %(share)s is requested of %(resources)s")
FIGURE = message("%(resource)s requested")
OF_AMOUNT = message("of %(amount)s")
ACCEPTING = plural("%(nodes)s accepts pods", "%(nodes)s accept pods", by="nodes")
PENDING_NOTE = message("%(pods)s pending")
SHARE_OF_AMOUNT = message("%(share)s of %(amount)s")
BY_ZONE = message("%(resource)s by zone")
BY_POOL = message("%(resource)s by node pool")
FULLEST = message("%(caption)s, the %(shown)s fullest of %(total)s")
PART = message("%(amount)s %(part)s")
BAR = message("%(label)s: %(parts)s (%(share)s requested).")


def resource_label(resource: str) -> str:
    """Write a resource as the first word of a label."""
    name = resource_name(resource)
    return name if "/" in name else begun(name)
