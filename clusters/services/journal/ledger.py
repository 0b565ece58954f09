"""The last known scheduling state of each pod, and the decisions that follow from comparing it with the present one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct, field

from clusters.adapters.rows import OBJECT, TABLES, UID, Row, first_moment
from clusters.engine.objects import labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.models import Decision, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime


Kind = Decision.Kind

_AT = {name: place for place, name in enumerate(TABLES["Pod"].columns)}
# The condition of a pod that is about to be removed, with the reason that the scheduler gives as against all others.
_DISRUPTION = "DisruptionTarget"
_BY_SCHEDULER = "PreemptionByScheduler"
# A pod that is new to the ledger after a gap was decided about in the dark; only how it waits is worth telling.
_WAITING = frozenset({Kind.UNSCHEDULABLE, Kind.GATED, Kind.NOMINATED})
_COMPUTED = frozenset({Kind.BOUND, Kind.UNSCHEDULABLE, Kind.NOMINATED})


class _Marks(NamedTuple):
    """What of a pod's state tells decisions apart."""

    node_name: str = ""
    message: str = ""
    is_gated: bool = False
    nominated: str = ""
    disruption: str = ""


_NEW = _Marks()


class PodFact(Struct, frozen=True):
    """What the cluster said about a pod: a Decision without Berth's part of it.

    ``is_watched`` tells that Berth followed the cluster at that moment; a list only tells how things stand since.
    """

    kind: Decision.Kind
    pod_uid: str
    namespace: str
    name: str
    owner_kind: str
    owner_name: str
    scheduler_name: str
    priority: int | None
    resource_version: str
    node_name: str
    message: str
    heard_at: datetime
    reported_at: datetime | None
    is_watched: bool

    @property
    def is_judged(self) -> bool:
        """Whether Berth computes the same, for comparison."""
        return self.kind in _COMPUTED


class Ledger(Struct):
    """How each pod stands, by UID; `is_new` until all pods of a cluster that is followed for the first time are in."""

    is_new: bool
    _marks: dict[str, _Marks] = field(default_factory=dict)

    @classmethod
    def of(cls, cluster_id: int, *, is_new: bool) -> Ledger:
        """Begin with how the pods stand in the mirror, so that what happened since then is told as facts."""
        columns = ("uid", "node_name", "unschedulable_message", "is_gated", "nominated_node_name")
        rows = Pod.objects.filter(cluster=cluster_id).values_list(*columns)
        ledger = cls(is_new, {uid: _Marks(*marks) for uid, *marks in rows.iterator(5_000)})
        # The condition comes before the deletion, and pods that a kubelet evicted fail and stay. All others are spared
        # from being parsed.
        told = Decision.objects.filter(cluster=cluster_id, kind__in=(Kind.PREEMPTED, Kind.EVICTED)).values("pod_uid")
        leaving = Pod.objects.filter(
            Q(deleted_at__isnull=False) | Q(phase="Failed") | Q(uid__in=told), cluster=cluster_id
        )
        for uid, document in leaving.values_list("uid", "object").iterator(1_000):
            ledger._marks[uid] = ledger._marks[uid]._replace(
                disruption=_condition(document, _DISRUPTION).get("reason", "")
            )
        return ledger

    def hear(self, row: Row, version: str, *, is_watched: bool) -> list[PodFact]:
        """Take a pod's row and return what it tells that was not known."""
        before = self._marks.get(row[UID])
        now = _marks(row)
        self._marks[row[UID]] = now
        kinds = list(_told(before or _NEW, now))
        if before is None and now.node_name:
            # Its creator chose the node, or Berth was away when somebody did.
            kinds = [] if is_watched or self.is_new else kinds
        if self.is_new:
            kinds = [kind for kind in kinds if kind in _WAITING]
        if not kinds:
            return []
        document = orjson.loads(row[OBJECT])
        return [_fact(kind, row, document, version, is_watched=is_watched) for kind in kinds]

    def replace(self, rows: Mapping[str, Row], versions: Mapping[str, str]) -> list[PodFact]:
        """Take all pods, by UID."""
        for uid in self._marks.keys() - rows.keys():
            del self._marks[uid]
        facts = [fact for uid, row in rows.items() for fact in self.hear(row, versions[uid], is_watched=False)]
        self.is_new = False
        return facts

    def forget(self, uid: str) -> None:
        """Drop a pod that is gone."""
        self._marks.pop(uid, None)


def _marks(row: Row) -> _Marks:
    # Pods that are told to go are few, and their rows alone are worth parsing.
    leaves = _DISRUPTION in row[OBJECT]
    return _Marks(
        row[_AT["node_name"]],
        row[_AT["unschedulable_message"]],
        row[_AT["is_gated"]],
        row[_AT["nominated_node_name"]],
        _condition(orjson.loads(row[OBJECT]), _DISRUPTION).get("reason", "") if leaves else "",
    )


def _told(before: _Marks, now: _Marks) -> Iterable[Decision.Kind]:
    """Yield what happened between two states, in the order in which it did."""
    if now.is_gated and not before.is_gated:
        yield Kind.GATED
    if not now.is_gated and not now.node_name and now.message and now.message != before.message:
        yield Kind.UNSCHEDULABLE
    if now.nominated and now.nominated != before.nominated and not now.node_name:
        yield Kind.NOMINATED
    if now.node_name and not before.node_name:
        yield Kind.BOUND
    if now.disruption and not before.disruption:
        yield Kind.PREEMPTED if now.disruption == _BY_SCHEDULER else Kind.EVICTED


def _condition(document: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    """Return a pod's condition of a type while it is true, or PodScheduled while it is false; empty without one."""
    wanted = "False" if kind == "PodScheduled" else "True"
    for condition in (document.get("status") or {}).get("conditions", ()):
        if condition.get("type") == kind and condition.get("status") == wanted:
            return dict(condition)
    return {}


def _fact(kind: Decision.Kind, row: Row, document: Mapping[str, Any], version: str, *, is_watched: bool) -> PodFact:
    condition: Mapping[str, Any] = {}
    if kind in {Kind.PREEMPTED, Kind.EVICTED}:
        condition = _condition(document, _DISRUPTION)
    elif kind is not Kind.BOUND:
        condition = _condition(document, "PodScheduled")
    owner_kind, owner_name = _owner(row, document)
    return PodFact(
        kind=kind,
        pod_uid=row[UID],
        namespace=row[_AT["namespace"]],
        name=row[_AT["name"]],
        owner_kind=owner_kind,
        owner_name=owner_name,
        scheduler_name=row[_AT["scheduler_name"]],
        priority=row[_AT["priority"]],
        resource_version=version,
        node_name=row[_AT["nominated_node_name" if kind is Kind.NOMINATED else "node_name"]],
        message=condition.get("message", ""),
        heard_at=timezone.now(),
        reported_at=first_moment(condition, "lastTransitionTime"),
        is_watched=is_watched,
    )


def _owner(row: Row, document: Mapping[str, Any]) -> tuple[str, str]:
    """Return kind and name of what made the pod: the Deployment behind a ReplicaSet, as far as the pod itself tells."""
    made_by = Workload.of(row[_AT["namespace"]], Controller.of(document), labels_of(document).get(TEMPLATE_HASH, ""))
    return (made_by.kind, made_by.name) if made_by.kind else (row[_AT["owner_kind"]], row[_AT["owner_name"]])
