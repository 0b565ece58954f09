"""The pods of a simulation: how each ended, the columns of their table, and its filters."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states

# How a pod ended, by what a simulation stores.
OUTCOMES: Final = {
    "placed": pgettext_lazy("outcome", "Placed"),
    "uncertain": pgettext_lazy("outcome", "Placed, uncertain"),
    "completed": pgettext_lazy("outcome", "Completed"),
    "unschedulable": states.UNSCHEDULABLE,
    "gated": states.GATED,
    "forbidden": states.NOT_CREATED,
    "not-computed": states.NOT_COMPUTED,
    "preempted": pgettext_lazy("outcome", "Preempted"),
    "evicted": pgettext_lazy("outcome", "Evicted"),
    "terminated": pgettext_lazy("outcome", "Terminated"),
    "deleted": pgettext_lazy("outcome", "Deleted"),
    "refused": pgettext_lazy("outcome", "Eviction refused by a budget"),
    "held": states.NEEDS_FORCE,
}

# Columns.
POD: Final = pgettext_lazy("column", "Pod")
OUTCOME: Final = pgettext_lazy("column", "Outcome")
NODE: Final = pgettext_lazy("column", "Node")
STEP: Final = pgettext_lazy("column", "Step")
ATTEMPTS: Final = pgettext_lazy("column", "Attempts")
MESSAGE: Final = pgettext_lazy("column", "Message")

# Hints of filters.
SEARCH_HINT: Final = gettext_lazy("Part of a name or message")
WORKLOAD_HINT: Final = gettext_lazy("Part of its name")
