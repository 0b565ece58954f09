"""The list of pods: states, filters and columns of its file."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

WITH_MESSAGE: Final = gettext_lazy("With a message")
WITHOUT_MESSAGE: Final = gettext_lazy("Without a message")
MESSAGE: Final = gettext_lazy("Scheduler's message")
SEARCH_HINT: Final = gettext_lazy("Part of a pod's name")
NODE: Final = pgettext_lazy("what a pod belongs to", "Node")
WORKLOAD: Final = pgettext_lazy("what a pod belongs to", "Workload")
RESOURCE_CLAIM: Final = pgettext_lazy("what a pod uses", "Resource claim")
POD_GROUP: Final = pgettext_lazy("what a pod belongs to", "Pod group")
NO_CONTROLLER: Final = gettext_lazy("no controller")
YES: Final = pgettext_lazy("cell of a file", "yes")
NO: Final = pgettext_lazy("cell of a file", "no")
FILE: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "pod"),
    pgettext_lazy("column of a file", "phase"),
    pgettext_lazy("column of a file", "pending"),
    pgettext_lazy("column of a file", "gated"),
    pgettext_lazy("column of a file", "node"),
    pgettext_lazy("column of a file", "nominated node"),
    pgettext_lazy("column of a file", "workload kind"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "scheduler"),
    pgettext_lazy("column of a file", "priority"),
    pgettext_lazy("column of a file", "priority class"),
    pgettext_lazy("column of a file", "QoS class"),
    pgettext_lazy("column of a file", "CPU request (milli-CPU)"),
    pgettext_lazy("column of a file", "memory request (bytes)"),
    pgettext_lazy("column of a file", "created"),
    pgettext_lazy("column of a file", "deleted"),
    pgettext_lazy("column of a file", "scheduler's message"),
    pgettext_lazy("column of a file", "reason"),
)
