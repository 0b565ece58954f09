"""A real watcher process against an API server that misbehaves: afterwards the mirror is what the server holds."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction
from django.utils import timezone
from redis import ConnectionError as RedisConnectionError, Redis

from clusters.documents.stored_problems import problem_of_text
from clusters.models import Cluster, Node, Pod, WatchedKind, WatchLease
from clusters.problems.live import MayNotList, NoAnswer
from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.clusters.dumps import node, pod
from tests.support.waiting import wait_until
from tests.support.watching import (
    end,
    live_cluster,
    mirrored,
    served,
    start_watcher,
    wait_until_equal,
    wait_until_followed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.fake_apiserver import FakeApiServer, Object

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

# The machine may have more to do than this test.
PATIENCE = 60


@pytest.fixture
def start(redis_url: str) -> Iterator[Callable[..., Child]]:
    """Return what starts a watcher; whatever runs at the end is stopped, and must have nothing to complain about."""
    children: list[Child] = []

    def start_one(cluster: Cluster, *, redis_url: str = f"{redis_url}?db=2") -> Child:
        children.append(start_watcher(cluster, redis_url=redis_url))
        return children[-1]

    yield start_one
    for child in children:
        child.stop(grace=10)


@pytest.fixture
def cluster(api_server: FakeApiServer, tmp_path: Path) -> Cluster:
    api_server.put(*(node(f"n{number}") for number in range(20)))
    api_server.put(*(pod(f"p{number}", on=f"n{number % 20}") for number in range(700)))
    return live_cluster(api_server, tmp_path)


@pytest.fixture
def followed(cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child]) -> Cluster:
    """Return a cluster that a watcher has caught up with."""
    start(cluster)
    wait_until_followed(cluster, seconds=PATIENCE)
    wait_until_equal(cluster, api_server, seconds=PATIENCE)
    return cluster


def state_of(kind: str) -> WatchedKind:
    return WatchedKind.objects.get(kind=kind)


def wait_for_state(kind: str, state: WatchedKind.State) -> None:
    wait_until(
        lambda: WatchedKind.objects.filter(kind=kind, state=state).exists(),
        seconds=PATIENCE,
        otherwise=f"{kind} is not {state}",
    )


def service(name: str) -> Object:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": "shop"}, "spec": {}}


def test_a_new_watcher_does_not_call_old_state_live(
    cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child]
) -> None:
    """It finds the API server gone, and says so since when that was last heard."""
    child = start(cluster)
    wait_until_followed(cluster, seconds=PATIENCE)
    assert end(child) == 0
    heard = state_of("Pod").last_contact_at
    api_server.stop()

    start(cluster)
    wait_for_state("Pod", WatchedKind.State.SILENT)
    assert state_of("Pod").last_contact_at == heard


def test_a_change_is_mirrored_at_once_by_reading_alone(followed: Cluster, api_server: FakeApiServer) -> None:
    revision = Cluster.objects.get().revision
    began = time.monotonic()
    api_server.put(pod("new", on="n1"))
    api_server.delete("Pod", "p1", "shop")
    wait_until_equal(followed, api_server, seconds=PATIENCE)

    assert time.monotonic() - began < 15
    followed.refresh_from_db()
    assert followed.revision in (revision + 1, revision + 2)
    assert followed.kube_version == "v1.34.1"
    assert state_of("Pod").objects_count == 700
    assert state_of("Pod").last_event_at is not None

    # Another name does not disturb the watcher.
    Cluster.objects.update(name="renamed")
    api_server.put(pod("after"))
    wait_until_equal(followed, api_server, seconds=PATIENCE)

    assert {method for method, _, _ in api_server.requests} == {"GET"}
    watches = [query for _, _, query in api_server.requests if query.get("watch")]
    assert all(query["allowWatchBookmarks"] == "true" and query["timeoutSeconds"] for query in watches)


def test_stopping_is_clean_and_gives_the_lease_back(
    cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child]
) -> None:
    child = start(cluster)
    wait_until_followed(cluster, seconds=PATIENCE)
    api_server.put(pod("last-minute"))

    assert end(child) == 0
    assert WatchLease.objects.get().expires_at <= timezone.now()


def test_api_server_killed_and_restarted(followed: Cluster, api_server: FakeApiServer) -> None:
    api_server.stop()
    api_server.delete("Pod", "p2", "shop")
    api_server.put(pod("while-away"))
    wait_for_state("Pod", WatchedKind.State.SILENT)
    silent = state_of("Pod")
    assert isinstance(problem_of_text(silent.problem), NoAnswer)
    assert silent.last_contact_at is not None
    assert silent.last_contact_at <= silent.state_since
    lists = len([path for _, path, query in api_server.requests if path == "/api/v1/pods" and "limit" in query])

    api_server.start()
    wait_until_equal(followed, api_server, seconds=PATIENCE)
    wait_until_followed(followed, seconds=PATIENCE)

    # Resumed, not listed anew.
    assert lists == len([path for _, path, query in api_server.requests if path == "/api/v1/pods" and "limit" in query])
    assert state_of("Pod").problem == ""


def test_compaction_while_away_means_listing_anew(followed: Cluster, api_server: FakeApiServer) -> None:
    api_server.stop()
    api_server.delete("Pod", "p3", "shop")
    api_server.put(pod("while-away"), pod("p4", on="n7"))
    api_server.compact()
    api_server.start()

    wait_until_equal(followed, api_server, seconds=PATIENCE)
    wait_until_followed(followed, seconds=PATIENCE)
    assert state_of("Pod").objects_count == 700


def test_compaction_during_a_watch_means_listing_anew(followed: Cluster, api_server: FakeApiServer) -> None:
    for number in range(5):
        api_server.put(pod(f"before-{number}"))
        api_server.delete("Pod", f"p{number}", "shop")
        api_server.compact()
        api_server.put(pod(f"after-{number}"))
        time.sleep(0.2)

    wait_until_equal(followed, api_server, seconds=PATIENCE)


def test_connections_that_break_all_the_time(followed: Cluster, api_server: FakeApiServer) -> None:
    api_server.piece_bytes = 100
    for number in range(20):
        api_server.put(pod(f"new-{number}", on="n1"))
        api_server.delete("Pod", f"p{number}", "shop")
        if not number % 5:
            api_server.drop_connections()
        time.sleep(0.1)
    api_server.piece_bytes = 0

    wait_until_equal(followed, api_server, seconds=PATIENCE)


def test_forbidden_and_unserved_kinds_suffer_alone(
    cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child]
) -> None:
    api_server.forbidden.add("Service")
    # Kubernetes 1.32: it has slices, and no rules that taint devices.
    api_server.served["resource.k8s.io"] = {"v1beta1"}
    api_server.put(service("web"))
    start(cluster)
    wait_for_state("Service", WatchedKind.State.FORBIDDEN)
    wait_for_state("Pod", WatchedKind.State.OK)
    since = state_of("Service").state_since
    wait_for_state("ResourceSlice", WatchedKind.State.OK)
    wait_for_state("DeviceTaintRule", WatchedKind.State.UNSERVED)

    assert state_of("ResourceSlice").api_version == "resource.k8s.io/v1beta1"
    assert isinstance(problem_of_text(state_of("Service").problem), MayNotList)
    assert [gap["kind"] for gap in Cluster.objects.get().gaps] == ["Service"]
    assert Pod.objects.count() == 700
    time.sleep(1)
    assert state_of("Service").state_since == since


def test_an_expired_token_is_said_and_a_renewed_one_found(
    followed: Cluster, api_server: FakeApiServer, tmp_path: Path
) -> None:
    api_server.token = "renewed"
    api_server.drop_connections()
    api_server.put(pod("unseen"))
    wait_until(
        lambda: "UnknownCredentials" in state_of("Pod").problem, seconds=PATIENCE, otherwise="no word of the token"
    )

    api_server.kubeconfig(tmp_path / "kubeconfig", token="renewed")

    wait_until_equal(followed, api_server, seconds=PATIENCE)
    wait_until_followed(followed, seconds=PATIENCE)


def test_a_second_watcher_waits_and_takes_over(
    followed: Cluster, api_server: FakeApiServer, start: Callable[..., Child]
) -> None:
    first = WatchLease.objects.get()
    second = start(followed)
    wait_until(lambda: says(second, "Standing by"), seconds=PATIENCE, otherwise="it does not stand by")
    assert WatchLease.objects.get().token == first.token
    os.kill(int(first.holder.split("process ")[1].split(",")[0]), signal.SIGKILL)
    # What a watcher that was killed had prolonged would last for seconds yet.
    WatchLease.objects.update(expires_at=timezone.now())

    wait_until(lambda: WatchLease.objects.get().token > first.token, seconds=PATIENCE, otherwise="nobody took over")
    api_server.put(pod("for-the-second"))
    wait_until_equal(followed, api_server, seconds=PATIENCE)


def test_watcher_killed_while_it_writes(
    cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child]
) -> None:
    """Time and again, at moments that nobody chose; whatever half was on its way is gone, and the next one lists."""
    for attempt in range(4):
        child = start(cluster)
        wait_until(
            lambda: (
                WatchLease.objects.filter(cluster=cluster, heartbeat_at__gte=timezone.now()).exists()
                or WatchedKind.objects.filter(kind="Pod").exists()
            ),
            seconds=PATIENCE,
            otherwise="the watcher does not begin",
        )
        for number in range(30):
            api_server.put(pod(f"storm-{attempt}-{number}", on="n1"))
            api_server.delete("Pod", f"p{attempt * 30 + number}", "shop")
            time.sleep(0.01)
        child.kill()
        child.process.wait()
        WatchLease.objects.update(expires_at=timezone.now())

    start(cluster)
    wait_until_equal(cluster, api_server, seconds=PATIENCE)


def test_deleting_the_cluster_ends_its_watcher(
    cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child]
) -> None:
    child = start(cluster)
    wait_until_followed(cluster, seconds=PATIENCE)
    cluster.delete()

    assert child.process.wait(timeout=PATIENCE) == 0
    assert not Node.objects.exists()


def test_database_locked_for_seconds(followed: Cluster, api_server: FakeApiServer) -> None:
    with transaction.atomic():
        # Locks the whole of SQLite, and in PostgreSQL the row that every batch begins with.
        Cluster.objects.update(kube_version="held")
        for number in range(40):
            api_server.put(pod(f"meanwhile-{number}"))
            time.sleep(0.1)
        api_server.delete("Pod", "meanwhile-3", "shop")
        assert not Pod.objects.filter(name__startswith="meanwhile").exists()
    wait_until_equal(followed, api_server, seconds=PATIENCE)

    assert Cluster.objects.get().revision < 40, "the batches did not grow"


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no connections to cut")
def test_database_cuts_every_connection(followed: Cluster, api_server: FakeApiServer) -> None:
    """As a restart of PostgreSQL does, again and again."""
    for number in range(20):
        api_server.put(pod(f"new-{number}"))
        api_server.delete("Pod", f"p{number}", "shop")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        time.sleep(0.2)

    wait_until_equal(followed, api_server, seconds=PATIENCE)


def test_redis_killed_and_restarted(
    cluster: Cluster, api_server: FakeApiServer, start: Callable[..., Child], tmp_path: Path
) -> None:
    """Notices are lost meanwhile; the mirror does not depend on them, and they are sent again by themselves."""
    socket = tmp_path / "redis.sock"
    command = processes.command(processes.find(), socket=socket)
    redis = Child("redis", command, env=os.environ, cwd=tmp_path, echo=False)
    wait_until(socket.exists, seconds=10, otherwise="Redis is unavailable")
    watcher = start(cluster, redis_url=f"unix://{socket}")
    wait_until_followed(cluster, seconds=PATIENCE)

    redis.kill()
    redis.stop(grace=1)
    api_server.put(pod("without"))
    wait_until_equal(cluster, api_server, seconds=PATIENCE)
    wait_until(lambda: says(watcher, "are not told"), seconds=PATIENCE, otherwise="it does not say so")

    redis = Child("redis", command, env=os.environ, cwd=tmp_path, echo=False)
    wait_until(lambda: notices_heard(socket, api_server), seconds=PATIENCE, otherwise="nothing is announced")
    assert says(watcher, "told of changes again")
    wait_until_equal(cluster, api_server, seconds=PATIENCE)
    redis.stop(grace=5)


def says(child: Child, words: str) -> bool:
    return any(words in line for line in child._tail)


def notices_heard(socket: Path, api_server: FakeApiServer) -> bool:
    """Change something and tell whether Redis was used for it."""
    with closing(Redis(unix_socket_path=str(socket))) as client:
        try:
            before = client.info("stats")["total_commands_processed"]
            api_server.put(pod(f"with-{before}"))
            time.sleep(0.5)
            # More than the look itself.
            return bool(client.info("stats")["total_commands_processed"] > before + 1)
        except RedisConnectionError:
            return False


def test_five_hundred_changes_a_second_are_all_mirrored(followed: Cluster, api_server: FakeApiServer) -> None:
    changes = 5_000
    stop = threading.Event()
    lags: list[int] = []

    def look() -> None:
        try:
            while not stop.wait(0.5):
                lags.append(WatchLease.objects.get().lag_ms)
        finally:
            connection.close()

    looking = threading.Thread(target=look)
    looking.start()
    began = time.monotonic()
    for number in range(changes):
        api_server.put(pod(f"p{number % 3000}", on=f"n{number % 17}"))
        if ahead := began + number / 500 - time.monotonic():
            time.sleep(max(0.0, ahead))
    seconds = time.monotonic() - began
    stop.set()
    looking.join()
    wait_until_equal(followed, api_server, seconds=PATIENCE)

    print(f"{changes / seconds:.0f} changes/s, lag {min(lags)} to {max(lags)} ms")
    assert seconds < 40
    assert mirrored(followed) == served(api_server)
    assert Pod.objects.count() == 3000
