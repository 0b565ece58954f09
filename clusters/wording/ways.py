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
PINNED_TITLE: Final = gettext_lazy("Without the node that its DaemonSet created it for")
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
            return _(
                "No workload has to change: the new node is a copy of an existing one with its pods of "
                "DaemonSets, smallest first."
            )
        case Realism.LOWER_UNUSED:
            return _("Usage shows that the pods of this workload do not use what they request.")
        case Realism.MOVE_PODS:
            return _("The pods may be evicted now, and are recreated.")
        case Realism.TOLERATE:
            return _("The taint reserves the nodes for others.")
        case Realism.PREFER:
            return _("Each can be a preference instead (preferred terms, whenUnsatisfiable: ScheduleAnyway).")
        case Realism.REPAIR_NODE:
            return _("These taints say that the node is unhealthy. Tolerating them would place the pod there as it is.")
        case Realism.CONTROL_PLANE:
            return _("These nodes are kept for the control plane.")
        case _:
            return ""


WITHOUT_NODES: Final = gettext_lazy("Upload the nodes too: nothing about the pod itself would help.")
FITS_ALREADY = message("It fits already. One change would gain more nodes. %(way)s")
NOTHING_GAINS: Final = gettext_lazy("No single requirement, lifted, would gain a node.")
FITS_ON_PINNED: Final = gettext_lazy(
    "It fits on the node that its DaemonSet created it for, and is meant for no other."
)
PREEMPTION_HELPS: Final = gettext_lazy("Nothing has to change: preemption would make room.")
ONE_CHANGE = message("One change is enough. %(way)s")
TWO_CHANGES = message("No single change is enough, but two together are. %(way)s")
OFFER_RESOURCE = message(
    "Add a node that offers %(resource)s, or repair what offers it on a node, such as its device plugin."
)
LOWER_IS_NOT_ENOUGH = message("Lower requests are not enough. %(way)s")
ENDED_BEFORE_NODES = message("%(plugin)s ends the attempt before any node is looked at: %(reasons)s.")
NOTHING_HELPS_PINNED: Final = gettext_lazy(
    "No change that was tried would make it fit on the node that its DaemonSet created it for."
)
NOTHING_HELPS: Final = gettext_lazy(
    "Neither a single change nor any two that were tried together would make it fit anywhere."
)
HIDDEN = plural(
    "%(ways)s further way gains fewer nodes and is not listed.",
    "%(ways)s further ways gain fewer nodes and are not listed.",
    by="ways",
)
