"""The list of simulations: its filters, and what is said when one is deleted or not there."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

# Filters.
SEARCH_HINT: Final = gettext_lazy("Part of a title")
CLUSTER: Final = pgettext_lazy("filter", "Cluster")
ORDERED_BY: Final = pgettext_lazy("filter", "Started by")
ME: Final = pgettext_lazy("who", "Me")
MADE_FOR: Final = pgettext_lazy("filter", "Made for")
REVIEWS: Final = pgettext_lazy("purpose", "Reviews")

# Pages that are not there.
NO_STEPS_YET: Final = gettext_lazy("No steps yet.")
NO_SUCH_FIGURE: Final = gettext_lazy("No such figure.")


HAS_STEPS = message("Steps: %(steps)s.")
DELETED = message("“%(title)s” is deleted.")
