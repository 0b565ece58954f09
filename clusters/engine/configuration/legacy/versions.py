"""A KubeSchedulerConfiguration of an earlier version as one of v1.

Upstream: ``k8s.io/kube-scheduler/config`` of v1alpha1 (v0.17.17), v1beta1 and v1beta2 (v0.22.17), v1beta3 (v0.24.17),
and the defaults of ``pkg/scheduler/apis/config`` in v1.18.20 and v1.22.17.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.configuration.api import API_VERSION
from clusters.engine.configuration.errors import ConfigurationError
from clusters.engine.configuration.fields import ConfigurationFields
from clusters.engine.configuration.legacy.old_profiles import OldProfile
from clusters.engine.configuration.legacy.translation import LegacyNote, TranslatedEntry, Translation
from clusters.engine.configuration.problems import NoSuchProvider, PolicyElsewhere
from clusters.engine.problems import OutOfRange
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from clusters.engine.versions import Release

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
_HARD_WEIGHT: Final = "hardPodAffinitySymmetricWeight"
_SOURCE: Final = "algorithmSource"
_PROVIDERS: Final = ("DefaultProvider", "ClusterAutoscalerProvider")
# Every plugin by name: the settings that stood outside of any plugin, and the scoring of a provider.
_PREEMPTION: Final = "DefaultPreemption"
_VOLUME_BINDING: Final = "VolumeBinding"
_POD_AFFINITY: Final = "InterPodAffinity"
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
        raise ConfigurationError(source.at("provider"), NoSuchProvider(shown(provider), _PROVIDERS))
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
