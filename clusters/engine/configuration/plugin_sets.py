"""From ``plugins`` of a profile to the ordered plugins of every extension point.

Upstream: mergePlugins (``apis/config/v1/default_plugins.go``) for what a profile changes of the defaults, then
updatePluginList, expandMultiPointPlugins and getScoreWeights (``framework/runtime/framework.go``), v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration.errors import ConfigurationError
from clusters.engine.configuration.problems import (
    EnabledTwice,
    EnablesAll,
    ManyQueueSorts,
    NoPluginEnabled,
    NotAtPoint,
    NotNamed,
    RemovedPlugin,
)
from clusters.engine.versions import ExtensionPoint, Release

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.configuration.fields import ConfigurationFields

MULTI_POINT: Final = "multiPoint"
ALL: Final = "*"


@dataclass(frozen=True, slots=True)
class EnabledPlugin:
    """A plugin that a profile enables, its weight (0: none given), and the field that does so (empty: the defaults)."""

    name: str
    weight: int
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PluginSet:
    """What a profile enables and disables at one point."""

    enabled: tuple[EnabledPlugin, ...] = ()
    disabled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ResolvedPlugins:
    """The plugins of a profile.

    ``points``: names in the order in which they are asked. ``weights``: of the plugins that score. ``unknown``: plugins
    that are not in-tree, with the fields that enable them (``multiPoint``: at points that only their authors know).
    """

    points: Mapping[ExtensionPoint, tuple[str, ...]]
    weights: Mapping[str, int]
    unknown: Mapping[str, tuple[str, ...]]
    queue_sort_set: PluginSet


def resolve_plugins(plugins: ConfigurationFields, release: Release) -> ResolvedPlugins:
    """Return the plugins of a profile, from its ``plugins``. Raises ConfigurationError."""
    sets = {point: _plugin_set(plugins, point.value, release) for point in ExtensionPoint}
    for name in release.configuration.plugin_sets:
        _plugin_set(plugins, name, release)
    defaults = tuple(EnabledPlugin(name, weight) for name, weight in release.multi_point)
    multi_point = _merged(defaults, _plugin_set(plugins, MULTI_POINT, release))
    unknown: dict[str, tuple[str, ...]] = {}
    for field_name, enabled in [(MULTI_POINT, multi_point), *((point.value, sets[point].enabled) for point in sets)]:
        for plugin in enabled:
            if plugin.name not in release.points:
                unknown[plugin.name] = (*unknown.get(plugin.name, ()), field_name)
    points = {point: _expanded(point, sets[point], multi_point, release) for point in ExtensionPoint}
    _check_needed(plugins, points, unknown)
    weights = _weights((*sets[ExtensionPoint.SCORE].enabled, *multi_point))
    return ResolvedPlugins(
        points=points,
        weights={name: weights[name] for name in points[ExtensionPoint.SCORE]},
        unknown=unknown,
        queue_sort_set=sets[ExtensionPoint.QUEUE_SORT],
    )


def _plugin_set(plugins: ConfigurationFields, name: str, release: Release) -> PluginSet:
    """Read one plugin set."""
    fields = plugins.child(name, ("enabled", "disabled"))
    enabled = []
    for entry in fields.each("enabled", ("name", "weight")):
        plugin = EnabledPlugin(entry.text("name"), entry.number("weight", 0), entry.path)
        _check_name(entry, plugin.name, name, release)
        enabled.append(plugin)
    disabled = frozenset(entry.text("name") for entry in fields.each("disabled", ("name", "weight")))
    return PluginSet(tuple(enabled), disabled)


def _check_name(entry: ConfigurationFields, name: str, point: str, release: Release) -> None:
    if not name:
        raise ConfigurationError(entry.at("name"), NotNamed("name", _example(point, release)))
    if name == ALL:
        raise ConfigurationError(entry.at("name"), EnablesAll())
    if name in release.removed:
        raise ConfigurationError(entry.at("name"), RemovedPlugin(name, release.minor, release.removed[name]))


def _example(point: str, release: Release) -> str:
    """Return a plugin that can be enabled at a point; where Kubernetes has none for it, one of another point."""
    names = [name for name, _ in release.multi_point]
    return next((name for name in names if point in release.points[name]), names[0])


def _merged(defaults: tuple[EnabledPlugin, ...], custom: PluginSet) -> tuple[EnabledPlugin, ...]:
    """Return the defaults as a profile changes them: replaced in place, without the disabled, its own at the end."""
    last = {plugin.name: plugin for plugin in custom.enabled}
    merged: list[EnabledPlugin] = []
    if ALL not in custom.disabled:
        merged = [last.get(plugin.name, plugin) for plugin in defaults if plugin.name not in custom.disabled]
    replacements = {id(plugin) for plugin in merged}
    return (*merged, *(plugin for plugin in custom.enabled if id(plugin) not in replacements))


def _expanded(
    point: ExtensionPoint, own: PluginSet, multi_point: tuple[EnabledPlugin, ...], release: Release
) -> tuple[str, ...]:
    """Return the in-tree plugins of one point: own that override multiPoint, then multiPoint's, then other own."""
    enabled: dict[str, None] = {}
    for plugin in own.enabled:
        if plugin.name in enabled:
            raise _repeated(plugin, point)
        if plugin.name in release.points:
            if point not in release.points[plugin.name]:
                possible = tuple(each.value for each in ExtensionPoint if each in release.points[plugin.name])
                raise ConfigurationError(f"{plugin.path}.name", NotAtPoint(plugin.name, point.value, possible))
            enabled[plugin.name] = None
    if ALL in own.disabled:
        return tuple(enabled)
    expanded: dict[str, None] = {}
    overriding: set[str] = set()
    for plugin in multi_point:
        if point not in release.points.get(plugin.name, ()) or plugin.name in own.disabled:
            continue
        if plugin.name in enabled:
            overriding.add(plugin.name)
        elif plugin.name in expanded:
            raise _repeated(plugin, point)
        else:
            expanded[plugin.name] = None
    first = tuple(name for name in enabled if name in overriding)
    return (*first, *expanded, *(name for name in enabled if name not in overriding))


