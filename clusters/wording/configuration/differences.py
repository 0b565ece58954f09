"""Words for what one scheduler configuration has otherwise than another."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.configuration import PluginAtPoint, PluginChange
from clusters.wording.messages import message, plural

UNKNOWN_DISABLED = plural(
    "kube-scheduler ignores “disabled” for %(names)s, which is not a plugin of Kubernetes %(minor)s.",
    "kube-scheduler ignores “disabled” for %(names)s, which are not plugins of Kubernetes %(minor)s.",
    by="number",
)
NOT_ENABLED: Final = pgettext_lazy("state of a plugin", "not enabled")
ENABLED_AT = message("enabled at %(points)s")
WEIGHTED_POINT = message("%(point)s (weight %(weight)s)")
WEIGHT_OF = message("%(plugin)s, weight")
FOREIGN_PLUGIN = message("%(plugin)s, not part of Kubernetes")
ORDER_AT = message("Order at %(point)s")
BY_DEFAULT = message("%(value)s, by default")
PROFILE_ITSELF: Final = gettext_lazy("Profile")
ALL_PROFILES: Final = gettext_lazy("All profiles")
PROFILE_ABSENT: Final = pgettext_lazy("a profile", "absent")
PROFILE_PRESENT: Final = pgettext_lazy("a profile", "present")
PROFILE_ADDED = plural("present, for %(pods)s pod", "present, for %(pods)s pods", by="pods")
PROFILE_REMOVED = plural(
    "absent: %(pods)s pod is left to another scheduler",
    "absent: %(pods)s pods are left to another scheduler",
    by="pods",
)
EXTENDERS: Final = gettext_lazy("Extenders")
NO_EXTENDERS: Final = pgettext_lazy("extenders", "none")

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


_WEIGHT = message("weight %(weight)s")
_TURN = message("number %(turn)s")
_ADDED_WEIGHT = message("weight %(weight)s, added")
_ADDED_TURN = message("number %(turn)s, added")
_OTHER_WEIGHT = message("weight %(weight)s instead of %(before)s")
_DISABLED = message("disabled", context="a plugin at an extension point")
_DISABLED_WEIGHT = message("disabled, weight %(before)s by default")


def plugin_at_point(found: PluginAtPoint, turn: int) -> str:
    """Say what a plugin has at an extension point: its weight, or its ``turn`` in the order of calls."""
    match found.change:
        case PluginChange.REMOVED:
            return _DISABLED_WEIGHT(before=found.weight_before) if found.weight_before else _DISABLED()
        case PluginChange.WEIGHT:
            return _OTHER_WEIGHT(weight=found.weight, before=found.weight_before)
        case PluginChange.ADDED:
            return _ADDED_WEIGHT(weight=found.weight) if found.weight else _ADDED_TURN(turn=turn)
        case _same:
            return _WEIGHT(weight=found.weight) if found.weight else _TURN(turn=turn)


FOREIGN_AT_POINT: Final = gettext_lazy("enabled; its answers are not known")
FOREIGN_AT_MULTI_POINT: Final = gettext_lazy("Enabled at multiPoint: its source decides where.")
