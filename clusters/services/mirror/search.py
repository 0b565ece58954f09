"""Finding pods, nodes, workloads and pod groups of a cluster by parts of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Case, IntegerField, Q, Value, When

from clusters.engine.podgroups import POD_GROUP, WORKLOAD
from clusters.models import KubeObject, Node, Pod

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from clusters.models import Cluster
    from clusters.models.mirrored import Mirrored

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
