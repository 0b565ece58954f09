"""A configuration written out in full: every default as if somebody had written it down.

Read again it is the same configuration, so the document says what is in force and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.configuration.api import API_VERSION
from clusters.engine.configuration.arguments import (
    Arguments,
    DefaultPreemptionArgs,
    DynamicResourcesArgs,
    InterPodAffinityArgs,
    NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    VolumeBindingArgs,
)
from clusters.engine.configuration.extenders import DEFAULT_TIMEOUT
from clusters.engine.configuration.plugin_sets import ALL, MULTI_POINT
from clusters.engine.versions import ExtensionPoint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from clusters.engine.configuration.arguments import ResourceWeight, ShapePoint
    from clusters.engine.configuration.extenders import Extender
    from clusters.engine.configuration.profiles import Profile
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
