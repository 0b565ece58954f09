"""Configurations that only earlier kube-schedulers read, as today's: a Policy, and former versions of the API."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from enum import StrEnum
from typing import Any, Final, NamedTuple

from msgspec import Struct, field

from clusters.engine.configuration.arguments import StrategyType
from clusters.engine.configuration.problems import (
    PolicyElsewhere,
)
from clusters.engine.configuration.profiles import ALL, EXTENDER_FIELDS, MULTI_POINT, TLS_FIELDS
from clusters.engine.configuration.reading import API_VERSION, ConfigurationError, ConfigurationFields
from clusters.engine.problems import MustBe, NeedsOneOf, NotOneOf, OutOfRange, Repeated, shown
from clusters.engine.versions import ExtensionPoint, Release

# What became of a configuration that today's kube-scheduler does not read: a v1 document, and a row for each entry.


class LegacyNote(StrEnum):
    """What has to be said about an entry beside what it became, or what decides instead where nothing did."""

    ALWAYS_ADDED = "always added"
    MANDATORY = "mandatory predicate"
    DEFAULT_PREDICATE = "default predicate"
    DEFAULT_PRIORITY = "default priority"
    DEFAULT_WEIGHT = "default weight"
    NEWER_PLUGIN = "newer plugin"
    COUNTS_ALL_DRIVERS = "counts all drivers"
    STILL_COUNTS = "still counts"
    TAINTED_BY_CONDITION = "tainted by condition"
    SPREADS_BY_DEFAULT = "spreads by default"
    NO_DEFAULT_SPREADING = "no default spreading"
    ONE_STRATEGY = "one strategy"
    SHAPE_TIMES_TEN = "shape times ten"
    EQUAL_SCORES = "equal scores"
    LATER_ENTRY_COUNTS = "later entry counts"
    ADDED_AFFINITY = "added affinity"
    ADDED_AFFINITY_AND_SELECTORS = "added affinity and selectors"
    LABELS_NOT_READ = "labels not read"
    LABEL_PREFERENCE_GONE = "label preference gone"
    SERVICE_AFFINITY_GONE = "service affinity gone"
    SERVICE_SPREADING_GONE = "service spreading gone"
    AVOID_PODS_GONE = "avoid pods gone"
    RESOURCE_LIMITS_GONE = "resource limits gone"
    REASONS_OF_ALL_FILTERS = "reasons of all filters"
    SCORES_ONLY_IF_ENABLED = "scores only if enabled"
    NANOSECONDS = "nanoseconds"
    PACKING_PROVIDER = "packing provider"
    PREEMPTION_OFF = "preemption off"
    FORMER_POINT = "former point"
    RUNS_ONLY = "runs only"
    UNUSED = "unused"


class PluginRole(Struct, frozen=True):
    """A plugin of today with the extension points where it takes part; the weight is 0 where it does not score."""

    plugin: str
    points: tuple[ExtensionPoint, ...]
    weight: int = 0


class TranslatedEntry(Struct, frozen=True):
    """What one entry became: plugins, settings of v1 by their paths, or neither where it has no equivalent.

    ``field``: its path in the old document, empty for what its kind or version always had. ``settings``: paths below
    the profile or the document, with their values.
    """

    field: str
    name: str
    became: tuple[PluginRole, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()
    notes: tuple[LegacyNote, ...] = ()

    @property
    def is_removed(self) -> bool:
        return not self.became and not self.settings


class Translation(Struct, frozen=True):
    """A document of v1 and how it came about.

    ``source``: kind and version of the old document, as in ``Policy v1``. ``moved``: paths of the new document whose
    values stood elsewhere in the old one.
    """

    source: str
    document: dict[str, Any]
    entries: tuple[TranslatedEntry, ...]
    moved: Mapping[str, str]

    def original_path(self, path: str) -> str:
        """Return where the value at a path of the new document stood in the old one."""
        beginnings = [new for new in self.moved if path == new or path.startswith((f"{new}.", f"{new}["))]
        if not beginnings:
            return path
        longest = max(beginnings, key=len)
        return (self.moved[longest] + path[len(longest) :]).lstrip(".")


# Extenders as a Policy writes them: field names in any case, and a timeout in nanoseconds.
#
# Upstream: LegacyExtender in ``k8s.io/kube-scheduler/config/v1`` (``types.go``), v0.22.17.

_TLS: Final = "tlsConfig"
_TIMEOUT: Final = "httpTimeout"
_IN_LOWER_CASE: Final = {name.lower(): name for name in (*EXTENDER_FIELDS, *TLS_FIELDS)}


def today_s_extender(extender: object) -> tuple[Any, tuple[LegacyNote, ...]]:
    """Return an extender of a Policy as v1 writes it; what is not of its form is left for the reader to refuse."""
    if not isinstance(extender, Mapping):
        return extender, ()
    named = _named(extender)
    if isinstance(named.get(_TLS), Mapping):
        named[_TLS] = _named(named[_TLS])
    timeout = named.get(_TIMEOUT)
    if type(timeout) is not int:
        return named, ()
    named[_TIMEOUT] = f"{timeout}ns" if timeout % 10**6 else f"{timeout // 10**6}ms"
    return named, (LegacyNote.NANOSECONDS,)


def _named(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {_IN_LOWER_CASE.get(str(name).lower(), str(name)): value for name, value in fields.items()}


# Rules about labels of nodes that NodeLabel checked, as the node affinity that every pod of a profile has.
#
# Upstream: ``pkg/scheduler/framework/plugins/nodelabel``, v1.22.17; its predicate looked at keys alone.


def added_affinity(present: Iterable[str], absent: Iterable[str]) -> dict[str, Any]:
    """Return the affinity that nodes match which have all labels of ``present`` and none of ``absent``."""
    expressions = [
        *({"key": key, "operator": "Exists"} for key in present),
        *({"key": key, "operator": "DoesNotExist"} for key in absent),
    ]
    required = {"nodeSelectorTerms": [{"matchExpressions": expressions}]}
    return {"requiredDuringSchedulingIgnoredDuringExecution": required}


# What predicates and priorities of a Policy are today, as data.
#
# Upstream: ``pkg/scheduler/framework/plugins/legacy_registry.go``, v1.22.17, the last minor that read a Policy; names
# that it no longer knew are those of v1.11 to v1.18.

# Every plugin by name: what each predicate and priority became.
# In the order in which kube-scheduler asked predicates.
PREDICATES: Final[Mapping[str, tuple[str, ...]]] = {
    "CheckNodeUnschedulable": ("NodeUnschedulable",),
    "GeneralPredicates": ("NodeResourcesFit", "NodeName", "NodePorts", "NodeAffinity"),
    "HostName": ("NodeName",),
    "PodFitsHostPorts": ("NodePorts",),
    "MatchNodeSelector": ("NodeAffinity",),
    "PodFitsResources": ("NodeResourcesFit",),
    "NoDiskConflict": ("VolumeRestrictions",),
    "PodToleratesNodeTaints": ("TaintToleration",),
    "CheckNodeLabelPresence": (),
    "CheckServiceAffinity": (),
    "MaxEBSVolumeCount": ("NodeVolumeLimits",),
    "MaxGCEPDVolumeCount": ("NodeVolumeLimits",),
    "MaxCSIVolumeCountPred": ("NodeVolumeLimits",),
    "MaxAzureDiskVolumeCount": ("NodeVolumeLimits",),
    "MaxCinderVolumeCount": ("NodeVolumeLimits",),
    "CheckVolumeBinding": ("VolumeBinding",),
    "NoVolumeZoneConflict": ("VolumeZone",),
    "EvenPodsSpread": ("PodTopologySpread",),
    "MatchInterPodAffinity": ("InterPodAffinity",),
    "CheckNodeCondition": ("TaintToleration",),
    "CheckNodeMemoryPressure": ("TaintToleration",),
    "CheckNodeDiskPressure": ("TaintToleration",),
    "CheckNodePIDPressure": ("TaintToleration",),
}
PREDICATE_NOTES: Final[Mapping[str, LegacyNote]] = {
    **dict.fromkeys(
        ("MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MaxAzureDiskVolumeCount", "MaxCinderVolumeCount"),
        LegacyNote.COUNTS_ALL_DRIVERS,
    ),
    **dict.fromkeys(
        ("CheckNodeCondition", "CheckNodeMemoryPressure", "CheckNodeDiskPressure", "CheckNodePIDPressure"),
        LegacyNote.TAINTED_BY_CONDITION,
    ),
    "CheckNodeLabelPresence": LegacyNote.LABELS_NOT_READ,
    "CheckServiceAffinity": LegacyNote.SERVICE_AFFINITY_GONE,
}
MANDATORY_PREDICATES: Final = ("CheckNodeUnschedulable", "PodToleratesNodeTaints")
DEFAULT_PREDICATES: Final = (
    "CheckNodeUnschedulable",
    "GeneralPredicates",
    "NoDiskConflict",
    "PodToleratesNodeTaints",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",
    "MaxAzureDiskVolumeCount",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "EvenPodsSpread",
    "MatchInterPodAffinity",
)

PRIORITIES: Final[Mapping[str, str]] = {
    "BalancedResourceAllocation": "NodeResourcesBalancedAllocation",
    "EqualPriority": "",
    "EvenPodsSpreadPriority": "PodTopologySpread",
    "ImageLocalityPriority": "ImageLocality",
    "InterPodAffinityPriority": "InterPodAffinity",
    "LeastRequestedPriority": "NodeResourcesFit",
    "MostRequestedPriority": "NodeResourcesFit",
    "NodeAffinityPriority": "NodeAffinity",
    "NodePreferAvoidPodsPriority": "",
    "ResourceLimitsPriority": "",
    "SelectorSpreadPriority": "PodTopologySpread",
    "TaintTolerationPriority": "TaintToleration",
}
PRIORITY_NOTES: Final[Mapping[str, LegacyNote]] = {
    "EqualPriority": LegacyNote.EQUAL_SCORES,
    "NodePreferAvoidPodsPriority": LegacyNote.AVOID_PODS_GONE,
    "ResourceLimitsPriority": LegacyNote.RESOURCE_LIMITS_GONE,
    "SelectorSpreadPriority": LegacyNote.SPREADS_BY_DEFAULT,
}
DEFAULT_PRIORITIES: Final[Mapping[str, int]] = {
    "SelectorSpreadPriority": 1,
    "InterPodAffinityPriority": 1,
    "LeastRequestedPriority": 1,
    "BalancedResourceAllocation": 1,
    "NodePreferAvoidPodsPriority": 10000,
    "NodeAffinityPriority": 1,
    "TaintTolerationPriority": 1,
    "ImageLocalityPriority": 1,
    "EvenPodsSpreadPriority": 2,
}
# The scoring of NodeResourcesFit: one strategy where there were three priorities, and as many plugins.
STRATEGIES: Final[Mapping[str, StrategyType]] = {
    "LeastRequestedPriority": StrategyType.LEAST_ALLOCATED,
    "MostRequestedPriority": StrategyType.MOST_ALLOCATED,
    "RequestedToCapacityRatio": StrategyType.REQUESTED_TO_CAPACITY_RATIO,
    "NodeResourcesLeastAllocated": StrategyType.LEAST_ALLOCATED,
    "NodeResourcesMostAllocated": StrategyType.MOST_ALLOCATED,
}
ALIASES: Final[Mapping[str, str]] = {
    "PodFitsPorts": "PodFitsHostPorts",
    "ServiceSpreadingPriority": "SelectorSpreadPriority",
}
# Neither predicate nor priority: a Policy always had them.
ALWAYS_ADDED: Final = ("PrioritySort", "DefaultPreemption", "DefaultBinder")
# Later than any Policy, for pods with gates and claims, which did not exist.
NEWER_PLUGINS: Final = ("SchedulingGates", "DynamicResources")

# One profile of a former version as one of v1: former plugins, other defaults, arguments of plugins merged since.
#
# Upstream: ``pkg/scheduler/apis/config/v1beta1`` and ``v1beta2`` (``default_plugins.go``, ``defaults.go``), v1.22.17.

# Every plugin by name: what former plugins are today.
_FIT: Final = "NodeResourcesFit"
_VOLUME_LIMITS: Final = "NodeVolumeLimits"
_SPREAD: Final = "PodTopologySpread"
_NODE_AFFINITY: Final = "NodeAffinity"
_OLD_WEIGHTS: Final = ("InterPodAffinity", "NodeAffinity", "TaintToleration")
_GONE: Final[Mapping[str, LegacyNote]] = {
    "NodePreferAvoidPods": LegacyNote.AVOID_PODS_GONE,
    "NodeResourceLimits": LegacyNote.RESOURCE_LIMITS_GONE,
    "ServiceAffinity": LegacyNote.SERVICE_AFFINITY_GONE,
}
_NODE_LABEL: Final = "NodeLabel"
_SPREADERS: Final = ("SelectorSpread", "DefaultPodTopologySpread")
_FORMER_POINTS: Final = {"postFilter": "preScore", "unreserve": "reserve"}
_SCORE: Final = ExtensionPoint.SCORE.value
_FILTER: Final = ExtensionPoint.FILTER.value
_POINTS: Final = frozenset({MULTI_POINT, *(point.value for point in ExtensionPoint)})
# Where SelectorSpread took part.
_SPREADER_POINTS: Final = (ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE)
_LABEL_ARGUMENTS: Final = ("presentLabels", "absentLabels", "presentLabelsPreference", "absentLabelsPreference")


class _Arguments(NamedTuple):
    """Arguments of a plugin, and where they stand in the old document."""

    args: Mapping[str, Any]
    path: str


class OldProfile:
    """A profile that is translated in place.

    ``path`` and ``old_path``: where it stands in the new document and stood in the old one; ``moved`` gains the paths
    of what stands elsewhere now. ``scorer``: the plugin that scored resources by default, empty where today's did.
    """

    def __init__(
        self,
        document: dict[str, Any],
        path: str,
        old_path: str,
        release: Release,
        moved: dict[str, str],
        scorer: str,
        *,
        has_old_weights: bool,
        has_old_points: bool,
    ) -> None:
        self.document = document
        self._path = path
        self._old_path = f"{old_path}." if old_path else ""
        self._release = release
        self._moved = moved
        self._scorer = scorer
        self._has_old_weights = has_old_weights
        self._has_old_points = has_old_points
        self._args: dict[str, dict[str, Any]] = {}
        self._disabled: list[tuple[str, str]] = []
        self._former_names: dict[str, str] = {}
        self._strategy_path = ""

    def set_args(self, plugin: str, args: Mapping[str, Any]) -> None:
        """Give a plugin arguments beside those that it has."""
        self._args.setdefault(plugin, {}).update(args)

    def disable(self, point: str, plugin: str) -> None:
        """Disable a plugin at an extension point."""
        self._disabled.append((point, plugin))

    def translated(self) -> Iterator[TranslatedEntry]:
        """Translate the document; yield a row for each entry that means or is called something else today."""
        plugins = self.document.get("plugins")
        if not isinstance(plugins, Mapping | None):
            return
        # What is not of its form stays as it is, and the reader of v1 refuses it.
        sets = {
            name: {key: list(found) if isinstance(found, list | tuple) else found for key, found in given.items()}
            if isinstance(given, Mapping)
            else given
            for name, given in (plugins or {}).items()
        }
        if self._has_old_points:
            yield from self._rename_points(sets)
        checks_labels = _NODE_LABEL in self._names(sets, _FILTER, "enabled")
        arguments = self._arguments()
        yield from self._score_resources(sets, arguments)
        for point in [name for name in sets if name in _POINTS]:
            yield from self._replace(sets, point)
        if checks_labels:
            yield from self._label_rules(sets, arguments)
        if self._has_old_weights:
            yield from self._keep_weights(sets)
        for point, plugin in self._disabled:
            self._set(sets, point, "disabled").append({"name": plugin})
        if sets or plugins:
            self.document["plugins"] = sets
        self._replace_arguments()

    def _rename_points(self, sets: dict[str, Any]) -> Iterator[TranslatedEntry]:
        for former, today in _FORMER_POINTS.items():
            if former in sets and today not in sets:
                sets[today] = sets.pop(former)
                self._former_names[today] = former
                self._moved[f"{self._path}.plugins.{today}"] = f"{self._old_path}plugins.{former}"
                settings = ((f"plugins.{today}", ""),)
                yield TranslatedEntry(
                    f"{self._old_path}plugins.{former}", "", settings=settings, notes=(LegacyNote.FORMER_POINT,)
                )

    def _score_resources(self, sets: dict[str, Any], arguments: Mapping[str, _Arguments]) -> Iterator[TranslatedEntry]:
        """Let NodeResourcesFit score as the plugin of most weight did that scored resources."""
        if not self._scorer:
            return
        disabled = self._names(sets, _SCORE, "disabled")
        enabled = [entry for entry in self._entries(sets, _SCORE, "enabled") if isinstance(entry, Mapping)]
        weights = {} if ALL in disabled or self._scorer in disabled else {self._scorer: 1}
        for entry in enabled:
            name, weight = entry.get("name"), entry.get("weight") or 1
            if isinstance(name, str) and name in STRATEGIES and type(weight) is int:
                weights[name] = weight
        where = f"{self._old_path}plugins.{_SCORE}"
        if not weights:
            if ALL not in disabled:
                self.disable(_SCORE, _FIT)
                off = ((f"plugins.{_SCORE}.disabled", _FIT),)
                yield TranslatedEntry(f"{where}.disabled", self._scorer, settings=off)
            return
        chosen = max(weights, key=lambda name: weights[name])
        given, path = arguments.get(chosen) or _Arguments({}, "")
        self._strategy_path = path
        strategy: dict[str, Any] = {"type": str(STRATEGIES[chosen])}
        strategy |= {"resources": given["resources"]} if given.get("resources") else {}
        strategy |= {"requestedToCapacityRatio": {"shape": given["shape"]}} if "shape" in given else {}
        if strategy != {"type": "LeastAllocated"}:
            self.set_args(_FIT, {"scoringStrategy": strategy})
        if weights[chosen] != 1 or ALL in disabled:
            self._set(sets, _SCORE, "enabled").append({"name": _FIT, "weight": weights[chosen]})
        for name, weight in weights.items():
            if name != chosen:
                yield TranslatedEntry(where, name, notes=(LegacyNote.ONE_STRATEGY,))
            elif len(strategy) > 1 or name != "NodeResourcesLeastAllocated" or weight != 1:
                points = (ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE)
                kept = (("pluginConfig.NodeResourcesFit.scoringStrategy.type", strategy["type"]),)
                notes = (LegacyNote.SHAPE_TIMES_TEN,) if "shape" in given else ()
                yield TranslatedEntry(where, name, (PluginRole(_FIT, points, weight),), kept, notes)

    def _replace(self, sets: dict[str, Any], point: str) -> Iterator[TranslatedEntry]:
        """Put today's plugins in the place of former ones at one point."""
        where = f"{self._old_path}plugins.{self._former_names.get(point, point)}"
        for key in ("enabled", "disabled"):
            kept: list[Any] = []
            for index, entry in enumerate(self._entries(sets, point, key)):
                old = f"{where}.{key}[{index}]"
                name = entry.get("name") if isinstance(entry, Mapping) else None
                if isinstance(name, str) and self._is_former(name):
                    if not (name in STRATEGIES and self._scorer) and not (name == _NODE_LABEL and point == _FILTER):
                        row = self._row(point, key, old, entry)
                        yield row
                        if point == MULTI_POINT and name in _SPREADERS:
                            self._spread(sets, row.became)
                        else:
                            kept += self._missing(sets, point, row.became, kept)
                    continue
                self._moved[f"{self._path}.plugins.{point}.{key}[{len(kept)}]"] = old
                kept.append(entry)
            if isinstance(sets.get(point), dict) and isinstance(sets[point].get(key), list):
                sets[point][key] = kept
                if not kept:
                    del sets[point][key]
        if sets.get(point) == {}:
            del sets[point]

    def _is_former(self, name: str) -> bool:
        return (
            name in self._release.removed
            or name in _GONE
            or name in (*_SPREADERS, _NODE_LABEL)
            or (name in STRATEGIES and bool(self._scorer))
        )

    def _missing(
        self, sets: dict[str, Any], point: str, roles: tuple[PluginRole, ...], kept: list[Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield entries for plugins that neither the defaults nor the entries before enable at a point."""
        off = {*self._names(sets, point, "disabled")}
        for role in roles:
            names = [each.get("name") for each in kept if isinstance(each, Mapping)]
            if {ALL, role.plugin} & off and role.plugin not in names:
                yield {"name": role.plugin, **({"weight": role.weight} if role.weight else {})}

    def _spread(self, sets: dict[str, Any], roles: tuple[PluginRole, ...]) -> None:
        """Let PodTopologySpread score where SelectorSpread did at all its points, without filtering as well."""
        for point in _SPREADER_POINTS:
            there = self._entries(sets, point.value, "enabled")
            for entry in [*self._missing(sets, MULTI_POINT, roles, there)]:
                self._set(sets, point.value, "enabled").append(entry)

    def _row(self, point: str, key: str, old: str, entry: Mapping[str, Any]) -> TranslatedEntry:
        """Return what becomes of an entry of a former plugin."""
        name: str = entry["name"]
        if name in self._release.removed:
            if key == "disabled":
                return TranslatedEntry(old, name, notes=(LegacyNote.STILL_COUNTS,))
            role = PluginRole(_VOLUME_LIMITS, (ExtensionPoint.FILTER,))
            return TranslatedEntry(old, name, (role,), notes=(LegacyNote.COUNTS_ALL_DRIVERS,))
        if key == "disabled":
            return TranslatedEntry(old, name, notes=(LegacyNote.UNUSED,))
        if name in _SPREADERS:
            weight = entry.get("weight") if type(entry.get("weight")) is int else 0
            points = _SPREADER_POINTS if point == MULTI_POINT else (ExtensionPoint(point),)
            role = PluginRole(_SPREAD, points, weight if ExtensionPoint.SCORE in points and weight else 0)
            return TranslatedEntry(old, name, (role,), notes=(LegacyNote.SPREADS_BY_DEFAULT,))
        if name == _NODE_LABEL:
            note = LegacyNote.LABEL_PREFERENCE_GONE if point == _SCORE else LegacyNote.UNUSED
            return TranslatedEntry(old, name, notes=(note,))
        return TranslatedEntry(old, name, notes=(_GONE[name],))

    def _label_rules(self, sets: dict[str, Any], arguments: Mapping[str, _Arguments]) -> Iterator[TranslatedEntry]:
        """Turn what labels nodes must have, or must not, into an affinity of all pods."""
        given = arguments.get(_NODE_LABEL) or _Arguments({}, "")
        fields = ConfigurationFields(given.args, given.path, (*_LABEL_ARGUMENTS, "apiVersion", "kind"))
        present, absent = fields.texts("presentLabels"), fields.texts("absentLabels")
        if not present and not absent:
            return
        affinity = added_affinity(present, absent)
        self.set_args(_NODE_AFFINITY, {"addedAffinity": affinity})
        off = {ALL, _NODE_AFFINITY} & {*self._names(sets, _FILTER, "disabled")}
        if off and _NODE_AFFINITY not in self._names(sets, _FILTER, "enabled"):
            self._set(sets, _FILTER, "enabled").append({"name": _NODE_AFFINITY})
        settings = (("pluginConfig.NodeAffinity.addedAffinity", affinity),)
        note = LegacyNote.ADDED_AFFINITY_AND_SELECTORS if off else LegacyNote.ADDED_AFFINITY
        yield TranslatedEntry(given.path, _NODE_LABEL, settings=settings, notes=(note,))

    def _keep_weights(self, sets: dict[str, Any]) -> Iterator[TranslatedEntry]:
        """Write down the weights that plugins had by default, where they have others today."""
        off = {*self._names(sets, _SCORE, "disabled")}
        for plugin in _OLD_WEIGHTS:
            if ALL in off or plugin in off or plugin in self._names(sets, _SCORE, "enabled"):
                continue
            self._set(sets, _SCORE, "enabled").append({"name": plugin, "weight": 1})
            role = PluginRole(plugin, (ExtensionPoint.SCORE,), 1)
            yield TranslatedEntry("", plugin, (role,), notes=(LegacyNote.DEFAULT_WEIGHT,))

    def _arguments(self) -> dict[str, _Arguments]:
        """Return the arguments by plugin, where they have the form that arguments have."""
        found = self.document.get("pluginConfig")
        entries = found if isinstance(found, list | tuple) else ()
        return {
            entry["name"]: _Arguments(entry["args"], f"{self._old_path}pluginConfig[{index}].args")
            for index, entry in enumerate(entries)
            if isinstance(entry, Mapping)
            and isinstance(entry.get("name"), str)
            and isinstance(entry.get("args"), Mapping)
        }

    def _replace_arguments(self) -> None:
        """Give the arguments today's version, leave out those of plugins that are gone, and add those that are new."""
        found = self.document.get("pluginConfig")
        if not isinstance(found, list | tuple | None):
            return
        kept: list[Any] = []
        for index, entry in enumerate(found or ()):
            old = f"{self._old_path}pluginConfig[{index}]"
            name = entry.get("name") if isinstance(entry, Mapping) else None
            if isinstance(name, str) and self._is_former(name):
                continue
            self._moved[f"{self._path}.pluginConfig[{len(kept)}]"] = old
            kept.append(self._today_s_arguments(entry) if isinstance(entry, Mapping) else entry)
        for plugin, args in self._args.items():
            kept.append({"name": plugin, "args": args})
        if kept or found:
            self.document["pluginConfig"] = kept
        for index, entry in enumerate(kept):
            if self._strategy_path and isinstance(entry, Mapping) and entry.get("name") == _FIT:
                strategy = f"{self._path}.pluginConfig[{index}].args.scoringStrategy"
                self._moved[f"{strategy}.resources"] = f"{self._strategy_path}.resources"
                self._moved[f"{strategy}.requestedToCapacityRatio.shape"] = f"{self._strategy_path}.shape"

    def _today_s_arguments(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        name, args = entry.get("name"), entry.get("args")
        if not isinstance(name, str):
            return {**entry}
        if not isinstance(args, Mapping):
            return {**entry, **({"args": self._args.pop(name)} if name in self._args else {})}
        today = {**args, **self._args.pop(name, {})}
        if "apiVersion" in today:
            today["apiVersion"] = API_VERSION
        # A list of constraints was enough to be meant before v1beta2.
        if name == _SPREAD and self._scorer and today.get("defaultConstraints") and not today.get("defaultingType"):
            today["defaultingType"] = "List"
        return {**entry, "args": today}

    def _set(self, sets: dict[str, Any], point: str, key: str) -> list[Any]:
        found = sets.setdefault(point, {})
        if not isinstance(found, dict):
            return []
        entries = found.setdefault(key, [])
        return entries if isinstance(entries, list) else []

    def _entries(self, sets: dict[str, Any], point: str, key: str) -> list[Any]:
        found = sets.get(point)
        entries = found.get(key) if isinstance(found, Mapping) else None
        return entries if isinstance(entries, list) else []

    def _names(self, sets: dict[str, Any], point: str, key: str) -> list[str]:
        named = (entry.get("name") for entry in self._entries(sets, point, key) if isinstance(entry, Mapping))
        return [name for name in named if isinstance(name, str)]


# A KubeSchedulerConfiguration of an earlier version as one of v1.
#
# Upstream: ``k8s.io/kube-scheduler/config`` of v1alpha1 (v0.17.17), v1beta1 and v1beta2 (v0.22.17), v1beta3
# (v0.24.17), and the defaults of ``pkg/scheduler/apis/config`` in v1.18.20 and v1.22.17.

_GROUP: Final = "kubescheduler.config.k8s.io"
ALPHA_1: Final = (f"{_GROUP}/v1alpha1", "componentconfig/v1alpha1")
ALPHA_2: Final = f"{_GROUP}/v1alpha2"
BETA_1: Final = f"{_GROUP}/v1beta1"
BETA_2: Final = f"{_GROUP}/v1beta2"
BETA_3: Final = f"{_GROUP}/v1beta3"
FORMER_VERSIONS: Final = (BETA_3, BETA_2, BETA_1, ALPHA_2, *ALPHA_1)

# Plugins, arguments and the scheduler's name stood in the document itself before there were profiles.
_OF_ONE_PROFILE: Final = ("schedulerName", "plugins", "pluginConfig")
_ADDRESSES: Final = ("healthzBindAddress", "metricsBindAddress")
_DISABLE: Final = "disablePreemption"
_BIND_TIMEOUT: Final = "bindTimeoutSeconds"
_SOURCE: Final = "algorithmSource"
_PROVIDERS: Final = ("DefaultProvider", "ClusterAutoscalerProvider")
# Every plugin by name: the settings that stood outside of any plugin, and the scoring of a provider.
_PREEMPTION: Final = "DefaultPreemption"
_VOLUME_BINDING: Final = "VolumeBinding"
_PACKING: Final = "NodeResourcesMostAllocated"
_SPREADING: Final = "NodeResourcesLeastAllocated"


def translate_version(data: Mapping[str, Any], version: str, release: Release) -> Translation:
    """Return a configuration of a former version as v1. Raises ConfigurationError for what has no meaning in either.

    What is of the wrong form is left as it is, for the reader of v1 to refuse.
    """
    document: dict[str, Any] = deepcopy({**data, "apiVersion": API_VERSION})
    entries: list[TranslatedEntry] = []
    moved: dict[str, str] = {}
    scorer = _SPREADING
    if version in ALPHA_1:
        scorer = _algorithm(document, entries)
        _one_profile(document, moved)
        _lock_names(document, entries)
    served = [name for name in _ADDRESSES if version != BETA_3 and document.pop(name, None) is not None]
    entries += [TranslatedEntry(name, "", notes=(LegacyNote.RUNS_ONLY,)) for name in served]
    disables_preemption = version in (*ALPHA_1, ALPHA_2) and _disables_preemption(document, entries)
    changes = _arguments_of_all(document, entries, version)
    profiles = document.get("profiles")
    if not isinstance(profiles, list | tuple | None):
        return Translation(_source(version), document, tuple(entries), moved)
    found = list(profiles or ({},))
    for index, given in enumerate(found):
        if not isinstance(given, Mapping | None):
            continue
        where = f"profiles[{index}]"
        profile = OldProfile(
            dict(given or {}),
            where,
            moved.get(where, where),
            release,
            moved,
            scorer if version != BETA_3 and version != BETA_2 else "",
            has_old_weights=version != BETA_3,
            has_old_points=version in (*ALPHA_1, ALPHA_2),
        )
        for plugin, args in changes.items():
            profile.set_args(plugin, args)
        if disables_preemption:
            profile.disable("postFilter", _PREEMPTION)
        entries += profile.translated()
        found[index] = profile.document
    if profiles or any(found):
        document["profiles"] = found
    return Translation(_source(version), document, tuple(entries), moved)


def _source(version: str) -> str:
    return f"KubeSchedulerConfiguration {version.rpartition('/')[2]}"


def _algorithm(document: dict[str, Any], entries: list[TranslatedEntry]) -> str:
    """Read where v1alpha1 had its plugins from; return the plugin that scores resources by default."""
    source = ConfigurationFields(document.pop(_SOURCE, None), _SOURCE, ("policy", "provider"))
    if source.has("policy"):
        policy = source.child("policy", ("file", "configMap"))
        file, config_map = policy.child("file", ("path",)), policy.child("configMap", ("namespace", "name"))
        named = "/".join(filter(None, (config_map.text("namespace"), config_map.text("name"))))
        raise ConfigurationError(policy.path, PolicyElsewhere(file.text("path") or named))
    provider = source.text("provider")
    if provider and provider not in _PROVIDERS:
        raise ConfigurationError(source.at("provider"), NotOneOf(shown(provider), _PROVIDERS))
    if provider:
        note = () if provider == _PROVIDERS[0] else (LegacyNote.PACKING_PROVIDER,)
        entries.append(TranslatedEntry(source.at("provider"), provider, settings=(("profiles[0]", ""),), notes=note))
    return _PACKING if provider == _PROVIDERS[1] else _SPREADING


def _one_profile(document: dict[str, Any], moved: dict[str, str]) -> None:
    """Put what stood in the document itself into its only profile."""
    profile = {name: document.pop(name) for name in _OF_ONE_PROFILE if name in document}
    document["profiles"] = [profile]
    moved["profiles[0]"] = ""


def _lock_names(document: dict[str, Any], entries: list[TranslatedEntry]) -> None:
    election = document.get("leaderElection")
    if not isinstance(election, Mapping):
        return
    named = {"lockObjectNamespace": "resourceNamespace", "lockObjectName": "resourceName"}
    document["leaderElection"] = {named.get(name, name): value for name, value in election.items()}
    entries += [
        TranslatedEntry(f"leaderElection.{name}", "", settings=((f"leaderElection.{today}", election[name]),))
        for name, today in named.items()
        if name in election
    ]


def _disables_preemption(document: dict[str, Any], entries: list[TranslatedEntry]) -> bool:
    disables = ConfigurationFields({_DISABLE: document.pop(_DISABLE, None)}, "", (_DISABLE,)).boolean(_DISABLE)
    if disables:
        off = (("plugins.postFilter.disabled", _PREEMPTION),)
        entries.append(TranslatedEntry(_DISABLE, "", settings=off, notes=(LegacyNote.PREEMPTION_OFF,)))
    return disables


def _arguments_of_all(
    document: dict[str, Any], entries: list[TranslatedEntry], version: str
) -> dict[str, dict[str, Any]]:
    """Return the arguments that settings of the whole document are today, by plugin; say what became of them."""
    changes: dict[str, dict[str, Any]] = {}
    if version in (*ALPHA_1, ALPHA_2):
        fields = ConfigurationFields({_BIND_TIMEOUT: document.pop(_BIND_TIMEOUT, None)}, "", (_BIND_TIMEOUT,))
        timeout = fields.integer(_BIND_TIMEOUT, bits=64)
        if timeout is not None:
            changes[_VOLUME_BINDING] = {_BIND_TIMEOUT: timeout}
            entries.append(_became_argument(_BIND_TIMEOUT, _VOLUME_BINDING, _BIND_TIMEOUT, timeout))
    if version in ALPHA_1:
        fields = ConfigurationFields({_HARD_WEIGHT: document.pop(_HARD_WEIGHT, None)}, "", (_HARD_WEIGHT,))
        weight = fields.integer(_HARD_WEIGHT)
        if weight is not None:
            if not 0 <= weight <= 100:
                raise ConfigurationError(_HARD_WEIGHT, OutOfRange(str(weight), 0, 100))
            changes[_POD_AFFINITY] = {"hardPodAffinityWeight": weight}
            entries.append(_became_argument(_HARD_WEIGHT, _POD_AFFINITY, "hardPodAffinityWeight", weight))
    return changes


def _became_argument(field: str, plugin: str, name: str, value: int) -> TranslatedEntry:
    return TranslatedEntry(field, "", settings=((f"pluginConfig.{plugin}.{name}", value),))


# Builds a profile of v1 that has exactly the plugins which an older configuration had.

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


# A scheduling Policy, which kube-scheduler read until 1.22, as a KubeSchedulerConfiguration of today.
#
# Upstream: ``createFromPolicy`` in ``pkg/scheduler/factory.go``, ``ValidatePolicy`` in
# ``pkg/scheduler/apis/config/validation`` and the legacy registry of plugins, v1.22.17.

POLICY: Final = "Policy"

# Every plugin by name: the arguments that a Policy gave them.
_POD_AFFINITY: Final = "InterPodAffinity"
_FIT_ARGS: Final = "pluginConfig.NodeResourcesFit.scoringStrategy.type"
_SHAPE_ARGS: Final = "pluginConfig.NodeResourcesFit.scoringStrategy.requestedToCapacityRatio.shape"
_HARD_WEIGHT_ARGS: Final = "pluginConfig.InterPodAffinity.hardPodAffinityWeight"
_ADDED_AFFINITY_ARGS: Final = "pluginConfig.NodeAffinity.addedAffinity"

_RATIO: Final = "RequestedToCapacityRatio"
_HARD_WEIGHT: Final = "hardPodAffinitySymmetricWeight"
_CHECK_ALL: Final = "alwaysCheckAllPredicates"
_FIELDS: Final = ("apiVersion", "kind", "predicates", "priorities", "extenders", _HARD_WEIGHT, _CHECK_ALL)
_DEFAULT_SCHEDULER: Final = "default-scheduler"
_RATIO_ARGUMENTS: Final = "requestedToCapacityRatioArguments"
_ARGUMENTS: Final = ("serviceAntiAffinity", "labelPreference", _RATIO_ARGUMENTS)
_LARGEST_WEIGHT: Final = 2**31 - 1


class _Predicates(Struct):
    """The predicates of a Policy: their keys in the registry, and what their arguments add up to."""

    keys: dict[str, None] = field(default_factory=dict)
    present: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)


class _Priority(Struct, frozen=True):
    """A priority of a Policy: its path, name, key in the registry and weight; the shape and resources of a ratio."""

    path: str
    name: str
    key: str
    weight: int
    strategy: Mapping[str, Any] = field(default_factory=dict)
    note: LegacyNote | None = None


def translate_policy(data: Mapping[str, Any], release: Release) -> Translation:
    """Return a Policy as v1 of a minor. Raises ConfigurationError for one that kube-scheduler would not have taken."""
    fields = ConfigurationFields(data, "", _FIELDS)
    builder = ProfileBuilder(release)
    moved: dict[str, str] = {}
    entries = [*_predicates(fields, builder)]
    entries += _priorities(fields, builder, moved)
    entries += _added(builder)
    entries += _hard_weight(fields, builder)
    if fields.boolean(_CHECK_ALL):
        entries.append(TranslatedEntry(_CHECK_ALL, "", notes=(LegacyNote.REASONS_OF_ALL_FILTERS,)))
    extenders: list[Any] = []
    for index, (path, item) in enumerate(fields.listed("extenders")):
        extender, notes = today_s_extender(item)
        extenders.append(extender)
        where = f"extenders[{index}]"
        entries.append(TranslatedEntry(path, "", settings=((where, ""),), notes=notes))
    document: dict[str, Any] = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [builder.profile(_DEFAULT_SCHEDULER)],
    }
    if extenders:
        document["extenders"] = extenders
    if _FIT in builder.args:
        place = f"profiles[0].pluginConfig[{[*builder.args].index(_FIT)}].args.scoringStrategy"
        moved = {f"{place}.{name}": where for name, where in moved.items()}
    return Translation("Policy v1", document, tuple(entries), moved)


def _predicates(fields: ConfigurationFields, builder: ProfileBuilder) -> Iterator[TranslatedEntry]:
    """Enable what filters, in upstream's order, and yield a row for each predicate."""
    read = _Predicates()
    if fields.has("predicates"):
        given = fields.each("predicates", ("name", "argument"))
        rows = [(entry.path, entry.text("name"), _predicate(entry, read)) for entry in given]
    else:
        read.keys = dict.fromkeys(DEFAULT_PREDICATES)
        rows = [("", key, key) for key in DEFAULT_PREDICATES]
    mandatory = [key for key in MANDATORY_PREDICATES if key not in read.keys]
    roles: dict[str, tuple[PluginRole, ...]] = {}
    for key, plugins in PREDICATES.items():
        if key in read.keys or key in mandatory:
            roles[key] = tuple(builder.add_filter(plugin) for plugin in plugins)
    labels = _label_rules(read, builder)
    for path, name, key in rows:
        if key == "CheckNodeLabelPresence" and labels is not None:
            yield TranslatedEntry(path, name, *labels)
            continue
        note = PREDICATE_NOTES.get(key)
        notes = (note,) if note is not None else ()
        yield TranslatedEntry(path, name, roles[key], notes=notes if path else (LegacyNote.DEFAULT_PREDICATE, *notes))
    for key in mandatory:
        yield TranslatedEntry("", key, roles[key], notes=(LegacyNote.MANDATORY,))


def _predicate(entry: ConfigurationFields, read: _Predicates) -> str:
    """Read one predicate and return its key."""
    name = ALIASES.get(entry.text("name"), entry.text("name"))
    argument = entry.child("argument", ("serviceAffinity", "labelsPresence"))
    given = [each for each in ("serviceAffinity", "labelsPresence") if argument.has(each)]
    if entry.has("argument") and len(given) != 1:
        raise ConfigurationError(argument.path, NeedsOneOf(("serviceAffinity", "labelsPresence")))
    services = argument.child("serviceAffinity", ("labels",)).texts("labels")
    labels = argument.child("labelsPresence", ("labels", "presence"))
    keys, presence = labels.texts("labels"), labels.boolean("presence")
    if name in PREDICATES:
        key = name
    elif not given:
        raise ConfigurationError(entry.at("name"), NotOneOf(shown(name), tuple(PREDICATES)))
    elif services or given == ["serviceAffinity"]:
        key = "CheckServiceAffinity"
    else:
        key = "CheckNodeLabelPresence"
        (read.present if presence else read.absent).extend(keys)
    read.keys[key] = None
    return key


def _label_rules(
    read: _Predicates, builder: ProfileBuilder
) -> tuple[tuple[PluginRole, ...], tuple[tuple[str, Any], ...], tuple[LegacyNote, ...]] | None:
    """Turn what labels nodes must have, or must not, into an affinity of all pods; None where nothing is asked."""
    if not read.present and not read.absent:
        return None
    note = LegacyNote.ADDED_AFFINITY
    if not builder.filters(_NODE_AFFINITY):
        note = LegacyNote.ADDED_AFFINITY_AND_SELECTORS
    role = builder.add_filter(_NODE_AFFINITY)
    affinity = added_affinity(read.present, read.absent)
    builder.args[_NODE_AFFINITY] = {"addedAffinity": affinity}
    return (role,), ((_ADDED_AFFINITY_ARGS, affinity),), (note,)


def _priorities(
    fields: ConfigurationFields, builder: ProfileBuilder, moved: dict[str, str]
) -> Iterator[TranslatedEntry]:
    """Enable what scores, and yield a row for each priority."""
    if fields.has("priorities"):
        read = list(_read_priorities(fields))
    else:
        read = [_Priority("", key, key, weight) for key, weight in DEFAULT_PRIORITIES.items()]
    # As in upstream's map, the last entry of a name counts, and plugins are enabled in the order of their names.
    last = {priority.key: priority for priority in read}
    strategy = _chosen_strategy(last.values(), builder, moved)
    spreads = "SelectorSpreadPriority" in last
    if "EvenPodsSpreadPriority" in last and not spreads:
        builder.args[_SPREAD] = {"defaultingType": "List"}
    for key in sorted(last):
        if key not in STRATEGIES and (plugin := PRIORITIES.get(key)):
            builder.add_score(plugin, last[key].weight)
    for priority in read:
        yield _priority_row(priority, last, strategy, builder, spreads=spreads)


def _read_priorities(fields: ConfigurationFields) -> Iterator[_Priority]:
    seen: dict[str, _Priority] = {}
    for entry in fields.each("priorities", ("name", "weight", "argument")):
        weight = entry.integer("weight", 0, bits=64) or 0
        if not 1 <= weight <= _LARGEST_WEIGHT:
            raise ConfigurationError(entry.at("weight"), OutOfRange(str(weight), 1, _LARGEST_WEIGHT))
        priority = _priority(entry, weight)
        argument = next((name for name in _ARGUMENTS if (entry.raw("argument") or {}).get(name) is not None), "")
        if argument == _RATIO_ARGUMENTS and argument in seen:
            raise ConfigurationError(entry.path, Repeated(argument, seen[argument].path))
        if argument and argument in seen and seen[argument].weight != weight:
            raise ConfigurationError(entry.at("weight"), MustBe(str(weight), str(seen[argument].weight), argument))
        if argument:
            seen[argument] = priority
        yield priority


def _priority(entry: ConfigurationFields, weight: int) -> _Priority:
    """Read one priority."""
    given_name = entry.text("name")
    name = ALIASES.get(given_name, given_name)
    argument = entry.child("argument", _ARGUMENTS)
    given = [each for each in _ARGUMENTS if argument.has(each)]
    if entry.has("argument") and len(given) != 1:
        raise ConfigurationError(argument.path, NeedsOneOf(_ARGUMENTS))
    argument.child("serviceAntiAffinity", ("label",)).text("label")
    preference = argument.child("labelPreference", ("label", "presence"))
    preference.text("label")
    preference.boolean("presence")
    ratio = argument.child(_RATIO_ARGUMENTS, ("shape", "resources"))
    if name in PRIORITIES:
        return _Priority(entry.path, given_name, name, weight, note=PRIORITY_NOTES.get(name))
    match given:
        case ["serviceAntiAffinity"]:
            note = LegacyNote.SERVICE_SPREADING_GONE
            return _Priority(entry.path, given_name, "ServiceAffinity", weight, note=note)
        case ["labelPreference"]:
            note = LegacyNote.LABEL_PREFERENCE_GONE
            return _Priority(entry.path, given_name, "NodeLabel", weight, note=note)
        case [_]:
            strategy: dict[str, Any] = {"requestedToCapacityRatio": {"shape": ratio.raw("shape")}}
            if resources := ratio.raw("resources"):
                strategy["resources"] = resources
            note = LegacyNote.SHAPE_TIMES_TEN
            return _Priority(entry.path, given_name, _RATIO, weight, strategy, note)
        case _:
            raise ConfigurationError(entry.at("name"), NotOneOf(shown(given_name), tuple(PRIORITIES)))


def _chosen_strategy(
    priorities: Iterable[_Priority], builder: ProfileBuilder, moved: dict[str, str]
) -> _Priority | None:
    """Let NodeResourcesFit score as the priority of most weight did, the first of several; None where none did."""
    candidates = [priority for priority in priorities if priority.key in STRATEGIES]
    if not candidates:
        return None
    chosen = max(candidates, key=lambda priority: priority.weight)
    builder.add_score(_FIT, chosen.weight)
    strategy = {"type": str(STRATEGIES[chosen.key]), **chosen.strategy}
    builder.args[_FIT] = {"scoringStrategy": strategy}
    if chosen.strategy:
        where = f"{chosen.path}.argument.{_RATIO_ARGUMENTS}"
        moved |= {"requestedToCapacityRatio": where, "resources": f"{where}.resources"}
    return chosen


def _priority_row(
    priority: _Priority,
    last: Mapping[str, _Priority],
    strategy: _Priority | None,
    builder: ProfileBuilder,
    *,
    spreads: bool,
) -> TranslatedEntry:
    notes = [] if priority.path else [LegacyNote.DEFAULT_PRIORITY]
    if priority.note is not None:
        notes.append(priority.note)
    elif not priority.path and (note := PRIORITY_NOTES.get(priority.key)):
        notes.append(note)
    settings: tuple[tuple[str, Any], ...] = ()
    plugin = _FIT if priority.key in STRATEGIES else PRIORITIES.get(priority.key, "")
    if not plugin:
        return TranslatedEntry(priority.path, priority.name, notes=tuple(notes))
    if last[priority.key] is not priority:
        return TranslatedEntry(priority.path, priority.name, notes=(LegacyNote.LATER_ENTRY_COUNTS,))
    if plugin == _FIT and strategy is not priority:
        return TranslatedEntry(priority.path, priority.name, notes=(*notes, LegacyNote.ONE_STRATEGY))
    if plugin == _FIT:
        settings = ((_FIT_ARGS, str(STRATEGIES[priority.key])),)
        if priority.strategy:
            settings = (*settings, (_SHAPE_ARGS, priority.strategy["requestedToCapacityRatio"]["shape"]))
    if priority.key == "EvenPodsSpreadPriority" and not spreads:
        notes.append(LegacyNote.NO_DEFAULT_SPREADING)
    # Enabled before: this says with which points and weight.
    role = builder.add_score(plugin, priority.weight)
    return TranslatedEntry(priority.path, priority.name, (role,), settings, tuple(notes))


def _hard_weight(fields: ConfigurationFields, builder: ProfileBuilder) -> list[TranslatedEntry]:
    weight = fields.number(_HARD_WEIGHT, 0)
    if not 0 <= weight <= 100:
        raise ConfigurationError(_HARD_WEIGHT, OutOfRange(str(weight), 0, 100))
    if not weight:
        return []
    if not builder.scores(_POD_AFFINITY):
        return [TranslatedEntry(_HARD_WEIGHT, "", notes=(LegacyNote.SCORES_ONLY_IF_ENABLED,))]
    builder.args[_POD_AFFINITY] = {"hardPodAffinityWeight": weight}
    return [TranslatedEntry(_HARD_WEIGHT, "", settings=((_HARD_WEIGHT_ARGS, weight),))]


def _added(builder: ProfileBuilder) -> Iterator[TranslatedEntry]:
    """Enable what every Policy had without a name, and what came later and is needed by pods of today."""
    for plugin in NEWER_PLUGINS:
        yield TranslatedEntry("", plugin, (builder.add_whole(plugin),), notes=(LegacyNote.NEWER_PLUGIN,))
    for plugin in ALWAYS_ADDED:
        yield TranslatedEntry("", plugin, (builder.add_whole(plugin),), notes=(LegacyNote.ALWAYS_ADDED,))
