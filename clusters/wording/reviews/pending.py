"""What a review says of pending pods, and of how often Berth agrees with kube-scheduler."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

NONE: Final = gettext_lazy("No pod is pending.")
NOTHING_RECORDED: Final = gettext_lazy(
    "Why pods were pending earlier is not known: the journal holds no decision of this cluster."
)
NOT_JUDGED: Final = gettext_lazy(
    "No decision of the period was judged, so how often Berth agrees with kube-scheduler is not known."
)


def pending(pods: int) -> str:
    """Say how many pods are pending."""
    return ngettext("%(pods)s pod is pending.", "%(pods)s pods are pending.", pods) % {"pods": grouped(pods)}


def causes(number: int) -> str:
    """Say for how many causes they are."""
    return ngettext("There is %(causes)s cause.", "There are %(causes)s causes.", number) % {"causes": grouped(number)}


def recorded(pods: int, attempts: int) -> str:
    """Say how many pods were unschedulable at least once over the period."""
    return ngettext(
        "Over the period %(pods)s pod was unschedulable at least once, in %(attempts)s attempts; the reasons are "
        "kube-scheduler's own.",
        "Over the period %(pods)s pods were unschedulable at least once, in %(attempts)s attempts; the reasons are "
        "kube-scheduler's own.",
        pods,
    ) % {"pods": grouped(pods), "attempts": grouped(attempts)}


def agreement(share: str, decisions: int) -> str:
    """Say how often Berth agreed with kube-scheduler, and what that is worth."""
    return ngettext(
        "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decision: so far the numbers of this review "
        "can be relied upon.",
        "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decisions: so far the numbers of this review "
        "can be relied upon.",
        decisions,
    ) % {"share": share, "decisions": grouped(decisions)}
