"""What takes too long for a page: it says "at least", a worker evaluates the rest, and then all say the same number."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from celery import current_app
from django.utils import timezone

from clusters import tasks
from clusters.adapters import shared_redis
from clusters.engine.analysis.causes import Kind
from clusters.services import disruption as drains, evaluation as questions, evaluation as store
from clusters.services.mirror.snapshots import forget_snapshots
from clusters.services.pending.pods import pending_of
from clusters.services.pending.queue import preemptors_of
from clusters.services.reports.sections.history import pending as pending_section
from clusters.services.reports.subject import subject_of_cluster
from clusters.signals import snapshot_ready
from dashboard.live.rendering import render
from dashboard.live.topics import topic_of
from tests.clusters.live_batches import apply, followed_cluster
from tests.clusters.test_workloads import deployed, made, zones
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster
    from clusters.services.evaluation import Progress

pytestmark = pytest.mark.django_db

Task = tuple[int, str, list[str]]


@pytest.fixture
def demo(tmp_path: Path) -> Cluster:
    """Two nodes, a pod on one of them, and pods that wait: too large, fitting, and of another scheduler."""
    web = made(pod("web-0", nodeName="general-a-01"), "StatefulSet", "web")
    waiting = [pod("large", cpu="9"), pod("larger", cpu="99"), pod("fits"), pod("foreign", schedulerName="other")]
    return load(tmp_path, "demo", [node("general-a-01", "a"), node("general-a-02", "b"), web, *waiting])


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """Give pages no time, and return what they ask workers."""
    asked: list[Task] = []
    monkeypatch.setattr(questions, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(current_app, "send_task", lambda _, args: asked.append(args))
    return asked


def work(asked: list[Task]) -> list[dict[str, Any]]:
    """Do what workers were asked, in a process that knows nothing yet; return what open pages hear of."""
    heard: list[dict[str, Any]] = []

    def hear(sender: object, **news: Any) -> None:
        heard.append(news)

    snapshot_ready.connect(hear)
    forget_snapshots()
    for args in asked:
        tasks.evaluate.run(*args)
    forget_snapshots()
    snapshot_ready.disconnect(hear)
    return heard


def unschedulable(cluster: Cluster) -> int:
    return sum(len(group.pods) for group in pending_of(cluster=cluster).groups.values() if group.is_unschedulable)


def test_a_page_without_time_says_at_least_until_a_worker_is_done(
    demo: Cluster, signed_in_client: Client, sent: list[Task]
) -> None:
    groups = pending_of(cluster=demo).groups.values()
    total, left = (
        sum(len(group.pods) for group in groups if group.cause.kind not in others)
        for others in ((), (Kind.OTHER_SCHEDULER,))
    )
    forget_snapshots()

    overview = text(signed_in_client, "/clusters/demo/")
    assert f"at least 0 of {total} pending pods need a change" in overview
    assert f"{left} pods are still being evaluated." in overview
    assert "Most effective change" not in overview
    listed = text(signed_in_client, "/clusters/demo/pending/")
    assert f"{total} pods are pending" in listed
    assert f"{left} pods pending: still being evaluated" in listed
    assert "A worker evaluates these pods" in listed
    queued = text(signed_in_client, "/clusters/demo/pending/queue/")
    assert f"Still being evaluated {left}" in queued
    assert "Active at least 0" in queued
    assert sent == [(demo.pk, "pending", [])], "a worker is asked once"

    (news,) = work(sent)
    assert (news["cluster_id"], news["changed"], news["kinds"]) == (demo.pk, False, ("Evaluation",))
    found = unschedulable(demo)
    forget_snapshots()
    assert f"{found} of {total} pending pods need a change" in text(signed_in_client, "/clusters/demo/")
    for address in ("", "pending/", "pending/queue/"):
        said = text(signed_in_client, f"/clusters/demo/{address}")
        assert "still being evaluated." not in said, address
        assert f"still being evaluated ({left})" not in said, address
        assert f"Still being evaluated: {left}" not in said, address
        assert "at least 0" not in said, address
    subject = subject_of_cluster(demo)
    review = pending_section(subject, subject.as_of, subject.as_of)
    causes = {each["cause"]["kind"] for each in review["tables"][0]["rows"]}
    assert "evaluating" not in causes
    assert review["facts"]["pending"] == total
    assert len(sent) == 1, "nobody asks again for what is kept"


@pytest.mark.parametrize(
    ("part", "page"),
    [
        ("overview.pending", ""),
        ("overview.map", "?lens=pending"),
        ("pods.list", "pods/"),
        ("workload.body", "workloads/Pod/shop/large/"),
    ],
)
def test_an_open_page_gets_the_result(
    demo: Cluster, signed_in_client: Client, sent: list[Task], part: str, page: str
) -> None:
    topic = topic_of(part, demo.pk, f"/clusters/demo/{page}")
    assert f'data-live="{part}"' in signed_in_client.get(f"/clusters/demo/{page}").text
    assert "still being evaluated" in render(topic).html
    assert topic.part.is_concerned_by([questions.NOTICE])

    work(sent)

    assert "still being evaluated" not in render(topic).html
    assert "insufficient CPU" in render(topic).html


def test_preemption_and_candidates_say_at_least_too(tmp_path: Path, signed_in_client: Client, sent: list[Task]) -> None:
    low = [pod(f"low-{number}", cpu="2", nodeName="n1") for number in range(2)]
    urgent = pod("urgent", cpu="3", priority=1000)
    cluster = load(tmp_path, "prod", [node("n1", "a"), *low, urgent])
    signed_in_client.get("/clusters/prod/")

    pages = {
        "pending/preemption/": "1 pod is still being evaluated.",
        "pods/shop/low-0/removal/": "None so far would preempt this pod. 1 pod is still",
        "nodes/n1/pending/": "At least 0 of 1 pending pods fit on n1 now, evaluated independently. 1 pod is still",
    }
    for address, said in pages.items():
        assert said in text(signed_in_client, f"/clusters/prod/{address}")
        assert "data-live=" in signed_in_client.get(f"/clusters/prod/{address}").text
    answer = signed_in_client.get("/api/v1/clusters/prod/preemption").json()
    assert (answer["evaluating"], answer["preemptors"][0]["outcome"]) == (1, "evaluating")
    assert sorted(question for _, question, _ in sent) == ["node-candidates", "pending", "preemptors"]

    work(sent)

    for address in pages:
        assert "still being evaluated" not in text(signed_in_client, f"/clusters/prod/{address}")
    assert "Preempting pods 1" in text(signed_in_client, "/clusters/prod/pending/preemption/")
    answer = signed_in_client.get("/api/v1/clusters/prod/preemption").json()
    assert (answer["evaluating"], answer["preemptors"][0]["outcome"]) == (0, "makes-room")
    assert not preemptors_of(cluster=cluster).evaluating


def test_the_drain_preview_follows_the_worker_and_says_when_its_plan_is_old(
    demo: Cluster, signed_in_client: Client, sent: list[Task], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 0)
    address, now = "/clusters/demo/nodes/general-a-01/", "Answers to evictions"
    assert "A worker plans this drain" in text(signed_in_client, f"{address}drain/")
    assert 'data-live="node.drain"' in signed_in_client.get(f"{address}drain/").text
    topic = topic_of("node.drain", demo.pk, address)
    assert "A worker plans this drain" in render(topic).html
    assert topic.part.is_concerned_by([questions.NOTICE])

    work(sent)

    assert now in render(topic).html
    assert "the cluster has changed since" not in render(topic).html

    type(demo).objects.filter(pk=demo.pk).update(revision=demo.revision + 1)

    said = text(signed_in_client, f"{address}drain/")
    assert f"As of revision {demo.revision}; the cluster has changed since. Plan again" in said
    assert "as the cluster is now" not in said
    again = f"/clusters/demo/drain/?node=general-a-01&again={demo.revision}"
    assert again.replace("&", "&amp;") in signed_in_client.get(f"{address}drain/").text
    assert signed_in_client.get(again).status_code == 302
    assert len(sent) == 2

    questions.end(drains.QUESTION.key(demo, drains.DrainChoice(nodes=("general-a-01",)).text))
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    shared_redis.forget_silence()
    try:
        assert "Start Redis" in render(topic).html
    finally:
        shared_redis.forget_silence()


def test_without_a_worker_each_page_finds_out_a_little_more(
    demo: Cluster, signed_in_client: Client, sent: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in_client.get("/clusters/demo/pending/")
    monkeypatch.setattr(questions, "MOST_SECONDS", 600.0)
    assert "still being evaluated" in text(signed_in_client, "/clusters/demo/pending/"), "a worker is waited for"

    # It died, and is not heard of any more.
    shared_redis.ask(lambda client: client.delete(*client.keys("berth:evaluation:asked:*")))

    assert "still being evaluated" not in text(signed_in_client, "/clusters/demo/pending/")
    assert len(sent) == 1


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Give workers a cluster that changes at each sign of life of theirs, until the event is set."""
    _, lease = followed_cluster()
    apply(lease, put=(node("n1", "a"), *(pod(f"p{number}", cpu=f"{number + 5}") for number in range(3))))
    tell = store.tell
    signs: list[str] = []

    calm = Event()

    def change(name: str, progress: Progress) -> None:
        if not calm.is_set():
            signs.append(name)
            apply(lease, put=(pod(f"later-{len(signs)}", cpu="1", nodeName="n2"), pod(f"more-{len(signs)}", cpu="9")))
        tell(name, progress)

    monkeypatch.setattr(store, "_SECONDS_BETWEEN_SIGNS", 0.0)
    monkeypatch.setattr(store, "tell", change)
    return calm


TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"


def test_a_cluster_that_changes_faster_than_it_is_evaluated_has_the_last_whole_answer_with_its_time(
    calm: Event, sent: list[Task], signed_in_client: Client
) -> None:
    assert "3 pods are still being evaluated." in text(signed_in_client, "/clusters/prod/")
    began = timezone.now()
    (news,) = work(sent)
    assert (news["changed"], news["kinds"]) == (False, (questions.NOTICE,))
    sent.clear()

    pushed = render(topic_of("overview.pending", news["cluster_id"], "/clusters/prod/")).html
    assert "6 pods are still being evaluated." in pushed
    for address in ("", "pending/", "pending/queue/"):
        said = text(signed_in_client, f"/clusters/prod/{address}")
        found = re.search(rf"At ({TIME}) all were evaluated: 3 of 3 unschedulable\.", said)
        assert found is not None, address
        assert began <= datetime.fromisoformat(found[1].removesuffix(" UTC") + "+00:00") + timedelta(seconds=1)
    assert len(sent) == 1, "a worker is asked for the later state, once"

    work(sent)
    sent.clear()
    said = text(signed_in_client, "/clusters/prod/")
    assert "6 of 6 unschedulable." in said
    assert "10 pods are still being evaluated." in said, "as many kinds, as many changes"

    calm.set()
    work(sent)
    said = text(signed_in_client, "/clusters/prod/")
    assert "10 of 10 pending pods need a change" in said
    assert "all were evaluated" not in said


