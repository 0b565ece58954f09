"""Words for the plugins of a profile at its extension points: whether each is enabled, and with which weight."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.engine.configuration import PluginAtPoint, PluginChange
from clusters.wording.amounts import grouped

# What became of a plugin as a whole, and of one at some of its extension points only.
_BADGES: Final = {
    PluginChange.ADDED: pgettext_lazy("state of a plugin", "Added"),
    PluginChange.REMOVED: pgettext_lazy("state of a plugin", "Disabled"),
    PluginChange.WEIGHT: pgettext_lazy("state of a plugin", "Weight"),
}
_PARTLY: Final = {
    PluginChange.ADDED: gettext_lazy("Partly added"),
    PluginChange.REMOVED: gettext_lazy("Partly disabled"),
    PluginChange.WEIGHT: pgettext_lazy("state of a plugin", "Weight"),
}


def change_badge(change: PluginChange, *, partly: bool) -> str:
    """Name what became of a plugin, at all of its extension points or ``partly``."""
    return str((_PARTLY if partly else _BADGES)[change])


ARGUMENTS_BADGE: Final = gettext_lazy("Arguments")
FOREIGN_BADGE: Final = gettext_lazy("Not in Kubernetes")
OFF: Final = pgettext_lazy("mark of a plugin at an extension point", "off")


def plugin_at_point(found: PluginAtPoint, turn: int) -> str:
    """Say what a plugin has at an extension point: its weight, or its ``turn`` in the order of calls."""
    weights = {"weight": grouped(found.weight), "before": grouped(found.weight_before)}
    match found.change:
        case PluginChange.REMOVED if found.weight_before:
            return _("disabled, weight %(before)s by default") % {"before": weights["before"]}
        case PluginChange.REMOVED:
            return pgettext("a plugin at an extension point", "disabled")
        case PluginChange.WEIGHT:
            return _("weight %(weight)s instead of %(before)s") % {
                "weight": weights["weight"],
                "before": weights["before"],
            }
        case PluginChange.ADDED if found.weight:
            return _("weight %(weight)s, added") % {"weight": weights["weight"]}
        case PluginChange.ADDED:
            return _("number %(turn)s, added") % {"turn": grouped(turn)}
        case _same if found.weight:
            return _("weight %(weight)s") % {"weight": weights["weight"]}
        case _same:
            return _("number %(turn)s") % {"turn": grouped(turn)}


FOREIGN_AT_POINT: Final = gettext_lazy("enabled; its answers are not known")
FOREIGN_AT_MULTI_POINT: Final = gettext_lazy("Enabled at multiPoint: its source decides at which extension points.")
