"""Objects of a mirrored cluster: found by parts of their names, and as they are told to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from clusters.engine.podgroups import POD_GROUP, WORKLOAD
from clusters.models import Cluster, KubeObject, Node, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.models.mirrored import Mirrored


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
        names = {key.partition("/")[2] for key in wanted}
        pods = Pod.objects.filter(cluster_id=self._cluster_id, name__in=names)
        return [pod.object for pod in pods if f"{pod.namespace}/{pod.name}" in wanted]

    def pods_on(self, node: str) -> list[dict[str, Any]]:
        """Return the pods that are bound to a node."""
        return [pod.object for pod in Pod.objects.filter(cluster_id=self._cluster_id, node_name=node)]


# Which of the objects that a simulation or a review names the mirror holds now.

if TYPE_CHECKING:
    WorkloadName = tuple[str, str, str]


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
# PodGroups, and the Workloads whose groups pods of 1.35 name.
GROUP_KINDS = (POD_GROUP, WORKLOAD)
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
    words = _words(text)
    if not words:
        nothing = Hits((), 0)
        return SearchResults(nothing, nothing, nothing, nothing)
    has_namespace = any(word.namespace for word in words)
    workloads = KubeObject.objects.filter(cluster=cluster, kind__in=WORKLOAD_KINDS)
    return SearchResults(
        workloads=_found(workloads, words, ("kind", "namespace", "name"), most),
        pods=_found(Pod.objects.filter(cluster=cluster), words, ("namespace", "name"), most),
        # A node lives in no namespace.
        nodes=Hits((), 0) if has_namespace else _found(Node.objects.filter(cluster=cluster), words, ("name",), most),
        groups=_found(
            KubeObject.objects.filter(cluster=cluster, kind__in=GROUP_KINDS), words, ("kind", "namespace", "name"), most
        ),
    )


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
    first = words[0].name
    whole_first = _ranked(When(name=first, then=Value(0)), When(name__contains=first, then=Value(1)))
    begun_first = _ranked(When(name__startswith=first, then=Value(0)))
    order = (whole_first, *((_BY_STATE,) if rows.model is Pod else ()), begun_first, *columns[::-1])
    read = (*columns, "is_pending") if rows.model is Pod else columns
    hits = list(rows.order_by(*order).values(*read)[: most + 1])
    total = rows.values("pk")[: MOST_COUNTED + 1].count() if len(hits) > most else len(hits)
    return Hits(tuple(Hit(**{"kind": "", "namespace": "", **hit}) for hit in hits[:most]), total)


def _ranked(*cases: When) -> Case:
    return Case(*cases, default=Value(len(cases)), output_field=IntegerField())


# Who searches a pod mostly asks why it has no node.
_BY_STATE = _ranked(When(is_pending=True, then=Value(0)), When(phase="Running", then=Value(1)))


def _holds(word: Wanted, *, is_namespaced: bool) -> Q:
    name = Q(name__contains=word.name)
    if not is_namespaced:
        return name
    return name & Q(namespace__contains=word.namespace) if word.namespace else name | Q(namespace__contains=word.name)
