"""A configuration written out in full: every default as if somebody had written it down.

Read again it is the same configuration, so the document says what is in force and nothing else."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.configuration.arguments import (
    Arguments,
    DefaultPreemptionArgs,
    DynamicResourcesArgs,
    InterPodAffinityArgs,
    NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    ResourceWeight,
    ShapePoint,
    VolumeBindingArgs,
)
from clusters.engine.configuration.profiles import ALL, DEFAULT_TIMEOUT, MULTI_POINT, Extender, Profile
from clusters.engine.configuration.reading import API_VERSION
from clusters.engine.versions import ExtensionPoint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from clusters.engine.configuration.scheduler import SchedulerConfiguration

_NANOSECONDS: Final = 10**9


def spelled_out(configuration: SchedulerConfiguration) -> dict[str, Any]:
    """Return a KubeSchedulerConfiguration that says all that is in force.

    Where extenders listen is in it as far as it was kept.
    """
    document: dict[str, Any] = {
        "apiVersion": API_VERSION,
        "kind": "KubeSchedulerConfiguration",
        "parallelism": configuration.parallelism,
        "percentageOfNodesToScore": configuration.percentage_of_nodes_to_score,
        "podInitialBackoffSeconds": configuration.backoff.initial,
        "podMaxBackoffSeconds": configuration.backoff.longest,
        "profiles": [_profile(profile) for profile in configuration.profiles],
    }
    if configuration.extenders:
        document["extenders"] = [_extender(extender) for extender in configuration.extenders]
    return document


def plugins_at(profile: Profile, point: ExtensionPoint) -> tuple[str, ...]:
    """Return the plugins that a profile asks at an extension point, in their order."""
    names: tuple[str, ...] = getattr(profile, point.name.lower())
    return names


def arguments_document(arguments: Arguments) -> dict[str, Any]:
    """Return a plugin's arguments as ``args`` holds them; an absent affinity is None."""
    match arguments:
        case NodeResourcesFitArgs():
            strategy = arguments.scoring_strategy
            scoring: dict[str, Any] = {"type": str(strategy.type), "resources": _resources(strategy.resources)}
            if strategy.shape:
                scoring["requestedToCapacityRatio"] = {"shape": _shape(strategy.shape)}
            return {
                "ignoredResources": list(arguments.ignored_resources),
                "ignoredResourceGroups": list(arguments.ignored_resource_groups),
                "scoringStrategy": scoring,
            }
        case NodeResourcesBalancedAllocationArgs():
            return {"resources": _resources(arguments.resources)}
        case NodeAffinityArgs():
            return {"addedAffinity": arguments.added_affinity}
        case PodTopologySpreadArgs():
            return {
                "defaultingType": str(arguments.defaulting_type),
                "defaultConstraints": [dict(constraint) for constraint in arguments.default_constraints],
            }
        case InterPodAffinityArgs():
            return {
                "hardPodAffinityWeight": arguments.hard_pod_affinity_weight,
                "ignorePreferredTermsOfExistingPods": arguments.ignore_preferred_terms_of_existing_pods,
            }
        case DefaultPreemptionArgs():
            return {
                "minCandidateNodesPercentage": arguments.min_candidate_nodes_percentage,
                "minCandidateNodesAbsolute": arguments.min_candidate_nodes_absolute,
            }
        case VolumeBindingArgs():
            shape = {"shape": _shape(arguments.shape)} if arguments.shape else {}
            return {"bindTimeoutSeconds": arguments.bind_timeout_seconds, **shape}
        case DynamicResourcesArgs():
            waits = arguments.binding_timeout
            binding = {} if waits is None else {"bindingTimeout": _duration(waits)}
            return {"filterTimeout": _duration(arguments.filter_timeout), **binding}


