"""Usage in every form in which people send it: what is taken of it, and what is said where it cannot be."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.adapters.usage import begins_with_metrics
from clusters.models import Cluster, Ingest, UsageHour
from clusters.services.ingest.ingest import ingest_path
from clusters.services.ingest.uploads import receive
from clusters.services.usage.history import MemorySample, newest_memory
from tests.clusters.dumps import as_json, as_yaml, listed, node, pod, small_cluster, tar
from tests.clusters.usage.builders import node_metrics, pod_metrics, raw
from tests.support.mirrored import load
from tests.support.problems import refused

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

MIB = 1024 * 1024
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


def test_within_an_hour_the_later_sample_counts_whatever_its_place(cluster: Cluster, tmp_path: Path) -> None:
    early = pod_metrics("web", {"main": ("1m", "1Mi")}, at="2026-03-02T10:01:00Z")

    take(cluster, tmp_path, as_json(ITEMS[0]) + as_json(early))

    assert kept_pods(cluster) == {"web": {"main": [12, 34 * MIB]}}


def test_usage_of_nodes_is_taken_from_kubectl_top(cluster: Cluster, tmp_path: Path) -> None:
    run = take(cluster, tmp_path, TOP_NODES.encode(), "top.txt")

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert hour.content["nodes"] == {"n1": [250, 1466 * MIB]}
    assert hour.at == datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    assert skipped(run) == {"NodeNotMeasured": 1}


def test_several_tables_and_sums_are_read(cluster: Cluster, tmp_path: Path) -> None:
    total = f"{'':12}________ ________\n{'':12}111m     133Mi\n"

    take(cluster, tmp_path, f"\n{TOP_PODS}{total}\n{TOP_NODES}".encode(), "top.txt")

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert kept_pods(cluster) == {"web": {"main": [12, 34 * MIB]}}
    assert list(hour.content["nodes"]) == ["n1"]


def test_the_sum_of_a_pod_with_one_container_is_the_containers(cluster: Cluster, tmp_path: Path) -> None:
    top = "NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 12m 34Mi\n"

    take(cluster, tmp_path, top.encode(), "top.txt")

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert workloads(hour) == [["shop", "Pod", "web", "main"]]


def test_the_sum_of_a_pod_with_several_stays_one(tmp_path: Path) -> None:
    made = pod("web", on="n1")
    made["spec"]["containers"].append({"name": "proxy"})
    cluster = load(tmp_path, "prod", [node("n1"), made])

    take(cluster, tmp_path, b"NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 12m 34Mi\n", "top.txt")

    (hour,) = UsageHour.objects.filter(cluster=cluster)
    assert workloads(hour) == [["shop", "Pod", "web", ""]]


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
            r"items\[1\].containers\[0\].usage.cpu: The field is missing",
        ),
        (
            wrong(lambda item: item["containers"][0].pop("name")),
            r"items\[1\].containers\[0\].name: The field is missing",
        ),
        (
            wrong(lambda item: item["containers"][0]["usage"].update(memory="7Ei")),
            r"items\[1\].containers\[0\].usage.memory: '7Ei' is more than any machine has",
        ),
        (
            wrong(lambda item: item["containers"][0]["usage"].update(cpu="1e30")),
            r"items\[1\].containers\[0\].usage.cpu: '1e30' is more than any machine has",
        ),
        (wrong(lambda item: item.pop("timestamp")), r"items\[1\].timestamp: The field is missing"),
        (wrong(lambda item: item.update(timestamp="yesterday")), r"items\[1\].timestamp: .*yesterday"),
        (wrong(lambda item: item.update(timestamp="2999-01-01T00:00:00Z")), r"items\[1\].timestamp: .*a day ahead"),
        (
            wrong(lambda item: item.update(timestamp="0001-01-01T00:00:00+05:00")),
            r"items\[1\].timestamp: .*0001-01-01T00:00:00\+05:00",
        ),
        (wrong(lambda item: item.update(timestamp="0001-01-01T00:00:00Z")), r"items\[1\].timestamp: .*is not a time"),
        (wrong(lambda item: item["metadata"].pop("name")), r"items\[1\].metadata.name: "),
        (
            as_json(raw("PodMetrics", [])),
            r"usage.json: It holds no PodMetrics, no NodeMetrics and no summary of a kubelet. Send what kubectl",
        ),
        (
            b"NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\nshop web main 12m 34MB\n",
            r"usage.json: Line 2, column MEMORY\(bytes\): .*34MB",
        ),
        (
            TOP_PODS.encode() + b"W1125 03:14 metrics not available for pod\n",
            r"Line 4 has 7 columns and its heading 5: 'W1125 03:14 metrics",
        ),
        (b"NAME CPU(cores) MEMORY(bytes)\nweb 1m 1Mi\n", r"Line 1 is a heading without the column NAMESPACE.* -A"),
        (
            b"NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 12m 7Ei\n",
            r"Line 2, column MEMORY\(bytes\): '7Ei' is more than any machine has",
        ),
        (
            b"NAMESPACE POD CPU(cores) MEMORY(bytes)\nshop web 12m 1Mi\n",
            r"Line 1 is a heading without the column NAME\.",
        ),
        (b"NAME CPU(cores) GPU MEMORY(bytes)\nweb 1m 1 1Mi\n", r"Line 1 .* column 'GPU'"),
        (TOP_PODS.encode() + b"x" * 5000, r"Line 4 has more than 4.096 characters"),
        (b"NAMESPACE NAME CPU(cores) MEMORY(bytes)\n", r"usage.json: It holds no PodMetrics"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(cluster: Cluster, tmp_path: Path, content: bytes, said: str) -> None:
    with refused(said):
        take(cluster, tmp_path, content)

    assert not UsageHour.objects.exists()


def test_usage_of_a_cluster_without_state_is_refused(tmp_path: Path) -> None:
    cluster = Cluster.objects.create(name="new")

    with refused("nothing of this cluster has been read yet. Send a dump of the cluster first."):
        take(cluster, tmp_path, TOP_PODS.encode())
    with refused("nothing of this cluster has been read yet"):
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


def test_an_upload_of_usage_is_shown_as_such(cluster: Cluster, tmp_path: Path, signed_in_client: Client) -> None:
    run = take(cluster, tmp_path, as_json(raw("PodMetrics", ITEMS)))

    page = signed_in_client.get(f"/clusters/prod/ingests/{run.pk}/").text

    assert "Usage of" in page
    assert "Usage taken: 1 samples of pods, of 1 hour." in page
    assert "send a dump of the same time first." in page
