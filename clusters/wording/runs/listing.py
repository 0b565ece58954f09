"""The list of simulations: its filters, and what is said when one is deleted or not there."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# Filters.
SEARCH_HINT: Final = gettext_lazy("Part of a title")
CLUSTER: Final = pgettext_lazy("label of a filter", "Cluster")
ORDERED_BY: Final = pgettext_lazy("label of a filter", "Started by")
ME: Final = pgettext_lazy("who ordered a simulation", "Me")
MADE_FOR: Final = pgettext_lazy("label of a filter", "Made for")
REVIEWS: Final = pgettext_lazy("what simulations are made for", "Reviews")

# Pages that are not there.
NO_STEPS_YET: Final = gettext_lazy("The simulation has no steps yet.")
NO_SUCH_FIGURE: Final = gettext_lazy("The simulation has no such figure.")


HAS_STEPS = plural("The simulation has %(steps)s step.", "The simulation has %(steps)s steps.", by="steps")
DELETED = message("The simulation “%(title)s” is deleted.")
