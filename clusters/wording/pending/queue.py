"""The page about the scheduler's queue: where each pending pod is, and what requeues it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.queueing import QueuePlace
from clusters.wording import states
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable

# Where a pod is.
PLACES: Final = {
    QueuePlace.ACTIVE: pgettext_lazy("part of the queue", "Active"),
    QueuePlace.BACKOFF: pgettext_lazy("part of the queue", "Backoff"),
    QueuePlace.UNSCHEDULABLE: states.UNSCHEDULABLE,
    QueuePlace.BINDING: pgettext_lazy("part of the queue", "Binding"),
    QueuePlace.GATED: states.GATED,
    QueuePlace.OTHER_SCHEDULER: states.OTHER_SCHEDULER,
    QueuePlace.EVALUATING: states.EVALUATING,
}
# What that means, with upstream's name of it.
MEANINGS: Final = {
    QueuePlace.ACTIVE: gettext_lazy("activeQ: tried in the order of priority"),
    QueuePlace.BACKOFF: gettext_lazy("backoffQ: a failed attempt; tried again when its backoff ends"),
    QueuePlace.UNSCHEDULABLE: gettext_lazy("unschedulablePods: rejected; requeued by an event, or after five minutes"),
    QueuePlace.BINDING: gettext_lazy("has a node, for which a volume is being provisioned"),
    QueuePlace.GATED: gettext_lazy("scheduling gates, or its group, keep it out of the queue"),
    QueuePlace.OTHER_SCHEDULER: gettext_lazy("no profile here has the scheduler name of the pod"),
    QueuePlace.EVALUATING: gettext_lazy("a worker evaluates whether anything rejects it now"),
}

# When a pod is tried next; the last three end with a time.
BOUND_FIRST: Final = pgettext_lazy("next attempt", "only if binding fails")
WITHOUT_GATES: Final = pgettext_lazy("next attempt", "when its gates are removed or its group is complete")
NOT_KNOWN: Final = pgettext_lazy("next attempt", "not known")
IN_ORDER: Final = pgettext_lazy("next attempt", "in its turn")
TRIED_SINCE: Final = pgettext_lazy("next attempt", "not known: it was tried since, or no scheduler runs")
NOT_BEFORE: Final = pgettext_lazy("next attempt, with a time", "not before")
REQUEUED_NOT_BEFORE: Final = pgettext_lazy("next attempt, with a time", "when requeued, not before")
REQUEUED_OR: Final = pgettext_lazy("next attempt, with a time", "when requeued, else by")

SEARCH_HINT: Final = gettext_lazy("Part of a pod's name, or of its workload's")
NO_ATTEMPT: Final = gettext_lazy("no attempt recorded")
ATTEMPT_AT_UNKNOWN_TIME: Final = gettext_lazy("tried at an unknown time")
FITS_NOW: Final = gettext_lazy("Rejected before; fits now.")


def in_parts(parts: Iterable[tuple[QueuePlace, str]]) -> str:
    """Name the parts of the queue with how many pods are there."""
    named = [_("%(part)s: %(pods)s") % {"part": PLACES[place], "pods": pods} for place, pods in parts]
    return _("%(parts)s.") % {"parts": "; ".join(named)}


def first(pod: str, priority: int) -> str:
    """Name the pod that is tried first."""
    return _("First is %(pod)s, with priority %(priority)s.") % {"pod": pod, "priority": grouped(priority)}


def requeued_within(age: str) -> str:
    """Say when a pod is tried whose last attempt is not known."""
    return _("when requeued, at most %(age)s later") % {"age": age}


def attempts(number: int) -> str:
    """Say how many attempts are recorded, of perhaps more."""
    return ngettext("at least %(number)s attempt", "at least %(number)s attempts", number) % {"number": grouped(number)}


def last_attempt(age: str) -> str:
    """Say how long before the page's moment the last attempt was."""
    return _("%(age)s before") % {"age": age}


def other_plugins(number: int) -> str:
    """Count the plugins that reject a pod, beside the one that is named."""
    return ngettext("and %(number)s other", "and %(number)s others", number) % {"number": grouped(number)}


def kept_out(reason: str) -> str:
    """Quote why a pod is kept out of the queue."""
    return _("PreEnqueue: %(reason)s") % {"reason": reason}


def gates(names: str) -> str:
    """Name the gates of a pod."""
    return _("Gates: %(names)s") % {"names": names}


def uncertain(why: str) -> str:
    """Say why it is uncertain whether a pod fits."""
    return _("Uncertain: %(why)s.") % {"why": why}


def bound_to(node: str) -> str:
    """Name the node that was selected."""
    return _("Selected: %(node)s") % {"node": node}
