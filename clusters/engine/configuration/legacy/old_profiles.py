"""One profile of a former version as one of v1: former plugins, other defaults, arguments of plugins merged since.

Upstream: ``pkg/scheduler/apis/config/v1beta1`` and ``v1beta2`` (``default_plugins.go``, ``defaults.go``), v1.22.17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.configuration.api import API_VERSION
from clusters.engine.configuration.fields import ConfigurationFields
from clusters.engine.configuration.legacy.labels import added_affinity
from clusters.engine.configuration.legacy.registry import STRATEGIES
from clusters.engine.configuration.legacy.translation import LegacyNote, PluginRole, TranslatedEntry
from clusters.engine.configuration.plugin_sets import ALL, MULTI_POINT
from clusters.engine.versions import ExtensionPoint, Release

if TYPE_CHECKING:
    from collections.abc import Iterator

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
