"""A cluster at a moment of its past: its state now, with what the journal knows undone.

Nodes and pods that went since then are there again, those that came since are not, and nodes are as they were before
their recorded changes. What pods request, and everything else, is as it was last seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from clusters.models import Cluster, Decision, Departure, Node, NodeChange, Pod
from clusters.services.computing import Cache, check
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.engine import Snapshot

Document = dict[str, Any]
Kind = NodeChange.Kind

_KEPT: Final = 4
_FINISHED = frozenset({"Succeeded", "Failed"})
# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE = 400


class PastState(NamedTuple):
    """The cluster at a moment; ``late`` counts pods in it that may have gone before already."""

    snapshot: Snapshot
    late: int


class UnknownPastError(Exception):
    """The journal does not know what ran at a moment; ``since`` is the earliest that it knows, None for none."""

    def __init__(self, since: datetime | None) -> None:
        """Take the earliest moment."""
        super().__init__(since)
        self.since = since


def known_since(cluster: Cluster) -> datetime | None:
    """Return the earliest moment of which the journal knows what ran; None where it keeps no departures."""
    since = cluster.departures_since
    if since is None or not cluster.is_live:
        return since
    # What is older is pruned.
    return max(since, timezone.now() - settings.BERTH_JOURNAL_KEPT)


_states: Final[Cache[tuple[int, datetime], PastState]] = Cache("moments of the past", _KEPT)


def state_at(*, cluster: Cluster, at: datetime) -> PastState:
    """Return the cluster at a moment; it is shared: leave it as it is.

    Raises UnknownPastError and ChangingTooFastError.
    """
    since = known_since(cluster)
    if since is None or at < since:
        raise UnknownPastError(since)
    present = snapshot_of(cluster)
    return _states.get((cluster.pk, at), lambda: _undone(cluster, present.copy(), at), version=present)


def _undone(cluster: Cluster, snapshot: Snapshot, at: datetime) -> PastState:
    changes = _changes_since(cluster, at)
    gone_nodes, gone_pods = (_gone_since(cluster, kind, at) for kind in (Departure.Kind.NODE, Departure.Kind.POD))
    for namespace, name in _pods_since(cluster, at):
        snapshot.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
    for document in _nodes(cluster, snapshot, gone_nodes, changes):
        snapshot.upsert(document)
    for row in _restored(cluster, gone_pods, at):
        snapshot.upsert(_running(row.document, at))
    for document in _well(cluster, changes, at):
        snapshot.upsert(document)
    late = sum(row.is_late for row in gone_pods.values() if snapshot.placed_on(f"{row.namespace}/{row.name}"))
    return PastState(snapshot, late)


# -- what went ---------------------------------------------------------------------------------------------------------


def _gone_since(cluster: Cluster, kind: Departure.Kind, at: datetime) -> dict[tuple[str, str], Departure]:
    """Return of each name the one that was the first to go after a moment, without what it was."""
    rows = Departure.objects.filter(cluster=cluster, kind=kind, heard_at__gt=at).order_by("-heard_at", "-pk")
    found = {}
    for row in rows.defer("packed_object").iterator():
        check()
        found[row.namespace, row.name] = row
    return found


def _restored(cluster: Cluster, gone: Mapping[tuple[str, str], Departure], at: datetime) -> Iterator[Departure]:
    """Yield the pods that went since and were on their nodes already."""
    rows = list(gone.values())
    for start in range(0, len(rows), _AT_ONCE):
        check()
        some = {row.pk: row for row in rows[start : start + _AT_ONCE]}
        bound = _bindings(cluster, [row.uid for row in some.values()])
        since = {
            key: max((moment for moment in bound.get(row.uid, ()) if moment <= row.heard_at), default=None)
            for key, row in some.items()
        }
        # Those that were bound later need not be read.
        there = [key for key, moment in since.items() if moment is None or moment <= at]
        for row in Departure.objects.filter(pk__in=there):
            placed = since[row.pk] or _placed_at(row.document)
            if (placed is None or placed <= at) and not _had_finished(row.document, at):
                yield row


def _bindings(cluster: Cluster, uids: Sequence[str]) -> dict[str, list[datetime]]:
    """Return when pods were bound, by their UIDs."""
    found: dict[str, list[datetime]] = {}
    decisions = Decision.objects.filter(cluster=cluster, kind=Decision.Kind.BOUND, pod_uid__in=uids)
    for uid, moment in decisions.values_list("pod_uid", "heard_at"):
        found.setdefault(uid, []).append(moment)
    return found


def _placed_at(pod: Document) -> datetime | None:
    """Return when a pod got its node, as far as it says so itself."""
    scheduled = _condition(pod, "PodScheduled")
    written = scheduled.get("lastTransitionTime") or pod.get("metadata", {}).get("creationTimestamp")
    return parse_datetime(written) if written else None


def _had_finished(pod: Document, at: datetime) -> bool:
    """Whether a finished pod had finished by then, as far as it says when."""
    if (pod.get("status") or {}).get("phase") not in _FINISHED:
        return False
    moment = finished_at(pod)
    return moment is None or moment <= at


def finished_at(pod: Document) -> datetime | None:
    """Return when a finished pod finished, as far as it says so itself; None for one that has not."""
    if (pod.get("status") or {}).get("phase") not in _FINISHED:
        return None
    written = _condition(pod, "Ready").get("lastTransitionTime")
    return parse_datetime(written) if written else None


def _running(pod: Document, at: datetime) -> Document:
    """Return a pod that went later as it was while it ran: neither finished nor on its way out."""
    metadata, status = dict(pod["metadata"]), dict(pod.get("status") or {})
    leaving = parse_datetime(metadata.get("deletionTimestamp") or "")
    if leaving is not None and leaving > at:
        del metadata["deletionTimestamp"]
    if status.get("phase") in _FINISHED or leaving is not None:
        status["phase"] = "Running"
        status["conditions"] = _with_ready(status.get("conditions"))
    return {**pod, "metadata": metadata, "status": status}


def _with_ready(conditions: Iterable[Document] | None) -> list[Document]:
    return [{**each, "status": "True"} if each.get("type") == "Ready" else each for each in conditions or ()]


def _condition(document: Document, name: str) -> Document:
    conditions = (document.get("status") or {}).get("conditions") or ()
    return next((each for each in conditions if each.get("type") == name), {})


# -- what came, and what changed ---------------------------------------------------------------------------------------


def _pods_since(cluster: Cluster, at: datetime) -> Iterator[tuple[str, str]]:
    """Yield the pods of now that were not there, or not on their nodes, yet."""
    yield from Pod.objects.filter(cluster=cluster, created_at__gt=at).values_list("namespace", "name")
    bound = Decision.objects.filter(cluster=cluster, kind=Decision.Kind.BOUND, heard_at__gt=at)
    yield from bound.values_list("namespace", "name")


def _changes_since(cluster: Cluster, at: datetime) -> dict[str, list[NodeChange]]:
    """Return by node what became of it since, the latest first."""
    found: dict[str, list[NodeChange]] = {}
    for change in NodeChange.objects.filter(cluster=cluster, heard_at__gt=at).order_by("-heard_at", "-pk"):
        found.setdefault(change.node_name, []).append(change)
    return found


def _nodes(
    cluster: Cluster,
    snapshot: Snapshot,
    gone: Mapping[tuple[str, str], Departure],
    changes: Mapping[str, list[NodeChange]],
) -> Iterator[Document]:
    """Delete the nodes that were not there yet, and yield those that were and changed or went since."""
    departed = {row.name: row for row in gone.values()}
    for name, document in _earlier(cluster, changes.keys() | departed.keys(), departed, changes):
        if document is None:
            snapshot.delete({"kind": "Node", "metadata": {"name": name}})
        else:
            yield document


def nodes_at(cluster: Cluster, names: Collection[str], at: datetime) -> dict[str, Document]:
    """Return nodes as they were at a moment that the journal knows; those that were not there are missing."""
    changes = _changes_since(cluster, at)
    departed = {row.name: row for row in _gone_since(cluster, Departure.Kind.NODE, at).values()}
    found = _earlier(cluster, names, departed, changes)
    return {name: document for name, document in found if document is not None}


def _earlier(
    cluster: Cluster,
    names: Collection[str],
    departed: Mapping[str, Departure],
    changes: Mapping[str, list[NodeChange]],
) -> Iterator[tuple[str, Document | None]]:
    """Yield nodes as they were before what became of them since; None for those that were not there yet.

    Those of which nothing is known are left out.
    """
    ordered = sorted(names)
    present = {
        name: document
        for start in range(0, len(ordered), _AT_ONCE)
        for name, document in _objects(Node.objects.filter(cluster=cluster, name__in=ordered[start : start + _AT_ONCE]))
    }
    for name in ordered:
        row = departed.get(name)
        # Of one that went, what became of another one with its name does not count.
        since = [each for each in changes.get(name, ()) if row is None or each.heard_at <= row.heard_at]
        document = present.get(name) if row is None else row.document
        if document is None:
            continue
        if any(each.kind == Kind.ADDED for each in since):
            yield name, None
            continue
        for change in since:
            document = _before(document, change)
        yield name, document


def _objects(nodes: QuerySet[Node]) -> Iterator[tuple[str, Document]]:
    yield from nodes.values_list("name", "object")


def _before(node: Document, change: NodeChange) -> Document:
    """Return a node as it was before a change."""
    match change.kind:
        case Kind.CORDONED | Kind.UNCORDONED:
            return {**node, "spec": {**(node.get("spec") or {}), "unschedulable": change.kind == Kind.UNCORDONED}}
        case Kind.NOT_READY | Kind.READY:
            return _with_condition(node, "Ready", "True" if change.kind == Kind.NOT_READY else "Unknown")
        case Kind.PRESSURE | Kind.RELIEVED:
            return _with_condition(node, change.condition, "False" if change.kind == Kind.PRESSURE else "True")
        case _:
            return node


# The taints that controllers set for a state of a node, which come and go with it. Which of several it was is not
# recorded: the first stands for them.
_TAINTS = {
    "Ready": ("node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready"),
    "MemoryPressure": ("node.kubernetes.io/memory-pressure",),
    "DiskPressure": ("node.kubernetes.io/disk-pressure",),
    "PIDPressure": ("node.kubernetes.io/pid-pressure",),
}
_WELL = {"Ready": "True"}


def _with_condition(node: Document, name: str, status: str) -> Document:
    conditions = (node.get("status") or {}).get("conditions") or ()
    written = [{**each, "status": status} if each.get("type") == name else each for each in conditions]
    spec, keys = node.get("spec") or {}, _TAINTS.get(name, ())
    taints = [each for each in spec.get("taints") or () if each.get("key") not in keys]
    if status != _WELL.get(name, "False") and keys:
        taints.append({"key": keys[0], "effect": "NoSchedule"})
    return {**node, "spec": {**spec, "taints": taints}, "status": {**(node.get("status") or {}), "conditions": written}}


def _well(cluster: Cluster, changes: Mapping[str, list[NodeChange]], at: datetime) -> Iterator[Document]:
    """Yield the pods of now that were ready before their nodes stopped reporting, or before they had to go."""
    lost = [name for name, told in changes.items() if any(each.kind == Kind.NOT_READY for each in told)]
    pods = Pod.objects.filter(cluster=cluster).exclude(created_at__gt=at).exclude(phase__in=_FINISHED)
    for found in (pods.filter(node_name__in=lost[:_AT_ONCE]), pods.filter(deleted_at__gt=at).exclude(node_name="")):
        documents = dict(found.values_list("uid", "object"))
        uids = list(documents)
        for start in range(0, len(uids), _AT_ONCE):
            some = uids[start : start + _AT_ONCE]
            bound = _bindings(cluster, some)
            yield from (_ready(documents[uid]) for uid in some if all(moment <= at for moment in bound.get(uid, ())))


def _ready(pod: Document) -> Document:
    metadata = {key: value for key, value in pod["metadata"].items() if key != "deletionTimestamp"}
    status = pod.get("status") or {}
    return {**pod, "metadata": metadata, "status": {**status, "conditions": _with_ready(status.get("conditions"))}}


# -- what happened when ------------------------------------------------------------------------------------------------

Happened = Decision | NodeChange | Departure
_HAPPENED: Final = (Decision, NodeChange, Departure)


class Neighbours(NamedTuple):
    """The moments around one at which something happened, and at which a pod was unschedulable; None for none."""

    previous: datetime | None
    next: datetime | None
    before: datetime | None
    following: datetime | None


def neighbours(cluster: Cluster, at: datetime, start: datetime, end: datetime) -> Neighbours:
    """Return the moments around one, from `start` to `end`."""
    every = [model._default_manager.filter(cluster=cluster) for model in _HAPPENED]
    failures = [Decision.objects.filter(cluster=cluster, kind=Decision.Kind.UNSCHEDULABLE)]
    return Neighbours(
        previous=_last(every, start, at),
        next=_first(every, at, end),
        before=_last(failures, start, at),
        following=_first(failures, at, end),
    )


def _first(found: Iterable[QuerySet[Any]], after: datetime, end: datetime) -> datetime | None:
    moments = (
        each.filter(heard_at__gt=after, heard_at__lte=end).order_by("heard_at").values_list("heard_at", flat=True)
        for each in found
    )
    return min((moment for each in moments if (moment := each.first()) is not None), default=None)


def _last(found: Iterable[QuerySet[Any]], start: datetime, before: datetime) -> datetime | None:
    moments = (
        each.filter(heard_at__gte=start, heard_at__lt=before).order_by("-heard_at").values_list("heard_at", flat=True)
        for each in found
    )
    return max((moment for each in moments if (moment := each.first()) is not None), default=None)


def nodes_that_come_and_go(cluster: Cluster, start: datetime, end: datetime) -> frozenset[str]:
    """Return the names of the nodes that are not there all the time from `start` to `end`."""
    changes = NodeChange.objects.filter(cluster=cluster, heard_at__gt=start, heard_at__lte=end)
    return frozenset(changes.filter(kind__in=(Kind.ADDED, Kind.REMOVED)).values_list("node_name", flat=True))


def latest(cluster: Cluster, start: datetime, at: datetime) -> Happened | None:
    """Return what happened last by a moment, from `start` on; of one moment the decision."""
    span: dict[str, Any] = {"cluster": cluster, "heard_at__gte": start, "heard_at__lte": at}
    found: list[Happened | None] = [
        Decision.objects.filter(**span).defer("packed_explanation").order_by("-heard_at", "-pk").first(),
        NodeChange.objects.filter(**span).order_by("-heard_at", "-pk").first(),
        Departure.objects.filter(**span).defer("packed_object").order_by("-heard_at", "-pk").first(),
    ]
    # The first of equals is the decision.
    return max((row for row in found if row is not None), key=lambda row: row.heard_at, default=None)
