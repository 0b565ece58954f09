"""Usage that is read by itself, from metrics.k8s.io or a Prometheus, and what is said where it cannot be."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from clusters import tasks
from clusters.adapters import kube as reader
from clusters.documents.stored_problems import problem_of_text
from clusters.models import Cluster, UsageHour, UsageReading
from clusters.services.usage.history import newest_pods
from clusters.services.usage.keeping import sample_all_usage, sample_usage
from clusters.wording.problems import both_sentences
from dashboard.celery import app
from tests.clusters.dumps import node, pod, small_cluster
from tests.clusters.usage.builders import node_metrics, pod_metrics
from tests.support.fake_apiserver import FakeApiServer
from tests.support.live import free_port
from tests.support.mirrored import load, text
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
            "does not serve metrics.k8s.io (404): the cluster has no metrics-server. Install metrics-server",
        ),
        (
            {"pods": [], "nodes": []},
            {"pods"},
            None,
            'pods.metrics.k8s.io is forbidden: User "berth" cannot list it Allow it with the optional rule',
        ),
        ({"pods": [], "nodes": []}, set(), None, "metrics.k8s.io answers, and knows of no pod yet."),
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
    page = text(signed_in_client, "/clusters/prod/usage/")
    assert "The cluster's usage was not read:" in page
    assert said in page
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


def test_before_the_first_hour_it_is_said_when_it_is_read(followed: Cluster, signed_in_client: Client) -> None:
    assert "once an hour, 12 minutes past; it has not yet." in text(signed_in_client, "/clusters/prod/usage/")


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
        ({"status": 302, "location": "http://127.0.0.1:1/"}, "answered with a redirect, which is not followed"),
        ({"status": 422, "body": b'{"status":"error","error":"too many samples"}'}, "answered 422: too many samples"),
        ({"status": 502, "body": b"<html>"}, "answered 502: Bad Gateway"),
        ({"body": b"<html>"}, "is no Prometheus"),
        ({"body": b"[]"}, "is no Prometheus"),
        ({"body": b'{"status":"success","data":{"result":[{"metric":{}}]}}'}, "is no Prometheus"),
        ({"body": b'{"status":"success","data":[]}'}, "is no Prometheus"),
        ({}, "answers, and knows of no pod yet"),
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
    cluster = load(tmp_path, "prod", small_cluster())

    sample_usage(cluster=cluster)

    assert len(prometheus.queries) == 4


def test_a_prometheus_that_is_not_there_is_said(settings: Any, tmp_path: Path) -> None:
    settings.BERTH_PROMETHEUS = {"prod": f"http://127.0.0.1:{free_port()}"}
    cluster = load(tmp_path, "prod", small_cluster())

    sample_usage(cluster=cluster)

    assert "No answer from Prometheus at" in said_of(cluster)


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
