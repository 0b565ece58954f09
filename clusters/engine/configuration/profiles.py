"""One scheduling profile: which plugins it asks, in which order, with which weights and arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from clusters.engine.configuration.arguments import Arguments, default_arguments, read_arguments
from clusters.engine.configuration.problems import BehindFeatureGate, NotAtPoint
from clusters.engine.configuration.reading import ConfigurationError, ConfigurationFields
from clusters.engine.problems import (
    BelowLeast,
    InvalidValue,
    Missing,
    MissingField,
    NotOneOf,
    OutOfRange,
    Repeated,
    TooMany,
    shown,
)
from clusters.engine.selectors import key_fault
from clusters.engine.versions import ExtensionPoint, Release

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Pod

# From ``plugins`` of a profile to the ordered plugins of every extension point.
#
# Upstream: mergePlugins (``apis/config/v1/default_plugins.go``) for what a profile changes of the defaults, then
# updatePluginList, expandMultiPointPlugins and getScoreWeights (``framework/runtime/framework.go``), v1.34.1.

MULTI_POINT: Final = "multiPoint"
ALL: Final = "*"


@dataclass(frozen=True, slots=True)
class EnabledPlugin:
    """A plugin that a profile enables, its weight (0: none given), and the field that does so (empty: the defaults)."""

    name: str
    weight: int
    path: str = field(default="", compare=False)


class PluginSet(Struct, frozen=True):
    """What a profile enables and disables at one point."""

    enabled: tuple[EnabledPlugin, ...] = ()
    disabled: frozenset[str] = frozenset()


class ResolvedPlugins(Struct, frozen=True):
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
        raise ConfigurationError(entry.at("name"), MissingField("name", _example(point, release)))
    if name == ALL:
        raise ConfigurationError(entry.at("name"), InvalidValue("'*'", (_example(point, release),)))
    if name in release.removed:
        raise ConfigurationError(entry.at("name"), NotOneOf(name, (release.removed[name],)))


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
        gate = release.gated_points.get((plugin.name, point))
        is_disabled = plugin.name in own.disabled or (gate is not None and not release.enables(gate))
        if point not in release.points.get(plugin.name, ()) or is_disabled:
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
    return ConfigurationError(f"{plugin.path}.name", Repeated(plugin.name))


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
            raise ConfigurationError(plugins.at(point), Missing((default,)))
        if point is ExtensionPoint.QUEUE_SORT and len(points[point]) + own > 1:
            raise ConfigurationError(plugins.at(point), TooMany(len(points[point]) + own, 1))


def _weights(plugins: tuple[EnabledPlugin, ...]) -> dict[str, int]:
    """Return the weight of each plugin: the first one given, 1 where none is."""
    weights: dict[str, int] = {}
    for plugin in plugins:
        weights.setdefault(plugin.name, plugin.weight or 1)
    return weights


PROFILE_FIELDS: Final = ("schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig")


class Profile(Struct, frozen=True):
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


class ReadProfile(Struct, frozen=True):
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
        raise ConfigurationError(fields.at("schedulerName"), MissingField("schedulerName", "batch-scheduler"))
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
        percentage_of_nodes_to_score=read_percentages(fields, release, percentage),
        extenders=extenders,
        queue=frozenset({name}),
        **{point.name.lower(): names for point, names in plugins.points.items()},
    )
    return ReadProfile(profile, fields.path, plugins.queue_sort_set)


def read_percentages(fields: ConfigurationFields, release: Release, default: int) -> int:
    """Read ``percentageOfNodesToScore``, and check those that are not computed."""
    for name, gate in release.configuration.percentages.items():
        if fields.has(name) and not release.enables(gate):
            raise ConfigurationError(fields.at(name), BehindFeatureGate(gate))
        _percentage(fields, name, 0)
    return _percentage(fields, "percentageOfNodesToScore", default)


def _percentage(fields: ConfigurationFields, name: str, default: int) -> int:
    percentage = fields.number(name, default)
    if not 0 <= percentage <= 100:
        raise ConfigurationError(fields.at(name), OutOfRange(str(percentage), 0, 100))
    return percentage


def _arguments(profile: ConfigurationFields, release: Release) -> dict[str, Arguments]:
    """Return the arguments of all in-tree plugins that take any; those of other plugins are theirs alone."""
    arguments: dict[str, Arguments] = default_arguments(release)
    seen: set[str] = set()
    for entry in profile.each("pluginConfig", ("name", "args")):
        name = entry.text("name")
        if name in seen:
            raise ConfigurationError(entry.at("name"), Repeated(name))
        if name in release.removed:
            raise ConfigurationError(entry.at("name"), NotOneOf(name, (release.removed[name],)))
        seen.add(name)
        read = read_arguments(name, entry.raw("args"), entry.at("args"), release)
        if read is not None:
            arguments[name] = read
    return arguments


# Scheduler extenders: other programs that kube-scheduler asks over HTTP, whose answers cannot be known from outside.
#
# Upstream: ``pkg/scheduler/apis/config/validation/validation.go`` and ``buildExtenders`` in ``pkg/scheduler``,
# v1.34.1.

EXTENDER_FIELDS: Final = (
    "urlPrefix",
    "filterVerb",
    "preemptVerb",
    "prioritizeVerb",
    "weight",
    "bindVerb",
    "enableHTTPS",
    "tlsConfig",
    "httpTimeout",
    "nodeCacheCapable",
    "managedResources",
    "ignorable",
)
DEFAULT_TIMEOUT: Final = Fraction(5)
TLS_FIELDS: Final = ("insecure", "serverName", "certFile", "keyFile", "caFile", "certData", "keyData", "caData")


class ManagedResource(Struct, frozen=True):
    """An extended resource that an extender manages; the scheduler's own fit check may leave it out."""

    name: str
    ignored_by_scheduler: bool


