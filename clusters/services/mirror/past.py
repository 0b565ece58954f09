"""A cluster at a moment of its past: its state now, with what the journal knows undone.

Nodes and pods that went since then are there again, those that came since are not, pods that were bound since are
pending, and nodes are as they were before their recorded changes. What pods request, and everything else, is as it was
last seen.
"""

from __future__ import annotations

from copy import copy
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson
from django.conf import settings
from django.db.models import TextField, Value
from django.db.models.functions import Concat
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from clusters.adapters.rows import TABLES, Kept
from clusters.engine.disruption import budget_states
from clusters.engine.objects import key_of, name_of
from clusters.models import PENDING, Cluster, Decision, Departure, Node, NodeChange, PastState, Pod
from clusters.services.computing import Cache, check
from clusters.services.mirror.snapshots import places, snapshot_at_revision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.engine import Snapshot

Document = dict[str, Any]
Kind = NodeChange.Kind

_KEPT: Final = 4
_POD: Final = Departure.Kind.POD
_FINISHED = frozenset({"Succeeded", "Failed"})
# What is decided about pods that stay pending.
_WHILE_PENDING = (Decision.Kind.UNSCHEDULABLE, Decision.Kind.NOMINATED, Decision.Kind.GATED)
# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE = 400
# What pods are called by, also those that a departure or a decision is about.
_KEY: Final = Concat("namespace", Value("/"), "name", output_field=TextField())


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
    _, present = snapshot_at_revision(cluster)
    return _states.get((cluster.pk, at), lambda: _undone(cluster, present.copy(), at), version=present)


def as_it_was(cluster: Cluster, at: datetime) -> Cluster:
    """Return the cluster as one whose state is that of a moment. Raises what `state_at` does."""
    found = copy(cluster)
    found.past = state_at(cluster=cluster, at=at)
    return found


def pending_pods(cluster: Cluster) -> Iterable[Pod]:
    """Return the pods that are pending, or were at the moment that is asked about."""
    if cluster.past is None:
        return Pod.objects.filter(PENDING, cluster=cluster)
    return [_row("Pod", cluster, document) for document in cluster.past.pending.values()]


def pod_named(cluster: Cluster, namespace: str, name: str) -> Pod | None:
    """Return a pod, as it was at the moment that is asked about; None where there is none."""
    rows = Pod.objects.filter(cluster=cluster, namespace=namespace, name=name)
    if cluster.past is None:
        return rows.first()
    document = cluster.past.pending.get(f"{namespace}/{name}")
    if document is None and cluster.past.snapshot.placed_on(f"{namespace}/{name}") is None:
        return None
    if document is None:
        gone = Departure.objects.filter(cluster=cluster, kind=Departure.Kind.POD, namespace=namespace, name=name)
        went = gone.filter(heard_at__gt=cluster.past.at).order_by("heard_at", "pk").first()
        document = rows.values_list("object", flat=True).first() if went is None else went.document
    return None if document is None else _row("Pod", cluster, _running(document, cluster.past.at))


def pods_named(cluster: Cluster, namespace: str, names: Sequence[str]) -> list[Pod]:
    """Return some pods of a namespace in order of name, without their objects, as `pod_named` does."""
    if cluster.past is not None:
        return [pod for name in sorted(names) if (pod := pod_named(cluster, namespace, name)) is not None]
    return list(
        Pod.objects.filter(cluster=cluster, namespace=namespace, name__in=names).defer("object").order_by("name")
    )


def node_named(cluster: Cluster, name: str) -> Node | None:
    """Return a node, as it was at the moment that is asked about; None where there is none."""
    if cluster.past is None:
        return Node.objects.filter(cluster=cluster, name=name).first()
    document = nodes_at(cluster, [name], cluster.past.at).get(name)
    return None if document is None else _row("Node", cluster, document)


def nodes_of(cluster: Cluster) -> list[Node]:
    """Return the nodes of the moment that is asked about, as the mirror has nodes, in order of zone and name."""
    assert cluster.past is not None  # noqa: S101 - those of the present are in the database
    at, names = cluster.past.at, cluster.past.snapshot.nodes.index.keys()
    changed = {*_changes_since(cluster, at), *(name for _, name in _gone_since(cluster, Departure.Kind.NODE, at))}
    same = Node.objects.filter(cluster=cluster).defer("object")
    found = [node for node in same if node.name in names and node.name not in changed]
    then = nodes_at(cluster, changed & names, at).values()
    found += [_row("Node", cluster, document) for document in then]
    return sorted(found, key=lambda node: (node.zone, node.name))


