"""What the picture of a node's pods says."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped

TITLE: Final = gettext_lazy("Pods of the node, to scale")
REQUEST: Final = pgettext_lazy("part of a picture", "Requested by a pod")
FREE: Final = pgettext_lazy("part of a picture", "Free")
USED: Final = pgettext_lazy("part of a picture", "Used")
OVER: Final = pgettext_lazy("part of a picture", "Used beyond the request")


def of(requested: str, allocatable: str) -> str:
    """Write what is requested of what there is."""
    return pgettext("requested of allocatable", "%(requested)s of %(allocatable)s") % {
        "requested": requested,
        "allocatable": allocatable,
    }


def free(amount: str) -> str:
    """Write what is free."""
    return pgettext("part of a picture", "free: %(amount)s") % {"amount": amount}


def requests(pod: str, amount: str) -> str:
    """Say what a pod requests."""
    return _("%(pod)s requests %(amount)s.") % {"pod": pod, "amount": amount}


def requests_and_uses(pod: str, amount: str, used: str) -> str:
    """Say what a pod requests and what it uses of it."""
    return _("%(pod)s requests %(amount)s and uses %(used)s.") % {"pod": pod, "amount": amount, "used": used}


def smaller(pods: int) -> str:
    """Name the pods that are drawn as one."""
    return ngettext("%(pods)s smaller pod", "%(pods)s smaller pods", pods) % {"pods": grouped(pods)}


def summary(pods: int) -> str:
    """Say what the picture shows."""
    return ngettext(
        "%(pods)s pod, as wide as what it requests of what is allocatable.",
        "%(pods)s pods, each as wide as what it requests of what is allocatable.",
        pods,
    ) % {"pods": grouped(pods)}
