"""The cards of the overview about pending pods, the most effective change, and failing workloads."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

# Titles.
CHANGE: Final = pgettext_lazy("card", "Most effective change")
FAILING: Final = pgettext_lazy("card", "Failing workloads")
# Badges.
BADGE_NONE: Final = pgettext_lazy("badge", "None pending")
BADGE_NO_CHANGE: Final = pgettext_lazy("badge", "No single change")
BADGE_SAME_CHANGE: Final = pgettext_lazy("badge", "The same change")
BADGE_ONE_CHANGE: Final = pgettext_lazy("badge", "One change")
BADGE_TWO_CHANGES: Final = pgettext_lazy("badge", "Two changes")
BADGE_FAILING: Final = pgettext_lazy("badge", "Failing")

NO_PODS: Final = gettext_lazy("No pod is mirrored.")
NOTHING_PENDING: Final = gettext_lazy("Every pod has a node, has finished or is terminating.")
QUEUE_ORDER: Final = gettext_lazy("Order of the queue")
NOBODY: Final = pgettext_lazy("number of pods", "None")


def of_pending(pods: int) -> str:
    """Say, after a number, of how many pending pods it is unschedulable."""
    return ngettext("of %(pods)s pending pod unschedulable", "of %(pods)s pending pods unschedulable", pods) % {
        "pods": grouped(pods)
    }


def pending_only(pods: int) -> str:
    """Say, after the number of pending pods, that none is unschedulable."""
    return ngettext("pending pod, not unschedulable", "pending pods, none unschedulable", pods)


def more_causes(causes: int) -> str:
    """Count the causes of unschedulable pods that are not named."""
    return ngettext("%(causes)s more cause", "%(causes)s more causes", causes) % {"causes": grouped(causes)}


def other_pods(pods: int) -> str:
    """Count the pending pods that are not unschedulable."""
    return ngettext("%(pods)s other pending pod", "%(pods)s other pending pods", pods) % {"pods": grouped(pods)}


def and_other_causes(causes: int) -> str:
    """Count the other causes of the pods that a change frees."""
    return ngettext("and %(causes)s other cause", "and %(causes)s other causes", causes) % {"causes": grouped(causes)}


def all_pending_for(cause: str) -> str:
    """Name the link to all pods of a cause."""
    return _("All pods pending: %(cause)s") % {"cause": cause}


def more_pods(pods: int) -> str:
    """Count the pods that are not named."""
    return ngettext("and %(pods)s more pod", "and %(pods)s more pods", pods) % {"pods": grouped(pods)}


def no_change_helps(pods: int) -> str:
    """Say, after None, of how many pods no single change makes any fit."""
    return ngettext(
        "of %(pods)s unschedulable pod would fit after a single change that was tried",
        "of %(pods)s unschedulable pods would fit after a single change that was tried",
        pods,
    ) % {"pods": grouped(pods)}


def fit_after_one(pods: int) -> str:
    """Say, after a number, of how many unschedulable pods it would fit after one change."""
    return ngettext(
        "of %(pods)s unschedulable pod would fit after one change",
        "of %(pods)s unschedulable pods would fit after one change",
        pods,
    ) % {"pods": grouped(pods)}


def fit_after_two(pods: int) -> str:
    """Say, after a number, of how many unschedulable pods it would fit after two changes together."""
    return ngettext(
        "of %(pods)s unschedulable pod would fit after two changes",
        "of %(pods)s unschedulable pods would fit after two changes",
        pods,
    ) % {"pods": grouped(pods)}


def fit_after_same_on_nodes(pods: int, nodes: int) -> str:
    """Say, after a number, of how many unschedulable pods it would fit after one change made on several nodes."""
    return ngettext(
        "of %(pods)s unschedulable pod would fit after the same change on %(nodes)s nodes",
        "of %(pods)s unschedulable pods would fit after the same change on %(nodes)s nodes",
        pods,
    ) % {"pods": grouped(pods), "nodes": grouped(nodes)}


def fit_after_same_to_workloads(pods: int, workloads: int) -> str:
    """Say, after a number, of how many unschedulable pods it would fit after one change made to several workloads."""
    return ngettext(
        "of %(pods)s unschedulable pod would fit after the same change to %(workloads)s workloads",
        "of %(pods)s unschedulable pods would fit after the same change to %(workloads)s workloads",
        pods,
    ) % {"pods": grouped(pods), "workloads": grouped(workloads)}


def at_nodes(nodes: int, names: str) -> str:
    """Name the nodes at which a change has to be made."""
    return ngettext("The node: %(names)s.", "The nodes: %(names)s.", nodes) % {"names": names}


def more_workloads(workloads: int) -> str:
    """Count the workloads that are not named."""
    return ngettext("and %(workloads)s more workload", "and %(workloads)s more workloads", workloads) % {
        "workloads": grouped(workloads)
    }
