"""Usage that is read by itself, from metrics.k8s.io or a Prometheus, and what is said where it cannot be."""

from __future__ import annotations

import gzip
import json
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clusters import tasks
from clusters.adapters import kube as reader
from clusters.adapters.usage import begins_with_metrics
from clusters.documents.stored_problems import problem_of_text
from clusters.models import Cluster, Ingest, UsageHour, UsageReading
from clusters.services.ingest.ingest import ingest_path
from clusters.services.ingest.uploads import receive
from clusters.services.usage.history import MemorySample, newest_memory, newest_pods
from clusters.services.usage.keeping import sample_all_usage, sample_usage
from clusters.wording.problems import both_sentences
from dashboard.celery import app
from tests.clusters.dumps import as_json, as_yaml, listed, node, pod, small_cluster, tar
from tests.clusters.usage.builders import node_metrics, pod_metrics, raw
from tests.support.fake_apiserver import FakeApiServer
from tests.support.live import free_port
from tests.support.mirrored import load, text
from tests.support.problems import refused
from tests.support.watching import live_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db
MIB = 1024 * 1024


@pytest.fixture
def server() -> Iterator[FakeApiServer]:
    running = FakeApiServer()
    running.start()
    yield running
    running.close()


@pytest.fixture
def followed(server: FakeApiServer, tmp_path: Path) -> Cluster:
    """A live cluster whose watcher has mirrored two pods."""
    load(tmp_path, "prod", [node("n1"), pod("web", on="n1"), pod("api", on="n1")])
    made = live_cluster(server, tmp_path, name="for-its-kubeconfig")
    Cluster.objects.filter(name="prod").update(
        source=Cluster.Source.LIVE, kubeconfig=made.kubeconfig, context=made.context
    )
    made.delete()
    return Cluster.objects.get(name="prod")


def now() -> str:
    return timezone.now().isoformat()


def said_of(cluster: Cluster) -> str:
    problem = problem_of_text(UsageReading.objects.get(cluster=cluster).problem)
    return "" if problem is None else both_sentences(problem)


def test_a_followed_cluster_is_read_by_metrics_server(server: FakeApiServer, followed: Cluster) -> None:
    server.metrics = {
        "pods": [pod_metrics("web", {"main": ("11500001n", "34Mi")}, at=now())],
        "nodes": [node_metrics("n1", "250m", "1Gi", at=now())],
    }

    assert sample_usage(cluster=followed) is None

    hour = UsageHour.objects.get(cluster=followed)
    assert hour.source == UsageHour.Source.METRICS
    assert hour.content["nodes"] == {"n1": [250, 1024 * MIB]}
    sample = newest_pods(cluster=followed)["shop/web"]
    assert (sample.uid, sample.usage.total) == ("pod-shop-web", (12, 34 * MIB))
    assert said_of(followed) == ""
    assert {method for method, _, _ in server.requests} == {"GET"}


@pytest.mark.parametrize(
    ("metrics", "forbidden", "token", "said"),
    [
        (
            {},
            set(),
            None,
            "does not serve metrics.k8s.io (404). Install metrics-server",
        ),
        (
            {"pods": [], "nodes": []},
            {"pods"},
            None,
            'pods.metrics.k8s.io is forbidden: User "berth" cannot list it Apply the optional rule',
        ),
        ({"pods": [], "nodes": []}, set(), None, "metrics.k8s.io knows of no pod yet."),
        ({"pods": [{"metadata": {}}], "nodes": []}, set(), None, "metrics.k8s.io"),
        ({"pods": [], "nodes": []}, set(), "other", "credentials"),
    ],
)
def test_why_a_followed_cluster_has_no_usage_is_said(
    server: FakeApiServer,
    followed: Cluster,
    signed_in_client: Client,
    metrics: dict[str, Any],
    forbidden: set[str],
    token: str | None,
    said: str,
) -> None:
    server.metrics, server.forbidden = metrics, forbidden
    server.token = token or server.token

    assert sample_usage(cluster=followed) is not None

    assert said in said_of(followed)
    assert said in text(signed_in_client, "/clusters/prod/usage/")
    assert not UsageHour.objects.exists()


