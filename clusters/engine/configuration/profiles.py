"""One scheduling profile: which plugins it asks, in which order, with which weights and arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration.argument_readers import default_arguments, read_arguments
from clusters.engine.configuration.errors import ConfigurationError
from clusters.engine.configuration.plugin_sets import MULTI_POINT, PluginSet, resolve_plugins
from clusters.engine.configuration.problems import ConfiguredTwice, NotAPercentageOfNodes, NotNamed, RemovedPlugin
from clusters.engine.versions import ExtensionPoint, Release

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.configuration.arguments import Arguments
    from clusters.engine.configuration.extenders import Extender
    from clusters.engine.configuration.fields import ConfigurationFields

PROFILE_FIELDS: Final = ("schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig")


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile of kube-scheduler; each extension point lists plugin names in the order in which they are asked.

    ``weights``: of the plugins in ``score``. ``args``: by plugin name, of every in-tree plugin that takes arguments.
    ``unknown_plugins``: plugins that Kubernetes does not bring, whose answers cannot be known, with the fields of the
    configuration that enable them; they are in none of the lists. ``percentage_of_nodes_to_score``: 0 means that
    kube-scheduler chooses by the size of the cluster. ``extenders``: the scheduler's, for all profiles. ``queue``: the
    names of all profiles of the scheduler, which share one queue of pods.
    """

    scheduler_name: str
    pre_enqueue: tuple[str, ...]
    queue_sort: tuple[str, ...]
    pre_filter: tuple[str, ...]
    filter: tuple[str, ...]
    post_filter: tuple[str, ...]
    pre_score: tuple[str, ...]
    score: tuple[str, ...]
    reserve: tuple[str, ...]
    permit: tuple[str, ...]
    pre_bind: tuple[str, ...]
    bind: tuple[str, ...]
    post_bind: tuple[str, ...]
    weights: Mapping[str, int]
    args: Mapping[str, Arguments]
    unknown_plugins: Mapping[str, tuple[str, ...]]
    percentage_of_nodes_to_score: int
    extenders: tuple[Extender, ...]
    queue: frozenset[str]


@dataclass(frozen=True, slots=True)
class ReadProfile:
    """A profile, and what must be the same in all profiles of a scheduler."""

    profile: Profile
    path: str
    queue_sort_set: PluginSet


def read_profile(
    fields: ConfigurationFields, release: Release, scheduler_name: str, percentage: int, extenders: tuple[Extender, ...]
) -> ReadProfile:
    """Return one of ``profiles``; ``scheduler_name`` and ``percentage`` are what holds if it has none of its own."""
    name = fields.text("schedulerName") if fields.has("schedulerName") else scheduler_name
    if not name:
        raise ConfigurationError(fields.at("schedulerName"), NotNamed("schedulerName", "batch-scheduler"))
    plugins = resolve_plugins(
        fields.child(
            "plugins",
            (MULTI_POINT, *(point.value for point in ExtensionPoint), *release.configuration.plugin_sets),
        ),
        release,
    )
    profile = Profile(
        scheduler_name=name,
        weights=plugins.weights,
        args=_arguments(fields, release),
        unknown_plugins=plugins.unknown,
        percentage_of_nodes_to_score=read_percentage(fields, percentage),
        extenders=extenders,
        queue=frozenset({name}),
        **{point.name.lower(): names for point, names in plugins.points.items()},
    )
    return ReadProfile(profile, fields.path, plugins.queue_sort_set)


def read_percentage(fields: ConfigurationFields, default: int) -> int:
    """Read ``percentageOfNodesToScore``."""
    percentage = fields.number("percentageOfNodesToScore", default)
    if not 0 <= percentage <= 100:
        raise ConfigurationError(fields.at("percentageOfNodesToScore"), NotAPercentageOfNodes(percentage))
    return percentage


def _arguments(profile: ConfigurationFields, release: Release) -> dict[str, Arguments]:
    """Return the arguments of all in-tree plugins that take any; those of other plugins are theirs alone."""
    arguments: dict[str, Arguments] = default_arguments(release)
    seen: set[str] = set()
    for entry in profile.each("pluginConfig", ("name", "args")):
        name = entry.text("name")
        if name in seen:
            raise ConfigurationError(entry.at("name"), ConfiguredTwice(name))
        if name in release.removed:
            raise ConfigurationError(entry.at("name"), RemovedPlugin(name, release.minor, release.removed[name]))
        seen.add(name)
        read = read_arguments(name, entry.raw("args"), entry.at("args"), release)
        if read is not None:
            arguments[name] = read
    return arguments
