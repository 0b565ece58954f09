"""The list of simulations: its filters, and what is said when one is deleted or not there."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

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


def has_steps(steps: int) -> str:
    """Say how many steps a simulation has, where one beyond them was asked for."""
    return ngettext("The simulation has %(steps)s step.", "The simulation has %(steps)s steps.", steps) % {
        "steps": grouped(steps)
    }


def deleted(title: str) -> str:
    """Say that a simulation was deleted."""
    return _("The simulation “%(title)s” is deleted.") % {"title": title}
