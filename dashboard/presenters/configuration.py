"""A cluster's scheduler configuration: its plugins, settings and feature gates, and where it differs from another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import yaml
from msgspec import Struct

from clusters.engine.configuration import (
    ConfigurationDifference,
    Extender,
    ExtensionPoint,
    PluginAtPoint,
    PluginChange,
    ProfileDifference,
    Setting,
    Translation,
    plugins_at,
)
from clusters.engine.scheduling import Sampling
from clusters.engine.versions import (
    COMPUTED,
    GateSettings,
    Release,
    is_locked,
    refused_settings,
    scheduling_settings,
    stage_of,
)
from clusters.services.mirror.snapshots import Origin, SchedulerUse, differing_gates, refused_gates
from clusters.wording import configuration as configuration_words, releases as releases_words
from clusters.wording.amounts import grouped
from clusters.wording.configuration import extender_sentences, setting_meaning
from clusters.wording.evaluation import ALL_SEARCHED, SAMPLED
from clusters.wording.lists import listed
from clusters.wording.plugins import wording_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine import Profile, SchedulerConfiguration
    from clusters.models import Cluster

PREFIX: Final = "gate-"
_VALUES: Final = {"true": True, "false": False}


class GateRow(Struct, frozen=True):
    """A feature gate that a minor has; `choice` is what it is set to, empty where it is at its default."""

    name: str
    field: str
    stage: str
    decides: str
    default: str
    choice: str
    is_locked: bool
    is_computed: bool
    values: tuple[str, ...] = tuple(_VALUES)


def gate_rows(release: Release, settings: GateSettings) -> list[GateRow]:
    """Return the gates of a release by name, as they are with these settings."""
    counting = {**settings, **release.changed_gates}
    for name in refused_settings(settings, release):
        counting.pop(name, None)
    return [
        GateRow(
            name=gate.value,
            field=f"{PREFIX}{gate.value}",
            stage=str(releases_words.STAGES[stage_of(gate, release.minor)]),
            decides=str(releases_words.DECIDES[gate]),
            default=str(release.known_gates[gate]).lower(),
            choice=_written(counting.get(gate.value)),
            is_locked=is_locked(gate, release.minor),
            is_computed=gate in COMPUTED,
        )
        for gate in sorted(release.known_gates)
    ]


def posted_settings(posted: Mapping[str, str]) -> GateSettings:
    """Return what a form sets: the gates that are not left at their default."""
    return {
        field.removeprefix(PREFIX): _VALUES[value]
        for field, value in posted.items()
        if field.startswith(PREFIX) and value in _VALUES
    }


def gates_origin(cluster: Cluster, minor: str) -> str:
    """Say whose feature gates are in force."""
    if cluster.chosen_feature_gates is not None:
        return str(releases_words.GATES_GIVEN)
    if not scheduling_settings(cluster.feature_gates):
        return releases_words.GATES_OF_MINOR(minor=minor)
    return str(releases_words.GATES_OF_PODS) if cluster.is_live else str(releases_words.GATES_OF_DUMP)


def differing(cluster: Cluster) -> str:
    """Say which gates not all replicas of kube-scheduler are started alike with; empty where there are none."""
    names = differing_gates(cluster)
    return releases_words.GATES_DIFFER(gates=listed(names)) if names else ""


def refused(cluster: Cluster, minor: str) -> str:
    """Say which gates are set as the cluster's minor does not let them be set; empty where there are none."""
    refused = releases_words.settings_of(refused_gates(cluster))
    return releases_words.GATES_REFUSED(gates=listed(refused), minor=minor) if refused else ""


def _written(is_on: bool | None) -> str:
    return "" if is_on is None else str(is_on).lower()


def setting_value(plugin: str, name: str, value: Any) -> str:
    """Write the value of a setting as people do, one of many parts as YAML on one line."""
    said = configuration_words.setting_value(plugin, name, value)
    return said or str(yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000)).strip()


def sampling(percentage: int, nodes: int) -> str:
    """Say what percentageOfNodesToScore comes to for a number of nodes."""
    if not nodes:
        return str(configuration_words.NO_NODES)
    found = Sampling.of(percentage, nodes)
    if found.complete:
        return str(ALL_SEARCHED)
    return SAMPLED(nodes=nodes, wanted=found.wanted)