class Extender(Struct, frozen=True):
    """An extender and what it is asked: an empty verb means that it is not.

    Pods that request none of ``managed_resources`` are not sent to it, unless there are none. ``ignorable``: scheduling
    goes on without its answer. ``node_cache_capable``: it is sent names of nodes instead of objects. ``timeout``: of a
    call, in seconds. ``ca_data``: a certificate authority's certificate, in base64; ``ca_file``: where the scheduler
    has it.
    """

    url_prefix: str
    filter_verb: str
    preempt_verb: str
    prioritize_verb: str
    bind_verb: str
    weight: int
    ignorable: bool
    managed_resources: tuple[ManagedResource, ...]
    node_cache_capable: bool = False
    timeout: Fraction = DEFAULT_TIMEOUT
    enable_https: bool = False
    insecure: bool = False
    server_name: str = ""
    ca_data: str = ""
    ca_file: str = ""

    @property
    def address(self) -> str:
        """The URL prefix as it may be shown: without the user and password that it may name."""
        scheme, separator, rest = self.url_prefix.partition("//")
        host, slash, path = rest.partition("/")
        return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"


def read_extenders(configuration: ConfigurationFields) -> tuple[Extender, ...]:
    """Return the extenders in the order in which they are asked: ignorable ones last. Raises ConfigurationError."""
    extenders: list[Extender] = []
    managed: set[str] = set()
    for fields in configuration.each("extenders", EXTENDER_FIELDS):
        extender = _extender(fields, managed)
        if extender.bind_verb and any(other.bind_verb for other in extenders):
            raise ConfigurationError(fields.at("bindVerb"), Repeated("bindVerb"))
        extenders.append(extender)
    return tuple(sorted(extenders, key=lambda extender: extender.ignorable))


def _extender(fields: ConfigurationFields, managed: set[str]) -> Extender:
    """Read one extender; ``managed`` holds the resources of those before, and gains its own."""
    tls = fields.child("tlsConfig", TLS_FIELDS)
    for name in TLS_FIELDS[1:]:
        tls.text(name)
    weight = fields.integer("weight", bits=64) or 0
    if fields.text("prioritizeVerb") and weight <= 0:
        raise ConfigurationError(fields.at("weight"), BelowLeast(str(weight), 1))
    return Extender(
        url_prefix=fields.text("urlPrefix"),
        filter_verb=fields.text("filterVerb"),
        preempt_verb=fields.text("preemptVerb"),
        prioritize_verb=fields.text("prioritizeVerb"),
        bind_verb=fields.text("bindVerb"),
        weight=weight,
        ignorable=fields.boolean("ignorable"),
        managed_resources=tuple(
            _managed_resource(entry, managed)
            for entry in fields.each("managedResources", ("name", "ignoredByScheduler"))
        ),
        node_cache_capable=fields.boolean("nodeCacheCapable"),
        timeout=fields.seconds("httpTimeout") or DEFAULT_TIMEOUT,
        enable_https=fields.boolean("enableHTTPS"),
        insecure=tls.boolean("insecure"),
        server_name=tls.text("serverName"),
        ca_data=tls.text("caData"),
        ca_file=tls.text("caFile"),
    )


def _managed_resource(fields: ConfigurationFields, managed: set[str]) -> ManagedResource:
    name = fields.text("name")
    extended = "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")
    if key_fault(name) or not extended or key_fault(f"requests.{name}"):
        raise ConfigurationError(fields.at("name"), InvalidValue(shown(name), ("example.com/device",)))
    if name in managed:
        raise ConfigurationError(fields.at("name"), Repeated(name))
    managed.add(name)
    return ManagedResource(name, fields.boolean("ignoredByScheduler"))


# Which extenders have a say about a pod.
#
# Upstream: ``IsInterested`` in ``pkg/scheduler/extender.go`` v1.34.1.


def interested_extenders(profile: Profile, pod: Pod) -> tuple[Extender, ...]:
    """The extenders that are asked about a pod: they manage no resources, or one that a container names."""
    return tuple(each for each in profile.extenders if not each.managed_resources or any(managed_by(each, pod)))


def managed_by(extender: Extender, pod: Pod) -> Iterator[str]:
    """The extender's resources that containers of a pod request or limit, in the extender's order."""
    named = {
        name
        for kind in ("containers", "initContainers")
        for container in pod.spec.get(kind) or ()
        for amounts in ("requests", "limits")
        for name in (container.get("resources") or {}).get(amounts) or {}
    }
    return (resource.name for resource in extender.managed_resources if resource.name in named)
