"""Summaries of kubelets: usage as from metrics.k8s.io, and the use of disks, in every form in which people send it."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clusters.adapters.usage import begins_with_summary
from clusters.engine.kubelet import FilesystemLayout, Observed, Signal
from clusters.models import Cluster, Ingest, NodeDiskUse, UsageHour
from clusters.services.ingest.ingest import ingest_path
from clusters.services.ingest.uploads import receive
from clusters.services.usage.history import DiskSample, newest_disks, newest_memory
from tests.clusters.dumps import as_json, listed, node, pod, small_cluster, tar
from tests.clusters.usage.builders import AT, filesystem, pod_stats, summary
from tests.support.mirrored import load
from tests.support.problems import refused

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.django_db

GIB = 2**30
MOMENT = datetime(2026, 3, 2, 10, 14, 30, tzinfo=UTC)
WEB = pod_stats("web", rootfs=5, logs=7, volumes={"cache": 11})
ONE = summary("n1", WEB)
OTHER = summary("n2", pod_stats("gone"))


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return load(tmp_path, "prod", small_cluster())


def take(cluster: Cluster, folder: Path, content: bytes, name: str = "summary.json") -> Ingest:
    path = folder / name
    path.write_bytes(content)
    return ingest_path(cluster=cluster, path=path)


def skipped(run: Ingest) -> dict[str, int]:
    return {skip["why"]["kind"]: skip["count"] for skip in run.skipped}


def sample(cluster: Cluster, name: str) -> DiskSample:
    found = newest_disks(cluster=cluster, node=name)
    assert found is not None
    return found


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def as_kubelets_print(document: Any) -> bytes:
    return json.dumps(document, indent=1).encode()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (as_kubelets_print(ONE) + b"\n" + as_kubelets_print(OTHER), "one-after-the-other.json"),
        (as_json([ONE, OTHER], indent=None), "array.json"),
        (as_json([ONE, OTHER]), "array-pretty.json"),
        (as_json({"kind": "List", "apiVersion": "v1", "items": [ONE, OTHER]}), "list.json"),
        (gzip.compress(as_kubelets_print(ONE) + as_kubelets_print(OTHER)), "summaries.json.gz"),
        (tar({"n1.json": as_kubelets_print(ONE), "n2.json": as_kubelets_print(OTHER)}), "summaries.tar"),
        (gzip.compress(tar({"n1.json": as_json(ONE), "n2.json": as_json(OTHER)})), "summaries.tgz"),
        (zipped({"a/n1.json": as_json([ONE]), "a/n2.json": as_json(OTHER), "readme.md": b"of today"}), "all.zip"),
    ],
)
def test_summaries_of_several_nodes_are_taken_in_every_form(
    cluster: Cluster, tmp_path: Path, content: bytes, name: str
) -> None:
    before = cluster.revision

    run = take(cluster, tmp_path, content, name)

    cluster.refresh_from_db()
    assert (run.state, run.content, run.objects_kept) == (Ingest.State.DONE, Ingest.Content.USAGE, 1)
    assert run.kept == {"usage-samples": 1, "disk-uses": 2}
    assert skipped(run)["PodNotMirrored"] == 1
    assert cluster.revision == before
    (hour,) = UsageHour.objects.filter(cluster=cluster)
    # CPU is rounded up to thousandths; of a pod its containers count.
    assert hour.content["nodes"] == {"n1": [330, 3 * GIB], "n2": [330, 3 * GIB]}
    assert hour.pods == [["shop", "web", "pod-shop-web", {"main": [12, 34 * 2**20]}]]
    memory = newest_memory(cluster=cluster)
    assert memory is not None
    assert memory.by_uid == {"pod-shop-web": 34 * 2**20}
    assert sample(cluster, "n1").at == MOMENT
    (has,) = sample(cluster, "n1").disks.pods
    assert (has.uid, has.total_bytes, has.processes) == ("pod-shop-web", 23, 4)
    assert [dict(part) for part in (has.layers, has.logs, has.volumes)] == [
        {"main": (5, 3)},
        {"main": (7, 2)},
        {"cache": (11, 1)},
    ]
    assert [each.name for each in sample(cluster, "n2").disks.pods] == ["gone"]


def test_one_summary_is_told_by_its_beginning(cluster: Cluster, tmp_path: Path) -> None:
    run = take(cluster, tmp_path, as_kubelets_print(ONE))

    assert (run.content, run.kept) == (Ingest.Content.USAGE, {"usage-samples": 1, "disk-uses": 1})
    assert begins_with_summary(as_kubelets_print(ONE))
    assert begins_with_summary(as_json([ONE], indent=None))
    assert not begins_with_summary(as_json(listed(small_cluster())))
    assert not begins_with_summary(b"")


def test_what_is_observed_follows_from_what_is_reported(cluster: Cluster, tmp_path: Path) -> None:
    take(cluster, tmp_path, as_json(ONE))

    found = sample(cluster, "n1").disks
    space, inodes = Observed(30 * GIB, 100 * GIB), Observed(600, 1000)
    assert found.layout is FilesystemLayout.ONE
    assert found.observed == {
        Signal.MEMORY: Observed(5 * GIB, 8 * GIB),
        Signal.ALLOCATABLE_MEMORY: Observed(6 * GIB, 8 * GIB),
        Signal.NODE_FS: space,
        Signal.NODE_FS_INODES: inodes,
        Signal.IMAGE_FS: space,
        Signal.IMAGE_FS_INODES: inodes,
        Signal.CONTAINER_FS: space,
        Signal.CONTAINER_FS_INODES: inodes,
        Signal.PIDS: Observed(32_000, 32_768),
    }


IMAGES = filesystem(1, availableBytes=8, capacityBytes=50, inodesFree=7, inodes=9)


@pytest.mark.parametrize(
    ("parts", "layout", "signals"),
    [
        ({"runtime": {"imageFs": IMAGES, "containerFs": IMAGES}}, FilesystemLayout.IMAGES, 9),
        ({"runtime": {"imageFs": IMAGES}}, FilesystemLayout.IMAGES, 7),
        ({"runtime": {"imageFs": IMAGES, "containerFs": summary("n")["node"]["fs"]}}, FilesystemLayout.IMAGES_SPLIT, 9),
        ({"runtime": None}, None, 5),
        ({"fs": filesystem(1)}, None, 7),
        ({"rlimit": {"maxpid": 5}, "systemContainers": []}, FilesystemLayout.ONE, 7),
        ({"memory": {"time": AT}, "cpu": None}, FilesystemLayout.ONE, 8),
    ],
)
def test_what_a_kubelet_does_not_report_is_not_known(
    cluster: Cluster, tmp_path: Path, parts: dict[str, Any], layout: FilesystemLayout | None, signals: int
) -> None:
    take(cluster, tmp_path, as_json(summary("n1", WEB, **parts)))

    found = sample(cluster, "n1").disks
    assert found.layout is layout
    assert len(found.observed) == signals


def test_memory_of_windows_is_what_is_committed(cluster: Cluster, tmp_path: Path) -> None:
    commit = {"availableBytes": 1 * GIB, "usageBytes": 3 * GIB}
    containers = [{"name": "windows-global-commit-memory", "memory": commit}]

    take(cluster, tmp_path, as_json(summary("n1", systemContainers=containers)))

    assert sample(cluster, "n1").disks.observed[Signal.MEMORY] == Observed(1 * GIB, 4 * GIB)


def test_the_latest_summary_of_a_node_counts(cluster: Cluster, tmp_path: Path) -> None:
    later = summary("n1", pod_stats("web", rootfs=99), at="2026-03-02T11:00:00Z")

    take(cluster, tmp_path, as_json(later) + as_json(ONE))
    take(cluster, tmp_path, as_json(ONE))

    assert sample(cluster, "n1").at.hour == 11
    assert sample(cluster, "n1").disks.pods[0].layers == {"main": (99, 3)}
    assert NodeDiskUse.objects.filter(cluster=cluster).count() == 1


def test_nodes_that_the_mirror_does_not_hold_are_left_out(cluster: Cluster, tmp_path: Path) -> None:
    take(cluster, tmp_path, as_json(OTHER))

    assert skipped(take(cluster, tmp_path, as_json([ONE, summary("n9")]))) == {"NodeNotMirrored": 1}
    assert set(NodeDiskUse.objects.values_list("node", flat=True)) == {"n1", "n2"}
    take(cluster, tmp_path, as_json(listed([node("n1"), pod("web", on="n1")])), "dump.json")
    take(cluster, tmp_path, as_json(ONE))
    assert set(NodeDiskUse.objects.values_list("node", flat=True)) == {"n1"}


def test_summaries_within_a_dump_are_kept_beside_the_state(tmp_path: Path) -> None:
    cluster = Cluster.objects.create(name="prod")
    files = {
        "a-summary.json": as_json(ONE),
        "all.json": as_json([summary("n9")]),
        "state.json": as_json(listed(small_cluster())),
    }

    run = take(cluster, tmp_path, tar(files), "dump.tar")

    assert run.content == Ingest.Content.DUMP
    assert (run.kept["Node"], run.kept["disk-uses"]) == (2, 2)
    assert skipped(run)["NodeNotMirrored"] == 1
    assert sample(cluster, "n1").at == MOMENT


def wrong(change: Any) -> bytes:
    document = json.loads(as_json(summary("n1", pod_stats("api"), WEB)))
    change(document)
    return as_json([ONE, document])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda found: found["pods"][1]["containers"][0]["rootfs"].update(usedBytes="5Gi"),
            r"summary.json, document 1, Summary n1, item\[1\].pods\[1\].containers\[0\].rootfs.usedBytes: .*5Gi",
        ),
        (
            lambda found: found["pods"][0]["ephemeral-storage"].update(usedBytes=-1),
            r"item\[1\].pods\[0\].ephemeral-storage.usedBytes: .*-1",
        ),
        (lambda found: found["pods"][0].update(volume={}), r"item\[1\].pods\[0\].volume: "),
        (lambda found: found["pods"][0]["podRef"].pop("uid"), r"item\[1\].pods\[0\].podRef.uid: It is missing"),
        (lambda found: found["pods"][0].pop("podRef"), r"pods\[0\].podRef.namespace: It is missing"),
        (
            lambda found: found["pods"][0]["containers"][0].pop("name"),
            r"pods\[0\].containers\[0\].name: It is missing",
        ),
        (lambda found: found["node"].pop("nodeName"), r"document 1, Summary, item\[1\].node.nodeName: It is"),
        (lambda found: found["node"].update(nodeName=5), r"item\[1\].node.nodeName: "),
        (lambda found: found["node"]["memory"].update(time="now"), r"node.memory.time: .*now"),
        (lambda found: found["node"]["memory"].update(time="2999-01-01T00:00:00Z"), r"node.memory.time: .*a day ahead"),
        (
            lambda found: [found["node"][part].pop("time") for part in ("memory", "cpu", "fs")],
            r"node.memory.time: It is missing",
        ),
    ],
)
def test_what_is_wrong_is_said_with_file_and_field(cluster: Cluster, tmp_path: Path, change: Any, said: str) -> None:
    with refused(said):
        take(cluster, tmp_path, wrong(change))

    assert not UsageHour.objects.exists()
    assert not NodeDiskUse.objects.exists()


def test_a_file_within_an_archive_is_named(cluster: Cluster, tmp_path: Path) -> None:
    bad = summary("n2", fs={"capacityBytes": "all"})

    with refused(r"nodes/n2.json, document 1, Summary n2, node.fs.capacityBytes: .*all"):
        take(cluster, tmp_path, tar({"nodes/n1.json": as_json(ONE), "nodes/n2.json": as_json(bad)}), "summaries.tar")

    assert not NodeDiskUse.objects.exists()


def test_summaries_of_a_cluster_without_state_are_refused(tmp_path: Path) -> None:
    for content, name in ((as_json(ONE), "summary.json"), (tar({"n1.json": as_json(ONE)}), "summaries.tar")):
        cluster = Cluster.objects.create(name=name.replace(".", "-"))
        with refused("It has not been read yet"):
            take(cluster, tmp_path, content, name)


def test_an_archive_of_summaries_may_be_of_a_live_cluster_and_no_dump(
    cluster: Cluster, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    Cluster.objects.update(source=Cluster.Source.LIVE)
    cluster.refresh_from_db()
    summaries, dump = tar({"n1.json": as_json(ONE)}), tar({"state.json": as_json(listed(small_cluster()))})

    assert take(cluster, tmp_path, summaries, "summaries.tar").state == Ingest.State.DONE
    with refused("is followed live"):
        take(cluster, tmp_path, dump, "dump.tar")
    with refused("is followed live"):
        take(cluster, tmp_path, gzip.compress(as_json(listed(small_cluster()))), "dump.json.gz")
    # Sent by a form, an archive is taken in, and read elsewhere; what is no archive is refused at once.
    receive(cluster=cluster, file=SimpleUploadedFile("summaries.tar", summaries))
    with refused("is followed live"):
        receive(cluster=cluster, file=SimpleUploadedFile("dump.json", as_json(listed(small_cluster()))))


def test_pods_of_a_summary_are_known_by_their_uid(tmp_path: Path) -> None:
    made = pod("web", on="n1")
    cluster = load(tmp_path, "prod", [node("n1"), made])
    take(cluster, tmp_path, as_json(summary("n1", pod_stats("web", uid="of-an-earlier-pod", rootfs=9))))

    assert sample(cluster, "n1").disks.of(made) is None
    assert sample(cluster, "n1").disks.counted([made], Signal.NODE_FS, FilesystemLayout.ONE) == {}
