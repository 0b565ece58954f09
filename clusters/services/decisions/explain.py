"""Explanations of pods, as they are and as they would be."""

from __future__ import annotations

import logging
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from threading import Lock
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import orjson
import yaml
from cachetools import LRUCache
from django.conf import settings
from django.db import DatabaseError
from msgspec.structs import replace

from clusters.adapters import shared_redis
from clusters.adapters.bad_input import BadInput, limits, shown
from clusters.adapters.buffers import Meter
from clusters.adapters.extenders import HttpExtenders
from clusters.adapters.files import json_documents, yaml_documents
from clusters.adapters.prune import KINDS, SCHEDULER_CONFIGURATION, WrongField
from clusters.adapters.schema import checking
from clusters.adapters.schema.checking import Lines, line_named
from clusters.engine import (
    ConfigurationError,
    Explanation,
    Profile,
    SchedulerConfiguration,
    Snapshot,
    UnknownScheduler,
    explain,
)
from clusters.engine.admission import LIMIT_RANGER, Admission, LimitRangeRefusal, Refusal, admit
from clusters.engine.analysis import Likeness
from clusters.engine.objects import Pod as EnginePod, key_of, namespace_of
from clusters.engine.plugin import is_resize_attempt
from clusters.engine.problems import MustBe, NotAMap, Problem, TooLarge
from clusters.engine.scheduling import Failure, attempt, measure_of
from clusters.engine.simulation import PodAdmission
from clusters.problems.inputs import NotOneDocument
from clusters.problems.orders import NestedTooDeeply
from clusters.services.computing import Cache, check
from clusters.services.mirror.past import pod_named
from clusters.services.mirror.snapshots import configuration_of, document_of, snapshot_of
from clusters.services.mirror.state import MirroredObjects, quotas_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from redis import Redis

    from clusters.engine.versions import Release
    from clusters.models import Cluster, Pod
    from clusters.models.cluster import Moment


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
_explanations: Cache[Moment, Cache[_Key, Explanation]] = Cache("explanations", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def _explained(cluster: Cluster, snapshot: Snapshot, key: _Key, pod: dict[str, Any], profile: Profile) -> Explanation:
    """Return what is kept, or compute it: a page asks for its parts all at once, and only the first one works."""
    kept = _explanations.get(cluster.moment, lambda: Cache("explanation", _EXPLANATIONS_PER_CLUSTER), version=snapshot)
    extenders = HttpExtenders(MirroredObjects(cluster.pk))
    return kept.get(key, lambda: computed(key_of(pod), lambda: explain(snapshot, pod, profile, extenders=extenders)))


def explain_pod(
    *, cluster: Cluster, namespace: str, name: str, configuration: SchedulerConfiguration | None = None
) -> Explanation:
    """Explain a pod, by the given configuration or else by the cluster's own.

    The explanation is shared with others who ask for the same: leave it as it is. Raises PodNotFound, UnknownScheduler
    for a pod of another scheduler, ConfigurationError for a cluster whose own configuration cannot be read, and
    NotComputed.
    """
    if configuration is None:
        configuration = configuration_of(cluster)
    pod = pod_named(cluster, namespace, name)
    if pod is None:
        raise PodNotFound(cluster.name, namespace, name)
    profile = configuration.profile_for(pod.object)
    key = _Key(pod.uid, pod.digest, blake2b(repr(profile).encode(), digest_size=16).digest())
    snapshot = snapshot_of(cluster)
    return _explained(cluster, snapshot, key, free_of_its_node(pod.object, snapshot.release), profile)


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
    return _explained(cluster, snapshot, key, document, profile)


def free_of_its_node(pod: dict[str, Any], release: Release) -> dict[str, Any]:
    """Return the pod as one to be placed: a node's name says where it went, also when it has finished.

    While a pod waits for a node that is not there, the name is what holds it up, and stays. So it does of a pod that
    the scheduler tries to resize on its node.
    """
    spec, status = pod.get("spec") or {}, pod.get("status") or {}
    if status.get("phase") == "Pending" or is_resize_attempt(EnginePod(pod), release):
        return pod
    return {**pod, "spec": {name: part for name, part in spec.items() if name != "nodeName"}}


# A pod with everything that scheduling reads has a tenth of this.
MOST_BYTES = 64 * 1024
MOST_PROBLEMS = 20
# Aliases make a short text a large document; what is wrong with it is known long before its end.
# Who refuses what is too much for a quota.
_QUOTAS: Final = "ResourceQuota"
_MOST_LOOKED_FOR = 200
_IDENTITY = ("uid", "ownerReferences", "creationTimestamp", "deletionTimestamp")
# What a node has given the pod as it is; it would count for the changed one too.
_GIVEN = frozenset({"containerStatuses", "initContainerStatuses", "resources", "allocatedResources"})


class Fault(NamedTuple):
    """What is wrong with a text: the line from 1 (0 where none is to blame), the field, and the problem with it."""

    line: int
    field: str
    problem: Problem


class BadText(Exception):  # noqa: N818 - it is the text that is bad, and its writer is told why
    """A text that cannot be taken."""

    def __init__(self, problems: list[Fault]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


class WhatIf(NamedTuple):
    """What admission would do with the changed pod, and how it would fare."""

    admission: Admission
    explanation: Explanation


def editable(pod: Pod) -> str:
    """Write down the part of a pod that its author decides, as the mirror has it."""
    return as_text(authored(pod))


def authored(pod: Pod) -> dict[str, Any]:
    """Return the part of a pod that its author decides: no status, and no node that the scheduler chose."""
    metadata = pod.object.get("metadata") or {}
    spec = dict(pod.object.get("spec") or {})
    if pod.phase != "Pending":
        spec.pop("nodeName", None)
    kept = {key: metadata[key] for key in ("name", "namespace", "labels", "annotations") if metadata.get(key)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": kept, "spec": spec}


def as_text(document: dict[str, Any]) -> str:
    """Write a document as YAML, its fields in the order in which they came."""
    # A manifest may have tens of thousands of lines, for which PyYAML's own emitter takes many seconds.
    return str(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120))


def configuration_text(cluster: Cluster) -> str:
    """Write down the configuration that the cluster's pods are explained with."""
    document = document_of(cluster)
    if document is None:
        document = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": SCHEDULER_CONFIGURATION}
        document["profiles"] = [{"schedulerName": "default-scheduler"}]
    return as_text(document)


def read_pod(text: str, pod: Pod) -> dict[str, Any]:
    """Return the changed pod that a text holds, pruned as a mirrored one is. Raises BadText.

    It stays the same pod: name, owner and status are the mirrored one's, but for what a node has given its containers.
    """
    document = _only(text, "Pod")
    lines = Lines(text)
    problems = list(islice(checking.check_pod(document), _MOST_LOOKED_FOR))
    metadata = document.get("metadata") if isinstance(document, dict) else None
    for field, right in (("name", pod.name), ("namespace", pod.namespace)):
        if isinstance(metadata, dict) and metadata.get(field, right) != right:
            problems.append(checking.Fault(f"metadata.{field}", MustBe(shown(metadata[field]), right)))
    if problems:
        found = [Fault(lines.of(each.path), each.path, each.problem) for each in problems]
        raise BadText(sorted(found, key=_place)[:MOST_PROBLEMS])
    try:
        kept: dict[str, Any] = KINDS["Pod"].prune(document)
    except WrongField as error:
        raise BadText([Fault(lines.of(error.path), error.path, error.problem)]) from None
    mirrored = pod.object.get("metadata") or {}
    identity = {key: mirrored[key] for key in _IDENTITY if key in mirrored}
    kept["metadata"] = {**(kept.get("metadata") or {}), **identity, "name": pod.name, "namespace": pod.namespace}
    status = pod.object.get("status") or {}
    kept["status"] = {field: part for field, part in status.items() if field not in _GIVEN}
    return {"apiVersion": "v1", "kind": "Pod", **kept}


def parsed(text: str) -> dict[str, Any]:
    """Return the map that a text holds, unchecked. Raises BadText."""
    document = _only(text, "Pod")
    if not isinstance(document, dict):
        raise BadText([Fault(1, "", NotAMap(shown(document)))])
    return document


def read_configuration(text: str, release: Release) -> SchedulerConfiguration:
    """Return the configuration that a text holds, as a release reads it.

    Raises BadText for one that kube-scheduler would not start with.
    """
    document = _only(text, SCHEDULER_CONFIGURATION)
    try:
        return SchedulerConfiguration.from_dict(document, release)
    except ConfigurationError as error:
        raise BadText([Fault(Lines(text).of(error.path), error.path, error.problem)]) from None


def what_if(
    *,
    cluster: Cluster,
    document: dict[str, Any],
    configuration: SchedulerConfiguration,
    snapshot: Snapshot,
    mirrored: dict[str, Any] | None = None,
) -> WhatIf:
    """Admit a changed pod as a new one and explain it.

    ``mirrored`` is the pod before the change, whose place in its quotas the new one takes; None where there is none.
    Raises BadText where no profile schedules such a pod, and NotComputed.
    """
    admission = admit(document, snapshot)
    if not admission.refusals:
        quotas = quotas_of(cluster=cluster, snapshot=snapshot, namespace=namespace_of(document))
        admission = _charged(admission, PodAdmission(snapshot, quotas), mirrored)
    try:
        explanation = explain_document(
            cluster=cluster,
            document=admission.pod,
            configuration=configuration,
            snapshot=snapshot,
        )
    except UnknownScheduler as error:
        raise BadText([Fault(0, "spec.schedulerName", error.problem)]) from None
    return WhatIf(admission, explanation)


def _charged(admission: Admission, quotas: PodAdmission, mirrored: dict[str, Any] | None) -> Admission:
    """Return the admission with what quotas have against the pod; they are asked when nothing else refuses it."""
    if mirrored is not None:
        quotas.release(mirrored)
    refusal = quotas.admit({**admission.pod, "status": {}})
    if refusal is None:
        return admission
    by = LIMIT_RANGER if isinstance(refusal, LimitRangeRefusal) else _QUOTAS
    return replace(admission, refusals=(Refusal(by, "spec", refusal),))


def as_is(
    *, cluster: Cluster, pod: Pod, configuration: SchedulerConfiguration, snapshot: Snapshot
) -> Explanation | None:
    """Explain the pod as it is, against the same state; None for a pod of another scheduler."""
    try:
        return explain_document(
            cluster=cluster,
            document=free_of_its_node(pod.object, snapshot.release),
            configuration=configuration,
            snapshot=snapshot,
        )
    except UnknownScheduler:
        return None


def state_of(cluster: Cluster) -> Snapshot:
    """Return the state that both sides of a comparison are to be judged against."""
    return snapshot_of(cluster)


def _only(text: str, what: str) -> Any:
    """Return the one document of a text, within the limits that every upload has."""
    data = text.encode()
    if len(data) > MOST_BYTES:
        raise BadText([Fault(0, "", TooLarge(MOST_BYTES))])
    read = json_documents if data[:4096].lstrip().startswith(b"{") else yaml_documents
    try:
        documents = [document.value for document in read(data, Meter(limits(), bytes_total=len(data)))]
    except BadInput as error:
        line = line_named(error.problem) or (Lines(text).of(error.field) if error.field else 0)
        raise BadText([Fault(line, error.field, error.problem)]) from None
    except RecursionError:
        raise BadText([Fault(0, "", NestedTooDeeply())]) from None
    if len(documents) != 1:
        raise BadText([Fault(0, "", NotOneDocument(len(documents), what))])
    return documents[0]


def _place(fault: Fault) -> tuple[int, str]:
    return fault.line, fault.field
