"""The filters of lists: their usual labels, and what a list says of the rows that they hide."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

ANY: Final = pgettext_lazy("choice of a filter", "Any")
SEARCH: Final = pgettext_lazy("label of a filter", "Search")
NAMESPACE: Final = pgettext_lazy("label of a filter", "Namespace")
NODE: Final = pgettext_lazy("label of a filter", "Node")
PRIORITY: Final = pgettext_lazy("label of a filter", "Priority")
SCHEDULER: Final = pgettext_lazy("label of a filter", "Scheduler")
STATE: Final = pgettext_lazy("label of a filter", "State")
WORKLOAD: Final = pgettext_lazy("label of a filter", "Workload")
ZONE: Final = pgettext_lazy("label of a filter", "Zone")
READY: Final = pgettext_lazy("label of a filter", "Ready")
NO_WHOLE_NUMBER: Final = gettext_lazy("Write a whole number.")
NO_MOMENT: Final = gettext_lazy("Write a moment as in 2026-03-01T19:00:00+00:00.")
WHOLE_NAME: Final = pgettext_lazy("hint in a field", "Whole name")


CONDITION = message("%(filter)s: %(value)s")
SHOWN = message("%(rows)s of %(every)s shown.")


HIDDEN = message("%(rows)s hidden by: %(conditions)s.")
