"""The engine's explanation of a pod of a mirrored cluster, cached for a while."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.adapters.extenders import HttpExtenders
from clusters.engine import Explanation, Profile, SchedulerConfiguration, Snapshot, explain
from clusters.engine.objects import Pod as EnginePod
from clusters.engine.objects import key_of
from clusters.engine.resizing import is_resize_attempt
from clusters.models import Cluster, Pod
from clusters.services.computing.caches import Cache
from clusters.services.decisions.failures import computed
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.objects import MirroredObjects
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from typing import Any

    from clusters.engine.versions import Release

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
