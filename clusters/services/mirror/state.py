"""What is read of the mirror: objects, counts and the state of a cluster."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from django.conf import settings
from django.db import connection
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from clusters.adapters.bad_input import BadInput
from clusters.adapters.prune import EVERY_NODE
from clusters.engine import ConfigurationError, SchedulerConfiguration, Snapshot
from clusters.engine.batch_groups import AnyGroupState, batch_group_states
from clusters.engine.batch_systems import BATCH_KINDS
from clusters.engine.devices import (
    NO_EXECUTE,
    Device,
    DeviceClassState,
    DeviceId,
    DeviceState,
    DeviceTaintStay,
    PoolState,
    ResourceClaimState,
    claim_names,
    claim_states,
    class_states,
    pod_stays,
    pool_states,
)
from clusters.engine.group_states import GroupPhase, pod_group_states
from clusters.engine.kubelet import KIND, KubeletSettings, SettingsOrigin
from clusters.engine.nodes import Amounts, NodeHealth, Stranded, ZoneUse, amounts_of, node_health, stranded, zone_uses
from clusters.engine.objects import Pod as ReadPod, metadata, namespace_of
from clusters.engine.podgroups import POD_GROUP, WORKLOAD
from clusters.engine.quotas import (
    POD_COUNT,
    REQUESTS,
    DeviceQuotaRules,
    Quota,
    QuotaUser,
    counted_quotas,
    device_quota_rules,
    is_counted,
    is_of_pods,
    quota_users,
)
from clusters.engine.spreading import (
    SpreadGroup,
    UnreadableConstraints,
    WorkloadMatrix,
    first_of_each,
    spreading_of,
    workload_matrix,
    worst_of,
)
from clusters.models import Cluster, KubeObject, Node, Pod
from clusters.models.mirrored import PENDING
from clusters.services.computing import Cache
from clusters.services.mirror.past import came_since, pending_pods, pod_objects
from clusters.services.mirror.snapshots import configuration_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.models.cluster import Moment
    from clusters.models.mirrored import Mirrored

    WorkloadName = tuple[str, str, str]
    from collections.abc import Mapping


# Objects of a mirrored cluster, as they are told to others.


class MirroredObjects:
    """Nodes and pods of one cluster, as the mirror has them now; what it does not have is left out."""

    def __init__(self, cluster_id: int) -> None:
        self._cluster_id = cluster_id

    def nodes_named(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return nodes by their names, in this order."""
        found = {node.name: node for node in Node.objects.filter(cluster_id=self._cluster_id, name__in=names)}
        return [found[name].object for name in names if name in found]

    def pods_named(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Return pods by ``namespace/name``, in any order."""
        wanted = set(keys)
        # Names alone have no index.
        places = {"namespace__in": {key.partition("/")[0] for key in wanted}}
        names = {key.partition("/")[2] for key in wanted}
        pods = Pod.objects.filter(cluster_id=self._cluster_id, name__in=names, **places)
        return [pod.object for pod in pods if f"{pod.namespace}/{pod.name}" in wanted]

    def pods_on(self, node: str) -> list[dict[str, Any]]:
        """Return the pods that are bound to a node."""
        return [pod.object for pod in Pod.objects.filter(cluster_id=self._cluster_id, node_name=node)]


# Which of the objects that a simulation or a review names the mirror holds now.


def existing_nodes(cluster: Cluster, names: Iterable[str]) -> frozenset[str]:
    """Return those of these nodes that the cluster has."""
    return frozenset(Node.objects.filter(cluster=cluster, name__in=set(names)).values_list("name", flat=True))


def existing_workloads(cluster: Cluster, workloads: Iterable[WorkloadName]) -> frozenset[WorkloadName]:
    """Return those of these workloads, each by kind, namespace and name, that the cluster has; Pod is a kind, too."""
    asked = frozenset(workloads)
    kinds, names = {kind for kind, _, _ in asked}, {name for _, _, name in asked}
    objects = KubeObject.objects.filter(cluster=cluster, kind__in=kinds, name__in=names)
    found = set(objects.values_list("kind", "namespace", "name"))
    if "Pod" in kinds:
        pods = Pod.objects.filter(cluster=cluster, name__in={name for kind, _, name in asked if kind == "Pod"})
        found |= {("Pod", namespace, name) for namespace, name in pods.values_list("namespace", "name")}
    return asked & found


# Finding pods, nodes, workloads and pod groups of a cluster by parts of their names.

# What people call a workload; a ReplicaSet is mostly a Deployment's, and found by it.
WORKLOAD_KINDS = ("Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "ReplicationController")
# PodGroups, the Workloads whose groups pods of 1.35 name, and the groups of other batch systems.
GROUP_KINDS = (POD_GROUP, WORKLOAD, *BATCH_KINDS)
# No name is longer, and nobody types more words.
_LONGEST, _MOST_WORDS = 317, 6
# Counting on would take as long as finding.
MOST_COUNTED = 1_000


class Hit(NamedTuple):
    """An object that was found; a node has no namespace, and only workloads and pod groups have their kind here."""

    kind: str
    namespace: str
    name: str
    is_pending: bool = False


class Hits(NamedTuple):
    """The best hits of one sort, best first, and how many there are in all; MOST_COUNTED + 1 stands for any more."""

    hits: tuple[Hit, ...]
    total: int


class SearchResults(NamedTuple):
    """What a search found."""

    workloads: Hits
    pods: Hits
    nodes: Hits
    groups: Hits


class Wanted(NamedTuple):
    """One word of a search: a part of the name, and with a slash a part of the namespace before it."""

    namespace: str
    name: str


def search(*, cluster: Cluster, text: str, most: int) -> SearchResults:
    """Find at most `most` pods, nodes, workloads and pod groups each whose names hold every word of the text.

    ``shop/web`` asks for both parts; a word without a slash may stand in the name or the namespace. A whole name comes
    first, and what has the word in the namespace alone last; in between pending pods come before those that run, and
    those before finished ones, and then a name that begins so before one that holds the word.
    """
    if not _words(text):
        nothing = Hits((), 0)
        return SearchResults(nothing, nothing, nothing, nothing)
    return SearchResults(*(named(cluster=cluster, sort=sort, text=text, most=most) for sort in SearchResults._fields))


def named(*, cluster: Cluster, sort: str, text: str, most: int) -> Hits:
    """Find as `search` does what one field of its results holds; without a word any, in the same order."""
    words = _words(text)
    objects, columns = KubeObject.objects.filter(cluster=cluster), ("kind", "namespace", "name")
    match sort:
        case "workloads":
            return _found(objects.filter(kind__in=WORKLOAD_KINDS), words, columns, most)
        case "pods" if cluster.past is not None:
            pending = cluster.past.pending.keys()
            there = ((key, key.partition("/")) for key in cluster.past.snapshot.pods.slot_of.keys() | pending)
            return _found_then((Hit("", space, name, key in pending) for key, (space, _, name) in there), words, most)
        case "pods":
            return _found(Pod.objects.filter(cluster=cluster), words, columns[1:], most)
        case "groups":
            return _found(objects.filter(kind__in=GROUP_KINDS), words, columns, most)
    # A node lives in no namespace.
    if any(word.namespace for word in words):
        return Hits((), 0)
    if cluster.past is not None:
        return _found_then((Hit("", "", name) for name in cluster.past.snapshot.nodes.index), words, most)
    return _found(Node.objects.filter(cluster=cluster), words, columns[2:], most)


def zones_named(*, cluster: Cluster, text: str) -> list[str]:
    """Return the zones that hold a text, those first that end with it: people call `eu-central-1b` zone b."""
    zones = Node.objects.filter(cluster=cluster, zone__contains=text).exclude(zone="").values_list("zone", flat=True)
    return sorted(zones.order_by("zone").distinct(), key=lambda zone: not zone.endswith(text))


def _words(text: str) -> list[Wanted]:
    # Kubernetes' names have no capitals, and comparing as they are written is what databases do fastest. Nor is there a
    # NUL in any, which PostgreSQL would refuse to look for.
    words = text[:_LONGEST].replace("\0", " ").lower().split()[:_MOST_WORDS]
    parts = [word.rpartition("/") for word in words]
    return [Wanted(namespace, name) for namespace, _, name in parts if namespace or name]


def _found(rows: QuerySet[Mirrored], words: Sequence[Wanted], columns: tuple[str, ...], most: int) -> Hits:
    is_namespaced = "namespace" in columns
    for word in words:
        rows = rows.filter(_holds(word, is_namespaced=is_namespaced))
    first = words[0].name if words else ""
    whole_first = _ranked(When(name=first, then=Value(0)), When(name__contains=first, then=Value(1)))
    begun_first = _ranked(When(name__startswith=first, then=Value(0)))
    order = (whole_first, *((_BY_STATE,) if rows.model is Pod else ()), begun_first, *columns[::-1])
    read = (*columns, "is_pending") if rows.model is Pod else columns
    hits = list(rows.order_by(*order).values(*read)[: most + 1])
    total = rows.values("pk")[: MOST_COUNTED + 1].count() if len(hits) > most else len(hits)
    return Hits(tuple(Hit(**{"kind": "", "namespace": "", **hit}) for hit in hits[:most]), total)


def _found_then(there: Iterable[Hit], words: Sequence[Wanted], most: int) -> Hits:
    """Find as `_found` does among what was there at a moment of the past."""
    found = [hit for hit in there if all(_is_held(word, hit) for word in words)]
    first = words[0].name if words else ""
    found.sort(
        key=lambda hit: (
            hit.name != first,
            first not in hit.name,
            not hit.is_pending,
            not hit.name.startswith(first),
            hit.name,
            hit.namespace,
        )
    )
    return Hits(tuple(found[:most]), min(len(found), MOST_COUNTED + 1))


def _is_held(word: Wanted, hit: Hit) -> bool:
    if word.namespace:
        return word.name in hit.name and word.namespace in hit.namespace
    return word.name in hit.name or word.name in hit.namespace


def _ranked(*cases: When) -> Case:
    return Case(*cases, default=Value(len(cases)), output_field=IntegerField())


# Who searches a pod mostly asks why it has no node.
_BY_STATE = _ranked(When(is_pending=True, then=Value(0)), When(phase="Running", then=Value(1)))


def _holds(word: Wanted, *, is_namespaced: bool) -> Q:
    name = Q(name__contains=word.name)
    if not is_namespaced:
        return name
    return name & Q(namespace__contains=word.namespace) if word.namespace else name | Q(namespace__contains=word.name)


# The devices of a mirrored cluster and the claims for them, kept for each revision.


class ClusterDevices(NamedTuple):
    """Every pool by ``driver/pool``, every DeviceClass, every claim by ``namespace/name``, and the pools' devices."""

    snapshot: Snapshot
    pools: Mapping[str, PoolState]
    classes: tuple[DeviceClassState, ...]
    claims: Mapping[str, ResourceClaimState]
    offered: Mapping[DeviceId, Device]


_AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)

