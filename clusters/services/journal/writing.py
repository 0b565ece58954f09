"""The journal's rows: what the cluster said, with the batch that brought it, and the judgement that follows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from clusters.adapters.rows import OBJECT, TABLES, Row, first_moment
from clusters.engine.objects import name_of, namespace_of
from clusters.models import Cluster, Decision, Departure, Event, FollowedSearches, NodeChange, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta

    from clusters.documents.explanation import ExplanationDocument
    from clusters.services.journal.ledger import PodFact

# Which nodes and pods went, as the journal keeps them: with what they were when they were last seen.

KINDS: Final = ("Node", "Pod")


def departure_of(
    cluster: Cluster, kind: str, document: Mapping[str, Any], at: datetime, *, is_late: bool = False
) -> Departure:
    """Return what is stored of an object that went."""
    row = Departure(
        cluster=cluster,
        kind=kind,
        uid=str((document.get("metadata") or {}).get("uid") or ""),
        namespace=namespace_of(document) if kind == "Pod" else "",
        name=name_of(document),
        node_name=str((document.get("spec") or {}).get("nodeName") or "") if kind == "Pod" else "",
        created_at=first_moment(document.get("metadata") or {}, "creationTimestamp"),
        heard_at=at,
        is_late=is_late,
    )
    row.document = document
    return row


Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

# What is reported of a decision, by the reason that the event gives.
_KIND_OF_EVENT = {
    "Scheduled": Kind.BOUND,
    "FailedScheduling": Kind.UNSCHEDULABLE,
    "Preempted": Kind.PREEMPTED,
    "TaintManagerEviction": Kind.EVICTED,
    "Evicted": Kind.EVICTED,
}
_AT = {name: place for place, name in enumerate(TABLES["Event"].columns)}
_PREEMPTOR = re.compile(r"\bpod ([0-9a-f]{8}-[0-9a-f-]{27})\b")
# SQLite may be built to take no more than 999 values in one statement, and there are two of a pod.
_AT_ONCE = 400


class Judgement(NamedTuple):
    """Berth's part of a decision."""

    verdict: Decision.Verdict
    reason: Decision.Reason | None
    basis: dict[str, Any] | None
    explanation: ExplanationDocument | None


def write_facts(cluster: Cluster, facts: Sequence[PodFact]) -> bool:
    """Store what the cluster said, once, with the events that came first; the caller holds the transaction.

    Returns whether there was anything to store.
    """
    for start in range(0, len(facts), _AT_ONCE):
        some = facts[start : start + _AT_ONCE]
        events = _events_about(cluster, some)
        Decision.objects.bulk_create((_decision(cluster, fact, events) for fact in some), ignore_conflicts=True)
    return bool(facts)


def write_events(cluster: Cluster, rows: Iterable[Row | None]) -> bool:
    """Put what components reported beside the decisions that it is about; the caller holds the transaction.

    An event that came before its decision is found by `write_facts`. A report of a refusal that is already known counts
    as one more attempt. Returns whether a decision changed.
    """
    told = [row for row in rows if row is not None and row[_AT["reason"]] in _KIND_OF_EVENT]
    # A list is in no order of time.
    told.sort(key=lambda row: row[_AT["last_seen"]].timestamp() if row[_AT["last_seen"]] else 0.0)
    is_told = False
    for start in range(0, len(told), _AT_ONCE):
        is_told = _write_some_events(cluster, told[start : start + _AT_ONCE]) or is_told
    return is_told


def _write_some_events(cluster: Cluster, told: Sequence[Row]) -> bool:
    # The latest of each kind is what a new event is about; nobody reports on the ones before.
    uids = {row[_AT["involved_uid"]] for row in told}
    kinds = {_KIND_OF_EVENT[row[_AT["reason"]]] for row in told}
    decisions = Decision.objects.filter(cluster=cluster, pod_uid__in=uids, kind__in=kinds)
    latest = {(each.pod_uid, each.kind): each for each in decisions.defer("packed_explanation").order_by("pk")}
    is_told = False
    for row in told:
        decision = latest.get((row[_AT["involved_uid"]], _KIND_OF_EVENT[row[_AT["reason"]]]))
        event = _event(*(row[_AT[name]] for name in _EVENT_COLUMNS))
        if decision is None or decision.event == event:
            continue
        if decision.kind == Kind.UNSCHEDULABLE and not _is_same_text(event["note"], decision.message):
            # A report of the next refusal, which came before the condition that tells it.
            continue
        changes: dict[str, Any] = {"event": event}
        if decision.event is not None and decision.kind == Kind.UNSCHEDULABLE:
            changes |= {"attempts": F("attempts") + 1, "last_heard_at": timezone.now()}
        if decision.kind == Kind.PREEMPTED:
            changes |= _preemptor(cluster, event["note"])
        Decision.objects.filter(pk=decision.pk).update(**changes)
        decision.event = event
        is_told = True
    return is_told


