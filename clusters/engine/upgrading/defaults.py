"""What a scheduler configuration means otherwise to the next minor, without a word in it being changed."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.configuration import PluginChange, compare_configurations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.configuration import ProfileDifference, SchedulerConfiguration


class DefaultKind(enum.StrEnum):
    """What of a configuration has another meaning."""

    PLUGIN = "plugin"
    ORDER = "order"
    SETTING = "setting"


@dataclass(frozen=True, slots=True)
class ChangedDefault:
    """Something that a minor reads into a profile otherwise than the one before it.

    ``name``: the extension point, or the path of a setting below the plugin's arguments. ``before`` and ``after``: the
    weight of a plugin that scores, True where it takes part otherwise, None where it does not; the order of plugins;
    the value of the setting, None where it has none.
    """

    minor: str
    profile: str
    kind: DefaultKind
    plugin: str
    name: str
    before: Any
    after: Any


def changed_defaults(before: SchedulerConfiguration, after: SchedulerConfiguration) -> tuple[ChangedDefault, ...]:
    """Return what a configuration means otherwise to a minor than to the one before it."""
    found = compare_configurations(before, after)
    return tuple(
        each for profile, unlike in found.profiles.items() for each in _of_profile(after.release.minor, profile, unlike)
    )


def _of_profile(minor: str, profile: str, unlike: ProfileDifference) -> Iterator[ChangedDefault]:
    for each in unlike.changed_plugins:
        before = None if each.change is PluginChange.ADDED else each.weight_before or True
        after = None if each.change is PluginChange.REMOVED else each.weight or True
        yield ChangedDefault(minor, profile, DefaultKind.PLUGIN, each.plugin, each.point.value, before, after)
    for order in unlike.reordered:
        yield ChangedDefault(minor, profile, DefaultKind.ORDER, "", order.point.value, order.before, order.after)
    for setting in unlike.changed_settings:
        yield ChangedDefault(
            minor, profile, DefaultKind.SETTING, setting.plugin, setting.name, setting.before, setting.value
        )