def _repeated(plugin: EnabledPlugin, point: ExtensionPoint) -> ConfigurationError:
    return ConfigurationError(f"{plugin.path}.name", EnabledTwice(plugin.name, point.value))


def _check_needed(
    plugins: ConfigurationFields,
    points: Mapping[ExtensionPoint, tuple[str, ...]],
    unknown: Mapping[str, tuple[str, ...]],
) -> None:
    """A profile needs one plugin that sorts the queue and at least one that binds; an unknown plugin may be the one."""
    for point in (ExtensionPoint.QUEUE_SORT, ExtensionPoint.BIND):
        own = sum(point in fields for fields in unknown.values())
        possible = len(points[point]) + sum(bool({point.value, MULTI_POINT} & {*fields}) for fields in unknown.values())
        if not possible:
            # PrioritySort by name: upstream names it where a profile lacks a queue sort.
            # DefaultBinder by name: upstream names it where a profile lacks a bind plugin.
            default = "PrioritySort" if point is ExtensionPoint.QUEUE_SORT else "DefaultBinder"
            raise ConfigurationError(plugins.at(point), NoPluginEnabled(default))
        if point is ExtensionPoint.QUEUE_SORT and len(points[point]) + own > 1:
            raise ConfigurationError(plugins.at(point), ManyQueueSorts())


def _weights(plugins: tuple[EnabledPlugin, ...]) -> dict[str, int]:
    """Return the weight of each plugin: the first one given, 1 where none is."""
    weights: dict[str, int] = {}
    for plugin in plugins:
        weights.setdefault(plugin.name, plugin.weight or 1)
    return weights
