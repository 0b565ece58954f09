"""The filters of lists, what a list says of the rows that they hide, and what a search found."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

ANY: Final = pgettext_lazy("choice of a filter", "Any")
SEARCH: Final = pgettext_lazy("label of a filter", "Search")
NAMESPACE: Final = pgettext_lazy("label of a filter", "Namespace")
ALL_NAMESPACES: Final = gettext_lazy("All namespaces")
NODE: Final = pgettext_lazy("label of a filter", "Node")
PRIORITY: Final = pgettext_lazy("label of a filter", "Priority")
SCHEDULER: Final = pgettext_lazy("label of a filter", "Scheduler")
STATE: Final = pgettext_lazy("label of a filter", "State")
WORKLOAD: Final = pgettext_lazy("label of a filter", "Workload")
ZONE: Final = pgettext_lazy("label of a filter", "Zone")
READY: Final = pgettext_lazy("label of a filter", "Ready")
NO_WHOLE_NUMBER: Final = gettext_lazy("Write a whole number.")
NO_MOMENT: Final = gettext_lazy("Write a moment as in 03:00, 2026-03-01 or 2026-03-01T19:00:00Z.")
WHOLE_NAME: Final = pgettext_lazy("hint in a field", "Whole name")


SHOWN = message("%(rows)s of %(every)s shown.")


HIDDEN = message("%(rows)s hidden by: %(conditions)s.")


WORKLOADS: Final = gettext_lazy("Workloads")
PODS: Final = gettext_lazy("Pods")
NODES: Final = gettext_lazy("Nodes")
POD_GROUPS: Final = gettext_lazy("Pod groups")
QUESTIONS: Final = gettext_lazy("Questions")


NOTHING_FOUND: Final = gettext_lazy("No name matches.")
MORE_THAN = message("More than %(results)s results.")
RESULTS = plural("%(number)s result.", "%(number)s results.", by="number")
MORE_THAN_LISTED = message("More than %(results)s")
NOT_LISTED = message("%(results)s more")
