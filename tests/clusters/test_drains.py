"""Plans of drains from the mirror: what is chosen, what is kept, and what a worker makes."""

from __future__ import annotations

import zlib
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from celery import current_app

from clusters.adapters import shared_redis
from clusters.demo import demo_objects
from clusters.documents.frozen_values import packed_values
from clusters.engine.disruption.drain import DrainOptions
from clusters.engine.problems import Missing
from clusters.problems.answers import ChangingTooFast, LongPlan
from clusters.services.disruption import drain_store as store
from clusters.services.disruption import drains
from clusters.services.disruption.drain_store import Progress, StoreAwayError, StoredPlan
from clusters.services.disruption.drains import DrainChoice, TooManyError, drains_of, make_plan, plan_key, plan_of
from tests.support.mirrored import load, load_demo

if TYPE_CHECKING:
    from pathlib import Path

    from redis import Redis

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(tmp_path: Path) -> Cluster:
    return load_demo(tmp_path, "demo-drains")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Take what would be sent to a worker; nobody works in these tests."""
    tasks: list[tuple[Any, ...]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: tasks.append((name, *args)))
    return tasks


def plan(cluster: Cluster, choice: DrainChoice, **wanted: Any) -> StoredPlan:
    found = plan_of(cluster=cluster, choice=choice, **wanted)
    assert isinstance(found, StoredPlan)
    return found


def test_nodes_are_chosen_by_name_or_by_all_that_is_given(demo: Cluster) -> None:
    found = drains_of(cluster=demo)
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


def test_plan_is_kept_as_it_was_made(demo: Cluster) -> None:
    choice = DrainChoice(zone=next(iter(drains_of(cluster=demo).nodes.values())).zone, options=DrainOptions(force=True))

    made = plan(demo, choice)

    assert made.plan is not None
    assert made.plan.batches
    assert made.plan.blocked
    assert store.find(plan_key(demo, choice)) == made


def _put(key: str, text: bytes, client: Redis) -> object:
    return client.set(key, text)


def test_plan_that_another_version_kept_otherwise_is_made_anew(demo: Cluster) -> None:
    choice = DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes)[:1])
    made = plan(demo, choice)
    key = plan_key(demo, choice)
    for other in (zlib.compress(orjson.dumps(asdict(made))), packed_values([made.revision]), b"{}"):
        shared_redis.ask(partial(_put, store._plan(key), other))
        assert store.find(key) is None
        assert plan(demo, choice) == made


def test_plan_of_an_earlier_state_is_shown_only_to_who_asks_for_it(demo: Cluster, tmp_path: Path) -> None:
    objects = list(demo_objects())
    choice = DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes)[:2])
    old = plan(demo, choice)
    load(tmp_path, "demo-drains", [each for each in objects if each["kind"] != "PodDisruptionBudget"])
    demo.refresh_from_db()
    assert demo.revision > old.revision

    assert plan(demo, choice, as_of=old.revision) == old
    assert plan(demo, choice).revision == demo.revision


def test_long_plan_is_made_by_a_worker_once(
    demo: Cluster, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    choice = DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes), options=DrainOptions(at_a_time=3))

    assert plan_of(cluster=demo, choice=choice) == Progress(0, 60)
    assert plan_of(cluster=demo, choice=choice) == Progress(0, 60)
    assert sent == [("clusters.tasks.plan_drain", demo.pk, asdict(choice), plan_key(demo, choice))]

    make_plan(cluster_id=demo.pk, choice=sent[0][2], key=sent[0][3])
    made = plan(demo, choice)
    assert made.plan is not None
    assert len(made.plan.nodes) == 60
    assert plan(demo, choice) == made
    assert plan_of(cluster=demo, choice=choice, again=made.revision) == Progress(0, 60)
    assert len(sent) == 2
    store.give_up(plan_key(demo, choice))


def test_second_worker_leaves_a_plan_of_the_present_state_alone(demo: Cluster) -> None:
    choice = DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes)[:1])
    kept = StoredPlan(demo.revision, None, ChangingTooFast("demo", 5))
    store.keep(plan_key(demo, choice), kept)
    store.tell(plan_key(demo, choice), Progress(0, 1))

    make_plan(cluster_id=demo.pk, choice=asdict(choice), key=plan_key(demo, choice))

    assert store.find(plan_key(demo, choice)) == kept
    assert store.progress_of(plan_key(demo, choice)) is None


def test_worker_says_what_keeps_it_from_planning(demo: Cluster) -> None:
    demo.scheduler_configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "profiles": "none"}
    demo.save()
    choice = DrainChoice(nodes=("x",))

    make_plan(cluster_id=demo.pk, choice=asdict(choice), key="spoilt")

    kept = store.find("spoilt")
    assert kept is not None
    assert kept.plan is None
    assert (kept.field, kept.problem) == ("kind", Missing(("KubeSchedulerConfiguration",)))


def test_too_many_evictions_are_refused(demo: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drains, "MOST_EVICTIONS", 5)

    with pytest.raises(TooManyError):
        plan_of(cluster=demo, choice=DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes)))


def test_without_redis_short_plans_are_made_and_long_ones_refused(
    demo: Cluster, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    shared_redis.forget_silence()
    try:
        choice = DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes)[:1])
        assert plan(demo, choice).plan is not None
        monkeypatch.setattr(drains, "MOST_AT_ONCE", 0)
        with pytest.raises(StoreAwayError):
            plan_of(cluster=demo, choice=replace(choice, nodes=tuple(drains_of(cluster=demo).nodes)))
    finally:
        shared_redis.forget_silence()


def test_plan_too_long_to_be_kept_says_so(demo: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 10)
    choice = DrainChoice(nodes=tuple(drains_of(cluster=demo).nodes)[:1])

    plan_of(cluster=demo, choice=choice)

    kept = store.find(plan_key(demo, choice))
    assert kept is not None
    assert kept.problem == LongPlan()
