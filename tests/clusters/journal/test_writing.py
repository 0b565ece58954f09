"""Facts become decisions, once; events join them whichever comes first."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import orjson
import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given, settings

from clusters.adapters.rows import TABLES
from clusters.documents.explanation import ExplanationDocument, StatusDocument
from clusters.documents.writing import read_explanation
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.status import Code
from clusters.models import Cluster, Decision
from clusters.services.journal.ledger import Ledger
from clusters.services.journal.timeline import MOST_BYTES, decision_document
from clusters.services.journal.writing import give_up_waiting, prune, write_events
from clusters.services.lanes import LeaseLostError
from clusters.services.watching.watcher import Batch, Lease, apply_batch, release
from tests.clusters.journal.pods import PREEMPTING, REFUSAL, Object, a_pod, bound, conditioned, event, refused
from tests.clusters.live_batches import apply, followed_cluster, list_kind, row
from tests.engine.builders import a_node, a_pod as document_a_pod, explanation_of
from tests.engine.strategies import corpus_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engine.oracle import Case


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


NODES = 5_000


def long_name(number: int) -> str:
    """A name as long as Kubernetes allows."""
    return f"{number:05d}-{'n' * 247}"


def test_the_document_of_5000_nodes_with_long_names_is_under_20_kb() -> None:
    nodes = [a_node(long_name(number), zone=f"zone-{number % 3}") for number in range(NODES)]
    explanation = explanation_of(document_a_pod(requests={"cpu": "1"}), *nodes)
    document = decision_document(explanation, long_name(17))

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert document.node_count == document.feasible_count == NODES
    assert document.choice is not None
    assert document.choice.count == len(explanation.best)
    assert list(document.choice.examples) == explanation.best[: len(document.choice.examples)] != []


def test_examples_go_before_groups() -> None:
    nodes = [
        a_node(
            long_name(number),
            taints=[{"key": f"team-{number % 15}", "value": "x", "effect": "NoSchedule"}],
            allocatable={"cpu": "1" if number % 2 else "8"},
        )
        for number in range(NODES)
    ]
    document = decision_document(explanation_of(document_a_pod(requests={"cpu": "2"}), *nodes), None)

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert "examples" in document.dropped
    assert "groups" not in document.dropped
    assert len(document.groups) == 20
    assert document.other_groups is not None
    assert document.other_groups.groups == 10
    assert sum(group.count for group in document.groups) + document.other_groups.nodes == NODES


def test_the_document_of_5000_nodes_that_all_differ_is_under_20_kb() -> None:
    """Each node has taints of its own, so there are 5,000 groups and the message is a quarter of a megabyte."""
    nodes = [
        a_node(long_name(number), taints=[{"key": f"k{number}", "value": "v" * 60, "effect": "NoSchedule"}])
        for number in range(NODES)
    ]
    victims = [
        document_a_pod(f"{number:03d}{'p' * 240}", namespace="s" * 63, node=long_name(NODES), requests={"cpu": "50m"})
        for number in range(100)
    ]
    full = a_node(long_name(NODES), allocatable={"cpu": "5"})
    pod = document_a_pod("new", requests={"cpu": "5"}, priority=100)
    explanation = explanation_of(pod, *nodes, full, *victims)
    document = decision_document(explanation, long_name(3))

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert explanation.message is not None
    assert len(explanation.message) > 200_000
    assert "message" in document.dropped
    assert explanation.message.startswith((document.message or "?").removesuffix("…"))
    assert document.other_groups is not None
    assert sum(group.count for group in document.groups) + document.other_groups.nodes == NODES + 1
    verdict = document.nodes[long_name(3)].verdict
    assert verdict is not None
    assert verdict.plugin == "TaintToleration"
    preemption = document.preemption
    assert preemption is not None
    assert (preemption.selected.victim_count if preemption.selected else None) == 100


def test_many_reasons_of_one_node_are_bounded() -> None:
    resources = {f"example.com/{'r' * 200}-{number}": "1" for number in range(60)}
    nodes = [a_node(f"n{number}") for number in range(3)]
    document = decision_document(explanation_of(document_a_pod(requests=resources), *nodes), "n1")

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert "reasons" in document.dropped
    assert len(document.groups[0].filters["NodeResourcesFit"].reasons) < 60


def test_an_ordinary_document_drops_nothing() -> None:
    nodes = [a_node(f"n{number}", allocatable={"cpu": str(number + 1)}) for number in range(8)]
    explanation = explanation_of(document_a_pod(requests={"cpu": "4"}), *nodes)
    document = decision_document(explanation, "n1")

    assert document.dropped == ()
    assert document.nodes["n1"].rank is None
    assert document.nodes["n1"].filters == {
        "NodeResourcesFit": StatusDocument(
            code=Code.UNRESOLVABLE,
            reasons=("Insufficient cpu",),
            reason_values=({"kind": "insufficient", "resource": "cpu"},),
        )
    }
    assert [row.node for row in document.ranking] == [
        explanation.snapshot.nodes.names[row] for row in explanation.ranking()[:5].tolist()
    ]


def test_a_node_that_the_state_does_not_hold_has_no_answers() -> None:
    assert decision_document(explanation_of(document_a_pod(), a_node("n1")), "gone").nodes == {}


def test_a_cluster_without_nodes_has_a_document() -> None:
    document = decision_document(explanation_of(document_a_pod()), None)

    assert document.message == "no nodes available to schedule pods"
    assert not document.groups
    assert not document.ranking
    assert document.choice is None


@settings(max_examples=25, deadline=None)
@given(case=corpus_cases())
def test_its_numbers_are_the_explanations(case: Case) -> None:
    config = case.get("config")
    configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
    explanation = explain(
        Snapshot.from_objects(case["objects"]), case["pods"][0], configuration.profile_for(case["pods"][0])
    )
    for chosen in (None, *explanation.snapshot.nodes.names[:3]):
        document = decision_document(explanation, chosen)
        assert read_explanation(orjson.loads(msgspec.json.encode(document))) == document
        _compare(document, explanation, chosen)


def _compare(document: ExplanationDocument, explanation: Explanation, chosen: str | None) -> None:
    everything = explanation.as_recorded()
    plain = orjson.loads(msgspec.json.encode(document))
    names = explanation.snapshot.nodes.names
    assert document.node_count == len(names)
    assert document.feasible_count == len(everything["feasible"])
    assert (document.choice is not None) == ("chosen" in everything)
    assert document.message == explanation.message
    if document.choice is not None and document.choice.by == "score":
        assert list(document.choice.examples) == everything["best"][:20]
    for group, found in zip(document.groups, explanation.groups, strict=False):
        assert group.count == len(found)
        assert list(group.examples) == [names[row] for row in found.rows[:3].tolist()]
        assert {plugin: status.reasons for plugin, status in group.filters.items()} == {
            plugin: status.texts for plugin, status in found.filters.items()
        }
    for ranked in plain["ranking"]:
        node = everything["nodes"][ranked["node"]]
        assert ranked["scores"] == node["scores"]
        assert ranked["total"] == node["total"] == sum(score[2] for score in ranked["scores"].values())
    for step, expected in zip(document.funnel, explanation.funnel, strict=True):
        assert (step.plugin, step.left, step.rejected_here) == (
            expected.plugin, expected.left, expected.rejected_here,
        )  # fmt: skip
    if chosen is None:
        assert document.nodes == {}
        return
    node, written = everything["nodes"][chosen], plain["nodes"][chosen]
    assert written["total"] == node.get("total")
    assert written["scores"] == node.get("scores", {})
    for status in filter(None, (written["verdict"], *written["filters"].values())):
        status.pop("reasonValues", None)
    assert written["verdict"] == node.get("verdict")
    assert written["filters"] == node.get("filters", {})
    totals = [each["total"] for each in everything["nodes"].values() if "total" in each]
    if node.get("total") is not None:
        assert written["rank"] == 1 + sum(total > node["total"] for total in totals)