def pods_of(cluster: Cluster, nodes: Collection[str]) -> list[Pod]:
    """Return the pods of the moment that is asked about on some nodes, in order of namespace and name.

    Those that are in the mirror as they were have no objects yet (`with_objects`). Pods that had finished are missing.
    """
    past = _past(cluster)
    there, names = _placed_on(past.snapshot, nodes), list(nodes)
    rows = Pod.objects.filter(cluster=cluster).defer("object")
    found = [
        pod
        for start in range(0, len(names), _AT_ONCE)
        for pod in rows.filter(node_name__in=names[start : start + _AT_ONCE])
        if (key := f"{pod.namespace}/{pod.name}") in there and key not in past.altered
    ]
    found += _altered(cluster, there & past.altered.keys())
    return sorted(found, key=lambda pod: (pod.namespace, pod.name))


def all_pods(cluster: Cluster) -> tuple[QuerySet[Pod], list[Pod]]:
    """Return the pods of the moment that is asked about: those that the mirror holds as they were, and the others.

    The first have no objects yet (`with_objects`). Pods that had finished are missing.
    """
    past = _past(cluster)
    same = Pod.objects.filter(cluster=cluster).exclude(node_name="").exclude(phase__in=_FINISHED)
    same = same.exclude(created_at__gt=past.at).exclude(deleted_at__gt=past.at).alias(key=_KEY)
    since = {"cluster": cluster, "heard_at__gt": past.at}
    bound = Decision.objects.filter(kind=Decision.Kind.BOUND, **since).annotate(key=_KEY)
    gone = Departure.objects.filter(kind=_POD, **since).annotate(key=_KEY)
    same = same.exclude(key__in=bound.values("key")).exclude(key__in=gone.values("key"))
    return same.defer("object"), [*_altered(cluster, past.altered.keys() - past.pending.keys()), *pending_pods(cluster)]


def pod_objects(cluster: Cluster, namespaces: Collection[str]) -> Iterator[Document]:
    """Yield the pods of some namespaces, or those of the moment that is asked about, then without finished ones."""
    pods, others = (Pod.objects.filter(cluster=cluster), []) if cluster.past is None else all_pods(cluster)
    here = pods.filter(namespace__in=namespaces).order_by("namespace", "name")
    yield from here.values_list("object", flat=True).iterator()
    yield from (pod.object for pod in others if pod.namespace in namespaces)


def came_since(document: Mapping[str, Any], at: datetime) -> bool:
    """Whether an object was created after a moment, as far as it says when."""
    created = parse_datetime(document["metadata"].get("creationTimestamp") or "")
    return created is not None and created > at


def _past(cluster: Cluster) -> PastState:
    assert cluster.past is not None  # noqa: S101 - what is of the present is in the database
    return cluster.past


def _altered(cluster: Cluster, keys: Iterable[str]) -> Iterator[Pod]:
    """Yield some of the moment's pods that the mirror does not hold as they were."""
    past = _past(cluster)
    departures = {key: past.altered[key] for key in keys}
    gone = [pk for pk in departures.values() if pk]
    for start in range(0, len(gone), _AT_ONCE):
        check()
        for row in Departure.objects.filter(pk__in=gone[start : start + _AT_ONCE]):
            yield _row("Pod", cluster, _running(row.document, past.at))
    for some in places([key for key, pk in departures.items() if not pk]):
        for document in Pod.objects.filter(cluster=cluster, **some).values_list("object", flat=True):
            yield _row("Pod", cluster, _running(document, past.at))


def _placed_on(snapshot: Snapshot, nodes: Iterable[str]) -> set[str]:
    """Return the pods that are on some nodes."""
    rows = [snapshot.nodes.index[name] for name in nodes if name in snapshot.nodes.index]
    pods = snapshot.pods
    return {pods.keys[slot] for slot in np.flatnonzero(np.isin(pods.node[: len(pods.keys)], rows)).tolist()}


def with_objects(pods: list[Pod]) -> list[Pod]:
    """Return the pods with their objects, which are read of the mirror for those that lack them."""
    lacking = [pod for pod in pods if "object" in pod.get_deferred_fields()]
    for start in range(0, len(lacking), _AT_ONCE):
        some = {pod.pk: pod for pod in lacking[start : start + _AT_ONCE]}
        for key, document in Pod.objects.filter(pk__in=some).values_list("pk", "object"):
            some[key].object = document
    # One that went meanwhile is asked for by itself, and then is missing.
    return [pod for pod in pods if "object" not in pod.get_deferred_fields()]


