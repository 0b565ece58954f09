"""The page about pending pods: its sentences, badges, and what it says of one pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable

# How the scheduler's own report compares with what is computed.
AGREES: Final = pgettext_lazy("comparison of reports", "Agrees")
DIFFERS: Final = pgettext_lazy("comparison of reports", "Differs")
REPORTED: Final = pgettext_lazy("comparison of reports", "Reported")
NOTHING_REPORTED: Final = pgettext_lazy("comparison of reports", "Nothing reported")

# When the scheduler tries a pod next; the last four end with a time.
NOT_KNOWN: Final = pgettext_lazy("next attempt", "not known")
WITH_GROUP: Final = pgettext_lazy("next attempt", "when its group is complete")
WITHOUT_GATES: Final = pgettext_lazy("next attempt", "when its gates are removed")
TRIED_SINCE: Final = pgettext_lazy("next attempt", "not known: it was tried since, or no scheduler runs")
NOT_BEFORE: Final = pgettext_lazy("next attempt, with a time", "backoff; not before")
EXPECTED: Final = pgettext_lazy("next attempt, with a time", "expected by")
REQUEUED_OR_EXPECTED: Final = pgettext_lazy("next attempt, with a time", "when an event requeues it, else by")

SEARCH_HINT: Final = gettext_lazy("Part of a pod's name, or of the scheduler's message")
CAUSE_LABEL: Final = pgettext_lazy("label of a filter", "Cause")
STATE_LABEL: Final = pgettext_lazy("label of a filter", "State")
CAUSE_GONE: Final = gettext_lazy("a cause that no pod has now")

GATED_SENTENCE: Final = gettext_lazy(
    "The scheduler does not try pods with scheduling gates. Whoever set a gate removes it."
)
GROUP_SENTENCE: Final = gettext_lazy(
    "The scheduler does not try pods of a group before the group is there, with as many pods as it needs."
)
FOREIGN_SENTENCE: Final = gettext_lazy(
    "No profile of this cluster's scheduler has that name; how the other scheduler decides is not known here."
)
PROVISIONING_SENTENCE: Final = gettext_lazy(
    "The scheduler has selected a node, and waits for a volume to be provisioned there before it binds the pod."
)
PREEMPTION_SENTENCE: Final = gettext_lazy(
    "No node passes the filters. Preempting pods of lower priority would make room."
)
NOMINATED_SENTENCE: Final = gettext_lazy(
    "The scheduler has nominated a node, and waits for victims of lower priority to terminate."
)
NO_NODES_SENTENCE: Final = gettext_lazy("No nodes are mirrored, so nothing can be evaluated.")
SCHEDULED_NEXT: Final = gettext_lazy("A pod that fits is scheduled at its next attempt.")


def pending(pods: int) -> str:
    """Say how many pods are pending."""
    return ngettext("%(pods)s pod is pending.", "%(pods)s pods are pending.", pods) % {"pods": grouped(pods)}


def pending_for(pods: int, cause: str) -> str:
    """Say how many pods are pending for one cause."""
    return ngettext("%(pods)s pod pending: %(cause)s", "%(pods)s pods pending: %(cause)s", pods) % {
        "pods": grouped(pods),
        "cause": cause,
    }


def at_least_pending_for(pods: int, cause: str) -> str:
    """Say how many pods are pending for one cause, of which there may be more."""
    return ngettext("At least %(pods)s pod pending: %(cause)s", "At least %(pods)s pods pending: %(cause)s", pods) % {
        "pods": grouped(pods),
        "cause": cause,
    }


def by_cause(causes: Iterable[tuple[str, str]]) -> str:
    """Name causes with how many pods each keeps pending."""
    named = [_("%(cause)s (%(pods)s)") % {"cause": cause, "pods": pods} for cause, pods in causes]
    return _("By cause: %(causes)s.") % {"causes": ", ".join(named)}


def other_causes() -> str:
    """Name the causes together that a sentence does not name."""
    return _("other causes")


def oldest(age: str) -> str:
    """Say for how long the oldest pod is pending."""
    return _("The oldest has been pending for %(age)s.") % {"age": age}


def not_computed(pods: int) -> str:
    """Count the pods whose explanation failed."""
    return ngettext("%(pods)s pod could not be computed", "%(pods)s pods could not be computed", pods) % {
        "pods": grouped(pods)
    }


def not_computed_sentence(pods: int) -> str:
    """Say how many pods could not be computed."""
    return ngettext("%(pods)s pod could not be computed.", "%(pods)s pods could not be computed.", pods) % {
        "pods": grouped(pods)
    }


def fits_on(feasible: int, nodes: int) -> str:
    """Say on how many nodes a pod fits."""
    return ngettext("Fits on %(feasible)s of %(nodes)s node.", "Fits on %(feasible)s of %(nodes)s nodes.", nodes) % {
        "feasible": grouped(feasible),
        "nodes": grouped(nodes),
    }


def fit_on(fewest: int, most: int, nodes: int) -> str:
    """Say on how many nodes each of some pods fits."""
    return ngettext(
        "Each fits on %(fewest)s to %(most)s of %(nodes)s node.",
        "Each fits on %(fewest)s to %(most)s of %(nodes)s nodes.",
        nodes,
    ) % {"fewest": grouped(fewest), "most": grouped(most), "nodes": grouped(nodes)}


def always_error(message: str) -> str:
    """Say that every attempt ends in an error; ``message``: the scheduler's own."""
    return _("Every attempt ends in an error, whatever other nodes say: %(message)s.") % {"message": message}


