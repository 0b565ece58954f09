"""The engine's explanation of a pod of a mirrored cluster, cached for a while."""

from __future__ import annotations

import logging
from contextlib import suppress
from hashlib import blake2b
from threading import Lock
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import orjson
from cachetools import LRUCache
from django.conf import settings
from django.db import DatabaseError

from clusters.adapters import shared_redis
from clusters.adapters.extenders import HttpExtenders
from clusters.engine import Explanation, Profile, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import Likeness
from clusters.engine.objects import Pod as EnginePod, key_of
from clusters.engine.plugin import is_resize_attempt
from clusters.engine.scheduling import Failure, attempt, measure_of
from clusters.models import Cluster, Pod
from clusters.services.computing import Cache, check
from clusters.services.mirror.objects import MirroredObjects
from clusters.services.mirror.snapshots import configuration_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from redis import Redis

    from clusters.engine.versions import Release

# Keys by which one explanation is found again for all pods that are alike.


class AlikePods:
    """Tells by a key which pods of one snapshot are alike for filtering.

    The engine says what they have in common; here it becomes bytes, because orjson takes a third of the time of what
    the standard library has, and there may be tens of thousands of pods.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._likeness = Likeness(snapshot)

    def key(self, pod: Mapping[str, Any], profile: Profile) -> bytes:
        """Return bytes that are equal for pods alike, in whatever order their fields are."""
        return orjson.dumps(self._likeness.of(pod, profile), option=orjson.OPT_SORT_KEYS)


# Explanations that could not be computed: each costs its own row, is counted, and is in the log once.
#
# Whoever explains many pods asks ``attempted`` for each, and gets the answer or a Failure. Whoever explains the one
# pod that a page is about asks ``computed``, which raises NotComputed.

_log = logging.getLogger(__name__)

T = TypeVar("T")

# Tracebacks that this process wrote down already.
_MOST_REMEMBERED: Final = 1_000
_COUNTERS: Final = "berth:not-computed"
_OWN: Final = frozenset({"clusters", "dashboard"})
_ENGINE: Final = "clusters.engine."


class NotComputed(Exception):  # noqa: N818 - it reads as the answer that it is
    """The answer that was asked for could not be computed, for a reason that is in the log."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.error)
        self.failure = failure


