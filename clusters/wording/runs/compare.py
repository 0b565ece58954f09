"""Two simulations side by side."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

# What was asked differently.
BEGINS_WITH: Final = gettext_lazy("Begins with")
CHANGE: Final = gettext_lazy("Change")
THE_DEFAULT: Final = gettext_lazy("the default")
NOT_PLACED: Final = gettext_lazy("not placed")


def configuration_field(path: str) -> str:
    """Name a field in which two configurations differ."""
    return _("Configuration: %(path)s") % {"path": path}


def newly_pending_alike(pods: int) -> str:
    """Say that both simulations leave as many pods newly pending."""
    if not pods:
        return _("Neither leaves a pod newly pending.")
    return ngettext("Both leave %(pods)s pod newly pending.", "Both leave %(pods)s pods newly pending.", pods) % {
        "pods": grouped(pods)
    }


def more_newly_pending(*, more: str, most: int, less: str, least: int) -> str:
    """Say, by their titles, which simulation leaves more pods newly pending."""
    return ngettext(
        "“%(more)s” leaves %(most)s pod newly pending, “%(less)s” %(least)s.",
        "“%(more)s” leaves %(most)s pods newly pending, “%(less)s” %(least)s.",
        most,
    ) % {"more": more, "most": grouped(most), "less": less, "least": grouped(least)}


def right_more_newly_pending(*, right: int, left: int) -> str:
    """Say that of two simulations of one title the right one leaves more pods newly pending."""
    return ngettext(
        "The right one leaves %(right)s pod newly pending, the left one %(left)s.",
        "The right one leaves %(right)s pods newly pending, the left one %(left)s.",
        right,
    ) % {"right": grouped(right), "left": grouped(left)}


def left_more_newly_pending(*, left: int, right: int) -> str:
    """Say that of two simulations of one title the left one leaves more pods newly pending."""
    return ngettext(
        "The left one leaves %(left)s pod newly pending, the right one %(right)s.",
        "The left one leaves %(left)s pods newly pending, the right one %(right)s.",
        left,
    ) % {"left": grouped(left), "right": grouped(right)}


def placed_as(*, node: str, replacement: str) -> str:
    """Say where a pod's replacement ended; ``node`` may be that it was not placed."""
    return _("%(node)s (as %(replacement)s)") % {"node": node, "replacement": replacement}


def placed_elsewhere(*, differing: int, pods: int) -> str:
    """Say how many pods two simulations placed on different nodes."""
    if not differing:
        return ngettext("%(pods)s pod ended on the same node.", "All %(pods)s pods ended on the same nodes.", pods) % {
            "pods": grouped(pods)
        }
    return ngettext(
        "%(differing)s of %(pods)s pod is placed differently.",
        "%(differing)s of %(pods)s pods are placed differently.",
        pods,
    ) % {"differing": grouped(differing), "pods": grouped(pods)}
