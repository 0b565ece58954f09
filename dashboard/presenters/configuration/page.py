"""A scheduler configuration as tables: plugins by extension points, settings beside their defaults, who uses what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml
from django.urls import reverse
from django.utils.http import urlencode

from clusters.engine.configuration import ExtensionPoint, PluginChange, plugins_at
from clusters.wording.amounts import grouped
from clusters.wording.configuration import legacy, plugin_points
from clusters.wording.configuration.settings import setting_meaning
from clusters.wording.plugins import wording_of
from dashboard.presenters.configuration import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Profile, SchedulerConfiguration
    from clusters.engine.configuration import PluginAtPoint, ProfileDifference, Setting, Translation
    from clusters.models import Cluster
    from clusters.services.mirror.snapshots import SchedulerUse

POINTS = tuple(point.value for point in ExtensionPoint)
# A badge's kind for what became of a plugin as a whole.
_BADGES = {PluginChange.ADDED: "good", PluginChange.REMOVED: "bad", PluginChange.WEIGHT: "warn"}


@dataclass(frozen=True, slots=True)
class PluginCell:
    """A plugin at an extension point; `kind` is empty where it has no part, `said` reads the mark out."""

    point: str
    kind: str = ""
    text: str = ""
    before: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class PluginRow:
    """A plugin of the matrix; `badges` are pairs of text and kind."""

    plugin: str
    question: str
    badges: tuple[tuple[str, str], ...]
    cells: tuple[PluginCell, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting beside its default."""

    plugin: str
    name: str
    meaning: str
    value: str
    default: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class UseRow:
    """A scheduler that pods name; `profile` tells whether the configuration has it."""

    name: str
    is_profile: bool
    pods: str
    pods_url: str
    waiting: str
    waiting_url: str


def matrix(profile: Profile, difference: ProfileDifference) -> list[PluginRow]:
    """Present every plugin that the profile or the default one asks, in the order in which they first take part."""
    by_plugin: dict[str, dict[str, PluginAtPoint]] = {}
    for each in difference.plugins:
        by_plugin.setdefault(each.plugin, {})[each.point.value] = each
    turns = {
        point.value: {name: turn for turn, name in enumerate(plugins_at(profile, point), start=1)}
        for point in ExtensionPoint
    }
    reargued = {setting.plugin for setting in difference.changed_settings}
    rows = [
        PluginRow(
            plugin=plugin,
            question=wording_of(plugin).decides(),
            badges=_badges(found.values(), is_reargued=plugin in reargued),
            cells=tuple(_cell(point, found.get(point), turns[point].get(plugin, 0)) for point in POINTS),
        )
        for plugin, found in by_plugin.items()
    ]
    return [*rows, *(_foreign(name, fields) for name, fields in profile.unknown_plugins.items())]


def _cell(point: str, found: PluginAtPoint | None, turn: int) -> PluginCell:
    if found is None:
        return PluginCell(point)
    said = plugin_points.plugin_at_point(found, turn)
    if found.change is PluginChange.REMOVED:
        return PluginCell(point, "removed", str(plugin_points.OFF), said=said)
    if found.weight:
        before = f"{found.weight_before}" if found.change is PluginChange.WEIGHT else ""
        return PluginCell(point, str(found.change), f"×{found.weight}", before, said)
    return PluginCell(point, str(found.change), str(turn), said=said)


def _badges(found: Iterable[PluginAtPoint], *, is_reargued: bool) -> tuple[tuple[str, str], ...]:
    """Say what became of a plugin: of one that is off at some points only, that it is partly so."""
    changes = [each.change for each in found]
    badges = [
        (plugin_points.change_badge(change, partly=any(other is not change for other in changes)), kind)
        for change, kind in _BADGES.items()
        if change in changes
    ]
    if is_reargued:
        badges.append((str(plugin_points.ARGUMENTS_BADGE), "warn"))
    return tuple(badges)


def _foreign(name: str, fields: tuple[str, ...]) -> PluginRow:
    cells = tuple(
        PluginCell(point, "added", "?", said=str(plugin_points.FOREIGN_AT_POINT))
        if point in fields
        else PluginCell(point)
        for point in POINTS
    )
    note = str(plugin_points.FOREIGN_AT_MULTI_POINT) if "multiPoint" in fields else ""
    return PluginRow(name, wording_of(name).decides(), ((str(plugin_points.FOREIGN_BADGE), "info"),), cells, note)


def setting_rows(found: Iterable[Setting]) -> list[SettingRow]:
    """Present settings beside their defaults."""
    return [
        SettingRow(
            setting.plugin,
            setting.name,
            setting_meaning(setting.plugin, setting.name),
            words.setting_value(setting.plugin, setting.name, setting.value),
            words.setting_value(setting.plugin, setting.name, setting.before),
            setting.is_changed,
        )
        for setting in found
    ]


@dataclass(frozen=True, slots=True)
class LegacyRow:
    """One entry of a former configuration, and what it is in v1."""

    name: str
    place: str
    became: str
    notes: str
    is_removed: bool


@dataclass(frozen=True, slots=True)
class TranslatedDocument:
    """A former configuration as v1: `text` is YAML to copy."""

    heading: str
    sentence: str
    rows: tuple[LegacyRow, ...]
    text: str


def translated(translation: Translation) -> TranslatedDocument:
    """Present what a former configuration is in v1."""
    return TranslatedDocument(
        legacy.legacy_heading(translation),
        legacy.legacy_sentence(translation),
        tuple(
            LegacyRow(
                legacy.entry_name(entry),
                legacy.entry_place(entry),
                legacy.entry_became(entry),
                legacy.entry_notes(entry),
                entry.is_removed,
            )
            for entry in translation.entries
        ),
        yaml.safe_dump(translation.document, sort_keys=False, allow_unicode=True),
    )


def use_rows(cluster: Cluster, configuration: SchedulerConfiguration, uses: Iterable[SchedulerUse]) -> list[UseRow]:
    """Present which pods use which profile: profiles that no pod names too, and schedulers that are no profile."""
    counts: Mapping[str, SchedulerUse] = {use.name: use for use in uses}
    profiles = [profile.scheduler_name for profile in configuration.profiles]
    pods = reverse("pods", kwargs={"cluster": cluster.name})
    rows = []
    for name in dict.fromkeys((*profiles, *counts)):
        use = counts.get(name)
        rows.append(
            UseRow(
                name,
                name in profiles,
                grouped(use.pods) if use else "0",
                f"{pods}?{urlencode({'scheduler': name})}" if use else "",
                grouped(use.waiting) if use else "0",
                f"{pods}?{urlencode({'scheduler': name, 'state': 'pending'})}" if use and use.waiting else "",
            )
        )
    return rows