def origin(cluster: Cluster, where: Origin) -> str:
    """Say whose configuration is in force."""
    match where:
        case Origin.CHOSEN if cluster.is_live:
            said = configuration_words.GIVEN_TO_LIVE
        case Origin.CHOSEN:
            said = configuration_words.GIVEN_TO_DUMP
        case Origin.DUMP:
            said = configuration_words.OF_DUMP
        case _:
            said = configuration_words.DEFAULTS_OF_LIVE if cluster.is_live else configuration_words.DEFAULTS_OF_DUMP
    return str(said)


def profile_changes(difference: ProfileDifference) -> Iterator[tuple[str, str, str]]:
    """Yield what changed in a profile: what, how it was, and how it is."""
    by_plugin: dict[tuple[str, PluginChange], list[PluginAtPoint]] = {}
    for each in difference.changed_plugins:
        by_plugin.setdefault((each.plugin, each.change), []).append(each)
    for (plugin, change), found in by_plugin.items():
        points = [_point(each, change) for each in found]
        match change:
            case PluginChange.ADDED:
                yield (
                    plugin,
                    str(configuration_words.NOT_ENABLED),
                    configuration_words.ENABLED_AT(points=listed(points)),
                )
            case PluginChange.REMOVED:
                yield (
                    plugin,
                    configuration_words.ENABLED_AT(points=listed(points)),
                    str(configuration_words.NOT_ENABLED),
                )
            case _:
                (only,) = found
                yield configuration_words.WEIGHT_OF(plugin=plugin), grouped(only.weight_before), grouped(only.weight)
    for plugin, fields in difference.unknown_added.items():
        yield (
            configuration_words.FOREIGN_PLUGIN(plugin=plugin),
            str(configuration_words.NOT_ENABLED),
            configuration_words.ENABLED_AT(points=listed(fields)),
        )
    for plugin, fields in difference.unknown_removed.items():
        yield (
            configuration_words.FOREIGN_PLUGIN(plugin=plugin),
            configuration_words.ENABLED_AT(points=listed(fields)),
            str(configuration_words.NOT_ENABLED),
        )
    for order in difference.reordered:
        yield configuration_words.ORDER_AT(point=order.point), ", ".join(order.before), ", ".join(order.after)
    for setting in difference.changed_settings:
        yield setting_change(setting)


def _point(each: PluginAtPoint, change: PluginChange) -> str:
    weight = each.weight_before if change is PluginChange.REMOVED else each.weight
    return configuration_words.WEIGHTED_POINT(point=each.point, weight=weight) if weight else str(each.point)


def setting_change(setting: Setting) -> tuple[str, str, str]:
    """Say what changed of a setting."""
    what = f"{setting.plugin}, {setting.name}" if setting.plugin else setting.name
    before, value = (setting_value(setting.plugin, setting.name, each) for each in (setting.before, setting.value))
    return what, before, value


def configuration_changes(
    difference: ConfigurationDifference,
    against_default: Mapping[str, ProfileDifference],
    pods: Mapping[str, int],
) -> Iterator[tuple[str, str, str, str]]:
    """Yield what changes from one configuration to another: of which profile, what, how it was, and how it will be.

    Of profiles that come it is told what they have otherwise than the default one; `pods`: how many name a scheduler.
    """
    for name in difference.added:
        yield (
            name,
            str(configuration_words.PROFILE_ITSELF),
            str(configuration_words.PROFILE_ABSENT),
            configuration_words.PROFILE_ADDED(pods=pods.get(name, 0)),
        )
        for what, default, value in profile_changes(against_default[name]):
            yield name, what, configuration_words.BY_DEFAULT(value=default), value
    for name in difference.removed:
        yield (
            name,
            str(configuration_words.PROFILE_ITSELF),
            str(configuration_words.PROFILE_PRESENT),
            configuration_words.PROFILE_REMOVED(pods=pods.get(name, 0)),
        )
    for name, profile in difference.profiles.items():
        for change in profile_changes(profile):
            yield name, *change
    for setting in difference.settings:
        if setting.is_changed:
            yield str(configuration_words.ALL_PROFILES), *setting_change(setting)
    if difference.extenders != difference.extenders_before:
        before, after = map(_extenders, (difference.extenders_before, difference.extenders))
        yield str(configuration_words.ALL_PROFILES), str(configuration_words.EXTENDERS), before, after


