"""Ways to make a pod schedulable, or to widen its choice: titles, notes and the sentence that leads them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.engine.analysis import Realism
from clusters.wording.messages import message, plural

LOWER_REQUESTS_TITLE: Final = gettext_lazy("Lower requests")
REQUEST_NONE_TITLE: Final = gettext_lazy("Request none of a resource")
VOLUMES_TITLE: Final = gettext_lazy("Provide its volumes")
PAIRS_TITLE: Final = gettext_lazy("Two changes together")
PINNED_TITLE: Final = gettext_lazy("Without its DaemonSet's node")
FILTERS_TITLE: Final = gettext_lazy("Without a whole filter")


def realism_title(realism: Realism) -> str:
    """Title what is as likely to be done; empty for what has another title."""
    match realism:
        case Realism.ADD_NODE:
            return _("Add a node")
        case Realism.AWAIT:
            return _("Wait")
        case Realism.UNBLOCK:
            return _("Change how its workload updates")
        case Realism.CORRECT:
            return _("Correct a spread constraint")
        case Realism.LOOSEN:
            return _("Loosen a spread constraint")
        case Realism.MOVE_PODS:
            return _("Move other pods")
        case Realism.TOLERATE:
            return _("Tolerate a taint")
        case Realism.PREFER:
            return _("Prefer instead of require")
        case Realism.REMOVE:
            return _("Remove a requirement")
        case Realism.CHANGE_NODE:
            return _("Change a node")
        case Realism.REPAIR_NODE:
            return _("Repair a node")
        case Realism.CONTROL_PLANE:
            return _("Use nodes of the control plane")
        case _:
            return ""


def realism_note(realism: Realism) -> str:
    """Say what to know of it first; empty for nothing."""
    match realism:
        case Realism.ADD_NODE:
            return _("The new node copies an existing one with its DaemonSet pods; smallest first.")
        case Realism.LOWER_UNUSED:
            return _("The workload uses less than it requests.")
        case Realism.MOVE_PODS:
            return _("The pods may be evicted now, and are recreated.")
        case Realism.TOLERATE:
            return _("The taint reserves the nodes for others.")
        case Realism.PREFER:
            return _("As preferred terms, or whenUnsatisfiable: ScheduleAnyway.")
        case Realism.REPAIR_NODE:
            return _("These taints say that the node is unhealthy.")
        case Realism.CONTROL_PLANE:
            return _("These nodes are kept for the control plane.")
        case _:
            return ""


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
