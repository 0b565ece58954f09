"""The configurations that a sweep compares: each is the common one with one thing changed."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.bad_input import shown
from clusters.engine import SchedulerConfiguration
from clusters.engine.problems import NotAMap, NotOneOf, OutOfRange
from clusters.engine.versions import ASSUMED, Release, match_release
from clusters.problems.simulations import LabelTwice, NoEntries
from clusters.services.mirror.configurations import configuration_of, document_of, release_of
from clusters.services.runs.errors import SpecError
from clusters.services.runs.json_checks import check_json
from clusters.services.runs.kubernetes import read_version
from clusters.services.studies.fields import checked_label, checked_list

if TYPE_CHECKING:
    from clusters.models import Cluster

Document = dict[str, Any]

MOST_VARIANTS: Final = 40
# NodeResourcesFit by name: sweeps come with configurations that change its scoring strategy.
# PodTopologySpread by name: sweeps come with configurations that change its default constraints.
# DefaultPreemption by name: sweeps come with a configuration without it.
_FIT, _SPREAD, _PREEMPTION = "NodeResourcesFit", "PodTopologySpread", "DefaultPreemption"
_RESOURCES: Final = [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}]
_EMPTY: Final[Document] = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
_LARGEST_WEIGHT: Final = 100
_LONGEST_LABEL: Final = 100

AS_IS, WEIGHTS, CONFIGURATION = "as-is", "weights", "configuration"
# By name: the plugin, and what its arguments become.
_ARGUMENTS: Final[dict[str, tuple[str, Document]]] = {
    "least-allocated": (
        _FIT,
        {"scoringStrategy": {"type": "LeastAllocated", "resources": _RESOURCES}},
    ),
    "most-allocated": (
        _FIT,
        {"scoringStrategy": {"type": "MostAllocated", "resources": _RESOURCES}},
    ),
    "requested-to-capacity": (
        _FIT,
        {
            "scoringStrategy": {
                "type": "RequestedToCapacityRatio",
                "resources": _RESOURCES,
                "requestedToCapacityRatio": {
                    "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
                },
            }
        },
    ),
    "default-spread": (_SPREAD, {"defaultingType": "System"}),
    "no-default-spread": (
        _SPREAD,
        {"defaultingType": "List", "defaultConstraints": []},
    ),
}
_ZONE_CONSTRAINTS: Final[Document] = {
    "defaultingType": "List",
    "defaultConstraints": [
        {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway"}
    ],
}
# So much weight decides against most other scores together.
_STRONG: Final = 10
SPREADING, ZONE_AWARE, NO_PREEMPTION = "spreading", "zone-aware", "no-preemption"
BUILT_IN: Final = (AS_IS, *_ARGUMENTS, SPREADING, ZONE_AWARE, NO_PREEMPTION)
# What a whole cluster is tried under, by the name of what it is for.
PRESETS: Final = ("most-allocated", SPREADING, ZONE_AWARE, NO_PREEMPTION)


class Variant(NamedTuple):
    """A configuration of a sweep; the document is None for kube-scheduler's defaults.

    ``label``: what its sender calls it, or else its kind, or the weights that differ. ``kubernetes``: the version whose
    scheduler it is, empty for that of the sweep.
    """

    label: str
    configuration: Document | None
    kubernetes: str = ""


def read_variants(entries: Any, common: Document | None, release: Release = ASSUMED) -> list[Variant]:
    """Return the variants of a sweep over a common configuration. Raises SpecError.

    An entry has a ``kind``: one of BUILT_IN, ``weights`` (with ``weights``, a map from plugins to whole numbers; 0
    takes a plugin's score away), or ``configuration`` (with ``configuration``, a whole document); a ``label``; and
    ``kubernetes``, the version whose scheduler it is.
    """
    try:
        check_json(entries)
    except SpecError as error:
        raise error.within("variants") from None
    given = checked_list(entries, MOST_VARIANTS, "variants")
    found = [_variant_on_version(entry, common, f"variants[{number}]", release) for number, entry in enumerate(given)]
    seen: set[str] = set()
    for number, variant in enumerate(found):
        if variant.label in seen:
            raise SpecError(f"variants[{number}].label", LabelTwice(shown(variant.label)))
        seen.add(variant.label)
    return found


def preset_configuration(cluster: Cluster, preset: str) -> SchedulerConfiguration:
    """Return the configuration of a cluster, changed as a preset of BUILT_IN says. Raises ConfigurationError."""
    if preset == AS_IS:
        return configuration_of(cluster)
    release = release_of(cluster)
    (variant,) = read_variants([{"kind": preset}], document_of(cluster), release)
    return SchedulerConfiguration.from_dict(variant.configuration or _EMPTY, release)


def _variant_on_version(entry: Any, common: Document | None, field: str, release: Release) -> Variant:
    if type(entry) is not dict or not entry.get("kubernetes"):
        return _variant(entry, common, field, release)
    try:
        version = read_version(entry["kubernetes"])
    except SpecError as error:
        raise error.within(field) from None
    variant = _variant(entry, common, field, match_release(version).release)
    label = variant.label if entry.get("label") else f"{variant.label}, {version}"[:_LONGEST_LABEL]
    return Variant(label, variant.configuration, version)


def _variant(entry: Any, common: Document | None, field: str, release: Release) -> Variant:
    if type(entry) is not dict:
        raise SpecError(field, NotAMap(shown(entry), ("kind", "label", "kubernetes", WEIGHTS, CONFIGURATION)))
    kind, label = entry.get("kind"), entry.get("label")
    if label is not None:
        checked_label(label, _LONGEST_LABEL, f"{field}.label")
    if kind == CONFIGURATION:
        return Variant(label or CONFIGURATION, entry.get("configuration"))
    if kind == WEIGHTS:
        weights = _weights(entry.get("weights"), common, f"{field}.weights", release)
        named = ", ".join(f"{plugin} {weight}" for plugin, weight in weights.items())
        return Variant(label or named[:_LONGEST_LABEL], _weighed(common, weights))
    if kind == AS_IS:
        return Variant(label or AS_IS, common)
    if kind in (SPREADING, ZONE_AWARE):
        plugin, arguments = _ARGUMENTS["least-allocated"] if kind == SPREADING else (_SPREAD, _ZONE_CONSTRAINTS)
        strong = _weighed(_with_arguments(common, plugin, arguments), {_SPREAD: _STRONG})
        return Variant(label or kind, strong)
    if kind == NO_PREEMPTION:
        return Variant(label or kind, _without(common, "postFilter", _PREEMPTION))
    if type(kind) is not str or kind not in _ARGUMENTS:
        raise SpecError(f"{field}.kind", NotOneOf(shown(kind), (*BUILT_IN, WEIGHTS, CONFIGURATION)))
    plugin, arguments = _ARGUMENTS[kind]
    return Variant(label or kind, _with_arguments(common, plugin, arguments))


def _weights(value: Any, common: Document | None, field: str, release: Release) -> dict[str, int]:
    if type(value) is not dict:
        raise SpecError(field, NotAMap(shown(value)))
    if not value:
        raise SpecError(field, NoEntries())
    document = common or _EMPTY
    configuration = SchedulerConfiguration.from_dict(document, release)
    known = sorted({plugin for profile in configuration.profiles for plugin in profile.weights})
    for plugin, weight in value.items():
        if plugin not in known:
            raise SpecError(f"{field}.{plugin}", NotOneOf(shown(plugin), tuple(known)))
        if type(weight) is not int or not 0 <= weight <= _LARGEST_WEIGHT:
            raise SpecError(f"{field}.{plugin}", OutOfRange(shown(weight), 0, _LARGEST_WEIGHT))
    return value


def _profiles(document: Document | None) -> tuple[Document, list[Document]]:
    """Return a copy of a configuration, and its profiles, of which there is one at least."""
    changed = deepcopy(document) if document else dict(_EMPTY)
    profiles = changed.get("profiles") or [{"schedulerName": "default-scheduler"}]
    changed["profiles"] = profiles
    return changed, profiles


def _with_arguments(document: Document | None, plugin: str, arguments: Document) -> Document:
    """Return the configuration with some arguments of a plugin replaced, in every profile."""
    changed, profiles = _profiles(document)
    for profile in profiles:
        entries = profile.setdefault("pluginConfig", [])
        entry = next((each for each in entries if each.get("name") == plugin), None)
        if entry is None:
            entry = {"name": plugin}
            entries.append(entry)
        entry["args"] = {**(entry.get("args") or {}), **arguments}
        if arguments.get("defaultingType") == "System":
            entry["args"].pop("defaultConstraints", None)
    return changed


def _without(document: Document | None, point: str, plugin: str) -> Document:
    """Return the configuration with a plugin disabled at an extension point, in every profile."""
    changed, profiles = _profiles(document)
    for profile in profiles:
        # What is enabled at all extension points, as by default, is disabled here by this, too.
        at_point = profile.setdefault("plugins", {}).setdefault(point, {})
        at_point["enabled"] = [each for each in at_point.get("enabled") or [] if each.get("name") != plugin]
        others = [each for each in at_point.get("disabled") or [] if each.get("name") != plugin]
        at_point["disabled"] = [*others, {"name": plugin}]
    return changed


def _weighed(document: Document | None, weights: dict[str, int]) -> Document:
    """Return the configuration with the scores of some plugins weighed otherwise, in every profile."""
    changed, profiles = _profiles(document)
    for profile in profiles:
        scored = profile.setdefault("plugins", {}).setdefault("score", {})
        enabled = [each for each in scored.get("enabled") or [] if each.get("name") not in weights]
        disabled = [each for each in scored.get("disabled") or [] if each.get("name") not in weights]
        scored["enabled"] = [
            *enabled,
            *({"name": name, "weight": weight} for name, weight in weights.items() if weight),
        ]
        scored["disabled"] = [*disabled, *({"name": name} for name in weights)]
    return changed