def unsettled(why: str) -> str:
    """Say that something that is not computed may reject pods."""
    return _("Nodes pass all that is computed. What is not computed may still reject these pods: %(why)s.") % {
        "why": why
    }


def rejected_before_nodes(plugin: str, reason: str) -> str:
    """Say that a plugin rejects pods in PreFilter; ``reason``: the scheduler's own."""
    return _("%(plugin)s rejects the pods before any node is evaluated: %(reason)s.") % {
        "plugin": plugin,
        "reason": reason,
    }


def rejected_by_nodes(nodes: int, reasons: str) -> str:
    """Say for which reasons nodes are rejected."""
    return ngettext("0 of %(nodes)s node fits. %(reasons)s.", "0 of %(nodes)s nodes fit. %(reasons)s.", nodes) % {
        "nodes": grouped(nodes),
        "reasons": reasons,
    }


def true_of(alike: int, pods: int) -> str:
    """Say for how many pods the numbers of a sentence hold."""
    return _("These numbers hold for %(alike)s of the %(pods)s pods; those of the others differ.") % {
        "alike": grouped(alike),
        "pods": grouped(pods),
    }


def show_all(pods: int) -> str:
    """Name the link to all pods of a cause."""
    return _("Show all %(pods)s") % {"pods": grouped(pods)}


def others_of_group(pods: int) -> str:
    """Say that other pods of a group are like the one that is named."""
    return ngettext(
        "and %(pods)s more pod of its group, of which the same holds",
        "and %(pods)s more pods of its group, of which the same holds",
        pods,
    ) % {"pods": grouped(pods)}


def more_pods(pods: int) -> str:
    """Count pods that are not named."""
    return ngettext("and %(pods)s more pod", "and %(pods)s more pods", pods) % {"pods": grouped(pods)}


def hidden(pods: int) -> str:
    """Say how many pods of a cause the filters hide."""
    return ngettext(
        "%(pods)s of these pods is hidden by the filters.", "%(pods)s of these pods are hidden by the filters.", pods
    ) % {"pods": grouped(pods)}


# -- one pod -----------------------------------------------------------------------------------------------------------


def last_attempt(age: str) -> str:
    """Say how long before the page's moment the last attempt was."""
    return _("last %(age)s before") % {"age": age}


def waiting_for_victims(node: str) -> str:
    """Say that victims are terminating on the nominated node."""
    return _("Nominated for %(node)s, waiting for victims to terminate.") % {"node": node}


def nominated_in_vain(node: str) -> str:
    """Say that nothing terminates on the nominated node."""
    return _("Nominated for %(node)s, where no pod of lower priority is terminating.") % {"node": node}


def victims_on(pods: int, node: str) -> str:
    """Say which preemption would make room."""
    return ngettext(
        "Preempting %(pods)s pod on %(node)s would make room.",
        "Preempting %(pods)s pods on %(node)s would make room.",
        pods,
    ) % {"pods": grouped(pods), "node": node}


def victims_of_group(pods: int) -> str:
    """Say which preemption would make room for a whole group."""
    return ngettext(
        "Preempting %(pods)s pod would make room for its group.",
        "Preempting %(pods)s pods would make room for its group.",
        pods,
    ) % {"pods": grouped(pods)}


def group_refused(message: str) -> str:
    """Quote what the scheduler leaves on a pod that finds a node while its group is not scheduled."""
    return _("Nodes would take the pod, but not its whole group: %(message)s.") % {"message": message}


def volume_for(node: str) -> str:
    """Say where the volume of a pod is being provisioned."""
    return _("Its volume is being provisioned for %(node)s.") % {"node": node}


def in_the_queue(nodes: int) -> str:
    """Say on how many nodes a pod would fit that waits for its group."""
    if not nodes:
        return _("In the queue it would be unschedulable.")
    return ngettext(
        "In the queue it would fit on %(nodes)s node.", "In the queue it would fit on %(nodes)s nodes.", nodes
    ) % {"nodes": grouped(nodes)}


def without_gates(nodes: int) -> str:
    """Say on how many nodes a pod would fit without its gates."""
    if not nodes:
        return _("Without its gates it would be unschedulable.")
    return ngettext(
        "Without its gates it would fit on %(nodes)s node.", "Without its gates it would fit on %(nodes)s nodes.", nodes
    ) % {"nodes": grouped(nodes)}


def requeued_when(events: Iterable[str]) -> str:
    """Say which events requeue pods; each is a clause."""
    return _("Requeued when: %(events)s.") % {"events": "; ".join(events)}


def pending_because(cause: str) -> str:
    """Say of one pod what keeps it pending."""
    return _("Pending: %(cause)s") % {"cause": cause}
