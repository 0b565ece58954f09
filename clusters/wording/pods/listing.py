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