def write_node_changes(changes: Iterable[NodeChange]) -> bool:
    """Store what became of nodes; the caller holds the transaction. Returns whether there was anything to store."""
    return bool(NodeChange.objects.bulk_create(changes))


def write_departures(
    cluster: Cluster, kind: str, gone: Iterable[Mapping[str, Any]], at: datetime, *, is_late: bool
) -> None:
    """Store nodes or pods that are gone; the caller holds the transaction."""
    rows = (departure_of(cluster, kind, document, at, is_late=is_late) for document in gone)
    Departure.objects.bulk_create(rows, _AT_ONCE)


def write_judgements(*, cluster_id: int, judgements: Iterable[tuple[PodFact, Judgement]]) -> None:
    """Store Berth's part of a cluster's decisions; one that was judged or pruned meanwhile is let be."""
    with transaction.atomic():
        # As a batch does: the two write to the same decisions, each in its own order.
        Cluster.objects.select_for_update().filter(pk=cluster_id).first()
        for fact, judgement in judgements:
            packed = Decision()
            packed.explanation = judgement.explanation
            Decision.objects.filter(
                cluster=cluster_id,
                pod_uid=fact.pod_uid,
                kind=fact.kind,
                resource_version=fact.resource_version,
                verdict=Verdict.WAITING,
            ).update(
                verdict=judgement.verdict,
                reason=judgement.reason or "",
                basis=judgement.basis,
                packed_explanation=packed.packed_explanation,
                judged_at=timezone.now(),
            )


def write_followed_searches(*, cluster_id: int, parallelism: int, state: dict[str, Any]) -> None:
    """Store where a cluster's searches are after the newest decision that was judged, for the next watcher."""
    bound = Decision.objects.filter(cluster=cluster_id, kind=Kind.BOUND).exclude(verdict=Verdict.WAITING)
    newest = bound.order_by("-heard_at", "-pk").values_list("pk", flat=True).first()
    if newest is None:
        return
    followed = FollowedSearches(cluster_id=cluster_id, decision=newest, parallelism=parallelism)
    followed.state = state
    values = {"decision": newest, "parallelism": parallelism, "packed_state": followed.packed_state}
    FollowedSearches.objects.update_or_create(cluster_id=cluster_id, defaults=values)


def take_followed_searches(*, cluster_id: int) -> FollowedSearches | None:
    """Take away where a cluster's searches were, and return it if no pod was bound since."""
    found = FollowedSearches.objects.filter(cluster=cluster_id).first()
    if found is None:
        return None
    found.delete()
    bound = Decision.objects.filter(cluster=cluster_id, kind=Kind.BOUND)
    newest = bound.order_by("-heard_at", "-pk").values_list("pk", flat=True).first()
    return found if newest == found.decision else None


def give_up_waiting(*, cluster_id: int) -> int:
    """Say of decisions that an earlier watcher left unjudged that nobody can any more; return how many there were."""
    waiting = Decision.objects.filter(cluster=cluster_id, verdict=Verdict.WAITING)
    return waiting.update(verdict=Verdict.UNJUDGED, reason=Reason.GAP, judged_at=timezone.now())


def prune(*, keep: timedelta) -> int:
    """Remove decisions, departures and changes of nodes that were last heard of longer ago than that; return how many.

    What was recorded with a dump stays with it: it is as old as the dump is.
    """
    live, limit = Q(cluster__source=Cluster.Source.LIVE), timezone.now() - keep
    for model in (NodeChange, Departure):
        model._default_manager.filter(live, heard_at__lt=limit).delete()
    expired = Decision.objects.filter(live, heard_at__lt=limit, last_heard_at__lt=limit)
    removed = 0
    # Some at a time, so that a watcher never waits long for the table.
    while keys := list(expired.values_list("pk", flat=True)[:_AT_ONCE]):
        removed += Decision.objects.filter(pk__in=keys).delete()[0]
    return removed


_EVENT_COLUMNS = ("reason", "message", "reporting_component", "last_seen")


def _event(reason: str, note: str, component: str, time: Any) -> dict[str, Any]:
    return {"reason": reason, "note": note, "component": component, "time": time.isoformat() if time else None}


