"""A whole KubeSchedulerConfiguration, and how long pods wait between attempts under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration.arguments import NodeResourcesFitArgs, StrategyType
from clusters.engine.configuration.legacy import FORMER_VERSIONS, Translation, translate_policy, translate_version
from clusters.engine.configuration.problems import OtherQueueSort
from clusters.engine.configuration.profiles import (
    ALL,
    PROFILE_FIELDS,
    Extender,
    Profile,
    ReadProfile,
    read_extenders,
    read_percentages,
    read_profile,
)
from clusters.engine.configuration.reading import (
    API_VERSION,
    Check,
    ConfigurationError,
    ConfigurationFields,
    UnknownScheduler,
)
from clusters.engine.problems import BelowLeast, Missing, NotAMap, NotOneOf, Repeated, shown
from clusters.engine.versions import ASSUMED, Release

# When kube-scheduler looks at a pod again that it could not place.
#
# Upstream: ``pkg/scheduler/backend/queue/backoff_queue.go`` and ``scheduling_queue.go`` v1.34.1. A pod that failed
# waits for an event that may help it, and for its back-off; one that no event woke is looked at again all the same.

# A whole KubeSchedulerConfiguration.
#
# Upstream: ``k8s.io/kube-scheduler/config/v1/types.go`` and ``pkg/scheduler/apis/config/validation/validation.go``,
# v1.34.1.

_SECOND: Final = 1_000_000_000

# A pod that stays unschedulable this long, in seconds, is tried again; who has is looked up every so many seconds.
LONGEST_WAIT: Final = 5 * 60
LOOKED_UP_EVERY: Final = 30


class Backoff(Struct, frozen=True):
    """How long a pod rests after each failure, in whole seconds: ``initial`` first, then twice as long each time."""

    initial: int = 1
    longest: int = 10

    def after(self, failures: int) -> int:
        """Return the seconds of rest after so many failures in all."""
        if failures <= 0:
            return 0
        doublings = failures - 1
        # Nanoseconds, because upstream halves those: no half second is lost.
        if self.initial * _SECOND > (self.longest * _SECOND) >> doublings:
            return self.longest
        return self.initial << doublings

    def over_at(self, failed_at: int, failures: int) -> int:
        """Return when a pod that failed at a time (nanoseconds of an epoch) is no longer kept back.

        Back-offs end by whole seconds: the queue is emptied of all that end within one, when that second is over.
        """
        if failures <= 0:
            return failed_at
        return (failed_at + self.after(failures) * _SECOND) // _SECOND * _SECOND + _SECOND


def tried_again_by(failed_at: int) -> int:
    """Return by when a pod that failed at a time (nanoseconds of an epoch) is tried again though no event woke it."""
    return failed_at + (LONGEST_WAIT + LOOKED_UP_EVERY) * _SECOND


DEFAULT_SCHEDULER: Final = "default-scheduler"

_KIND: Final = "KubeSchedulerConfiguration"
# NodeResourcesFit by name: extenders that manage resources change its arguments, and its strategy is asked about.
_NODE_RESOURCES_FIT: Final = "NodeResourcesFit"

# Parts that say how the scheduler runs, not where a pod goes: read for their form only.
_LEADER_ELECTION: Final[Mapping[str, Check]] = {
    "leaderElect": ConfigurationFields.boolean,
    "leaseDuration": ConfigurationFields.seconds,
    "renewDeadline": ConfigurationFields.seconds,
    "retryPeriod": ConfigurationFields.seconds,
    "resourceLock": ConfigurationFields.text,
    "resourceName": ConfigurationFields.text,
    "resourceNamespace": ConfigurationFields.text,
}
_CLIENT_CONNECTION: Final[Mapping[str, Check]] = {
    "kubeconfig": ConfigurationFields.text,
    "acceptContentTypes": ConfigurationFields.text,
    "contentType": ConfigurationFields.text,
    "qps": ConfigurationFields.real,
    "burst": ConfigurationFields.integer,
}
_RUNNING: Final[Mapping[str, Check]] = {
    "enableProfiling": ConfigurationFields.boolean,
    "enableContentionProfiling": ConfigurationFields.boolean,
    "delayCacheUntilActive": ConfigurationFields.boolean,
}
_FIELDS: Final = (
    "apiVersion",
    "kind",
    "profiles",
    "extenders",
    "percentageOfNodesToScore",
    "parallelism",
    "podInitialBackoffSeconds",
    "podMaxBackoffSeconds",
    "leaderElection",
    "clientConnection",
    *_RUNNING,
)


class SchedulerConfiguration(Struct, frozen=True):
    """What one kube-scheduler is told: its profiles and its extenders.

    ``percentage_of_nodes_to_score``: of profiles that do not say; 0 means by the size of the cluster. ``extenders``:
    in the order in which they are asked. ``release``: whose plugins and defaults it was read with.
    ``backoff``: how long pods rest that could not be placed. ``parallelism``: on how many nodes at once filters and
    scores are computed, which changes no answer.
    """

    profiles: tuple[Profile, ...]
    extenders: tuple[Extender, ...]
    percentage_of_nodes_to_score: int
    release: Release
    backoff: Backoff
    parallelism: int

    @classmethod
    def default(cls, release: Release = ASSUMED) -> SchedulerConfiguration:
        """Return what kube-scheduler does without a file."""
        return cls.from_dict({"apiVersion": API_VERSION, "kind": _KIND}, release)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], release: Release = ASSUMED) -> SchedulerConfiguration:
        """Return a decoded configuration file as kube-scheduler of that Kubernetes minor understands it.

        One that only earlier kube-schedulers read, a Policy too, is translated first. Raises ConfigurationError, with
        the field's path, for everything that kube-scheduler would not start with, but for plugins that Kubernetes does
        not bring: those are kept in ``Profile.unknown_plugins``.
        """
        translation = translated(data, release)
        if translation is None:
            return cls._from_v1(data, release)
        try:
            return cls._from_v1(translation.document, release)
        except ConfigurationError as error:
            raise ConfigurationError(translation.original_path(error.path), error.problem) from None

    @classmethod
    def _from_v1(cls, data: Mapping[str, Any], release: Release) -> SchedulerConfiguration:
        _check_type(data)
        fields = ConfigurationFields(data, "", (*_FIELDS, *release.configuration.percentages))
        backoff, parallelism = _read_running(fields)
        percentage = read_percentages(fields, release, 0)
        extenders = read_extenders(fields)
        profiles = _profiles(fields, release, percentage, extenders)
        ignored = tuple(
            resource.name
            for extender in extenders
            for resource in extender.managed_resources
            if resource.ignored_by_scheduler
        )
        if ignored:
            profiles = tuple(_ignoring(profile, ignored) for profile in profiles)
        return cls(profiles, extenders, percentage, release, backoff, parallelism)

    def profile_for(self, pod: Mapping[str, Any]) -> Profile:
        """Return the profile that schedules a pod (a Kubernetes dict). Raises UnknownScheduler if none does."""
        name = (pod.get("spec") or {}).get("schedulerName") or DEFAULT_SCHEDULER
        for profile in self.profiles:
            if profile.scheduler_name == name:
                return profile
        raise UnknownScheduler(name, (profile.scheduler_name for profile in self.profiles))


def translated(data: object, release: Release = ASSUMED) -> Translation | None:
    """Return what a configuration becomes that only earlier kube-schedulers read; None for any other document.

    Raises ConfigurationError, with the field's path in the old document, for one that no kube-scheduler would read.
    """
    if not isinstance(data, Mapping):
        return None
    match data.get("kind"), data.get("apiVersion"):
        case ("Policy", "v1"):
            return translate_policy(data, release)
        case (kind, str(version)) if kind == _KIND and version in FORMER_VERSIONS:
            return translate_version(data, version, release)
    return None


def disabled_in_vain(data: Mapping[str, Any], release: Release = ASSUMED) -> list[str]:
    """Return the names that a valid configuration file disables and that no plugin of Kubernetes or of its own has."""
    found: dict[str, None] = {}
    translation = translated(data, release)
    for profile in (data if translation is None else translation.document).get("profiles") or ():
        # What is null is read as if nothing were written there, as kube-scheduler does.
        sets = [each or {} for each in ((profile or {}).get("plugins") or {}).values()]
        enabled = ((plugin or {}).get("name") or "" for each in sets for plugin in each.get("enabled") or ())
        known = {ALL, *release.points, *enabled}
        disabled = ((plugin or {}).get("name") or "" for each in sets for plugin in each.get("disabled") or ())
        found |= dict.fromkeys(name for name in disabled if name not in known)
    return list(found)


def _check_type(data: object) -> None:
    """Look at apiVersion and kind before anything else: other versions have other fields."""
    if not isinstance(data, Mapping):
        raise ConfigurationError("", NotAMap(shown(data), ("apiVersion", "kind", "profiles")))
    if (version := data.get("apiVersion")) != API_VERSION:
        served = (API_VERSION,)
        raise ConfigurationError("apiVersion", NotOneOf(shown(version), served) if version else Missing(served))
    if (kind := data.get("kind")) != _KIND:
        raise ConfigurationError("kind", NotOneOf(shown(kind), (_KIND,)) if kind else Missing((_KIND,)))


def _read_running(fields: ConfigurationFields) -> tuple[Backoff, int]:
    """Check what says how the scheduler runs; return how long pods rest and the parallelism."""
    fields.check(_RUNNING)
    fields.child("leaderElection", tuple(_LEADER_ELECTION)).check(_LEADER_ELECTION)
    fields.child("clientConnection", tuple(_CLIENT_CONNECTION)).check(_CLIENT_CONNECTION)
    parallelism = fields.number("parallelism", 16)
    if parallelism <= 0:
        raise ConfigurationError(fields.at("parallelism"), BelowLeast(str(parallelism), 1))
    initial = fields.integer("podInitialBackoffSeconds", 1, bits=64) or 0
    if initial <= 0:
        raise ConfigurationError(fields.at("podInitialBackoffSeconds"), BelowLeast(str(initial), 1))
    longest = fields.integer("podMaxBackoffSeconds", 10, bits=64) or 0
    if longest < initial:
        raise ConfigurationError(fields.at("podMaxBackoffSeconds"), BelowLeast(str(longest), initial))
    return Backoff(initial, longest), parallelism


def _profiles(
    fields: ConfigurationFields, release: Release, percentage: int, extenders: tuple[Extender, ...]
) -> tuple[Profile, ...]:
    """Read the profiles; without any there is the default one."""
    known = (*PROFILE_FIELDS, *release.configuration.percentages)
    entries = list(fields.each("profiles", known)) or [ConfigurationFields(None, "profiles[0]", known)]
    implied = DEFAULT_SCHEDULER if len(entries) == 1 else ""
    read = [read_profile(entry, release, implied, percentage, extenders) for entry in entries]
    _check_unlike_names(read)
    for other in read[1:]:
        alike = read[0].queue_sort_set == other.queue_sort_set
        if not alike or read[0].profile.queue_sort != other.profile.queue_sort:
            raise ConfigurationError(f"{other.path}.plugins.queueSort", OtherQueueSort())
    queue = frozenset(each.profile.scheduler_name for each in read)
    return tuple(replace(each.profile, queue=queue) for each in read)


def _check_unlike_names(read: Sequence[ReadProfile]) -> None:
    seen: dict[str, str] = {}
    for each in read:
        name = each.profile.scheduler_name
        if name in seen:
            raise ConfigurationError(f"{each.path}.schedulerName", Repeated(shown(name), seen[name]))
        seen[name] = each.path


def scoring_strategy(profile: Profile) -> StrategyType | None:
    """Return how a profile scores resources; None where it does not."""
    return _fit(profile).scoring_strategy.type if _NODE_RESOURCES_FIT in profile.score else None


def rescored(profile: Profile, weights: Mapping[str, int], strategy: StrategyType | None = None) -> Profile:
    """Return a profile with other weights, of which 0 takes a plugin's score away, and another strategy for resources.

    Not RequestedToCapacityRatio, which needs a shape.
    """
    kept = tuple(name for name in profile.score if weights.get(name) != 0)
    changed = replace(profile, score=kept, weights={name: weights.get(name, profile.weights[name]) for name in kept})
    if strategy is None:
        return changed
    fit = _fit(profile)
    scoring = replace(fit.scoring_strategy, type=strategy, shape=())
    return replace(changed, args={**profile.args, _NODE_RESOURCES_FIT: replace(fit, scoring_strategy=scoring)})


def _ignoring(profile: Profile, resources: tuple[str, ...]) -> Profile:
    """Return the profile whose fit check leaves out what extenders look after; this replaces what it ignored before."""
    return replace(
        profile, args={**profile.args, _NODE_RESOURCES_FIT: replace(_fit(profile), ignored_resources=resources)}
    )


def _fit(profile: Profile) -> NodeResourcesFitArgs:
    fit = profile.args[_NODE_RESOURCES_FIT]
    if not isinstance(fit, NodeResourcesFitArgs):
        raise TypeError(fit)
    return fit