_latest: Cache[int, ClusterDevices] = Cache("devices", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def devices_of(*, cluster: Cluster) -> ClusterDevices:
    """Return the devices of the cluster in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _latest.get(cluster.pk, lambda: _computed(snapshot), version=snapshot)


def _computed(snapshot: Snapshot) -> ClusterDevices:
    pools = pool_states(snapshot)
    return ClusterDevices(
        snapshot=snapshot,
        pools={pool.key: pool for pool in pools},
        classes=class_states(snapshot, pools),
        claims={claim.key: claim for claim in claim_states(snapshot)},
        offered={each.id: each.device for pool in pools for each in reversed(pool.devices)},
    )


def devices_by_node(found: ClusterDevices, device_class: DeviceClassState | None = None) -> Amounts:
    """Return how many devices the nodes reach, of a class or all, and how many of these are not free."""
    pools = found.pools.values()
    devices = [each for pool in pools for each in pool.devices] if device_class is None else device_class.devices
    every, free = (
        Counter(f"{each.id.driver}/{each.id.pool}" for each in devices if only in (None, each.state))
        for only in (None, DeviceState.FREE)
    )
    taken, reached = (np.zeros(len(found.snapshot.nodes), np.int64) for _ in range(2))
    for key, number in every.items():
        rows = list(found.pools[key].rows)
        reached[rows] += number
        taken[rows] += number - free[key]
    return Amounts(taken, reached)


class DeviceEviction(NamedTuple):
    """A pod that is deleted for a taint of a device: of several the one that is due first; ``at`` is None at once."""

    pod: Pod
    at: datetime | None
    stay: DeviceTaintStay


def device_evictions(found: ClusterDevices, pods: Iterable[Pod]) -> list[DeviceEviction]:
    """Return which of some pods are deleted for taints NoExecute of their devices, those that are due first first."""
    evictions = []
    for pod in pods:
        stays = pod_stays(ReadPod(pod.object), found.claims, found.offered)
        due = [(at, stay) for stay in stays if (at := _due(stay)) is not _NEVER]
        if due:
            at, stay = min(due, key=lambda each: each[0] or _AT_ONCE)
            evictions.append(DeviceEviction(pod, at, stay))
    return sorted(evictions, key=lambda each: (each.at or _AT_ONCE, each.pod.namespace, each.pod.name))


def evicted_from_node(*, cluster: Cluster, found: ClusterDevices, node: str) -> list[DeviceEviction]:
    """Return which pods of a node are deleted for taints NoExecute of their devices."""
    if not any(taint.effect == NO_EXECUTE for device in found.offered.values() for taint in device.taints):
        return []
    here = Pod.objects.filter(cluster=cluster, node_name=node, object__spec__resourceClaims__isnull=False)
    return device_evictions(found, here)


def _due(stay: DeviceTaintStay) -> datetime | None:
    """When pods are deleted for a taint; None where that is at once, or when it was added is not told.

    _NEVER where the calendar has no such moment.
    """
    if stay.seconds is None or not stay.added:
        return None
    try:
        return datetime.fromisoformat(stay.added) + timedelta(seconds=stay.seconds)
    except OverflowError:
        return _NEVER


def pods_claiming(*, cluster: Cluster, claim: ResourceClaimState) -> list[Pod]:
    """Return the pods that use a claim, by name; one made for a pod is used by that one alone."""
    pods = Pod.objects.filter(cluster=cluster, namespace=claim.namespace).order_by("name")
    owners = metadata(claim.document).get("ownerReferences") or ()
    made = next((str(each.get("name")) for each in owners if each.get("controller") and each.get("kind") == "Pod"), "")
    named = pods.filter(name=made) if made else pods.filter(object__spec__resourceClaims__icontains=claim.name)
    return [pod for pod in named.iterator(100) if claim.name in dict(claim_names(ReadPod(pod.object)))]


# Kubelets' configurations that a dump brought along, for a node by name or for all nodes.


def mirrored_kubelet(
    *, cluster: Cluster, node: str, is_windows: bool = False
) -> tuple[KubeletSettings, SettingsOrigin] | None:
    """Return what the kubelet of a node does by a mirrored configuration; None where there is none.

    One that names the node goes before one for all nodes. Raises BadInput where a kubelet would not start with it.
    """
    rows = KubeObject.objects.filter(cluster=cluster, kind=KIND, name__in=(node, EVERY_NODE))
    found = dict(rows.values_list("name", "object"))
    for name, origin in ((node, SettingsOrigin.NODE), (EVERY_NODE, SettingsOrigin.EVERY_NODE)):
        if name in found:
            given = {field: value for field, value in found[name].items() if field != "metadata"}
            try:
                return KubeletSettings.from_dict(given, is_windows=is_windows), origin
            except ConfigurationError as error:
                raise BadInput(error.problem, field=error.path) from None
    return None


# How many pods a cluster has, and in which namespaces: counted once for each revision.

# Of so many clusters the answer is kept for the state that was asked about last.
_MOST_KEPT = 256


class PodCounts(NamedTuple):
    """The namespaces that hold pods, in the order of their names; how many pods there are, and how many are pending.

    ``alike`` counts the controllers of the pending ones, and those without: pods of one are evaluated once.
    """

    namespaces: tuple[str, ...]
    pods: int
    pending: int
    alike: int


_pod_counts_latest: Cache[int, PodCounts] = Cache("pod counts", _MOST_KEPT)


def pod_counts(cluster: Cluster) -> PodCounts:
    """Return what a cluster has of pods in the revision that `cluster` was read with, or in a later one.

    Of a moment of the past those on nodes and those that are pending count.
    """
    if cluster.past is not None:
        keys = {*cluster.past.snapshot.pods.slot_of, *cluster.past.pending}
        namespaces = sorted({key.partition("/")[0] for key in keys})
        alike = {(pod.namespace, pod.owner_kind, pod.owner_name or pod.name) for pod in pending_pods(cluster)}
        return PodCounts(tuple(namespaces), len(keys), len(cluster.past.pending), len(alike))
    # When the cluster was made tells apart two that had the same key one after the other.
    version = cluster.created_at, cluster.revision
    return _pod_counts_latest.get(cluster.pk, lambda: _counted(cluster.pk), version=version)


# One look into an index for each namespace, where grouping would walk all of it.
_NAMESPACES: Final = """
    WITH RECURSIVE found(namespace) AS (
        SELECT MIN(namespace) FROM clusters_pod WHERE cluster_id = %s
        UNION ALL
        SELECT (SELECT MIN(namespace) FROM clusters_pod WHERE cluster_id = %s AND namespace > found.namespace)
        FROM found WHERE found.namespace IS NOT NULL
    )
    SELECT namespace FROM found WHERE namespace IS NOT NULL
"""


def _counted(cluster_id: int) -> PodCounts:
    """Count with a query that walks an index of all pods, and one of pending pods."""
    pods = Pod.objects.filter(cluster_id=cluster_id).order_by()
    alike = list(
        pods.filter(PENDING)
        .values_list("namespace", "owner_kind", "owner_name", Case(When(owner_name="", then="name")))
        .annotate(count=Count("pk"))
    )
    with connection.cursor() as cursor:
        cursor.execute(_NAMESPACES, [cluster_id, cluster_id])
        namespaces = sorted(namespace for (namespace,) in cursor.fetchall())
    return PodCounts(
        namespaces=tuple(namespaces),
        pods=pods.count(),
        pending=sum(count for *_, count in alike),
        alike=len(alike),
    )


# The groups of pods of a mirrored cluster, kept for each revision.


class ClusterPodGroups(NamedTuple):
    """Every group by its ``namespace/name``, those first that need somebody."""

    snapshot: Snapshot
    states: Mapping[str, AnyGroupState]


_pod_groups_latest: Cache[Moment, ClusterPodGroups] = Cache("pod groups", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def pod_groups_of(*, cluster: Cluster) -> ClusterPodGroups:
    """Return the groups of pods of the cluster in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _pod_groups_latest.get(
        cluster.moment,
        lambda: ClusterPodGroups(snapshot, {str(state.key): state for state in _group_states(snapshot)}),
        version=snapshot,
    )


def _group_states(snapshot: Snapshot) -> list[AnyGroupState]:
    """The groups of Kubernetes' own API and of other systems in one order."""
    phases = list(GroupPhase)
    states: list[AnyGroupState] = [*pod_group_states(snapshot), *batch_group_states(snapshot)]
    return sorted(states, key=lambda state: phases.index(state.phase))


# The quotas of a mirrored cluster, each with what is used of it.


def quotas_of(*, cluster: Cluster, snapshot: Snapshot, namespace: str | None = None) -> list[dict[str, Any]]:
    """Return the ResourceQuotas of a namespace, or of all; one without a status, as in manifests, is counted here.

    Of the past, quotas of then bound what is counted of its pods alone.
    """
    rules = device_quota_rules(snapshot)
    quotas = [dict(each) for each in snapshot.objects("ResourceQuota", namespace)]
    if cluster.past is not None:
        quotas = [_of_then(quota, rules) for quota in quotas if not came_since(quota, cluster.past.at)]
    spaces = {namespace_of(quota) for quota in quotas if not is_counted(quota)}
    if not spaces:
        return quotas
    claims = KubeObject.objects.filter(cluster=cluster, kind="PersistentVolumeClaim", namespace__in=spaces)
    counted = counted_quotas(
        quotas,
        pod_objects(cluster, spaces),
        (claim.object for claim in claims),
        snapshot.objects("ResourceClaim"),
        rules,
    )
    return [*filter(is_counted, quotas), *map(dict, counted)]


def _of_then(quota: dict[str, Any], rules: DeviceQuotaRules) -> dict[str, Any]:
    """Return a quota to be counted, of nothing but pods that have not finished: when others went is not known."""
    hard = {
        name: str(amount)
        for name, amount in Quota(quota).hard.items()
        if is_of_pods(name) and name != POD_COUNT and name.removeprefix(REQUESTS) not in rules.classes
    }
    return {**quota, "spec": {**(quota.get("spec") or {}), "hard": hard}, "status": {}}


def users_of_quotas(*, cluster: Cluster, quotas: Sequence[Quota]) -> list[list[QuotaUser]]:
    """Return the workloads that use each of the quotas, of every pod of their namespaces, those that use most first."""
    return quota_users(quotas, pod_objects(cluster, {quota.namespace for quota in quotas}))


# How evenly the pods of a mirrored cluster are spread: the engine's answer, kept for each revision.


class ClusterSpread(NamedTuple):
    """Every group by a short name that stays the same from revision to revision, in the order of the engine."""

    snapshot: Snapshot
    groups: Mapping[str, SpreadGroup]
    unreadable: tuple[UnreadableConstraints, ...]
    matrix: WorkloadMatrix

    def by_workloads(self) -> list[tuple[str, SpreadGroup]]:
        """Return the first group of each workload: the worst of all, others over maxSkew, and those within it."""
        worst = worst_of(self.groups.values())
        return first_of_each(
            sorted(self.groups.items(), key=lambda each: (each[1] is not worst, not each[1].violation))
        )


_spread_latest: Cache[Moment, ClusterSpread] = Cache("spread", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def spread_of(*, cluster: Cluster) -> ClusterSpread:
    """Return how the cluster's pods are spread, by its own scheduler configuration.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    return _spread_latest.get(
        cluster.moment,
        lambda: _spread_computed(cluster, snapshot, configuration),
        version=(snapshot, repr(configuration.profiles)),
    )


def _spread_computed(cluster: Cluster, snapshot: Snapshot, configuration: SchedulerConfiguration) -> ClusterSpread:
    pending = [pod.object for pod in pending_pods(cluster)]
    spreading = spreading_of(snapshot, configuration.profiles, pending)
    return ClusterSpread(
        snapshot=snapshot,
        groups={blake2b(group.identity.encode(), digest_size=6).hexdigest(): group for group in spreading.groups},
        unreadable=spreading.unreadable,
        matrix=workload_matrix(snapshot, pending),
    )


# How the nodes of a mirrored cluster are and how much of them is requested: computed once for each revision.


class ClusterUtilisation(NamedTuple):
    """The state of every node, what is requested of each and of each zone, and what is stranded."""

    snapshot: Snapshot
    health: NodeHealth
    amounts: Mapping[str, Amounts]
    zones: tuple[ZoneUse, ...]
    stranded: tuple[Stranded, ...]


_utilisation_latest: Cache[Moment, ClusterUtilisation] = Cache("utilisation", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def utilisation_of(*, cluster: Cluster) -> ClusterUtilisation:
    """Return how the cluster's nodes are.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _utilisation_latest.get(cluster.moment, lambda: utilisation_in(snapshot), version=snapshot)


def utilisation_in(snapshot: Snapshot) -> ClusterUtilisation:
    """Compute how the nodes of any snapshot are, such as one of a simulation."""
    health, amounts = node_health(snapshot), amounts_of(snapshot)
    return ClusterUtilisation(
        snapshot=snapshot,
        health=health,
        amounts=amounts,
        zones=zone_uses(snapshot, amounts),
        stranded=stranded(amounts, health.usable),
    )