def _events_about(cluster: Cluster, facts: Sequence[PodFact]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the newest event about each decision that is already in the mirror, by the pod's UID and the kind."""
    pods = {(fact.namespace, fact.name) for fact in facts}
    found = Event.objects.filter(
        cluster=cluster,
        involved_kind="Pod",
        involved_namespace__in={namespace for namespace, _ in pods},
        involved_name__in={name for _, name in pods},
        reason__in=_KIND_OF_EVENT,
    )
    rows = found.order_by("last_seen", "pk").values_list("involved_uid", *_EVENT_COLUMNS)
    return {(uid, _KIND_OF_EVENT[columns[0]]): _event(*columns) for uid, *columns in rows}


def _decision(cluster: Cluster, fact: PodFact, events: dict[tuple[str, str], dict[str, Any]]) -> Decision:
    event = events.get((fact.pod_uid, fact.kind))
    # An earlier attempt's report is not this one's.
    if event is not None and fact.kind == Kind.UNSCHEDULABLE and not _is_same_text(event["note"], fact.message):
        event = None
    decision = Decision(
        cluster=cluster,
        kind=fact.kind,
        pod_uid=fact.pod_uid,
        namespace=fact.namespace,
        name=fact.name,
        owner_kind=fact.owner_kind,
        owner_name=fact.owner_name,
        scheduler_name=fact.scheduler_name,
        priority=fact.priority,
        heard_at=fact.heard_at,
        last_heard_at=fact.heard_at,
        reported_at=fact.reported_at,
        resource_version=fact.resource_version,
        node_name=fact.node_name,
        message=fact.message,
        event=event,
    )
    if not fact.is_judged:
        decision.verdict, decision.reason = Verdict.UNJUDGED, Reason.NO_DECISION
    elif not fact.is_watched:
        decision.verdict, decision.reason = Verdict.UNJUDGED, Reason.GAP
    if fact.kind == Kind.PREEMPTED and event is not None:
        for name, value in _preemptor(cluster, event["note"]).items():
            setattr(decision, name, value)
    return decision


def _is_same_text(note: str, message: str) -> bool:
    """Whether an event says what a condition does; events cut texts off at 1,024 characters, with dots in place."""
    return note == message or (note.endswith("...") and message.startswith(note[:-3].rstrip()))


def _preemptor(cluster: Cluster, note: str) -> dict[str, str]:
    """Return who took a victim's place, as far as its UID in the event leads to a name."""
    match = _PREEMPTOR.search(note)
    if match is None:
        return {}
    uid = match[1]
    known = Pod.objects.filter(cluster=cluster, uid=uid).values_list("namespace", "name").first()
    known = known or Decision.objects.filter(cluster=cluster, pod_uid=uid).values_list("namespace", "name").first()
    namespace, name = known or ("", "")
    return {"preemptor_uid": uid, "preemptor_namespace": namespace, "preemptor_name": name}


# Which changes of a node are in the journal: what decides which pods it takes.

ChangeKind = NodeChange.Kind

_NAME = TABLES["Node"].columns.index("name")
_PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure")


class _Condition(NamedTuple):
    """How a node is, as far as the journal tells it."""

    is_ready: bool
    is_cordoned: bool
    pressures: frozenset[str]


def changes_of(
    cluster: Cluster, rows: Mapping[str, Row | None], before: Mapping[str, Mapping[str, Any]], at: datetime
) -> Iterator[NodeChange]:
    """Yield what became of nodes, given as they are now (None: gone) and as they were, by UID."""
    for uid, row in rows.items():
        known = before.get(uid)
        if row is None:
            if known is not None:
                yield _change(cluster, ChangeKind.REMOVED, (known.get("metadata") or {}).get("name", ""), at)
            continue
        document = orjson.loads(row[OBJECT])
        if known is None:
            yield _change(cluster, ChangeKind.ADDED, row[_NAME], at)
        else:
            for kind, condition in _told(_condition(known), _condition(document)):
                yield _change(cluster, kind, row[_NAME], at, condition)


def _told(before: _Condition, now: _Condition) -> Iterator[tuple[ChangeKind, str]]:
    if before.is_cordoned != now.is_cordoned:
        yield ChangeKind.CORDONED if now.is_cordoned else ChangeKind.UNCORDONED, ""
    if before.is_ready != now.is_ready:
        yield ChangeKind.READY if now.is_ready else ChangeKind.NOT_READY, ""
    for pressure in sorted(now.pressures - before.pressures):
        yield ChangeKind.PRESSURE, pressure
    for pressure in sorted(before.pressures - now.pressures):
        yield ChangeKind.RELIEVED, pressure


def _condition(node: Mapping[str, Any]) -> _Condition:
    conditions = {each.get("type"): each.get("status") for each in (node.get("status") or {}).get("conditions") or ()}
    return _Condition(
        is_ready=conditions.get("Ready") == "True",
        is_cordoned=bool((node.get("spec") or {}).get("unschedulable")),
        pressures=frozenset(name for name in _PRESSURES if conditions.get(name) == "True"),
    )


def _change(cluster: Cluster, kind: ChangeKind, node: str, at: datetime, condition: str = "") -> NodeChange:
    return NodeChange(cluster=cluster, kind=kind, node_name=node, heard_at=at, condition=condition)
