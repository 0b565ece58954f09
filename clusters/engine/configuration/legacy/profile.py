"""Builds a profile of v1 that has exactly the plugins which an older configuration had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.configuration.legacy.translation import PluginRole
from clusters.engine.configuration.plugin_sets import ALL, MULTI_POINT
from clusters.engine.versions import ExtensionPoint, Release

if TYPE_CHECKING:
    from collections.abc import Iterable

_FILTERING: Final = (
    ExtensionPoint.PRE_FILTER,
    ExtensionPoint.FILTER,
    ExtensionPoint.RESERVE,
    ExtensionPoint.PRE_BIND,
)
_SCORING: Final = (ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE)


class ProfileBuilder:
    """Collects plugins in the order in which they are asked, and their arguments."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._points: dict[ExtensionPoint, dict[str, int]] = {point: {} for point in ExtensionPoint}
        self.args: dict[str, dict[str, Any]] = {}

    def filters(self, plugin: str) -> bool:
        """Whether a plugin was enabled to filter nodes."""
        return plugin in self._points[ExtensionPoint.FILTER]

    def scores(self, plugin: str) -> bool:
        """Whether a plugin was enabled to score nodes."""
        return plugin in self._points[ExtensionPoint.SCORE]

    def add_filter(self, plugin: str) -> PluginRole:
        """Let a plugin filter nodes, and do what goes with it."""
        return self._add(plugin, _FILTERING)

    def add_score(self, plugin: str, weight: int) -> PluginRole:
        """Let a plugin score nodes; one that does keeps its weight, as the registry of upstream kept the first."""
        role = self._add(plugin, _SCORING)
        held = self._points[ExtensionPoint.SCORE][plugin] or weight
        self._points[ExtensionPoint.SCORE][plugin] = held
        return PluginRole(plugin, role.points, held)

    def add_whole(self, plugin: str) -> PluginRole:
        """Enable a plugin at all of its extension points."""
        return self._add(plugin, tuple(ExtensionPoint))

    def profile(self, scheduler_name: str) -> dict[str, Any]:
        """Return the profile of v1."""
        plugins: dict[str, Any] = {MULTI_POINT: {"disabled": [{"name": ALL}]}}
        for point, names in self._points.items():
            if names:
                plugins[point.value] = {
                    "enabled": [
                        {"name": name, "weight": weight} if weight else {"name": name} for name, weight in names.items()
                    ]
                }
        profile: dict[str, Any] = {"schedulerName": scheduler_name, "plugins": plugins}
        if self.args:
            profile["pluginConfig"] = [{"name": name, "args": args} for name, args in self.args.items()]
        return profile

    def _add(self, plugin: str, points: Iterable[ExtensionPoint]) -> PluginRole:
        found = tuple(point for point in points if point in self._release.points[plugin])
        for point in found:
            self._points[point].setdefault(plugin, 0)
        return PluginRole(plugin, found)
