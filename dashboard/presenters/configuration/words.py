"""The words of a scheduler configuration: what its settings mean, and what one has otherwise than another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from clusters.engine.configuration import Change
from clusters.engine.sampling import Sampling
from clusters.services.mirror.configurations import Origin
from clusters.wording.amounts import counted, grouped
from clusters.wording.plugins import wording_of
from dashboard.presenters import wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine import SchedulerConfiguration
    from clusters.engine.configuration import (
        ConfigurationDifference,
        Extender,
        PluginAtPoint,
        ProfileDifference,
        Setting,
    )
    from clusters.models import Cluster

# What a setting of all profiles, or of the whole scheduler, is about.
_MEANINGS = {
    "percentageOfNodesToScore": "feasible nodes that end the search, in percent of all",
    "parallelism": "nodes that are looked at at the same time, which changes no answer",
    "podInitialBackoffSeconds": "rest after the first failure; each further one doubles it",
    "podMaxBackoffSeconds": "the longest rest after a failure",
}
_UNITS = {
    "bindTimeoutSeconds": "s",
    "podInitialBackoffSeconds": "s",
    "podMaxBackoffSeconds": "s",
    "minCandidateNodesPercentage": "%",
}
_VERBS = (
    ("filter_verb", "filters"),
    ("prioritize_verb", "scores"),
    ("preempt_verb", "has a say in preemption"),
    ("bind_verb", "binds"),
)


def meaning(plugin: str, name: str) -> str:
    """Say what a setting of a plugin, or where that is empty of the scheduler, is about."""
    return wording_of(plugin).argument(name) if plugin else _MEANINGS.get(name, "")


def said(plugin: str, name: str, value: Any) -> str:
    """Write the value of a setting as people do."""
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "percentageOfNodesToScore":
        return f"{value}\u00a0%" if value else "by the size of the cluster"
    if isinstance(value, int):
        unit = _UNITS.get(name, "")
        return f"{grouped(value)}\u00a0{unit}" if unit else grouped(value)
    if isinstance(value, str):
        return wording_of(plugin).argument_value(name, value)
    if isinstance(value, list) and all("weight" in each for each in value):
        return ", ".join(f"{each['name']} × {each['weight']}" for each in value)
    if isinstance(value, list) and all("utilization" in each for each in value):
        return ", ".join(f"{each['utilization']}\u00a0% → {each['score']}" for each in value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return str(yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000)).strip()


def sampling(percentage: int, nodes: int) -> str:
    """Say what percentageOfNodesToScore comes to for a number of nodes."""
    if not nodes:
        return "There are no nodes here."
    found = Sampling.of(percentage, nodes)
    of_nodes = counted(nodes, "node", "nodes")
    if found.complete:
        return f"With {of_nodes} the scheduler looks at every node."
    return (
        f"With {of_nodes} the search ends as soon as {grouped(found.wanted)} fit, and only those are scored: which, "
        "depends on where it starts, which cannot be known from outside."
    )


def origin(cluster: Cluster, where: Origin) -> str:
    """Say whose configuration is in force."""
    name = cluster.name
    if where is Origin.CHOSEN and cluster.is_live:
        return f"The pods of {name} are explained, and its decisions judged, by a configuration that was given here."
    if where is Origin.CHOSEN:
        brought = (
            "kube-scheduler's defaults, as its dump brought none along"
            if cluster.scheduler_configuration is None
            else "the one that its dump brought along"
        )
        return (
            f"The pods of {name} are explained by a configuration that was given here, instead of by {brought}. "
            "It stays when a newer dump is read."
        )
    if where is Origin.DUMP:
        return f"The pods of {name} are explained by the configuration that its dump brought along."
    if cluster.is_live:
        return (
            f"The API server does not tell how the scheduler of {name} is configured. Its pods are explained, and its "
            "decisions judged, by kube-scheduler's defaults."
        )
    return f"The dump of {name} brought no configuration along. Its pods are explained by kube-scheduler's defaults."


def sentence(configuration: SchedulerConfiguration, differences: dict[str, ProfileDifference]) -> str:
    """Say which profiles there are, and which of them differ from the default one."""
    names = [profile.scheduler_name for profile in configuration.profiles]
    changed = [name for name in names if not differences[name].is_empty]
    profiles = f"{counted(len(names), 'profile', 'profiles')}: {wording.listed(names)}"
    if not changed:
        return f"{profiles}; nothing differs from the defaults of Kubernetes {configuration.minor}."
    if len(names) == 1:
        return f"{profiles}; it differs from the defaults of Kubernetes {configuration.minor}."
    verb = "differs" if len(changed) == 1 else "differ"
    return f"{profiles}; {wording.listed(changed)} {verb} from the defaults of Kubernetes {configuration.minor}."


def disabled_in_vain(names: Sequence[str], minor: str) -> str:
    """Say that nothing is called as what was to be disabled; nothing where there are no such names."""
    if not names:
        return ""
    return (
        f"Under “disabled” stands what no plugin of Kubernetes {minor} is called: {wording.listed(names)}. "
        "kube-scheduler passes over it without a word: look for a slip of the pen."
    )


def profile_changes(difference: ProfileDifference) -> Iterator[tuple[str, str, str]]:
    """Yield what changed in a profile: what, how it was, and how it is."""
    by_plugin: dict[tuple[str, Change], list[PluginAtPoint]] = {}
    for each in difference.changed_plugins:
        by_plugin.setdefault((each.plugin, each.change), []).append(each)
    for (plugin, change), found in by_plugin.items():
        points = wording.listed([_point(each, change) for each in found])
        match change:
            case Change.ADDED:
                yield plugin, "not asked", f"asked at {points}"
            case Change.REMOVED:
                yield plugin, f"asked at {points}", "not asked"
            case _:
                (only,) = found
                yield f"{plugin}, weight", grouped(only.weight_before), grouped(only.weight)
    for plugin, fields in difference.unknown_added.items():
        yield f"{plugin}, not part of Kubernetes", "not asked", f"asked at {wording.listed(fields)}"
    for plugin, fields in difference.unknown_removed.items():
        yield f"{plugin}, not part of Kubernetes", f"asked at {wording.listed(fields)}", "not asked"
    for order in difference.reordered:
        yield f"Order at {order.point}", ", ".join(order.before), ", ".join(order.after)
    for setting in difference.changed_settings:
        yield setting_change(setting)


def _point(each: PluginAtPoint, change: Change) -> str:
    weight = each.weight_before if change is Change.REMOVED else each.weight
    return f"{each.point} (weight {grouped(weight)})" if weight else str(each.point)


def setting_change(setting: Setting) -> tuple[str, str, str]:
    """Say what changed of a setting."""
    what = f"{setting.plugin}, {setting.name}" if setting.plugin else setting.name
    before, value = (said(setting.plugin, setting.name, each) for each in (setting.before, setting.value))
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
        yield name, "Profile", "not there", f"there, for {counted(pods.get(name, 0), 'pod', 'pods')}"
        for what, default, value in profile_changes(against_default[name]):
            yield name, what, f"{default}, by default", value
    for name in difference.removed:
        left = counted(pods.get(name, 0), "pod is", "pods are")
        yield name, "Profile", "there", f"not there: {left} another scheduler's"
    for name, profile in difference.profiles.items():
        for change in profile_changes(profile):
            yield name, *change
    for setting in difference.settings:
        if setting.is_changed:
            yield "All profiles", *setting_change(setting)
    if difference.extenders != difference.extenders_before:
        before, after = (" ".join(map(extender, each)) for each in (difference.extenders_before, difference.extenders))
        yield "All profiles", "extenders", before or "none", after or "none"


def extender(each: Extender) -> str:
    """Say what an extender is asked."""
    verbs = [does for verb, does in _VERBS if getattr(each, verb)] or ["is asked nothing"]
    what = wording.listed(verbs)
    if each.prioritize_verb:
        what += f", with weight {grouped(each.weight)}"
    only = wording.listed([resource.name for resource in each.managed_resources])
    for_whom = f" for pods that request {only}" if only else ""
    without = "; scheduling goes on without its answer" if each.ignorable else "; without its answer nothing is placed"
    return f"{what[:1].upper()}{what[1:]}{for_whom}{without}."