def _extenders(found: tuple[Extender, ...]) -> str:
    return " ".join(map(extender_sentences, found)) or str(configuration_words.NO_EXTENDERS)


POINTS = tuple(point.value for point in ExtensionPoint)
# A badge's kind for what became of a plugin as a whole.
_BADGES = {PluginChange.ADDED: "good", PluginChange.REMOVED: "bad", PluginChange.WEIGHT: "warn"}


class PluginCell(Struct, frozen=True):
    """A plugin at an extension point; `kind` is empty where it has no part, `said` reads the mark out."""

    point: str
    kind: str = ""
    text: str = ""
    before: str = ""
    said: str = ""


class PluginRow(Struct, frozen=True):
    """A plugin of the matrix; `badges` are pairs of text and kind."""

    plugin: str
    question: str
    badges: tuple[tuple[str, str], ...]
    cells: tuple[PluginCell, ...]
    note: str = ""


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
    said = configuration_words.plugin_at_point(found, turn)
    if found.change is PluginChange.REMOVED:
        return PluginCell(point, "removed", str(configuration_words.OFF), said=said)
    if found.weight:
        before = f"{found.weight_before}" if found.change is PluginChange.WEIGHT else ""
        return PluginCell(point, str(found.change), f"×{found.weight}", before, said)
    return PluginCell(point, str(found.change), str(turn), said=said)


def _badges(found: Iterable[PluginAtPoint], *, is_reargued: bool) -> tuple[tuple[str, str], ...]:
    """Say what became of a plugin: of one that is off at some points only, that it is partly so."""
    changes = [each.change for each in found]
    badges = [
        (configuration_words.change_badge(change, partly=any(other is not change for other in changes)), kind)
        for change, kind in _BADGES.items()
        if change in changes
    ]
    if is_reargued:
        badges.append((str(configuration_words.ARGUMENTS_BADGE), "warn"))
    return tuple(badges)


def _foreign(name: str, fields: tuple[str, ...]) -> PluginRow:
    cells = tuple(
        PluginCell(point, "added", "?", said=str(configuration_words.FOREIGN_AT_POINT))
        if point in fields
        else PluginCell(point)
        for point in POINTS
    )
    note = str(configuration_words.FOREIGN_AT_MULTI_POINT) if "multiPoint" in fields else ""
    return PluginRow(name, wording_of(name).decides(), ((str(configuration_words.FOREIGN_BADGE), "info"),), cells, note)


def setting_rows(found: Iterable[Setting]) -> list[tuple[Setting, str, str, str]]:
    """Present settings: each with what it means, its value, and its default."""
    return [
        (
            setting,
            setting_meaning(setting.plugin, setting.name),
            setting_value(setting.plugin, setting.name, setting.value),
            setting_value(setting.plugin, setting.name, setting.before),
        )
        for setting in found
    ]


def translated(translation: Translation) -> dict[str, Any]:
    """Present what a former configuration is in v1.

    A former configuration as v1: ``text`` is YAML to copy.
    """
    return {
        "heading": configuration_words.HEADING(source=translation.source),
        "sentence": configuration_words.legacy_sentence(translation),
        "rows": tuple(
            (
                entry,
                configuration_words.entry_name(entry),
                configuration_words.entry_place(entry),
                configuration_words.entry_became(entry),
                configuration_words.entry_notes(entry),
            )
            for entry in translation.entries
        ),
        "text": yaml.safe_dump(translation.document, sort_keys=False, allow_unicode=True),
    }


def use_rows(configuration: SchedulerConfiguration, uses: Iterable[SchedulerUse]) -> list[tuple[SchedulerUse, bool]]:
    """Return who uses which profile, of profiles that no pod names too, and whether it is one of the configuration."""
    counts = {use.name: use for use in uses}
    profiles = [profile.scheduler_name for profile in configuration.profiles]
    names = dict.fromkeys((*profiles, *counts))
    return [(counts.get(name) or SchedulerUse(name, 0, 0), name in profiles) for name in names]
