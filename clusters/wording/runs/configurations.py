"""The configurations under which a study runs a simulation."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped

# By what a study stores of them.
BUILT_IN: Final = {
    "as-is": gettext_lazy("As it is"),
    "least-allocated": gettext_lazy("Spread over free nodes (LeastAllocated)"),
    "most-allocated": gettext_lazy("Fill nodes (MostAllocated)"),
    "requested-to-capacity": gettext_lazy("Fill nodes (RequestedToCapacityRatio)"),
    "default-spread": gettext_lazy("Default spread constraints on"),
    "no-default-spread": gettext_lazy("Default spread constraints off"),
    "configuration": gettext_lazy("Its own configuration"),
}

# Columns of the file.
COLUMNS: Final = (
    pgettext_lazy("column of a file", "configuration"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "placed"),
    pgettext_lazy("column of a file", "newly pending"),
    pgettext_lazy("column of a file", "nodes in use"),
    pgettext_lazy("column of a file", "CPU requested"),
    pgettext_lazy("column of a file", "largest skew"),
)


def configuration_name(stored: str) -> str:
    """Name a configuration of a study; a name that somebody gave it stays as it is."""
    return str(BUILT_IN.get(stored, stored))


def study_title(simulation: str) -> str:
    """Name a study of a simulation under several configurations."""
    return _("%(simulation)s (several configurations)") % {"simulation": simulation}


def placed_of(*, placed: int, wanted: int, uncertain: int) -> str:
    """Say how many pods were placed for certain, of those that were to be placed, and how many are uncertain."""
    values = {"placed": grouped(placed), "wanted": grouped(wanted), "uncertain": grouped(uncertain)}
    if uncertain:
        return _("%(placed)s of %(wanted)s, %(uncertain)s uncertain") % values
    return _("%(placed)s of %(wanted)s") % {"placed": grouped(placed), "wanted": grouped(wanted)}


def nodes_in_use(*, used: int, nodes: int) -> str:
    """Say how many nodes have pods."""
    return _("%(used)s of %(nodes)s") % {"used": grouped(used), "nodes": grouped(nodes)}
