"""Plans of drains from the mirror: what is chosen, what is kept, and what a worker makes."""

from __future__ import annotations

import zlib
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from django.db import connection
from django.utils import timezone
from msgspec.structs import replace

from clusters.adapters import shared_redis
from clusters.documents.values import packed_values
from clusters.engine.disruption import DrainCase, DrainOptions
from clusters.models import Cluster
from clusters.problems.orders import LargeResult
from clusters.services import disruption as drains, evaluation
from clusters.services.disruption import QUESTION, DrainChoice, PlannedDrain, TooManyError, drains_of, plan_of
from clusters.services.evaluation import (
    Evaluation,
    Progress,
    WorkersAwayError,
    _kept,
    end,
    find,
    keep,
    progress_of,
    tell,
)
from clusters.services.workers import finish
from dashboard.celery import app
from tests.clusters.live_batches import apply, followed_cluster
from tests.clusters.reports.review_cluster import objects
from tests.support.answers import error_of, known
from tests.support.decision_cluster import node as small_node, pod as small_pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from redis import Redis


pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return load(tmp_path, "harbour", measured_objects())


def measured_objects() -> list[dict[str, Any]]:
    """Four nodes, two of which a budget blocks, of two types."""
    found = objects()
    for each in found:
        if each["kind"] == "Node":
            size = "large" if each["metadata"]["name"] == "n1" else "small"
            each["metadata"]["labels"]["node.kubernetes.io/instance-type"] = size
    return found


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Take what would be sent to a worker; nobody works in these tests."""
    tasks: list[tuple[Any, ...]] = []
    monkeypatch.setattr(app, "send_task", lambda name, args: tasks.append((name, *args)))
    return tasks


def plan(cluster: Cluster, choice: DrainChoice, **wanted: Any) -> PlannedDrain:
    found = plan_of(cluster=cluster, choice=choice, **wanted)
    assert isinstance(found, PlannedDrain)
    return found


def test_nodes_are_chosen_by_name_or_by_all_that_is_given(harbour: Cluster) -> None:
    found = drains_of(cluster=harbour)
    first = next(iter(found.nodes.values()))

    named = DrainChoice(nodes=(first.name, "gone")).chosen(found)
    in_zone = DrainChoice(zone=first.zone).chosen(found)
    in_both = DrainChoice(zone=first.zone, instance_type=first.instance_type).chosen(found)

    assert named == [first]
    assert {node.zone for node in in_zone} == {first.zone}
    assert {(node.zone, node.instance_type) for node in in_both} == {(first.zone, first.instance_type)}
    assert DrainChoice().chosen(found) == []
    assert sum(node.drain.evicted + node.drain.staying for node in found.nodes.values()) == int(
        found.snapshot.nodes.pod_count.sum()
    )


def _set_up(step: int) -> tuple[dict[str, Any], ...]:
    """What a step puts: pods come, move and finish, a node joins, and a budget blocks one of them."""
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "shop", "uid": "budget"},
        "spec": {"minAvailable": step, "selector": {"matchLabels": {"app": "web"}}},
    }
    return (
        (small_node("n1", "a"), small_node("n2", "b"), small_pod("web", nodeName="n1"), small_pod("alone", app="x")),
        (small_pod("more", nodeName="n2"), small_pod("alone", app="x", nodeName="n2")),
        (budget, small_pod("moved", nodeName="n2")),
        (small_node("n3", "a"), small_pod("web", nodeName="n1", status={"phase": "Succeeded"})),
    )[step]


@pytest.mark.parametrize("most", [0, 500], ids=["no room sought", "room sought"])
def test_drains_are_brought_forward_to_what_they_are_when_all_are_found_anew(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(drains, "MOST_ROOM_SOUGHT", most)
    owned = {"ownerReferences": [{"kind": "ReplicaSet", "name": "web", "uid": "rs", "controller": True}]}
    cluster, lease = followed_cluster()
    for step in range(4):
        put = _set_up(step)
        for each in put:
            if each["kind"] == "Pod" and each["metadata"]["name"] != "alone":
                each["metadata"] |= owned
        apply(lease, put=put)
        cluster = Cluster.objects.get(pk=cluster.pk)
        found = drains_of(cluster=cluster)
        for cache in (drains._drainable, drains._drains_latest):
            cache.clear()
        assert drains_of(cluster=cluster) == found
        assert sum(found.outlooks.values()) == len(found.nodes)


def test_plan_is_kept_as_it_was_made(harbour: Cluster) -> None:
    choice = DrainChoice(
        zone=next(iter(drains_of(cluster=harbour).nodes.values())).zone, options=DrainOptions(force=True)
    )

    made = plan(harbour, choice)

    assert made.plan is not None
    assert made.plan.batches
    assert made.plan.blocked
    kept = known(QUESTION.last(harbour, choice.text))
    assert (kept.revision, kept.answers) == (made.revision, {b"": made})


def _put(key: str, text: bytes, client: Redis) -> object:
    return client.set(key, text)


def test_plan_that_another_version_kept_otherwise_is_made_anew(harbour: Cluster) -> None:
    choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes)[:1])
    made = plan(harbour, choice)
    key = QUESTION.key(harbour, choice.text)
    for other in (zlib.compress(msgspec.json.encode(made)), packed_values([made.revision]), b"{}"):
        shared_redis.ask(partial(_put, _kept(key), other))
        assert find(key) is None
        assert plan(harbour, choice) == made


def test_plan_of_an_earlier_state_is_shown_only_to_who_asks_for_it(harbour: Cluster, tmp_path: Path) -> None:
    choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes)[:2])
    old = plan(harbour, choice)
    load(tmp_path, "harbour", [each for each in measured_objects() if each["kind"] != "PodDisruptionBudget"])
    harbour.refresh_from_db()
    assert harbour.revision > old.revision

    assert plan(harbour, choice, as_of=old.revision) == old
    assert plan(harbour, choice).revision == harbour.revision


def test_a_plan_that_is_too_large_is_not_kept_and_told_as_such(
    harbour: Cluster, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "MOST_BYTES", 10)
    choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes)[:1])
    assert plan(harbour, choice) == plan(harbour, choice)
    assert QUESTION.last(harbour, choice.text) is None, "what is short is made anew"

    monkeypatch.setattr(drains, "MOST_AT_ONCE", 0)
    choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes))
    assert plan_of(cluster=harbour, choice=choice) == Progress(0, 4)
    finish(cluster_id=harbour.pk, question="drain", subject=(choice.text,))
    caught = error_of(TooManyError, plan_of, cluster=harbour, choice=choice)
    assert caught.problem == LargeResult()
    kept = known(QUESTION.last(harbour, choice.text))
    assert not kept.answers
    assert plan_of(cluster=harbour, choice=choice, again=kept.revision) == Progress(0, 4)
    end(QUESTION.key(harbour, choice.text))


EVENT = {
    "apiVersion": "v1",
    "kind": "Event",
    "metadata": {"namespace": "shop", "name": "web.1", "uid": "event-1"},
    "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web", "uid": "web"},
    "reason": "Pulled",
}


@pytest.mark.parametrize("most_at_once", [500, 0], ids=["short", "long"])
def test_a_plan_is_of_the_present_state_while_only_events_come(
    monkeypatch: pytest.MonkeyPatch, sent: list[tuple[Any, ...]], most_at_once: int
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", most_at_once)
    cluster, lease = followed_cluster()
    apply(lease, put=(small_node("n1", "a"), small_node("n2", "b"), small_pod("web", nodeName="n1")))
    choice = DrainChoice(nodes=("n1",))
    plan_of(cluster=cluster, choice=choice)
    finish(cluster_id=cluster.pk, question="drain", subject=(choice.text,))
    sent.clear()
    old = plan(cluster, choice)

    apply(lease, put=(EVENT,))
    cluster.refresh_from_db()
    assert cluster.revision > old.revision
    present = replace(old, revision=cluster.revision)
    assert plan(cluster, choice) == present
    assert plan(cluster, choice, as_of=old.revision) == present
    assert not sent

    # What is not wanted any more is not what the next one is.
    plan_of(cluster=cluster, choice=choice, again=old.revision)
    finish(cluster_id=cluster.pk, question="drain", subject=(choice.text,))
    assert plan(cluster, choice) == present
    kept = known(QUESTION.last(cluster, choice.text))
    assert kept.revision == cluster.revision

    apply(lease, put=(small_pod("more", nodeName="n2"),))
    assert plan(cluster, choice, as_of=old.revision) == present, "equal to the one that is asked for"


def test_long_plan_is_made_by_a_worker_once(
    harbour: Cluster, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes), options=DrainOptions(at_a_time=3))

    assert plan_of(cluster=harbour, choice=choice) == Progress(0, 4)
    assert plan_of(cluster=harbour, choice=choice) == Progress(0, 4)
    assert sent == [("clusters.tasks.evaluate", harbour.pk, "drain", [choice.text])]

    finish(cluster_id=harbour.pk, question="drain", subject=(choice.text,))
    made = plan(harbour, choice)
    assert made.plan is not None
    assert len(made.plan.nodes) == 4
    assert plan(harbour, choice) == made
    assert plan_of(cluster=harbour, choice=choice, again=made.revision) == Progress(0, 4)
    assert len(sent) == 2
    end(QUESTION.key(harbour, choice.text))


def test_second_worker_leaves_a_plan_of_the_present_state_alone(harbour: Cluster) -> None:
    choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes)[:1])
    made = plan(harbour, choice)
    key = QUESTION.key(harbour, choice.text)
    told = PlannedDrain(made.revision, made.plan, {**made.workloads, "told": "before"})
    keep(key, Evaluation(made.revision, timezone.now(), {b"": told}, is_long=True))
    tell(key, Progress(0, 1))

    finish(cluster_id=harbour.pk, question="drain", subject=(choice.text,))

    kept = known(QUESTION.last(harbour, choice.text))
    assert kept.answers == {b"": told}
    assert progress_of(key) is None


@pytest.mark.parametrize("is_held", [False, True])
def test_a_cluster_that_changes_at_every_look_is_read_while_nothing_is_committed(
    monkeypatch: pytest.MonkeyPatch, *, is_held: bool
) -> None:
    cluster, lease = followed_cluster()
    cluster.is_held = is_held
    apply(lease, put=(small_node("n1", "a"), small_node("n2", "b"), small_pod("web", nodeName="n1")))
    read = drains._case
    looks: list[bool] = []

    def changed_before(*about: Any) -> DrainCase:
        looks.append(is_locked := bool(connection.savepoint_ids))
        if not is_locked:
            apply(lease, put=(small_pod(f"more-{len(looks)}", nodeName="n2"),))
        return read(*about)

    monkeypatch.setattr(drains, "_case", changed_before)
    made = plan(cluster, DrainChoice(nodes=("n1",)))

    assert looks == [False] * 5 + [True]
    assert made.revision == Cluster.objects.get(pk=cluster.pk).revision
    assert tuple(made.plan.nodes) == ("n1",)


def test_too_many_evictions_are_refused(harbour: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drains, "MOST_EVICTIONS", 5)

    with pytest.raises(TooManyError):
        plan_of(cluster=harbour, choice=DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes)))


def test_without_redis_short_plans_are_made_and_long_ones_refused(
    harbour: Cluster, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    shared_redis.forget_silence()
    try:
        choice = DrainChoice(nodes=tuple(drains_of(cluster=harbour).nodes)[:1])
        assert plan(harbour, choice).plan is not None
        monkeypatch.setattr(drains, "MOST_AT_ONCE", 0)
        with pytest.raises(WorkersAwayError):
            plan_of(cluster=harbour, choice=replace(choice, nodes=tuple(drains_of(cluster=harbour).nodes)))
    finally:
        shared_redis.forget_silence()