class _Noted:
    """What this process wrote down."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._references: LRUCache[str, bool] = LRUCache(_MOST_REMEMBERED)

    def is_new(self, reference: str) -> bool:
        """Whether a traceback is to be written down."""
        with self._lock:
            is_new = self._references.get(reference) is None
            self._references[reference] = True
            return is_new

    def forget(self) -> None:
        with self._lock:
            self._references.clear()


_noted = _Noted()


def attempted(about: str, compute: Callable[[], T]) -> T | Failure:
    """Return what is computed about one pod, or the Failure, which is counted and logged. Raises OverTimeError."""
    check()
    found = attempt(compute)
    if isinstance(found, Failure):
        note(about, found)
    return found


def computed(about: str, compute: Callable[[], T]) -> T:
    """Return what is computed about the one pod that is asked for. Raises NotComputed, counted and logged."""
    found = attempted(about, compute)
    if isinstance(found, Failure):
        raise NotComputed(found)
    return found


def note(about: str, failure: Failure) -> None:
    """Count a failure for all processes together, unless Redis is away.

    It is logged, with its traceback, the first time that this process meets its like. An explanation that would cost
    too much is no defect, and has none.
    """
    with suppress(shared_redis.AwayError):
        shared_redis.ask(lambda client: client.hincrby(_COUNTERS, failure.reference, 1))
    if not _noted.is_new(failure.reference):
        return
    if measure_of(failure.reference) is not None:
        _log.warning("%s was not computed, as it would cost too much: %s", about, failure.error)
    else:
        _log.error("[%s] %s could not be computed: %s\n%s", failure.reference, about, failure.error, failure.details)


def escaped(error: BaseException) -> Failure | None:
    """Return the failure that an error tells of: NotComputed, or what came out of the engine; None of any other.

    Some parts of an explanation are computed only when a page asks for them, wherever that may be.
    """
    if isinstance(error, NotComputed):
        return error.failure
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    own = [module for module in modules if module.partition(".")[0] in _OWN]
    if isinstance(error, DatabaseError) or not own or not own[-1].startswith(_ENGINE):
        return None
    failure = Failure.of(error)
    note("An answer", failure)
    return failure


def counted_failures() -> Mapping[str, int]:
    """Return how many failures all processes counted, by reference; none while Redis is away."""
    try:
        found: dict[bytes, bytes] = shared_redis.ask(_all_counters)
    except shared_redis.AwayError:
        return {}
    return {reference.decode(): int(number) for reference, number in found.items()}


def _all_counters(client: Redis) -> Any:
    return client.hgetall(_COUNTERS)


def forget() -> None:
    """Let the next failure of each sort be logged again."""
    _noted.forget()


# The explanation of a placed pod holds a copy of the snapshot's columns, so a few pages' worth is enough.
_EXPLANATIONS_PER_CLUSTER = 8


class PodNotFound(LookupError):  # noqa: N818 - it reads as the answer that it is
    """The mirror holds no such pod."""

    def __init__(self, cluster: str, namespace: str, name: str) -> None:
        self.cluster = cluster
        self.namespace = namespace
        self.name = name
        super().__init__(cluster, namespace, name)


class _Key(NamedTuple):
    """What an explanation depends on beside the snapshot."""

    uid: str
    pod_digest: str
    profile_digest: bytes


# Of each cluster's present snapshot, which explanations keep alive; those of an earlier one go with it.
_explanations: Cache[int, Cache[_Key, Explanation]] = Cache("explanations", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def _explained(cluster_id: int, snapshot: Snapshot, key: _Key, pod: dict[str, Any], profile: Profile) -> Explanation:
    """Return what is kept, or compute it: a page asks for its parts all at once, and only the first one works."""
    kept = _explanations.get(cluster_id, lambda: Cache("explanation", _EXPLANATIONS_PER_CLUSTER), version=snapshot)
    extenders = HttpExtenders(MirroredObjects(cluster_id))
    return kept.get(key, lambda: computed(key_of(pod), lambda: explain(snapshot, pod, profile, extenders=extenders)))


def explain_pod(
    *, cluster: Cluster, namespace: str, name: str, configuration: SchedulerConfiguration | None = None
) -> Explanation:
    """Explain a pod in the cluster's present state, by the given configuration or else by the cluster's own.

    The explanation is shared with others who ask for the same: leave it as it is. Raises PodNotFound, UnknownScheduler
    for a pod of another scheduler, ConfigurationError for a cluster whose own configuration cannot be read, and
    NotComputed.
    """
    if configuration is None:
        configuration = configuration_of(cluster)
    pod = Pod.objects.filter(cluster=cluster, namespace=namespace, name=name).first()
    if pod is None:
        raise PodNotFound(cluster.name, namespace, name)
    profile = configuration.profile_for(pod.object)
    digest = blake2b(repr(profile).encode(), digest_size=16).digest()
    key = _Key(pod.uid, pod.digest, digest)
    snapshot = snapshot_of(cluster)
    return _explained(cluster.pk, snapshot, key, free_of_its_node(pod.object, snapshot.release), profile)


def explain_document(
    *,
    cluster: Cluster,
    document: dict[str, Any],
    configuration: SchedulerConfiguration,
    snapshot: Snapshot,
) -> Explanation:
    """Explain a pod that is written down, against a state of the cluster that the caller has.

    The explanation is shared with others who ask for the same: leave it as it is. Raises UnknownScheduler and
    NotComputed.
    """
    profile = configuration.profile_for(document)
    digests = [blake2b(repr(each).encode(), digest_size=16) for each in (document, profile)]
    key = _Key("", digests[0].hexdigest(), digests[1].digest())
    return _explained(cluster.pk, snapshot, key, document, profile)


def free_of_its_node(pod: dict[str, Any], release: Release) -> dict[str, Any]:
    """Return the pod as one to be placed: a node's name says where it went, also when it has finished.

    While a pod waits for a node that is not there, the name is what holds it up, and stays. So it does of a pod that
    the scheduler tries to resize on its node.
    """
    spec, status = pod.get("spec") or {}, pod.get("status") or {}
    if status.get("phase") == "Pending" or is_resize_attempt(EnginePod(pod), release):
        return pod
    return {**pod, "spec": {name: part for name, part in spec.items() if name != "nodeName"}}


def forget_explanations() -> None:
    """Drop all explanations of this process; the next call computes its own."""
    _explanations.clear()
