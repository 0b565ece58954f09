"""Facts become decisions, once; events join them whichever comes first."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.utils import timezone

from clusters.adapters.rows import TABLES
from clusters.models import Cluster, Decision
from clusters.services.journal.ledger import Ledger
from clusters.services.journal.writing import give_up_waiting, prune, write_events
from clusters.services.lanes import LeaseLostError
from clusters.services.watching.watcher import Batch, Lease, apply_batch, release
from tests.clusters.journal.pods import PREEMPTING, REFUSAL, Object, a_pod, bound, conditioned, event, refused
from tests.clusters.live_batches import apply, followed_cluster, list_kind, row

if TYPE_CHECKING:
    from collections.abc import Iterator


pytestmark = pytest.mark.django_db

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason


@pytest.fixture
def followed() -> tuple[Cluster, Lease]:
    return followed_cluster()


def heard(lease: Lease, *states: Object, is_watched: bool = True) -> Batch:
    """Write pods' states as one batch, with the facts that they tell."""
    batch = Batch()
    ledger = Ledger.of(lease.cluster_id, is_new=False)
    for version, state in enumerate(states, start=1):
        batch.facts += ledger.hear(row(state), f"{lease.token}{version}", is_watched=is_watched)
        batch.changes.setdefault("Pod", {})[state["metadata"]["uid"]] = row(state)
    apply_batch(lease=lease, batch=batch)
    return batch


def decision(kind: Decision.Kind = Kind.UNSCHEDULABLE) -> Decision:
    return Decision.objects.get(kind=kind)


@contextmanager
def at_most_999_values() -> Iterator[None]:
    if connection.vendor != "sqlite":
        yield
        return
    usual = connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)
    try:
        yield
    finally:
        connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, usual)


def note_of(found: Decision) -> str:
    return str((found.event or {}).get("note"))


def test_a_fact_is_a_decision_that_waits_to_be_judged(followed: tuple[Cluster, Lease]) -> None:
    heard(followed[1], a_pod(), refused(a_pod()))

    found = decision()
    assert (found.verdict, found.reason, found.judged_at) == (Verdict.WAITING, "", None)
    assert (found.namespace, found.name, found.message, found.attempts) == ("shop", "web", REFUSAL, 1)
    assert found.scheduler_name == "default-scheduler"
    assert found.explanation is None


def test_what_a_list_brought_cannot_be_judged(followed: tuple[Cluster, Lease]) -> None:
    heard(followed[1], a_pod(), bound(a_pod(), "n1"), is_watched=False)

    assert (decision(Kind.BOUND).verdict, decision(Kind.BOUND).reason) == (Verdict.UNJUDGED, Reason.GAP)


def test_a_fact_that_comes_again_is_one_decision(followed: tuple[Cluster, Lease]) -> None:
    """As after a commit whose answer was lost."""
    cluster, lease = followed
    apply_batch(lease=lease, batch=heard(lease, a_pod(), refused(a_pod())))

    assert Decision.objects.filter(cluster=cluster).count() == 1


