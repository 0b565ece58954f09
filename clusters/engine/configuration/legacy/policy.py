"""A scheduling Policy, which kube-scheduler read until 1.22, as a KubeSchedulerConfiguration of today.

Upstream: ``createFromPolicy`` in ``pkg/scheduler/factory.go``, ``ValidatePolicy`` in
``pkg/scheduler/apis/config/validation`` and the legacy registry of plugins, v1.22.17.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.configuration.errors import ConfigurationError
from clusters.engine.configuration.fields import ConfigurationFields
from clusters.engine.configuration.legacy import registry
from clusters.engine.configuration.legacy.extenders import today_s_extender
from clusters.engine.configuration.legacy.labels import added_affinity
from clusters.engine.configuration.legacy.profile import ProfileBuilder
from clusters.engine.configuration.legacy.translation import LegacyNote, PluginRole, TranslatedEntry, Translation
from clusters.engine.configuration.problems import NotOneArgument, PriorityTwice, PriorityWeightsDiffer
from clusters.engine.problems import NotOneOf, OutOfRange
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.versions import Release

POLICY: Final = "Policy"

# Every plugin by name: the arguments that a Policy gave them.
_FIT: Final = "NodeResourcesFit"
_NODE_AFFINITY: Final = "NodeAffinity"
_POD_AFFINITY: Final = "InterPodAffinity"
_SPREAD: Final = "PodTopologySpread"
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


@dataclass(slots=True)
class _Predicates:
    """The predicates of a Policy: their keys in the registry, and what their arguments add up to."""

    keys: dict[str, None] = field(default_factory=dict)
    present: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Priority:
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
        read.keys = dict.fromkeys(registry.DEFAULT_PREDICATES)
        rows = [("", key, key) for key in registry.DEFAULT_PREDICATES]
    mandatory = [key for key in registry.MANDATORY_PREDICATES if key not in read.keys]
    roles: dict[str, tuple[PluginRole, ...]] = {}
    for key, plugins in registry.PREDICATES.items():
        if key in read.keys or key in mandatory:
            roles[key] = tuple(builder.add_filter(plugin) for plugin in plugins)
    labels = _label_rules(read, builder)
    for path, name, key in rows:
        if key == "CheckNodeLabelPresence" and labels is not None:
            yield TranslatedEntry(path, name, *labels)
            continue
        note = registry.PREDICATE_NOTES.get(key)
        notes = (note,) if note is not None else ()
        yield TranslatedEntry(path, name, roles[key], notes=notes if path else (LegacyNote.DEFAULT_PREDICATE, *notes))
    for key in mandatory:
        yield TranslatedEntry("", key, roles[key], notes=(LegacyNote.MANDATORY,))


def _predicate(entry: ConfigurationFields, read: _Predicates) -> str:
    """Read one predicate and return its key."""
    name = registry.ALIASES.get(entry.text("name"), entry.text("name"))
    argument = entry.child("argument", ("serviceAffinity", "labelsPresence"))
    given = [each for each in ("serviceAffinity", "labelsPresence") if argument.has(each)]
    if entry.has("argument") and len(given) != 1:
        raise ConfigurationError(argument.path, NotOneArgument(("serviceAffinity", "labelsPresence")))
    services = argument.child("serviceAffinity", ("labels",)).texts("labels")
    labels = argument.child("labelsPresence", ("labels", "presence"))
    keys, presence = labels.texts("labels"), labels.boolean("presence")
    if name in registry.PREDICATES:
        key = name
    elif not given:
        raise ConfigurationError(entry.at("name"), NotOneOf(shown(name), tuple(registry.PREDICATES)))
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
        read = [_Priority("", key, key, weight) for key, weight in registry.DEFAULT_PRIORITIES.items()]
    # As in upstream's map, the last entry of a name counts, and plugins are enabled in the order of their names.
    last = {priority.key: priority for priority in read}
    strategy = _chosen_strategy(last.values(), builder, moved)
    spreads = "SelectorSpreadPriority" in last
    if "EvenPodsSpreadPriority" in last and not spreads:
        builder.args[_SPREAD] = {"defaultingType": "List"}
    for key in sorted(last):
        if key not in registry.STRATEGIES and (plugin := registry.PRIORITIES.get(key)):
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
            raise ConfigurationError(entry.path, PriorityTwice(argument, seen[argument].path))
        if argument and argument in seen and seen[argument].weight != weight:
            raise ConfigurationError(entry.at("weight"), PriorityWeightsDiffer(weight, seen[argument].weight))
        if argument:
            seen[argument] = priority
        yield priority


def _priority(entry: ConfigurationFields, weight: int) -> _Priority:
    """Read one priority."""
    given_name = entry.text("name")
    name = registry.ALIASES.get(given_name, given_name)
    argument = entry.child("argument", _ARGUMENTS)
    given = [each for each in _ARGUMENTS if argument.has(each)]
    if entry.has("argument") and len(given) != 1:
        raise ConfigurationError(argument.path, NotOneArgument(_ARGUMENTS))
    argument.child("serviceAntiAffinity", ("label",)).text("label")
    preference = argument.child("labelPreference", ("label", "presence"))
    preference.text("label")
    preference.boolean("presence")
    ratio = argument.child(_RATIO_ARGUMENTS, ("shape", "resources"))
    if name in registry.PRIORITIES:
        return _Priority(entry.path, given_name, name, weight, note=registry.PRIORITY_NOTES.get(name))
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
            raise ConfigurationError(entry.at("name"), NotOneOf(shown(given_name), tuple(registry.PRIORITIES)))


def _chosen_strategy(
    priorities: Iterable[_Priority], builder: ProfileBuilder, moved: dict[str, str]
) -> _Priority | None:
    """Let NodeResourcesFit score as the priority of most weight did, the first of several; None where none did."""
    candidates = [priority for priority in priorities if priority.key in registry.STRATEGIES]
    if not candidates:
        return None
    chosen = max(candidates, key=lambda priority: priority.weight)
    builder.add_score(_FIT, chosen.weight)
    strategy = {"type": str(registry.STRATEGIES[chosen.key]), **chosen.strategy}
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
    elif not priority.path and (note := registry.PRIORITY_NOTES.get(priority.key)):
        notes.append(note)
    settings: tuple[tuple[str, Any], ...] = ()
    plugin = _FIT if priority.key in registry.STRATEGIES else registry.PRIORITIES.get(priority.key, "")
    if not plugin:
        return TranslatedEntry(priority.path, priority.name, notes=tuple(notes))
    if last[priority.key] is not priority:
        return TranslatedEntry(priority.path, priority.name, notes=(LegacyNote.LATER_ENTRY_COUNTS,))
    if plugin == _FIT and strategy is not priority:
        return TranslatedEntry(priority.path, priority.name, notes=(*notes, LegacyNote.ONE_STRATEGY))
    if plugin == _FIT:
        settings = ((_FIT_ARGS, str(registry.STRATEGIES[priority.key])),)
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
    for plugin in registry.NEWER_PLUGINS:
        yield TranslatedEntry("", plugin, (builder.add_whole(plugin),), notes=(LegacyNote.NEWER_PLUGIN,))
    for plugin in registry.ALWAYS_ADDED:
        yield TranslatedEntry("", plugin, (builder.add_whole(plugin),), notes=(LegacyNote.ALWAYS_ADDED,))
