"""What the picture of a node's pods says."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.messages import message, plural

TITLE: Final = gettext_lazy("Pods of the node, to scale")
REQUEST: Final = pgettext_lazy("part of a picture", "Requested by a pod")
FREE: Final = pgettext_lazy("part of a picture", "Free")
USED: Final = pgettext_lazy("part of a picture", "Used")
OVER: Final = pgettext_lazy("part of a picture", "Used beyond the request")


OF = message("%(requested)s of %(allocatable)s", context="requested of allocatable")


def free(amount: str) -> str:
    """Write what is free."""
    return pgettext("part of a picture", "free: %(amount)s") % {"amount": amount}


REQUESTS = message("%(pod)s requests %(amount)s.")
REQUESTS_AND_USES = message("%(pod)s requests %(amount)s and uses %(used)s.")
SMALLER = plural("%(pods)s smaller pod", "%(pods)s smaller pods", by="pods")
SUMMARY = plural(
    "%(pods)s pod, as wide as what it requests of what is allocatable.",
    "%(pods)s pods, each as wide as what it requests of what is allocatable.",
    by="pods",
)
