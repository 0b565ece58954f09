"""Which facts a pod's changes tell."""

from __future__ import annotations

import pytest

from clusters.models import Decision
from clusters.services.journal.ledger import Ledger, PodFact
from tests.clusters.journal.pods import PREEMPTING, REFUSAL, Object, a_pod, bound, conditioned, gated, refused
from tests.clusters.live_batches import apply, followed_cluster, row

Kind = Decision.Kind


def told(*states: Object, ledger: Ledger | None = None) -> list[PodFact]:
    """The facts that a pod's states tell, one after the other."""
    ledger = ledger or Ledger(is_new=False)
    return [
        fact
        for version, state in enumerate(states, start=1)
        for fact in ledger.hear(row(state), str(version), is_watched=True)
    ]


def kinds(*states: Object) -> list[tuple[str, str]]:
    return [(fact.kind, fact.resource_version) for fact in told(*states)]


def test_a_pod_that_is_refused_twice_and_then_placed() -> None:
    pod = a_pod()
    other = REFUSAL.replace("cpu", "memory")
    states = (pod, refused(pod), refused(pod), refused(pod, other), bound(pod, "n1"), bound(refused(pod), "n1"))

    assert kinds(*states) == [(Kind.UNSCHEDULABLE, "2"), (Kind.UNSCHEDULABLE, "4"), (Kind.BOUND, "5")]
    first, second, third = told(*states)
    assert (first.message, second.message, third.message) == (REFUSAL, other, "")
    assert (first.node_name, third.node_name) == ("", "n1")
    assert first.reported_at is not None
    assert first.reported_at.isoformat() == "2026-01-01T00:00:05+00:00"
    assert all(fact.is_watched and fact.pod_uid == "pod-shop-web" for fact in (first, second, third))


@pytest.mark.parametrize(
    ("kind", "name", "template_hash", "expected"),
    [
        ("ReplicaSet", "web-5d9f", "5d9f", ("Deployment", "web")),
        ("ReplicaSet", "web", "", ("ReplicaSet", "web")),
        ("StatefulSet", "web", "", ("StatefulSet", "web")),
    ],
)
def test_a_fact_names_the_workload_behind_the_pod(
    kind: str, name: str, template_hash: str, expected: tuple[str, str]
) -> None:
    pod = a_pod()
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    labels = {"pod-template-hash": template_hash} if template_hash else {}
    owned = {**pod, "metadata": {**pod["metadata"], "labels": labels, "ownerReferences": [owner]}}

    (fact,) = told(refused(owned))

    assert (fact.owner_kind, fact.owner_name) == expected


def test_a_preemptor_is_refused_and_nominated_at_once() -> None:
    pod = a_pod()
    nominated = refused(pod, nominatedNodeName="n1")

    assert kinds(pod, nominated, bound(nominated, "n1")) == [
        (Kind.UNSCHEDULABLE, "2"),
        (Kind.NOMINATED, "2"),
        (Kind.BOUND, "3"),
    ]
    assert [fact.node_name for fact in told(pod, nominated)] == ["", "n1"]


def test_victims_say_who_wants_them_gone() -> None:
    pod = a_pod(on="n1")
    evicted = conditioned(pod, {**PREEMPTING, "reason": "EvictionByEvictionAPI"})
    facts = told(pod, conditioned(pod, PREEMPTING), conditioned(pod, PREEMPTING))

    assert [(fact.kind, fact.node_name, fact.message) for fact in facts] == [
        (Kind.PREEMPTED, "n1", PREEMPTING["message"])
    ]
    assert kinds(pod, evicted) == [(Kind.EVICTED, "2")]


def test_a_gated_pod_is_not_called_unschedulable() -> None:
    pod = gated(a_pod())
    free = conditioned(a_pod(), *pod["status"]["conditions"])

    assert kinds(pod, pod) == [(Kind.GATED, "1")]
    # The condition outlives the gate until the scheduler has looked.
    assert kinds(pod, free, refused(a_pod())) == [(Kind.GATED, "1"), (Kind.UNSCHEDULABLE, "3")]


def test_a_pod_that_came_with_a_node_was_not_decided_about() -> None:
    assert kinds(a_pod(on="n1")) == []


def test_a_name_that_is_used_again_is_another_pod() -> None:
    ledger = Ledger(is_new=False)
    told(a_pod(), bound(a_pod(), "n1"), ledger=ledger)
    ledger.forget("pod-shop-web")

    assert [fact.kind for fact in told(a_pod(), bound(a_pod(), "n1"), ledger=ledger)] == [Kind.BOUND]


def listed(ledger: Ledger, *documents: Object) -> list[tuple[str, str, bool]]:
    rows = {document["metadata"]["uid"]: row(document) for document in documents}
    facts = ledger.replace(rows, dict.fromkeys(rows, "9"))
    return [(fact.kind, fact.name, fact.is_watched) for fact in facts]


def test_the_first_list_of_all_tells_only_who_waits() -> None:
    ledger = Ledger(is_new=True)

    assert listed(ledger, a_pod("a", on="n1"), refused(a_pod("b")), gated(a_pod("c"))) == [
        (Kind.UNSCHEDULABLE, "b", False),
        (Kind.GATED, "c", False),
    ]
    assert [fact.is_watched for fact in told(bound(a_pod("b"), "n1"), ledger=ledger)] == [True]


def test_a_later_list_tells_what_happened_unseen() -> None:
    ledger = Ledger(is_new=False)
    told(a_pod("a"), a_pod("gone"), ledger=ledger)

    assert listed(ledger, bound(a_pod("a"), "n1"), a_pod("new", on="n1"), a_pod("c")) == [
        (Kind.BOUND, "a", False),
        (Kind.BOUND, "new", False),
    ]
    assert listed(ledger, bound(a_pod("a"), "n1"), a_pod("new", on="n1"), a_pod("c")) == []


@pytest.mark.django_db
def test_a_new_watcher_begins_with_the_mirror() -> None:
    cluster, lease = followed_cluster()
    leaving = conditioned(a_pod("c", on="n1"), PREEMPTING)
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:08Z"
    apply(lease, put=(a_pod("a"), refused(a_pod("b")), leaving))
    ledger = Ledger.of(cluster.pk, is_new=False)

    assert listed(ledger, bound(a_pod("a"), "n1"), refused(a_pod("b")), leaving) == [(Kind.BOUND, "a", False)]


@pytest.mark.django_db
@pytest.mark.parametrize("status", [{}, {"phase": "Failed"}])
def test_a_new_watcher_knows_who_was_evicted_and_is_still_there(status: Object) -> None:
    """A pod that a kubelet evicted stays as failed, and its versions go on."""
    cluster, lease = followed_cluster()
    victim = conditioned(a_pod(on="n1"), PREEMPTING, **status)
    facts = told(a_pod(on="n1"), victim)
    assert [fact.kind for fact in facts] == [Kind.PREEMPTED]
    apply(lease, put=(victim,), facts=facts)

    assert listed(Ledger.of(cluster.pk, is_new=False), victim) == []


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_time_at_the_end_of_the_calendar_is_none(time: str) -> None:
    """It has no equivalent in other time zones, in which databases and pages tell it."""
    pod = refused(a_pod())
    pod["status"]["conditions"][0]["lastTransitionTime"] = time

    assert [fact.reported_at for fact in told(pod)] == [None]
