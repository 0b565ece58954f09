"""Whether the message that the cluster's own scheduler recorded agrees with the computed one: in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

CONDITION: Final = gettext_lazy("PodScheduled condition")
FITS_NOW: Final = gettext_lazy("Differs: the pod fits now. The cluster has changed since.")
OF_GATES: Final = gettext_lazy("Written for the scheduling gates.")
SAME: Final = gettext_lazy("The same, letter for letter.")
SAME_AS_FAR: Final = gettext_lazy("Agrees, as far as the event was kept.")
SAME_FOR_NODES: Final = gettext_lazy("Agrees about the nodes; preemption is worded otherwise.")
SAME_REASONS: Final = gettext_lazy("Agrees about the reasons, worded by an earlier scheduler.")
DIFFERS: Final = gettext_lazy("Differs: the cluster has changed since, or its data here is incomplete.")


def recorded(*, component: str, reason: str, message: str) -> str:
    """Quote what a component recorded about a pod; ``reason`` may be empty."""
    return f"{component} ({reason}): {message}" if reason else f"{component}: {message}"


def event(reason: str, component: str) -> str:
    """Name an event by its reason and by what reported it, either of which may be empty."""
    if not component:
        return reason or "Event"
    return _("%(reason)s by %(component)s") % {"reason": reason or "Event", "component": component}
