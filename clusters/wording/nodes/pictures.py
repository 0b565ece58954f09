"""What the pictures of nodes say: their pods to scale, how full they are, and which pods can use what is free."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.nodes import Unusable
from clusters.engine.resources import CPU, MEMORY
from clusters.wording.messages import message, plural

# -- the pods of a node, to scale ----------------------------------------------------------------------------------

TO_SCALE: Final = gettext_lazy("Pods of the node, to scale")
REQUEST: Final = pgettext_lazy("part of a picture", "Requested by a pod")
FREE: Final = pgettext_lazy("part of a picture", "Free")
USED: Final = pgettext_lazy("part of a picture", "Used")
OVER: Final = pgettext_lazy("part of a picture", "Used beyond the request")
OF = message("%(requested)s of %(allocatable)s", context="requested of allocatable")
FREE_AMOUNT = message("free: %(amount)s", context="part of a picture")
REQUESTS = message("%(pod)s requests %(amount)s.")
REQUESTS_AND_USES = message("%(pod)s requests %(amount)s and uses %(used)s.")
SMALLER = plural("%(pods)s smaller pod", "%(pods)s smaller pods", by="pods")
BY_REQUEST = plural("%(pods)s pod, as wide as its request.", "%(pods)s pods, as wide as their requests.", by="pods")

# -- the nodes by the share that is requested ----------------------------------------------------------------------

NO_ZONE: Final = pgettext_lazy("group of nodes", "no zone")
PODS_LABEL: Final = pgettext_lazy("resource of a node", "Pods")
CELL = message("%(requested)s of %(allocatable)s, %(share)s")
WITHOUT = message("Without %(resource)s: %(nodes)s.")
ZONES = message("%(resource)s requested by zone")
ZONE = plural("%(nodes)s node, %(share)s requested", "%(nodes)s nodes, %(share)s requested", by="nodes")
NO_NODE_HAS = message("None of these nodes has %(resource)s.")
REQUESTED_ON = message(
    "%(resource)s requested: %(requested)s of %(allocatable)s (%(share)s) on %(nodes)s in %(zones)s. "
    "90\u00a0%% or more: %(full)s; overcommitted: %(over)s."
)

# -- what is free, by the shape of pods that can use it ------------------------------------------------------------

USABLE_TITLE: Final = gettext_lazy("Free capacity, and which pods can still use it")
NOT_COMPUTED: Final = gettext_lazy("What nodes have free cannot be computed.")
CURVE: Final = gettext_lazy("More pods that fit, by shape")
USABLE_OF: Final = {CPU: gettext_lazy("Free CPU by shape"), MEMORY: gettext_lazy("Free memory by shape")}
USABLE: Final = pgettext_lazy("part of free capacity", "usable")
MORE_PODS: Final = pgettext_lazy("line in a picture", "more pods")
PODS: Final = pgettext_lazy("unit of a picture", "pods")
SHAPE_COLUMN: Final = pgettext_lazy("column", "Each pod requests")
_WHY: Final = {
    Unusable.CLOSED: pgettext_lazy("part of free capacity", "on nodes that accept no pods"),
    Unusable.TAINTED: pgettext_lazy("part of free capacity", "on tainted nodes"),
    Unusable.POD_LIMIT: pgettext_lazy("part of free capacity", "node pod limit reached"),
    Unusable.REMAINDER: pgettext_lazy("part of free capacity", "less than one pod requests"),
}
_LACK: Final = {
    CPU: pgettext_lazy("part of free capacity", "insufficient memory beside it"),
    MEMORY: pgettext_lazy("part of free capacity", "insufficient CPU beside it"),
}
SHAPE = message("%(cpu)s, %(memory)s", context="what a pod requests")
FIT = plural("%(pods)s more fits", "%(pods)s more fit", by="pods")
AT_END = plural("%(pods)s pod of %(cpu)s", "%(pods)s pods of %(cpu)s", by="pods")
USABLE_BY = message("%(free)s free; pods of %(shape)s can use %(usable)s of it (%(share)s).")
MORE_FIT = message("%(many)s more of %(small)s fit, and %(few)s of %(large)s.")


def why(reason: Unusable, resource: str) -> str:
    """Say why a shape cannot use what is free of a resource."""
    return str(_LACK[resource] if reason is Unusable.OTHER_RESOURCE else _WHY[reason])
