"""Ways to make a pod schedulable, or to widen its choice: titles, notes and the sentence that leads them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.analysis import Realism
from clusters.wording.amounts import grouped


def lower_requests_title() -> str:
    """Title what lowers requests."""
    return _("Lower requests")


def request_none_title() -> str:
    """Title what requests none of a resource."""
    return _("Request none of a resource")


def volumes_title() -> str:
    """Title what to do about the pod's claims."""
    return _("Provide its volumes")


def pairs_title() -> str:
    """Title pairs of changes."""
    return _("Two changes together")


def pinned_title() -> str:
    """Title what lets a DaemonSet's pod go to another node."""
    return _("Without the node that its DaemonSet created it for")


def filters_title() -> str:
    """Title whole filters that are lifted."""
    return _("Without a whole filter")


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
                "No workload has to change. The new node is a copy of one that there is, with the pods of DaemonSets "
                "that run there; the smallest comes first."
            )
        case Realism.LOWER_UNUSED:
            return _("Usage shows that the pods of this workload do not use what they request.")
        case Realism.MOVE_PODS:
            return _("The pods may be evicted now, and their controllers create them again; they are restarted.")
        case Realism.TOLERATE:
            return _("The nodes are reserved for others by the taint: who reserved them has a say.")
        case Realism.PREFER:
            return _(
                "Each of these can be a preference instead (preferred terms, whenUnsatisfiable: ScheduleAnyway): the "
                "scheduler then keeps to it where it can."
            )
        case Realism.REPAIR_NODE:
            return _(
                "These taints say that the node is unhealthy. It accepts pods again once it is healthy; tolerating the "
                "taint would place the pod there as it is."
            )
        case Realism.CONTROL_PLANE:
            return _("These nodes are kept for the control plane; other pods there can slow down the whole cluster.")
        case _:
            return ""


def without_nodes() -> str:
    """Say that a cluster without nodes needs its nodes first."""
    return _("Upload the nodes too: nothing about the pod itself would help.")


def fits_already(way: str) -> str:
    """Say what would widen the choice of a pod that fits."""
    return _("It fits already. One change would gain more nodes. %(way)s") % {"way": way}


def nothing_gains() -> str:
    """Say that nothing widens the choice of a pod that fits."""
    return _("No requirement of the pod, lifted by itself, would gain a node.")


def fits_on_pinned() -> str:
    """Say that a DaemonSet's pod fits where it is meant to run."""
    return _("It fits on the node that its DaemonSet created it for, and is meant for no other.")


def preemption_helps() -> str:
    """Say that preemption makes room."""
    return _("Nothing has to change: preemption would make room.")


def one_change(way: str) -> str:
    """Say the single change that is enough."""
    return _("One change is enough. %(way)s") % {"way": way}


def two_changes(way: str) -> str:
    """Say the pair of changes that is enough."""
    return _("No single change is enough, but two together are. %(way)s") % {"way": way}


def offer_resource(resource: str) -> str:
    """Say what a pod needs that requests what no node has."""
    return _("Add a node that offers %(resource)s, or repair what offers it on a node, such as its device plugin.") % {
        "resource": resource
    }


def lower_is_not_enough(way: str) -> str:
    """Say that only to request none of a resource would help."""
    return _("Lower requests are not enough. %(way)s") % {"way": way}


def ended_before_nodes(plugin: str, reasons: str) -> str:
    """Say which plugin ended the attempt before any node was looked at, in the scheduler's words."""
    return _("%(plugin)s ends the attempt before any node is looked at: %(reasons)s.") % {
        "plugin": plugin,
        "reasons": reasons,
    }


def nothing_helps_pinned() -> str:
    """Say that nothing was found for a DaemonSet's pod."""
    return _("No change that was tried would make it fit on the node that its DaemonSet created it for.")


def nothing_helps() -> str:
    """Say that nothing was found."""
    return _("Neither a single change nor any two that were tried together would make it fit anywhere.")


def hidden(number: int) -> str:
    """Count further ways, which gain fewer nodes than those listed."""
    return ngettext(
        "%(ways)s further way gains fewer nodes and is not listed.",
        "%(ways)s further ways gain fewer nodes and are not listed.",
        number,
    ) % {"ways": grouped(number)}
