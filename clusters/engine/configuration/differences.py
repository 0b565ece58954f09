"""What one configuration has otherwise than another: against the defaults, or against the one before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from clusters.engine.configuration.spelled_out import arguments_document, plugins_at
from clusters.engine.versions import ExtensionPoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.configuration.extenders import Extender
    from clusters.engine.configuration.profiles import Profile
    from clusters.engine.configuration.scheduler import SchedulerConfiguration


class PluginChange(StrEnum):
    """What became of a plugin at an extension point."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    WEIGHT = "weight"


@dataclass(frozen=True, slots=True)
class PluginAtPoint:
    """A plugin at an extension point of either profile; the weights are 0 where it does not score."""

    plugin: str
    point: ExtensionPoint
    change: PluginChange
    weight: int = 0
    weight_before: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting by its path below ``args``, or of the whole scheduler where ``plugin`` is empty; None: it is absent."""

    plugin: str
    name: str
    value: Any
    before: Any

    @property
    def is_changed(self) -> bool:
        return bool(self.value != self.before)


@dataclass(frozen=True, slots=True)
class Reordered:
    """The plugins that both profiles ask at an extension point, in the order of each."""

    point: ExtensionPoint
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProfileDifference:
    """Two profiles side by side: everything that either has, and whether it changed.

    ``reordered``: points at which plugins that both have are asked in another order; that of scores changes no answer
    and is left out. ``unknown_added`` and ``unknown_removed``: plugins that Kubernetes does not bring, with the fields
    that enable them.
    """

    plugins: tuple[PluginAtPoint, ...]
    settings: tuple[Setting, ...]
    reordered: tuple[Reordered, ...]
    unknown_added: Mapping[str, tuple[str, ...]]
    unknown_removed: Mapping[str, tuple[str, ...]]

    @property
    def changed_plugins(self) -> tuple[PluginAtPoint, ...]:
        return tuple(each for each in self.plugins if each.change is not PluginChange.SAME)

    @property
    def changed_settings(self) -> tuple[Setting, ...]:
        return tuple(each for each in self.settings if each.is_changed)

    @property
    def is_empty(self) -> bool:
        return not (
            self.changed_plugins
            or self.changed_settings
            or self.reordered
            or self.unknown_added
            or self.unknown_removed
        )


@dataclass(frozen=True, slots=True)
class ConfigurationDifference:
    """Two configurations side by side; profiles by their scheduler's name, ``settings`` and extenders those of all."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    profiles: Mapping[str, ProfileDifference]
    settings: tuple[Setting, ...]
    extenders: tuple[Extender, ...]
    extenders_before: tuple[Extender, ...]

    @property
    def is_empty(self) -> bool:
        return not (
            self.added
            or self.removed
            or self.extenders != self.extenders_before
            or any(setting.is_changed for setting in self.settings)
            or any(not profile.is_empty for profile in self.profiles.values())
        )


def compare_profiles(before: Profile, after: Profile) -> ProfileDifference:
    """Return what a profile has otherwise than another; their names do not matter."""
    return ProfileDifference(
        plugins=tuple(each for point in ExtensionPoint for each in _at_point(before, after, point)),
        settings=(
            *_settings(before, after),
            Setting(
                "", "percentageOfNodesToScore", after.percentage_of_nodes_to_score, before.percentage_of_nodes_to_score
            ),
        ),
        reordered=tuple(_reordered(before, after)),
        unknown_added=_only_in(after.unknown_plugins, before.unknown_plugins),
        unknown_removed=_only_in(before.unknown_plugins, after.unknown_plugins),
    )


def compare_configurations(before: SchedulerConfiguration, after: SchedulerConfiguration) -> ConfigurationDifference:
    """Return what a configuration has otherwise than another."""
    old = {profile.scheduler_name: profile for profile in before.profiles}
    new = {profile.scheduler_name: profile for profile in after.profiles}
    return ConfigurationDifference(
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        profiles={name: compare_profiles(old[name], new[name]) for name in new if name in old},
        settings=(
            Setting("", "parallelism", after.parallelism, before.parallelism),
            Setting("", "podInitialBackoffSeconds", after.backoff.initial, before.backoff.initial),
            Setting("", "podMaxBackoffSeconds", after.backoff.longest, before.backoff.longest),
        ),
        extenders=after.extenders,
        extenders_before=before.extenders,
    )


def _at_point(before: Profile, after: Profile, point: ExtensionPoint) -> Iterator[PluginAtPoint]:
    old, new = plugins_at(before, point), plugins_at(after, point)
    for name in dict.fromkeys((*new, *old)):
        weight, weight_before = 0, 0
        if point is ExtensionPoint.SCORE:
            weight, weight_before = after.weights.get(name, 0), before.weights.get(name, 0)
        if name not in old:
            change = PluginChange.ADDED
        elif name not in new:
            change = PluginChange.REMOVED
        else:
            change = PluginChange.SAME if weight == weight_before else PluginChange.WEIGHT
        yield PluginAtPoint(name, point, change, weight, weight_before)


def _reordered(before: Profile, after: Profile) -> Iterator[Reordered]:
    for point in ExtensionPoint:
        old, new = plugins_at(before, point), plugins_at(after, point)
        kept = tuple(name for name in old if name in new), tuple(name for name in new if name in old)
        if point is not ExtensionPoint.SCORE and kept[0] != kept[1]:
            yield Reordered(point, *kept)


def _settings(before: Profile, after: Profile) -> Iterator[Setting]:
    for plugin, args in after.args.items():
        value, old = _flat(arguments_document(args)), _flat(arguments_document(before.args[plugin]))
        for name in dict.fromkeys((*value, *old)):
            yield Setting(plugin, name, value.get(name), old.get(name))


def _flat(document: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Return the settings of arguments by their paths; an affinity stays whole, as nobody changes parts of it."""
    found: dict[str, Any] = {}
    for name, value in document.items():
        if isinstance(value, dict) and name in ("scoringStrategy", "requestedToCapacityRatio"):
            found.update(_flat(value, f"{path}{name}."))
        else:
            found[f"{path}{name}"] = value
    return found


def _only_in(these: Mapping[str, tuple[str, ...]], others: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: fields for name, fields in these.items() if others.get(name) != fields}
