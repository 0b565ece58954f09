"""The states of a node, and the filters of lists that ask for them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

READY: Final = pgettext_lazy("state of a node", "Ready")
NOT_READY: Final = pgettext_lazy("state of a node", "NotReady")
READY_UNKNOWN: Final = pgettext_lazy("state of a node", "Ready unknown")
CORDONED: Final = pgettext_lazy("state of a node", "Cordoned")
NOT_CORDONED: Final = pgettext_lazy("state of a node", "Not cordoned")
UNDER_PRESSURE: Final = pgettext_lazy("state of a node", "Under pressure")
CLOSED: Final = pgettext_lazy("state of a node", "NotReady, cordoned or under pressure")
TAINTED: Final = pgettext_lazy("state of a node", "With taints")
NOT_TAINTED: Final = pgettext_lazy("state of a node", "Without taints")
NO_ZONE: Final = gettext_lazy("No zone label")

# By the value of the condition Ready; None where the node has no such condition.
READINESS: Final = {True: READY, False: NOT_READY, None: READY_UNKNOWN}

# Labels and hints of the list's filters.
SEARCH_HINT: Final = gettext_lazy("Part of a node's name")
SCHEDULING: Final = gettext_lazy("Scheduling")
HEALTH: Final = gettext_lazy("Health")
TAINTS: Final = gettext_lazy("Taints")