def test_what_is_found_out_lasts_while_only_events_come(sent: list[Task], signed_in_client: Client) -> None:
    _, lease = followed_cluster()
    apply(lease, put=(node("n1", "a"), pod("large", cpu="9")))
    signed_in_client.get("/clusters/prod/")
    work(sent)

    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"namespace": "shop", "name": "large.1", "uid": "event-1"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "large", "uid": "large"},
        "reason": "FailedScheduling",
    }
    apply(lease, put=(event,))

    assert "1 of 1 pending pod needs a change" in text(signed_in_client, "/clusters/prod/")
    apply(lease, put=(pod("small", cpu="1"),))
    assert "2 pods are still being evaluated." in text(signed_in_client, "/clusters/prod/")


def test_more_pods_and_a_rollout_are_tried_by_a_worker(
    tmp_path: Path, signed_in_client: Client, sent: list[Task]
) -> None:
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1, "b1": 1})])
    page = "/clusters/shop/workloads/Deployment/shop/web/"
    most = {"HX-Request": "true", "HX-Target": "most"}
    begun = text(signed_in_client, f"{page}?more=4&update=1")
    assert "at least 0 of 4 fit A worker tries the others." in begun
    assert "A worker simulates the rollout." in begun
    assert "More pods by zone" not in begun
    assert 'data-live="workload.trials"' in signed_in_client.get(f"{page}?more=4&update=1").text
    said = signed_in_client.get(page, headers=most).text
    assert "Room for at least 0 more." in said
    assert 'data-live="workload.most"' in said
    subject = ["Deployment", "shop", "web"]
    assert [each[1:] for each in sent] == [("growth", subject), ("update", subject)]
    topic = topic_of("workload.trials", sent[0][0], f"{page}?more=4&update=1")
    assert topic.part.is_concerned_by([questions.NOTICE])

    work(sent)

    found = text(signed_in_client, f"{page}?more=4&update=1")
    assert "4 of 4 fit" in found
    assert "at least 0" not in found
    assert "A worker" not in found
    assert "Rounds" in found
    assert "4 of 4 fit" in render(topic).html
    placed = signed_in_client.get(page, headers=most).text
    forget_snapshots()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "MOST_SECONDS", 600.0)
        shared_redis.ask(lambda client: client.flushdb())
        assert signed_in_client.get(page, headers=most).text == placed, "as if it had been computed here"
        assert text(signed_in_client, f"{page}?more=4&update=1") == found


def test_an_earlier_answer_is_not_told_where_a_page_has_evaluated_everything(
    signed_in_client: Client, sent: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, lease = followed_cluster()
    low = [pod(f"low-{number}", cpu="2", nodeName="n1") for number in range(2)]
    apply(lease, put=(node("n1", "a"), *low, pod("urgent", cpu="3", priority=1000)))
    apply(lease, put=tuple(deployed({"n1": 1})))
    pages = (
        "",
        "pending/",
        "pending/queue/",
        "pending/preemption/",
        "pods/shop/low-0/removal/",
        "nodes/n1/pending/",
        "workloads/Deployment/shop/web/?more=4&update=1",
    )
    for address in pages:
        signed_in_client.get(f"/clusters/prod/{address}")
    work(sent)
    apply(lease, put=(pod("small", cpu="1", nodeName="n1"),))
    for address in pages:
        assert re.search(rf"At {TIME}", text(signed_in_client, f"/clusters/prod/{address}")), address

    monkeypatch.setattr(questions, "MOST_SECONDS", 600.0)
    shared_redis.ask(lambda client: client.delete(*client.keys("berth:evaluation:asked:*")))

    for address in pages:
        said = text(signed_in_client, f"/clusters/prod/{address}")
        assert re.search(r"still being evaluated\.|A worker (evaluates|tries)", said) is None, address
        assert re.search(rf"At {TIME}|The rollout below is of", said) is None, address
