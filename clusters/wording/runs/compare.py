"""Two simulations side by side."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

# What was asked differently.
BEGINS_WITH: Final = gettext_lazy("Begins with")
CHANGE: Final = gettext_lazy("Change")
THE_DEFAULT: Final = gettext_lazy("the default")
NOT_PLACED: Final = gettext_lazy("not placed")


CONFIGURATION_FIELD = message("Configuration: %(path)s")


def newly_pending_alike(pods: int) -> str:
    """Say that both simulations leave as many pods newly pending."""
    if not pods:
        return _("Neither leaves a pod newly pending.")
    return ngettext("Both leave %(pods)s pod newly pending.", "Both leave %(pods)s pods newly pending.", pods) % {
        "pods": grouped(pods)
    }


MORE_NEWLY_PENDING = plural(
    "“%(more)s” leaves %(most)s pod newly pending, “%(less)s” %(least)s.",
    "“%(more)s” leaves %(most)s pods newly pending, “%(less)s” %(least)s.",
    by="most",
)
RIGHT_MORE_NEWLY_PENDING = plural(
    "The right one leaves %(right)s pod newly pending, the left one %(left)s.",
    "The right one leaves %(right)s pods newly pending, the left one %(left)s.",
    by="right",
)
LEFT_MORE_NEWLY_PENDING = plural(
    "The left one leaves %(left)s pod newly pending, the right one %(right)s.",
    "The left one leaves %(left)s pods newly pending, the right one %(right)s.",
    by="left",
)
PLACED_AS = message("%(node)s (as %(replacement)s)")


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
