"""How often the scheduler has tried to place pending pods, as far as it was recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Max, Sum

from clusters.models import Decision, Event, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.models import Cluster
    from clusters.services.pending.pods import WaitingPod

_FAILED = "FailedScheduling"
# SQLite may be built to take no more than 999 values in one statement, and there are two of a pod.
_PODS_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Attempts:
    """At least so many attempts that failed, when the last of those was, and what it ended with.

    There may be more: events are forgotten, and one that repeats is brought up to date half an hour late.
    """

    count: int
    last_at: datetime | None
    message: str


def attempts_of(*, cluster: Cluster, pods: Sequence[WaitingPod]) -> dict[str, Attempts]:
    """Return the attempts by the pod's UID; pods of which none was recorded are left out."""
    found: dict[str, Attempts] = {}
    for start in range(0, len(pods), _PODS_AT_ONCE):
        some = pods[start : start + _PODS_AT_ONCE]
        keys = {(pod.namespace, pod.name) for pod in some}
        namespaces, names = {namespace for namespace, _ in keys}, {name for _, name in keys}
        events = _failures(cluster).filter(involved_namespace__in=namespaces, involved_name__in=names)
        decisions = _unschedulable(cluster).filter(namespace__in=namespaces, name__in=names)
        found.update(_joined(some, events, decisions))
    return found


def attempts_of_all(*, cluster: Cluster, pods: Sequence[WaitingPod]) -> dict[str, Attempts]:
    """Return the same for all pods of the cluster that wait, by two queries however many these are."""
    waiting = Pod.objects.filter(cluster=cluster, is_pending=True)
    events = _failures(cluster).filter(involved_name__in=waiting.values("name"))
    decisions = _unschedulable(cluster).filter(pod_uid__in=waiting.values("uid"))
    return _joined(pods, events, decisions)


def _failures(cluster: Cluster) -> QuerySet[Event]:
    return Event.objects.filter(cluster=cluster, involved_kind="Pod", reason=_FAILED)


def _unschedulable(cluster: Cluster) -> QuerySet[Decision]:
    return Decision.objects.filter(cluster=cluster, kind=Decision.Kind.UNSCHEDULABLE)


def _joined(pods: Iterable[WaitingPod], events: QuerySet[Event], decisions: QuerySet[Decision]) -> dict[str, Attempts]:
    """Return what events and journal tell of these pods, whichever tells of more."""
    by_name = {(pod.namespace, pod.name): pod.uid for pod in pods}
    uids = frozenset(by_name.values())
    found = _from_events(events, by_name)
    totals = decisions.order_by().values_list("pod_uid").annotate(count=Sum("attempts"), last_at=Max("last_heard_at"))
    for uid, count, last_at in totals:
        if uid in uids:
            known = found.get(uid, Attempts(0, None, ""))
            times = [time for time in (known.last_at, last_at) if time is not None]
            found[uid] = Attempts(max(known.count, count), max(times, default=None), known.message)
    return found


def _from_events(events: QuerySet[Event], by_name: Mapping[tuple[str, str], str]) -> dict[str, Attempts]:
    found: dict[str, Attempts] = {}
    for namespace, name, uid, count, last_seen, message in events.order_by("last_seen", "pk").values_list(
        "involved_namespace", "involved_name", "involved_uid", "count", "last_seen", "message"
    ):
        wanted = by_name.get((namespace, name))
        # An earlier pod of the same name is another pod.
        if wanted is not None and uid in ("", wanted):
            known = found.get(wanted, Attempts(0, None, ""))
            found[wanted] = Attempts(known.count + count, last_seen or known.last_at, message)
    return found