def _profile(profile: Profile) -> dict[str, Any]:
    every = {"name": ALL}
    plugins: dict[str, Any] = {MULTI_POINT: {"enabled": _foreign(profile, MULTI_POINT), "disabled": [every]}}
    for point in ExtensionPoint:
        enabled: list[dict[str, Any]] = [{"name": name} for name in plugins_at(profile, point)]
        if point is ExtensionPoint.SCORE:
            for entry in enabled:
                entry["weight"] = profile.weights[entry["name"]]
        plugins[point.value] = {"enabled": [*enabled, *_foreign(profile, point.value)]}
    return {
        "schedulerName": profile.scheduler_name,
        "percentageOfNodesToScore": profile.percentage_of_nodes_to_score,
        "plugins": {name: {key: value for key, value in each.items() if value} for name, each in plugins.items()},
        "pluginConfig": [
            {
                "name": plugin,
                "args": {key: value for key, value in arguments_document(args).items() if value not in (None, [])},
            }
            for plugin, args in profile.args.items()
        ],
    }


def _foreign(profile: Profile, field: str) -> list[dict[str, Any]]:
    """Return the plugins that Kubernetes does not bring and that a field enables, as often as it does."""
    return [{"name": name} for name, fields in profile.unknown_plugins.items() for each in fields if each == field]


def _extender(extender: Extender) -> dict[str, Any]:
    fields = {
        "urlPrefix": extender.url_prefix,
        "filterVerb": extender.filter_verb,
        "preemptVerb": extender.preempt_verb,
        "prioritizeVerb": extender.prioritize_verb,
        "bindVerb": extender.bind_verb,
        "weight": extender.weight,
        "ignorable": extender.ignorable,
        "managedResources": [
            {"name": resource.name, "ignoredByScheduler": resource.ignored_by_scheduler}
            for resource in extender.managed_resources
        ],
        "nodeCacheCapable": extender.node_cache_capable,
        "httpTimeout": _duration(extender.timeout) if extender.timeout != DEFAULT_TIMEOUT else "",
        "enableHTTPS": extender.enable_https,
        "tlsConfig": {
            name: value
            for name, value in (
                ("insecure", extender.insecure),
                ("serverName", extender.server_name),
                ("caFile", extender.ca_file),
                ("caData", extender.ca_data),
            )
            if value
        },
    }
    return {name: value for name, value in fields.items() if value}


def _resources(resources: Iterable[ResourceWeight]) -> list[dict[str, Any]]:
    return [{"name": resource.name, "weight": resource.weight} for resource in resources]


def _shape(points: Iterable[ShapePoint]) -> list[dict[str, int]]:
    return [{"utilization": point.utilization, "score": point.score} for point in points]


def _duration(seconds: Fraction) -> str:
    """Write seconds as a Go duration, to the nanosecond."""
    if seconds.denominator == 1:
        return f"{seconds.numerator}s"
    return f"{int(seconds * _NANOSECONDS)}ns"


# What one configuration has otherwise than another: against the defaults, or against the one before.


class PluginChange(StrEnum):
    """What became of a plugin at an extension point."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    WEIGHT = "weight"


class PluginAtPoint(Struct, frozen=True):
    """A plugin at an extension point of either profile; the weights are 0 where it does not score."""

    plugin: str
    point: ExtensionPoint
    change: PluginChange
    weight: int = 0
    weight_before: int = 0


class Setting(Struct, frozen=True):
    """A setting by its path below ``args``, or of the whole scheduler where ``plugin`` is empty; None: it is absent."""

    plugin: str
    name: str
    value: Any
    before: Any

    @property
    def is_changed(self) -> bool:
        return bool(self.value != self.before)


class Reordered(Struct, frozen=True):
    """The plugins that both profiles ask at an extension point, in the order of each."""

    point: ExtensionPoint
    before: tuple[str, ...]
    after: tuple[str, ...]


class ProfileDifference(Struct, frozen=True):
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


class ConfigurationDifference(Struct, frozen=True):
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
