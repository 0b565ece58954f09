"""The scheduler's queue: its parts, and when it tries a pod next."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.queueing import QueuePlace
from clusters.wording import states
from clusters.wording.messages import message

PLACES: Final = {
    QueuePlace.ACTIVE: pgettext_lazy("part of the queue", "Active"),
    QueuePlace.BACKOFF: pgettext_lazy("part of the queue", "Backoff"),
    QueuePlace.UNSCHEDULABLE: states.UNSCHEDULABLE,
    QueuePlace.BINDING: pgettext_lazy("part of the queue", "Binding"),
    QueuePlace.GATED: states.GATED,
    QueuePlace.OTHER_SCHEDULER: states.OTHER_SCHEDULER,
    QueuePlace.EVALUATING: states.EVALUATING,
}

# When a pod is tried next.
BOUND_FIRST: Final = pgettext_lazy("next attempt", "only if binding fails")
IN_ORDER: Final = pgettext_lazy("next attempt", "in its turn")
REQUEUED_WITHIN = message("when requeued, at most %(age)s later")

SEARCH_HINT: Final = gettext_lazy("Part of a pod's name, or of its workload's")