def test_a_node_whose_clock_is_wrong_takes_no_others_usage_away(server: FakeApiServer, followed: Cluster) -> None:
    ahead = (timezone.now() + timedelta(days=2)).isoformat()
    server.metrics = {
        "pods": [
            pod_metrics("api", {"main": ("7m", "1Mi")}, at=ahead),
            pod_metrics("web", {"main": ("11m", "34Mi")}, at=now()),
        ],
        "nodes": [node_metrics("n1", "250m", "1Gi", at=now())],
    }

    assert sample_usage(cluster=followed) is None

    assert set(newest_pods(cluster=followed)) == {"shop/web"}


def test_a_longer_answer_than_is_read_is_not(
    server: FakeApiServer, followed: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LARGEST_METRICS", 100)
    server.metrics = {"pods": [pod_metrics("web", {"main": ("1m", "1Mi")}, at=now())], "nodes": []}

    sample_usage(cluster=followed)

    assert "more than 100 B" in said_of(followed)


# -- Prometheus -----------------------------------------------------------------------------------------------------


class Prometheus:
    """Answers instant queries of the series that it holds, by a part of the query."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.status, self.body = 200, b""
        self.location = ""
        self.queries: list[dict[str, list[str]]] = []
        self.paths: set[str] = set()
        ours = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address = urlsplit(self.path)
                ours.paths.add(address.path)
                ours.queries.append(parse_qs(address.query))
                query = parse_qs(address.query)["query"][0]
                result: list[Any] = next((found for part, found in ours.answers.items() if part in query), [])
                body = (
                    ours.body
                    or json.dumps({"status": "success", "data": {"resultType": "vector", "result": result}}).encode()
                )
                self.send_response(ours.status)
                if ours.location:
                    self.send_header("Location", ours.location)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/prometheus"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@pytest.fixture
def prometheus(settings: Any) -> Iterator[Prometheus]:
    running = Prometheus()
    settings.BERTH_PROMETHEUS = {"prod": running.address}
    yield running
    running.close()


def series(value: str, **labels: str) -> dict[str, Any]:
    return {"metric": labels, "value": [1_700_000_000.5, value]}


def test_a_listed_prometheus_is_asked(prometheus: Prometheus, tmp_path: Path) -> None:
    cluster = load(tmp_path, "prod", small_cluster())
    web = {"namespace": "shop", "pod": "web", "container": "main"}
    prometheus.answers = {
        'rate(container_cpu_usage_seconds_total{container!="",container!="POD"}[5m])': [
            series("0.0115001", **web),
            series("NaN", namespace="shop", pod="web", container="odd"),
            series("1", namespace="shop", pod="web"),
            series("1", namespace="shop", pod="waiting", container="only-cpu"),
            series("1e300", namespace="shop", pod="web", container="jumped"),
            series("+Inf", namespace="shop", pod="web", container="endless"),
        ],
        'container_memory_working_set_bytes{container!="",container!="POD"}': [
            series(str(34 * MIB), **web),
            series("1", namespace="shop", pod="web", container="odd"),
            series("1", namespace="shop", pod="web", container="jumped"),
            series("1", namespace="shop", pod="web", container="endless"),
        ],
        'rate(container_cpu_usage_seconds_total{id="/"}[5m])': [series("0.25", node="n1"), series("1")],
        'container_memory_working_set_bytes{id="/"}': [series("1.5e9", node="n1")],
    }

    assert sample_usage(cluster=cluster) is None

    hour = UsageHour.objects.get(cluster=cluster)
    assert hour.source == UsageHour.Source.PROMETHEUS
    assert hour.content["nodes"] == {"n1": [250, 1_500_000_000]}
    assert newest_pods(cluster=cluster)["shop/web"].usage.containers == {"main": (12, 34 * MIB)}
    assert prometheus.paths == {"/prometheus/api/v1/query"}
    assert {query["timeout"][0] for query in prometheus.queries} == {"20s"}
    assert len(prometheus.queries) == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": 302, "location": "http://127.0.0.1:1/"}, "failed: 30"),
        ({"status": 422, "body": b'{"status":"error","error":"too many samples"}'}, "failed: 422 too many samples"),
        ({"status": 502, "body": b"<html>"}, "failed: 502 Bad Gateway"),
        ({"body": b"<html>"}, "is not Prometheus"),
        ({"body": b"[]"}, "is not Prometheus"),
        ({"body": b'{"status":"success","data":{"result":[{"metric":{}}]}}'}, "is not Prometheus"),
        ({"body": b'{"status":"success","data":[]}'}, "is not Prometheus"),
        ({}, "knows of no pod yet"),
    ],
)
def test_why_a_prometheus_gives_nothing_is_said(
    prometheus: Prometheus, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    cluster = load(tmp_path, "prod", small_cluster())
    for name, value in change.items():
        setattr(prometheus, name, value)

    sample_usage(cluster=cluster)

    assert said in said_of(cluster)
    assert prometheus.address in said_of(cluster)


def test_proxies_of_the_environment_are_not_used(
    prometheus: Prometheus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    sample_usage(cluster=load(tmp_path, "prod", small_cluster()))

    assert len(prometheus.queries) == 4


def test_a_prometheus_that_is_not_there_is_said(settings: Any, tmp_path: Path) -> None:
    settings.BERTH_PROMETHEUS = {"prod": f"http://127.0.0.1:{free_port()}"}
    cluster = load(tmp_path, "prod", small_cluster())

    sample_usage(cluster=cluster)

    assert "Prometheus at" in said_of(cluster)


def test_every_cluster_with_a_source_is_read_and_no_other(
    server: FakeApiServer, followed: Cluster, settings: Any, tmp_path: Path
) -> None:
    settings.BERTH_PROMETHEUS = {"measured": f"http://127.0.0.1:{free_port()}", "unread": "http://127.0.0.1:1"}
    measured = load(tmp_path, "measured", small_cluster())
    load(tmp_path, "dump", small_cluster())
    Cluster.objects.create(name="unread")
    server.metrics = {"pods": [pod_metrics("web", {"main": ("1m", "1Mi")}, at=now())], "nodes": []}

    assert sample_all_usage() == 1

    assert set(UsageReading.objects.values_list("cluster", flat=True)) == {followed.pk, measured.pk}
    tasks.sample_usage()
    assert tasks.sample_usage.name in {entry["task"] for entry in app.conf.beat_schedule.values()}


HOUR = datetime(2026, 3, 2, 10, tzinfo=UTC)
TOP_PODS = """\
NAMESPACE   POD   NAME    CPU(cores)   MEMORY(bytes)
shop        web   main    12m          34Mi
shop        gone  main    99m          99Mi
"""
TOP_NODES = """\
NAME   CPU(cores)   CPU(%)   MEMORY(bytes)   MEMORY(%)
n1     250m         6%       1466Mi          18%
n2     <unknown>    <unknown>   <unknown>    <unknown>
other  1m           1%       1Mi             1%
"""


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return load(tmp_path, "prod", small_cluster())


def take(cluster: Cluster, folder: Path, content: bytes, name: str = "usage.json") -> Ingest:
    path = folder / name
    path.write_bytes(content)
    return ingest_path(cluster=cluster, path=path)


def kept_pods(cluster: Cluster) -> dict[str, dict[str, list[int]]]:
    newest = UsageHour.objects.filter(cluster=cluster).order_by("at").last()
    return {} if newest is None else {name: containers for _, name, _, containers in newest.pods}


def skipped(run: Ingest) -> dict[str, int]:
    return {skip["why"]["kind"]: skip["count"] for skip in run.skipped}


def workloads(hour: UsageHour) -> list[list[str]]:
    keys: list[list[str]] = hour.content["workloads"]["keys"]
    return keys


ITEMS = [
    pod_metrics("web", {"main": ("11500001n", "34Mi")}),
    pod_metrics("gone", {"main": ("1", "1Gi")}),
]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (as_json(raw("PodMetrics", ITEMS), indent=None), "raw.json"),
        (as_json(raw("PodMetrics", ITEMS)), "raw-pretty.json"),
        (as_json(listed(ITEMS)), "get.json"),
        (as_yaml(listed(ITEMS)), "get.yaml"),
        (as_yaml(raw("PodMetrics", ITEMS)), "raw.yaml"),
        (gzip.compress(as_json(listed(ITEMS))), "get.json.gz"),
        (as_json(ITEMS[0]) + as_json(ITEMS[1]), "documents.json"),
        (TOP_PODS.encode(), "top.txt"),
        (TOP_PODS.encode(), "top.log"),
        (TOP_PODS.replace("\n", "\r\n").encode("utf-16"), "top-of-powershell.txt"),
        (gzip.compress(TOP_PODS.encode()), "top.txt.gz"),
    ],
)
def test_usage_of_pods_is_taken_in_every_form(cluster: Cluster, tmp_path: Path, content: bytes, name: str) -> None:
    before = cluster.revision

    run = take(cluster, tmp_path, content, name)

    cluster.refresh_from_db()
    assert (run.state, run.content, run.objects_kept) == (Ingest.State.DONE, Ingest.Content.USAGE, 1)
    assert skipped(run) == {"PodNotMirrored": 1}
    # CPU is rounded up to thousandths.
    assert kept_pods(cluster) == {"web": {"main": [12, 34 * MIB]}}
    assert cluster.revision == before


def test_an_hour_holds_workloads_and_the_newest_one_pods(tmp_path: Path) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    pods = [pod(f"db-{number}", on="n1") for number in range(2)]
    for each in pods:
        each["metadata"]["ownerReferences"] = [owner]
    cluster = load(tmp_path, "prod", [node("n1"), *pods])
    items = [
        pod_metrics(f"db-{number}", {"main": ("100m", "10Mi"), "proxy": ("1m", "1Mi")}, at=f"2026-03-02T{at}:59:00Z")
        for number in range(2)
        for at in ("09", "10")
    ]

    take(cluster, tmp_path, as_json(raw("PodMetrics", items)))

    first, second = UsageHour.objects.filter(cluster=cluster)
    assert (first.at, second.at) == (HOUR - timedelta(hours=1), HOUR)
    assert workloads(first) == [["shop", "StatefulSet", "db", "main"], ["shop", "StatefulSet", "db", "proxy"]]
    assert first.content["total"] == second.content["total"] == [2, 202, 22 * MIB]
    assert first.pods == []
    assert [uid for _, _, uid, _ in second.pods] == ["pod-shop-db-0", "pod-shop-db-1"]


def test_pods_and_nodes_of_one_hour_come_together(cluster: Cluster, tmp_path: Path) -> None:
    take(cluster, tmp_path, as_json(raw("PodMetrics", ITEMS)))
    take(cluster, tmp_path, as_json(raw("NodeMetrics", [node_metrics("n1", "329087452n", "2748180Ki")])))

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert hour.content["nodes"] == {"n1": [330, 2748180 * 1024]}
    assert hour.content["total"] == [1, 12, 34 * MIB]
    assert kept_pods(cluster) == {"web": {"main": [12, 34 * MIB]}}

    later = pod_metrics("web", {"main": ("20m", "40Mi")}, at="2026-03-02T10:50:00Z")
    take(cluster, tmp_path, as_json(later))

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert hour.content["nodes"] == {"n1": [330, 2748180 * 1024]}
    assert hour.content["total"] == [1, 20, 40 * MIB]
    assert hour.sampled_at == datetime(2026, 3, 2, 10, 50, tzinfo=UTC)


def test_usage_of_nodes_is_taken_from_kubectl_top(cluster: Cluster, tmp_path: Path) -> None:
    run = take(cluster, tmp_path, TOP_NODES.encode(), "top.txt")

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert hour.content["nodes"] == {"n1": [250, 1466 * MIB]}
    assert hour.at == datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    assert skipped(run) == {"NodeNotMeasured": 1}


def test_the_sum_of_a_pod_with_one_container_is_the_containers(cluster: Cluster, tmp_path: Path) -> None:
    top = "NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 12m 34Mi\n"

    take(cluster, tmp_path, top.encode(), "top.txt")

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert workloads(hour) == [["shop", "Pod", "web", "main"]]


def test_usage_within_a_dump_is_kept_beside_the_state(tmp_path: Path) -> None:
    files = {
        "state.json": as_json(listed(small_cluster())),
        "usage.json": as_json(raw("PodMetrics", ITEMS)),
        "nodes.json": as_json(raw("NodeMetrics", [node_metrics("n1", "1", "1Gi")])),
    }
    cluster = Cluster.objects.create(name="prod")

    run = take(cluster, tmp_path, tar(files), "dump.tar")

    assert run.kept["usage-samples"] == 2
    assert skipped(run) == {"PodNotMirrored": 1}
    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert hour.content["nodes"] == {"n1": [1000, 1024 * MIB]}
    assert kept_pods(cluster) == {"web": {"main": [12, 34 * MIB]}}


def test_what_a_file_of_usage_holds_beside_it_is_counted(cluster: Cluster, tmp_path: Path) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "shop"}}

    run = take(cluster, tmp_path, as_json(listed([ITEMS[0], pod("other"), pod("web"), secret])))

    assert run.content == Ingest.Content.USAGE
    assert skipped(run) == {"BesideUsage": 2, "MayHoldSecrets": 1}
    assert run.objects_skipped == 3
    assert not cluster.pods.filter(name="other").exists()


def wrong(change: Any) -> bytes:
    item = pod_metrics("web", {"main": ("1m", "1Mi")})
    change(item)
    return as_json(raw("PodMetrics", [ITEMS[0], item]))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            wrong(lambda item: item["containers"][0]["usage"].update(memory="12MB")),
            r"usage.json, document 1, PodMetrics shop/web, items\[1\].containers\[0\].usage.memory: .*12MB",
        ),
        (
            wrong(lambda item: item["containers"][0]["usage"].pop("cpu")),
            r"items\[1\].containers\[0\].usage.cpu: It is missing",
        ),
        (
            wrong(lambda item: item["containers"][0].pop("name")),
            r"items\[1\].containers\[0\].name: It is missing",
        ),
        (
            wrong(lambda item: item["containers"][0]["usage"].update(memory="7Ei")),
            r"items\[1\].containers\[0\].usage.memory: '7Ei' is more than any node has",
        ),
        (
            wrong(lambda item: item["containers"][0]["usage"].update(cpu="1e30")),
            r"items\[1\].containers\[0\].usage.cpu: '1e30' is more than any node has",
        ),
        (wrong(lambda item: item.pop("timestamp")), r"items\[1\].timestamp: It is missing"),
        (wrong(lambda item: item.update(timestamp="yesterday")), r"items\[1\].timestamp: .*yesterday"),
        (wrong(lambda item: item.update(timestamp="2999-01-01T00:00:00Z")), r"items\[1\].timestamp: .*a day ahead"),
        (
            wrong(lambda item: item.update(timestamp="0001-01-01T00:00:00+05:00")),
            r"items\[1\].timestamp: .*0001-01-01T00:00:00\+05:00",
        ),
        (
            wrong(lambda item: item.update(timestamp="0001-01-01T00:00:00Z")),
            r"items\[1\].timestamp: .*is not valid here",
        ),
        (wrong(lambda item: item["metadata"].pop("name")), r"items\[1\].metadata.name: "),
        (
            as_json(raw("PodMetrics", [])),
            "usage.json: It holds no PodMetrics, NodeMetrics or kubelet summary. Send what kubectl",
        ),
        (
            b"NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\nshop web main 12m 34MB\n",
            r"usage.json: Line 2, column MEMORY\(bytes\): .*34MB",
        ),
        (
            TOP_PODS.encode() + b"W1125 03:14 metrics not available for pod\n",
            r"Line 4 is not kubectl top's: 'W1125 03:14 metrics",
        ),
        (b"NAME CPU(cores) MEMORY(bytes)\nweb 1m 1Mi\n", r"Line 1 is not kubectl top's: NAMESPACE.* -A"),
        (
            b"NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 12m 7Ei\n",
            r"Line 2, column MEMORY\(bytes\): '7Ei' is more than any node has",
        ),
        (
            b"NAMESPACE POD CPU(cores) MEMORY(bytes)\nshop web 12m 1Mi\n",
            r"Line 1 is not kubectl top's: NAME\.",
        ),
        (b"NAME CPU(cores) GPU MEMORY(bytes)\nweb 1m 1 1Mi\n", r"Line 1 .*: 'GPU'"),
        (TOP_PODS.encode() + b"x" * 5000, r"Line 4 is not kubectl top's"),
        (b"NAMESPACE NAME CPU(cores) MEMORY(bytes)\n", r"usage.json: It holds no PodMetrics"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(cluster: Cluster, tmp_path: Path, content: bytes, said: str) -> None:
    with refused(said):
        take(cluster, tmp_path, content)

    assert not UsageHour.objects.exists()


def test_usage_of_a_cluster_without_state_is_refused(tmp_path: Path) -> None:
    cluster = Cluster.objects.create(name="new")

    with refused("It has not been read yet. Send a dump first."):
        take(cluster, tmp_path, TOP_PODS.encode())
    with refused("It has not been read yet"):
        receive(cluster=cluster, file=SimpleUploadedFile("top.txt", TOP_PODS.encode()))


def test_more_rows_than_objects_are_taken_are_refused(cluster: Cluster, tmp_path: Path, settings: Any) -> None:
    settings.BERTH_OBJECTS_LIMIT = 1

    with refused("BERTH_OBJECTS_LIMIT"):
        take(cluster, tmp_path, TOP_PODS.encode())


def test_hours_are_kept_as_far_back_as_wanted_from_the_newest(cluster: Cluster, tmp_path: Path, settings: Any) -> None:
    settings.BERTH_USAGE_KEPT = timedelta(days=1)
    other = Cluster.objects.create(name="other")
    UsageHour(cluster=other, at=HOUR - timedelta(days=300), sampled_at=HOUR, source="file", packed_content=b"").save()
    times = (HOUR - timedelta(hours=hours) for hours in (0, 1, 23, 24, 30))
    items = [pod_metrics("web", {"main": ("1m", "1Mi")}, at=time.isoformat()) for time in times]

    with CaptureQueriesContext(connection) as queries:
        run = take(cluster, tmp_path, as_json(raw("PodMetrics", items)))

    assert run.kept["usage-samples"] == run.rows_added == 3
    written = [query for query in queries if query["sql"].startswith('INSERT INTO "clusters_usagehour"')]
    assert len(written) == 3
    kept = UsageHour.objects.filter(cluster=cluster).values_list("at", flat=True)
    assert list(kept) == [HOUR - timedelta(hours=hours) for hours in (23, 1, 0)]
    assert UsageHour.objects.filter(cluster=other).exists()


@pytest.mark.parametrize(
    ("content", "is_usage"),
    [
        (as_json(raw("NodeMetrics", [])), True),
        (as_yaml(listed([node_metrics("n1", "1", "1Gi")])), True),
        (as_json(listed([pod("web"), ITEMS[0]])), False),
        (b'{"kind": "PodMetricsList", "apiVersion": "example.com/v1"}', False),
        (b"", False),
        (b"\0\1", False),
    ],
)
def test_usage_is_told_from_a_dump_by_its_first_object(content: bytes, is_usage: bool) -> None:
    assert begins_with_metrics(content) is is_usage


def test_memory_is_known_by_uid_at_the_newest_moment(cluster: Cluster, tmp_path: Path) -> None:
    assert newest_memory(cluster=cluster) is None
    two = {"main": ("1m", "30Mi"), "proxy": ("1m", "4Mi")}
    take(cluster, tmp_path, as_json(pod_metrics("web", two, at="2026-03-02T10:40:00Z")))

    assert newest_memory(cluster=cluster) == MemorySample(
        datetime(2026, 3, 2, 10, 40, tzinfo=UTC), {"pod-shop-web": 34 * MIB}
    )

    # An hour later only nodes are measured, which takes nothing away; then pods are.
    take(cluster, tmp_path, as_json(node_metrics("n1", "1", "1Gi", at="2026-03-02T11:01:00Z")))
    before = newest_memory(cluster=cluster)
    take(cluster, tmp_path, as_json(pod_metrics("web", two, at="2026-03-02T12:00:00Z")))
    after = newest_memory(cluster=cluster)
    assert before is not None
    assert after is not None
    assert (before.at.hour, after.at.hour) == (10, 12)
    assert UsageHour.objects.filter(packed_pods__isnull=False).count() == 1
