"""Ways to make a pod schedulable, or to widen its choice: titles, notes and the sentence that leads them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.analysis import Realism
from clusters.wording.messages import message, plural

LOWER_REQUESTS_TITLE: Final = gettext_lazy("Lower requests")
REQUEST_NONE_TITLE: Final = gettext_lazy("Request none of a resource")
VOLUMES_TITLE: Final = gettext_lazy("Provide its volumes")
PAIRS_TITLE: Final = gettext_lazy("Two changes together")
PINNED_TITLE: Final = gettext_lazy("Without its DaemonSet's node")
FILTERS_TITLE: Final = gettext_lazy("Without a whole filter")


# By how likely they are to be done; the others have another title.
REALISM_TITLES: Final = {
    Realism.ADD_NODE: gettext_lazy("Add a node"),
    Realism.AWAIT: gettext_lazy("Wait"),
    Realism.UNBLOCK: gettext_lazy("Change how its workload updates"),
    Realism.CORRECT: gettext_lazy("Correct a spread constraint"),
    Realism.LOOSEN: gettext_lazy("Loosen a spread constraint"),
    Realism.MOVE_PODS: gettext_lazy("Move other pods"),
    Realism.TOLERATE: gettext_lazy("Tolerate a taint"),
    Realism.PREFER: gettext_lazy("Prefer instead of require"),
    Realism.REMOVE: gettext_lazy("Remove a requirement"),
    Realism.CHANGE_NODE: gettext_lazy("Change a node"),
    Realism.REPAIR_NODE: gettext_lazy("Repair a node"),
    Realism.CONTROL_PLANE: gettext_lazy("Use nodes of the control plane"),
}
# What to know of them first.
REALISM_NOTES: Final = {
    Realism.ADD_NODE: gettext_lazy("The new node copies an existing one with its DaemonSet pods; smallest first."),
    Realism.LOWER_UNUSED: gettext_lazy("The workload uses less than it requests."),
    Realism.MOVE_PODS: gettext_lazy("The pods may be evicted now, and are recreated."),
    Realism.TOLERATE: gettext_lazy("The taint reserves the nodes for others."),
    Realism.PREFER: gettext_lazy("As preferred terms, or whenUnsatisfiable: ScheduleAnyway."),
    Realism.REPAIR_NODE: gettext_lazy("These taints say that the node is unhealthy."),
}
WITHOUT_NODES: Final = gettext_lazy("Upload the nodes too.")
FITS_ALREADY = message("It fits; more nodes: %(way)s")
NOTHING_GAINS: Final = gettext_lazy("No single change would gain a node.")
FITS_ON_PINNED: Final = gettext_lazy("It fits on the node that its DaemonSet created it for.")
PREEMPTION_HELPS: Final = gettext_lazy("Preemption would make room.")
ONE_CHANGE = message("One change is enough. %(way)s")
TWO_CHANGES = message("Two changes together are enough. %(way)s")
OFFER_RESOURCE = message("Add a node with %(resource)s, or repair what offers it, such as a device plugin.")
LOWER_IS_NOT_ENOUGH = message("Lower requests are not enough. %(way)s")
ENDED_BEFORE_NODES = message("%(plugin)s rejects the pod before Filter: %(reasons)s.")
NOTHING_HELPS_PINNED: Final = gettext_lazy("No change that was tried makes it fit on its DaemonSet's node.")
NOTHING_HELPS: Final = gettext_lazy("No change, nor two tried together, makes it fit anywhere.")
HIDDEN = plural(
    "%(ways)s further way is not listed.",
    "%(ways)s further ways are not listed.",
    by="ways",
)
