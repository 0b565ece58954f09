"""What is said of a scheduler configuration: whose it is, what it sets, and what it has otherwise than another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from clusters.engine.configuration import PluginChange
from clusters.engine.scheduling import Sampling
from clusters.services.mirror.snapshots import Origin
from clusters.wording.amounts import grouped
from clusters.wording.configuration import differences as words
from clusters.wording.configuration import origins, settings
from clusters.wording.configuration.extender import extender_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine import SchedulerConfiguration
    from clusters.engine.configuration import (
        ConfigurationDifference,
        Extender,
        PluginAtPoint,
        ProfileDifference,
        Setting,
    )
    from clusters.models import Cluster


def setting_value(plugin: str, name: str, value: Any) -> str:
    """Write the value of a setting as people do, one of many parts as YAML on one line."""
    said = settings.setting_value(plugin, name, value)
    return said or str(yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000)).strip()


def sampling(percentage: int, nodes: int) -> str:
    """Say what percentageOfNodesToScore comes to for a number of nodes."""
    if not nodes:
        return str(settings.NO_NODES)
    found = Sampling.of(percentage, nodes)
    if found.complete:
        return settings.EVERY_NODE_EVALUATED(nodes=nodes)
    return settings.search_ends_at(nodes=nodes, feasible=found.wanted)


def origin(cluster: Cluster, where: Origin) -> str:
    """Say whose configuration is in force."""
    name = cluster.name
    match where:
        case Origin.CHOSEN if cluster.is_live:
            return origins.GIVEN_TO_LIVE(cluster=name)
        case Origin.CHOSEN if cluster.scheduler_configuration is None:
            return origins.given_instead_of_defaults(cluster=name)
        case Origin.CHOSEN:
            return origins.given_instead_of_dump(cluster=name)
        case Origin.DUMP:
            return origins.OF_DUMP(cluster=name)
        case _ if cluster.is_live:
            return origins.DEFAULTS_OF_LIVE(cluster=name)
        case _:
            return origins.DEFAULTS_OF_DUMP(cluster=name)


def sentence(configuration: SchedulerConfiguration, differences: dict[str, ProfileDifference]) -> str:
    """Say which profiles there are, and which of them differ from the default one."""
    names = [profile.scheduler_name for profile in configuration.profiles]
    changed = [name for name in names if not differences[name].is_empty]
    if not changed:
        return words.all_default(profiles=names, minor=configuration.release.minor)
    if len(names) == 1:
        return words.ONLY_PROFILE_DIFFERS(profile=names[0], minor=configuration.release.minor)
    return words.some_differ(profiles=names, changed=changed, minor=configuration.release.minor)


def profile_changes(difference: ProfileDifference) -> Iterator[tuple[str, str, str]]:
    """Yield what changed in a profile: what, how it was, and how it is."""
    by_plugin: dict[tuple[str, PluginChange], list[PluginAtPoint]] = {}
    for each in difference.changed_plugins:
        by_plugin.setdefault((each.plugin, each.change), []).append(each)
    for (plugin, change), found in by_plugin.items():
        points = [_point(each, change) for each in found]
        match change:
            case PluginChange.ADDED:
                yield plugin, str(words.NOT_ENABLED), words.enabled_at(points)
            case PluginChange.REMOVED:
                yield plugin, words.enabled_at(points), str(words.NOT_ENABLED)
            case _:
                (only,) = found
                yield words.WEIGHT_OF(plugin=plugin), grouped(only.weight_before), grouped(only.weight)
    for plugin, fields in difference.unknown_added.items():
        yield words.FOREIGN_PLUGIN(plugin=plugin), str(words.NOT_ENABLED), words.enabled_at(fields)
    for plugin, fields in difference.unknown_removed.items():
        yield words.FOREIGN_PLUGIN(plugin=plugin), words.enabled_at(fields), str(words.NOT_ENABLED)
    for order in difference.reordered:
        yield words.ORDER_AT(point=order.point), ", ".join(order.before), ", ".join(order.after)
    for setting in difference.changed_settings:
        yield setting_change(setting)


def _point(each: PluginAtPoint, change: PluginChange) -> str:
    weight = each.weight_before if change is PluginChange.REMOVED else each.weight
    return words.WEIGHTED_POINT(point=each.point, weight=weight) if weight else str(each.point)


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
        yield name, str(words.PROFILE_ITSELF), str(words.PROFILE_ABSENT), words.PROFILE_ADDED(pods=pods.get(name, 0))
        for what, default, value in profile_changes(against_default[name]):
            yield name, what, words.BY_DEFAULT(value=default), value
    for name in difference.removed:
        yield name, str(words.PROFILE_ITSELF), str(words.PROFILE_PRESENT), words.PROFILE_REMOVED(pods=pods.get(name, 0))
    for name, profile in difference.profiles.items():
        for change in profile_changes(profile):
            yield name, *change
    for setting in difference.settings:
        if setting.is_changed:
            yield str(words.ALL_PROFILES), *setting_change(setting)
    if difference.extenders != difference.extenders_before:
        before, after = map(_extenders, (difference.extenders_before, difference.extenders))
        yield str(words.ALL_PROFILES), str(words.EXTENDERS), before, after


def _extenders(found: tuple[Extender, ...]) -> str:
    return " ".join(map(extender_sentences, found)) or str(words.NO_EXTENDERS)