def test_nothing_is_written_without_the_lease(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    release(lease)
    followed_cluster("other")
    taken = lease.__class__(lease.cluster_id, lease.token + 1)

    with pytest.raises(LeaseLostError):
        heard(taken, a_pod(), refused(a_pod()))
    assert not Decision.objects.exists()


def test_an_event_that_comes_later_joins_its_decision(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    heard(lease, a_pod(), refused(a_pod()))
    apply(lease, put=(event("e", a_pod(), "FailedScheduling", REFUSAL),))

    assert decision().event == {
        "reason": "FailedScheduling",
        "note": REFUSAL,
        "component": "default-scheduler",
        "time": "2026-01-01T00:00:06+00:00",
    }
    assert decision().attempts == 1


def test_an_event_that_came_first_is_found(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    apply(lease, put=(event("e", a_pod(), "Scheduled", "Successfully assigned shop/web to n1"),))
    heard(lease, a_pod(), bound(a_pod(), "n1"))

    assert decision(Kind.BOUND).event is not None


def test_an_event_about_an_earlier_attempt_is_not_this_ones(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    apply(lease, put=(event("e", a_pod(), "FailedScheduling", "0/9 nodes are available: 9 Insufficient cpu."),))
    heard(lease, a_pod(), refused(a_pod()))

    assert decision().event is None


def test_an_event_about_the_next_refusal_waits_for_it(followed: tuple[Cluster, Lease]) -> None:
    """The scheduler reports first, and writes the condition after that."""
    _, lease = followed
    other = REFUSAL.replace("cpu", "memory")
    heard(lease, a_pod(), refused(a_pod()))
    apply(lease, put=(event("first", a_pod(), "FailedScheduling", REFUSAL),))
    apply(lease, put=(event("second", a_pod(), "FailedScheduling", other),))

    assert (decision().attempts, note_of(decision())) == (1, REFUSAL)

    batch = Batch(facts=Ledger(is_new=False).hear(row(refused(a_pod(), other)), "99", is_watched=True))
    apply_batch(lease=lease, batch=batch)
    second = Decision.objects.get(message=other)
    assert (second.attempts, note_of(second)) == (1, other)


def test_events_that_a_list_brought_join_their_decisions(followed: tuple[Cluster, Lease]) -> None:
    """As after the API server forgot where the watch stood."""
    _, lease = followed
    heard(lease, a_pod(), refused(a_pod()))
    reports = [
        event(name, a_pod(), "FailedScheduling", REFUSAL, lastTimestamp=f"2026-01-01T00:0{minute}:00Z")
        for name, minute in (("late", 3), ("early", 1), ("between", 2))
    ]
    list_kind(lease, "Event", *reports)
    list_kind(lease, "Event", *reports)

    assert decision().attempts == 3
    assert decision().event == {
        "reason": "FailedScheduling",
        "note": REFUSAL,
        "component": "default-scheduler",
        "time": "2026-01-01T00:03:00+00:00",
    }


def test_any_number_of_events_may_come_at_once(followed: tuple[Cluster, Lease]) -> None:
    """As after the database was away; SQLite may be built to take no more than 999 values in one statement."""
    cluster, _ = followed
    at = TABLES["Event"].columns.index("involved_uid")
    report = row(event("e", a_pod(), "Scheduled", "Successfully assigned."))
    rows = [(*report[:at], f"pod-{number}", *report[at + 1 :]) for number in range(2_000)]
    with at_most_999_values():
        assert not write_events(cluster, rows)


def test_each_further_report_of_a_refusal_is_an_attempt(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    heard(lease, a_pod(), refused(a_pod()))
    # The last one says nothing new.
    for count in (1, 2, 3, 3):
        series = {"count": count, "lastObservedTime": f"2026-01-01T00:0{count}:00Z"}
        apply(lease, put=(event("e", a_pod(), "FailedScheduling", REFUSAL, series=series),))

    assert decision().attempts == 3
    assert decision().last_heard_at > decision().heard_at


def test_a_victim_names_the_pod_that_took_its_place(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    preemptor = a_pod("important")
    preemptor["metadata"]["uid"] = "3f0c1c0e-0000-4000-8000-000000000001"
    note = f"Preempted by pod {preemptor['metadata']['uid']} on node n1"
    victim = a_pod(on="n1")
    apply(lease, put=(preemptor,))
    heard(lease, victim, conditioned(victim, PREEMPTING))
    apply(lease, put=(event("e", victim, "Preempted", note),))

    found = decision(Kind.PREEMPTED)
    assert (found.preemptor_namespace, found.preemptor_name) == ("shop", "important")
    assert found.preemptor_uid == preemptor["metadata"]["uid"]
    assert (found.node_name, found.verdict, found.reason) == ("n1", Verdict.UNJUDGED, Reason.NO_DECISION)


def test_what_an_earlier_watcher_left_is_given_up(followed: tuple[Cluster, Lease]) -> None:
    cluster, lease = followed
    heard(lease, a_pod(), refused(a_pod()))

    assert give_up_waiting(cluster_id=cluster.pk) == 1
    assert (decision().verdict, decision().reason) == (Verdict.UNJUDGED, Reason.GAP)


def test_old_decisions_go_unless_they_still_hold(followed: tuple[Cluster, Lease]) -> None:
    _, lease = followed
    heard(lease, a_pod("old"), refused(a_pod("old")), a_pod("goes-on"), refused(a_pod("goes-on")))
    heard(lease, a_pod("new"), refused(a_pod("new")))
    long_ago = timezone.now() - timedelta(days=31)
    Decision.objects.filter(name__in=("old", "goes-on")).update(heard_at=long_ago)
    Decision.objects.filter(name="old").update(last_heard_at=long_ago)

    assert prune(keep=timedelta(days=30)) == 1
    assert set(Decision.objects.values_list("name", flat=True)) == {"goes-on", "new"}