def _row(kind: str, cluster: Cluster, document: Document) -> Any:
    """Return an object of the past as a row that is not stored."""
    metadata = document["metadata"]
    kept = Kept(str(metadata.get("uid") or ""), name_of(document), orjson.dumps(document).decode())
    table = TABLES[kind]
    row = table.model(cluster=cluster, **dict(zip(table.columns, table.row(kept), strict=True)))
    row.object = document
    return row


def _undone(cluster: Cluster, snapshot: Snapshot, at: datetime) -> PastState:
    changes = _changes_since(cluster, at)
    gone_nodes, gone_pods = (_gone_since(cluster, kind, at) for kind in (Departure.Kind.NODE, Departure.Kind.POD))
    for namespace, name in _pods_since(cluster, at):
        snapshot.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
    for document in _nodes(cluster, snapshot, gone_nodes, changes):
        snapshot.upsert(document)
    waiting = _waiting(cluster, at)
    altered = {}
    for row, is_placed in _restored(cluster, gone_pods, at):
        if is_placed:
            snapshot.upsert(_running(row.document, at))
            altered[f"{row.namespace}/{row.name}"] = row.pk
        else:
            waiting.append(row.document)
    for document in _well(cluster, changes, at):
        snapshot.upsert(document)
    for document in _ended_since(cluster, at):
        snapshot.upsert(document)
        altered[key_of(document)] = 0
    pending = {key_of(pod): pod for pod in _as_pending(cluster, waiting, at)}
    for document in pending.values():
        snapshot.upsert(document)
    _recount_budgets(snapshot, pending.values(), at)
    late = sum(row.is_late for row in gone_pods.values() if snapshot.placed_on(f"{row.namespace}/{row.name}"))
    return PastState(at, snapshot, pending, altered, late)


def _recount_budgets(snapshot: Snapshot, pending: Iterable[Document], at: datetime) -> None:
    """Delete the budgets that came later, and let the others report what follows from their pods of then."""
    budgets = {key_of(budget): budget for budget in snapshot.objects("PodDisruptionBudget")}
    for document in budgets.values():
        if came_since(document, at):
            snapshot.delete(document)
    for state in budget_states(snapshot, pending):
        counted = state.computed
        numbers = {
            "expectedPods": counted.expected,
            "currentHealthy": counted.healthy,
            "desiredHealthy": counted.desired,
            "disruptionsAllowed": counted.allowed,
        }
        known = {name: number for name, number in numbers.items() if number is not None}
        document = budgets[state.budget.key]
        snapshot.upsert({**document, "status": {**(document.get("status") or {}), **known}})


# -- what went ---------------------------------------------------------------------------------------------------------


def _gone_since(cluster: Cluster, kind: Departure.Kind, at: datetime) -> dict[tuple[str, str], Departure]:
    """Return of each name the one that was the first to go after a moment, without what it was."""
    rows = Departure.objects.filter(cluster=cluster, kind=kind, heard_at__gt=at).order_by("-heard_at", "-pk")
    found = {}
    for row in rows.defer("packed_object").iterator():
        check()
        found[row.namespace, row.name] = row
    return found


def _restored(
    cluster: Cluster, gone: Mapping[tuple[str, str], Departure], at: datetime
) -> Iterator[tuple[Departure, bool]]:
    """Yield the pods that went since and were there already, each with whether it was on its node."""
    rows = list(gone.values())
    for start in range(0, len(rows), _AT_ONCE):
        check()
        some = {row.pk: row for row in rows[start : start + _AT_ONCE]}
        bound = _bindings(cluster, [row.uid for row in some.values()])
        since = {
            key: max((moment for moment in bound.get(row.uid, ()) if moment <= row.heard_at), default=None)
            for key, row in some.items()
        }
        # Those that came later need not be read.
        there = [
            key
            for key, row in some.items()
            if _had_come(row.created_at, at) or (row.node_name and (since[key] or at) <= at)
        ]
        for row in Departure.objects.filter(pk__in=there):
            placed = since[row.pk] or _placed_at(row.document)
            if not row.node_name or (placed is not None and placed > at):
                if _had_come(row.created_at, at):
                    yield row, False
            elif not _had_finished(row.document, at):
                yield row, True


def _had_come(created: datetime | None, at: datetime) -> bool:
    return created is None or created <= at


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


