"""Everything that can break between a real cluster and the mirror breaks, and afterwards the mirror is the cluster."""

from __future__ import annotations

import datetime as dt
import os
import signal
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone

from clusters.adapters.rows import OBJECTS, TABLES
from clusters.models import Cluster, Decision, Event, Pod, WatchedKind, WatchLease
from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.controlplane.api import Api, ApiError
from tests.controlplane.flood import an_event, flood
from tests.controlplane.following import PATIENCE, create_cluster, wait_until_equal
from tests.controlplane.nodes import create_node, wait_until_untainted
from tests.controlplane.test_control_plane import ZONE, budget, pod, spread_deployment, wait_for_pods
from tests.support.waiting import wait_until
from tests.support.watching import end, start_watcher, wait_until_followed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.django_db(transaction=True)]

TOWN = "town"
REPLICAS = 60
# As many as the machine comes to; how many those are is printed, and no reason to fail.
FLOOD_PER_SECOND, FLOOD_SECONDS = 500, int(os.environ.get("BERTH_TEST_FLOOD_SECONDS", "60"))


@pytest.fixture(scope="module")
def town(control_plane: ControlPlane) -> Iterator[Api]:
    """Put twenty nodes, a Deployment with a budget, and a pod that fits nowhere on the control plane."""
    api = control_plane.api
    nodes = [f"town-{number:02}" for number in range(20)]
    for number, name in enumerate(nodes):
        create_node(api, name, labels={ZONE: f"zone-{'abc'[number % 3]}"})
    wait_until_untainted(api, nodes)
    control_plane.create_namespace(TOWN)
    api.create(spread_deployment(TOWN, replicas=REPLICAS))
    api.create(budget(TOWN, min_available=5))
    wait_for_pods(api, TOWN, ready=REPLICAS)
    giant = pod(TOWN, "giant")
    giant["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "64"
    api.create(giant)
    yield api
    control_plane.delete_namespace(TOWN)
    for name in nodes:
        api.delete("v1", "Node", name)


@pytest.fixture
def cluster(town: Api, control_plane: ControlPlane) -> Cluster:
    return create_cluster(control_plane)


@pytest.fixture
def start(cluster: Cluster, redis_url: str) -> Iterator[Callable[..., Child]]:
    """Return what starts a watcher; the last one must still be there at the end, and stop when it is asked to."""
    children: list[Child] = []

    def start_one(*, redis_url: str = f"{redis_url}?db=2") -> Child:
        children.append(start_watcher(cluster, redis_url=redis_url))
        return children[-1]

    try:
        yield start_one
        assert end(children[-1]) == 0
        assert all(child.process.poll() is not None for child in children)
    finally:
        for child in children:
            child.stop(grace=1)


@pytest.fixture
def watcher(cluster: Cluster, start: Callable[..., Child], town: Api) -> Child:
    """Return a watcher that has caught up with the town."""
    child = start()
    wait_until_followed(cluster, seconds=PATIENCE)
    wait_until_equal(cluster, town)
    return child


def check(cluster: Cluster, api: Api) -> None:
    """Assert that the mirror is what the API server holds, that every kind is followed, and nothing is there twice."""
    wait_until_followed(cluster, seconds=PATIENCE)
    count = wait_until_equal(cluster, api)
    tables = (*TABLES.values(), OBJECTS)
    assert sum(table.model._default_manager.filter(cluster=cluster).count() for table in tables) == count
    decided = Decision.objects.filter(cluster=cluster).exclude(kind=Decision.Kind.UNSCHEDULABLE)
    doubled = decided.values("pod_uid", "kind").annotate(times=Count("pk")).filter(times__gt=1)
    assert list(doubled) == []
    assert WatchLease.objects.filter(cluster=cluster).count() == 1


def roll(api: Api) -> None:
    """Replace all pods of the Deployment, step by step."""
    change = {"spec": {"template": {"metadata": {"annotations": {"release": str(time.time_ns())}}}}}
    api.patch("apps/v1", "Deployment", "web", change, namespace=TOWN)


@contextmanager
def coming_and_going(api: Api, prefix: str) -> Iterator[None]:
    """Create pods, and delete every second one again, for as long as the context lasts."""
    over = threading.Event()

    def go_on() -> None:
        number = 0
        while not over.is_set():
            passing = pod(TOWN, f"{prefix}-{number}")
            api.create({**passing, "metadata": {**passing["metadata"], "labels": {"app": "passing"}}})
            if number % 2:
                api.delete("v1", "Pod", f"{prefix}-{number - 1}", namespace=TOWN, options={"gracePeriodSeconds": 0})
            number += 1
            time.sleep(0.03)

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    api.delete_all("v1", "Pod", namespace=TOWN, options={"gracePeriodSeconds": 0}, labelSelector="app=passing")


def test_api_server_killed_while_pods_are_replaced(
    cluster: Cluster, watcher: Child, control_plane: ControlPlane, town: Api
) -> None:
    roll(town)
    time.sleep(1)
    control_plane.apiserver.kill()
    wait_until(
        lambda: WatchedKind.objects.filter(kind="Pod", state=WatchedKind.State.SILENT).exists(),
        seconds=PATIENCE,
        otherwise="the silence is not noticed",
    )
    control_plane.start_apiserver()
    wait_for_pods(town, TOWN, ready=REPLICAS)
    check(cluster, town)


def test_history_compacted_while_the_watcher_is_suspended(
    cluster: Cluster, watcher: Child, control_plane: ControlPlane, town: Api
) -> None:
    """The version that it would resume from is forgotten: it is told 410, and lists."""
    heard = int(WatchedKind.objects.get(kind="Pod").resource_version)
    os.killpg(watcher.process.pid, signal.SIGSTOP)
    try:
        roll(town)
        wait_for_pods(town, TOWN, ready=REPLICAS)
        forgotten = control_plane.compact_etcd()
        control_plane.restart_apiserver()
        wait_until(lambda: may_list(cluster), seconds=PATIENCE, otherwise="Berth's account is not let in")
    finally:
        os.killpg(watcher.process.pid, signal.SIGCONT)
    wait_until(lambda: says(watcher, "VersionGone"), seconds=PATIENCE, otherwise="nothing is forgotten")
    check(cluster, town)

    assert heard < forgotten


def test_watcher_killed_while_it_writes(cluster: Cluster, start: Callable[..., Child], town: Api) -> None:
    """Three times, at moments that nobody chose; the next one takes over when the lease of the dead one is out."""
    for attempt in range(3):
        child = start()
        wait_until_followed(cluster, seconds=PATIENCE)
        with coming_and_going(town, f"storm-{attempt}"):
            time.sleep(1.5 + attempt / 7)
            child.kill()
            child.process.wait()
        WatchLease.objects.update(expires_at=timezone.now())

    start()
    check(cluster, town)


def test_redis_killed_and_restarted(cluster: Cluster, start: Callable[..., Child], town: Api, tmp_path: Path) -> None:
    socket = tmp_path / "redis.sock"
    command = processes.command(processes.find(), socket=socket)
    redis = Child("redis", command, env=os.environ, cwd=tmp_path, echo=False)
    wait_until(socket.exists, seconds=10, otherwise="Redis is unavailable")
    watcher = start(redis_url=f"unix://{socket}")
    wait_until_followed(cluster, seconds=PATIENCE)

    redis.kill()
    redis.stop(grace=1)
    with coming_and_going(town, "untold"):
        wait_until(lambda: says(watcher, "are not told"), seconds=PATIENCE, otherwise="it does not say so")
    check(cluster, town)

    redis = Child("redis", command, env=os.environ, cwd=tmp_path, echo=False)
    with coming_and_going(town, "told"):
        wait_until(lambda: says(watcher, "told of changes again"), seconds=PATIENCE, otherwise="nothing is announced")
    check(cluster, town)
    redis.stop(grace=5)


def test_database_away_for_ten_seconds(cluster: Cluster, watcher: Child, town: Api) -> None:
    before = Cluster.objects.get().revision
    with database_away(), coming_and_going(town, "meanwhile"):
        time.sleep(10)
    assert not Pod.objects.filter(name__startswith="meanwhile").exists()
    check(cluster, town)

    assert Cluster.objects.get().revision < before + 100, "the batches did not grow"


def test_clocks_that_are_hours_apart(cluster: Cluster, watcher: Child, town: Api) -> None:
    """The times in events are their writers'. Nothing that Berth says about its own freshness comes from them."""
    began = timezone.now()
    bound, *_ = wait_for_pods(town, TOWN, ready=REPLICAS)
    for hours in (-30, -3, 3, 30):
        skewed = (began + dt.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
        for reason, found in (
            ("FailedScheduling", town.get("v1", "Pod", "giant", namespace=TOWN)),
            ("Scheduled", bound),
        ):
            metadata = found["metadata"]
            about = {"kind": "Pod", "namespace": TOWN, "name": metadata["name"], "uid": metadata["uid"]}
            event = an_event(TOWN, f"skewed-{reason.lower()}-{hours}", at=skewed, about=about)
            town.create({**event, "reason": reason, "source": {"component": "default-scheduler"}})
    check(cluster, town)

    events = WatchedKind.objects.get(kind="Event")
    assert events.last_event_at is not None
    assert began <= events.last_event_at <= timezone.now()
    assert WatchLease.objects.get().lag_ms < 60 * 60 * 1000, "the skew of the writers' clocks counts as lag"
    heard = Decision.objects.values_list("heard_at", "last_heard_at")
    assert all(time_ <= timezone.now() for times in heard for time_ in times)


def test_a_flood_of_events_loses_none(
    cluster: Cluster, watcher: Child, control_plane: ControlPlane, town: Api, measurements: list[str]
) -> None:
    lags: list[int] = []
    over = threading.Event()

    def look() -> None:
        try:
            while not over.wait(0.5):
                lags.append(WatchLease.objects.get().lag_ms)
        finally:
            connection.close()

    looking = threading.Thread(target=look)
    looking.start()
    try:
        rate = flood(control_plane, TOWN, per_second=FLOOD_PER_SECOND, seconds=FLOOD_SECONDS)
    finally:
        over.set()
        looking.join()
    ended = time.monotonic()
    check(cluster, town)

    lags.sort()
    behind = time.monotonic() - ended
    measurements.append(
        f"flood: {rate}; lag {lags[len(lags) // 2]} ms in the middle, {lags[-1]} ms at most; equal {behind:.1f} s later"
    )
    names, counts = set(), 0
    for event in Event.objects.filter(cluster=cluster, name__startswith="flood-"):
        names.add(event.name)
        counts += event.count
    assert (len(names), counts) == (rate.events, rate.written)


def may_list(cluster: Cluster) -> bool:
    """Whether the API server has its roles together again, which takes it a moment after it started."""
    with Api(Path(cluster.kubeconfig)) as berth:
        try:
            berth.objects("v1", "Pod")
        except ApiError:
            return False
    return True


def says(child: Child, words: str) -> bool:
    return any(words in line for line in child._tail)


@contextmanager
def database_away() -> Iterator[None]:
    """Lock SQLite as a long writer does; cut PostgreSQL's connections and refuse new ones, as a restart does."""
    if connection.vendor == "sqlite":
        with transaction.atomic():
            Cluster.objects.update(kube_version="held")
            yield
        return
    name = connection.ops.quote_name(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (own,) = cursor.fetchone()
    # Nobody can shut the database that he is in.
    with psycopg.connect(**{**connection.get_connection_params(), "dbname": "postgres"}, autocommit=True) as outside:
        outside.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        try:
            outside.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s",
                [connection.settings_dict["NAME"], own],
            )
            yield
        finally:
            outside.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
