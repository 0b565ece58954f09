"""Whether the message that the cluster's own scheduler recorded agrees with the computed one: in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

CONDITION: Final = gettext_lazy("PodScheduled condition")
FITS_NOW: Final = gettext_lazy("Differs: the pod fits now. The cluster has changed since.")
OF_GATES: Final = gettext_lazy("Written for the scheduling gates; this page looks beyond them.")
SAME: Final = gettext_lazy("It is the same as what is computed here, letter for letter.")
SAME_AS_FAR: Final = gettext_lazy("Agrees with what is computed here, as far as the event was kept.")
SAME_FOR_NODES: Final = gettext_lazy("Agrees about the nodes; what it says about preemption is worded otherwise.")
SAME_REASONS: Final = gettext_lazy("Agrees about the reasons, which an earlier scheduler called otherwise.")
DIFFERS: Final = gettext_lazy(
    "Differs from what is computed here: the cluster has changed since then, or the answer depends on something that "
    "the mirror does not hold."
)


def recorded(*, component: str, reason: str, message: str) -> str:
    """Quote what a component recorded about a pod; ``reason`` may be empty."""
    if not reason:
        return _("%(component)s recorded: %(message)s") % {"component": component, "message": message}
    return _("%(component)s recorded (%(reason)s): %(message)s") % {
        "component": component,
        "reason": reason,
        "message": message,
    }


def event(reason: str, component: str) -> str:
    """Name an event by its reason and by what reported it, either of which may be empty."""
    if not component:
        return _("%(reason)s by an unnamed component") % {"reason": reason or _("Event")}
    return _("%(reason)s by %(component)s") % {"reason": reason or _("Event"), "component": component}