def _waiting(cluster: Cluster, at: datetime) -> list[Document]:
    """Return the pods of now that were there and on no node yet."""
    bound = Decision.objects.filter(cluster=cluster, kind=Decision.Kind.BOUND)
    there = Pod.objects.filter(cluster=cluster).exclude(created_at__gt=at)
    pending = there.filter(node_name="").exclude(phase__in=_FINISHED).exclude(deleted_at__lte=at)
    later = there.filter(uid__in=bound.filter(heard_at__gt=at).values("pod_uid"))
    earlier = bound.filter(heard_at__lte=at).values("pod_uid")
    return [
        *pending.values_list("object", flat=True),
        *later.exclude(node_name="").exclude(uid__in=earlier).values_list("object", flat=True),
    ]


def _as_pending(cluster: Cluster, pods: Sequence[Document], at: datetime) -> Iterator[Document]:
    """Yield pods as they were while they were pending, with what the scheduler last said of each by then."""
    uids = [str(pod["metadata"].get("uid") or "") for pod in pods]
    for start in range(0, len(pods), _AT_ONCE):
        some = uids[start : start + _AT_ONCE]
        decisions = Decision.objects.filter(cluster=cluster, pod_uid__in=some, kind__in=_WHILE_PENDING)
        columns = ("pod_uid", "kind", "message", "node_name", "heard_at")
        told: dict[str, list[Any]] = {}
        for uid, *values in decisions.order_by("heard_at", "pk").values_list(*columns):
            told.setdefault(uid, []).append(values)
        for uid, pod in zip(some, pods[start : start + _AT_ONCE], strict=True):
            if uid in told or (pod.get("spec") or {}).get("nodeName"):
                yield _pending(pod, [each for each in told.get(uid, ()) if each[-1] <= at])
            else:
                # Nothing was decided about it since.
                yield pod


def _pending(pod: Document, told: Sequence[tuple[Decision.Kind, str, str, datetime]]) -> Document:
    """Return a pod as it was after some decisions that left it pending, oldest first."""
    document = unbound(pod)
    status = document["status"]
    refused = [each for each in told if each[0] != Decision.Kind.NOMINATED]
    if refused:
        kind, message, _, heard = refused[-1]
        reason = "SchedulingGated" if kind == Decision.Kind.GATED else "Unschedulable"
        status["conditions"] = [
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": reason,
                "message": message,
                "lastTransitionTime": heard.astimezone(UTC).isoformat(timespec="seconds"),
            }
        ]
    if told and told[-1][0] == Decision.Kind.NOMINATED:
        status["nominatedNodeName"] = told[-1][2]
    return document


def unbound(pod: Document) -> Document:
    """Return a pod as it was before it was scheduled."""
    metadata = {name: value for name, value in pod["metadata"].items() if name != "deletionTimestamp"}
    spec = {name: value for name, value in pod["spec"].items() if name != "nodeName"}
    given = pod.get("status") or {}
    status = {name: given[name] for name in ("qosClass", "resourceClaimStatuses") if name in given}
    return {**pod, "metadata": metadata, "spec": spec, "status": {"phase": "Pending", **status}}


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
    """Yield the pods of now that were ready before their nodes stopped reporting."""
    lost = [name for name, told in changes.items() if any(each.kind == Kind.NOT_READY for each in told)]
    pods = Pod.objects.filter(cluster=cluster, node_name__in=lost[:_AT_ONCE])
    found = pods.exclude(created_at__gt=at).exclude(phase__in=_FINISHED)
    yield from map(_ready, _bound_by(cluster, dict(found.values_list("uid", "object")), at))


def _ended_since(cluster: Cluster, at: datetime) -> Iterator[Document]:
    """Yield the pods of now that ran, and had to go or finished later, as they were while they ran."""
    pods = Pod.objects.filter(cluster=cluster).exclude(created_at__gt=at).exclude(node_name="")
    ended = dict(pods.filter(deleted_at__gt=at).exclude(phase__in=_FINISHED).values_list("uid", "object"))
    for uid, document in pods.filter(phase__in=_FINISHED).values_list("uid", "object").iterator():
        check()
        moment = finished_at(document)
        if moment is not None and moment > at:
            ended[uid] = document
    yield from (_running(document, at) for document in _bound_by(cluster, ended, at))


def _bound_by(cluster: Cluster, documents: Mapping[str, Document], at: datetime) -> Iterator[Document]:
    """Yield those of some pods, by UID, that were not bound later."""
    uids = list(documents)
    for start in range(0, len(uids), _AT_ONCE):
        some = uids[start : start + _AT_ONCE]
        bound = _bindings(cluster, some)
        yield from (documents[uid] for uid in some if all(moment <= at for moment in bound.get(uid, ())))


def _ready(pod: Document) -> Document:
    status = pod.get("status") or {}
    return {**pod, "status": {**status, "conditions": _with_ready(status.get("conditions"))}}
