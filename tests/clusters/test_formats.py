"""Every form of a dump tells the same state."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import TYPE_CHECKING

import pytest
import yaml

from clusters.problems.skips import (
    FoundAgain,
    LogsAndAudits,
    MayHoldSecrets,
    OtherFileName,
    WithoutContent,
    WithoutKind,
)
from clusters.wording.problems import skipped_thing
from tests.clusters.dumps import (
    as_json,
    as_yaml,
    cluster_info_dump,
    listed,
    node,
    pod,
    small_cluster,
    state_of,
    state_of_path,
    tar,
    typed_list,
    unpack,
)

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.adapters.state import ClusterState

KEPT = {"Namespace": 1, "Node": 2, "Pod": 2}
CONFIGURATION = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "packing"}],
}


def digests(state: ClusterState) -> set[str]:
    return {row.digest for rows in state.rows.values() for row in rows.values()}


def single_documents() -> dict[str, bytes]:
    objects = small_cluster()
    whole = listed(objects)
    lines = b"\n".join(as_json(item, None) for item in objects)
    return {
        "list.json": as_json(whole),
        "compact.json": as_json(whole, None),
        "tabs.json": json.dumps(whole, indent="\t").encode(),
        "array.json": as_json(objects),
        "objects.jsonl": lines,
        "pretty-one-after-the-other.json": b"\n".join(as_json(item) for item in objects),
        "list.yaml": as_yaml(whole),
        "documents.yaml": b"---\n".join(as_yaml(item) for item in objects),
        "list.yml": as_json(whole),
        "flow-without-extension": as_yaml(whole),
        "byte-order-mark.json": b"\xef\xbb\xbf" + as_json(whole),
        "redirected-in-powershell.json": as_json(whole).decode().encode("utf-16"),
        "list.json.gz": gzip.compress(as_json(whole)),
        "documents.yaml.gz": gzip.compress(as_yaml(whole)),
        "two-gzip-streams.json.gz": gzip.compress(lines[:100]) + gzip.compress(lines[100:]),
    }


@pytest.mark.parametrize("name", single_documents())
def test_document_forms_agree(name: str, tmp_path: Path) -> None:
    state = state_of(single_documents()[name], tmp_path, name)

    assert state.kept == KEPT
    assert digests(state) == digests(state_of(as_json(listed(small_cluster())), tmp_path))


def archives() -> dict[str, bytes]:
    objects = small_cluster()
    files = {
        "dump/nodes.json": as_json(listed(objects[:3])),
        "dump/pods.yaml": b"---\n".join(as_yaml(item) for item in objects[3:]),
        "dump/more.json.gz": gzip.compress(as_json(listed([]))),
        "dump/readme.txt": b"\xff",
    }
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return {
        "dump.tar": tar(files),
        "dump.tar.gz": tar(files, compressed=True),
        "dump.tgz": tar(files, compressed=True),
        "dump.zip": zipped.getvalue(),
    }


@pytest.mark.parametrize("name", archives())
def test_archive_forms_agree(name: str, tmp_path: Path) -> None:
    state = state_of(archives()[name], tmp_path, name)

    assert state.kept == KEPT
    assert digests(state) == digests(state_of(as_json(listed(small_cluster())), tmp_path))
    assert [(skipped_thing(why), count) for why, count in state.skipped.items()] == [("*.txt files", 1)]


def test_directory_is_read_without_following_links(tmp_path: Path) -> None:
    folder = unpack({"d/all.json": as_json(listed(small_cluster()))}, tmp_path)
    (tmp_path / "elsewhere.json").write_bytes(b"{broken")
    (folder / "d/link.json").symlink_to(tmp_path / "elsewhere.json")
    (folder / "d/loop").symlink_to(folder / "d")

    assert state_of_path(folder / "d").kept == KEPT


def test_typed_list_gives_its_items_their_type(tmp_path: Path) -> None:
    lines = [
        typed_list("Node", [node()]),
        typed_list("Pod", [pod()]),
        typed_list("StorageClass", [], "storage.k8s.io/v1"),
    ]

    for content in (b"\n".join(as_json(line, None) for line in lines), b"---\n".join(map(as_yaml, lines))):
        state = state_of(content, tmp_path, "lists")
        stored = json.loads(state.rows["Pod"]["shop", "web"].object)
        assert state.kept == {"Node": 1, "Pod": 1}
        assert (stored["apiVersion"], stored["kind"]) == ("v1", "Pod")
        assert "StorageClass" not in {gap.kind for gap in state.gaps(state.pods())}


def test_cluster_info_dump_as_directory(tmp_path: Path) -> None:
    state = state_of_path(unpack(cluster_info_dump(), tmp_path))

    assert state.kept == {"Node": 1, "Pod": 1}
    assert ("*.txt files", 1) in {(skipped_thing(why), count) for why, count in state.skipped.items()}


@pytest.mark.parametrize("as_text", [as_json, as_yaml])
def test_cluster_info_dump_as_printed(as_text: object, tmp_path: Path) -> None:
    assert callable(as_text)
    log = (
        b"==== START logs for container main of pod shop/web ====\n"
        b'{"kind": "Pod", \xff not closed\n---\n'
        b"==== END logs for container main of pod shop/web ====\n"
    )
    text = as_text(typed_list("Node", [node("n1")])) + b"\n" + log + log
    if as_text is as_yaml:
        text += b"---\n"
    text += as_text(typed_list("Pod", [pod("web", on="n1")]))

    state = state_of(text, tmp_path, "dump.txt")

    assert state.kept == {"Node": 1, "Pod": 1}
    assert [(skipped_thing(why), count) for why, count in state.skipped.items()] == [("logs of containers", 2)]


def test_must_gather_holds_objects_twice_and_audit_logs(tmp_path: Path) -> None:
    root = "quay-io-image-sha256-0123/"
    audit = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "user": {"username": "alice"}}
    state = state_of_path(
        unpack(
            {
                f"{root}cluster-scoped-resources/core/nodes/n1.yaml": as_yaml(node("n1")),
                f"{root}namespaces/shop/core/pods.yaml": as_yaml(typed_list("Pod", [pod("web", on="n1")])),
                f"{root}namespaces/shop/pods/web/web.yaml": as_yaml(pod("web", on="n1")),
                f"{root}namespaces/shop/core/secrets.yaml": as_yaml(
                    typed_list("Secret", [{"metadata": {"name": "s"}}])
                ),
                f"{root}namespaces/shop/core/endpoints.yaml": b"",
                f"{root}audit_logs/kube-apiserver/audit.json": as_json(audit, None),
                f"{root}etcd_info/status.json": b'[{"Endpoint": "https://10.0.0.1"}]',
                f"{root}version": b"4.20",
            },
            tmp_path,
        )
    )

    assert state.kept == {"Node": 1, "Pod": 1}
    assert state.skipped.keys() == {
        FoundAgain("Pod"),
        MayHoldSecrets("Secret"),
        LogsAndAudits(),
        WithoutContent(),
        WithoutKind(),
        OtherFileName(""),
    }


def test_simulator_export_keeps_its_configuration(tmp_path: Path) -> None:
    export = {
        "pods": [pod("web", on="n1")],
        "nodes": [node("n1")],
        "pvs": [],
        "pvcs": [],
        "storageClasses": [],
        "priorityClasses": [],
        "namespaces": [],
        "schedulerConfig": {**CONFIGURATION, "clientConnection": {"kubeconfig": "/root/.kube/config"}},
    }
    for content in (as_json(export), as_yaml(export)):
        state = state_of(content, tmp_path, "export")
        assert state.kept == {"Node": 1, "Pod": 1}
        assert state.configuration == CONFIGURATION
        assert not {"PersistentVolume", "Namespace"} & {gap.kind for gap in state.gaps(state.pods())}


def test_simulator_record_is_replayed(tmp_path: Path) -> None:
    moved = {**pod("web", on="n1"), "metadata": {**pod("web")["metadata"], "labels": {"moved": "yes"}}}
    gone = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "waiting", "namespace": "shop"}}
    record = [
        {"time": "2026-01-01T00:00:00Z", "event": "Add", "resource": node("n1")},
        {"time": "2026-01-01T00:00:01Z", "event": "Add", "resource": pod("web")},
        {"time": "2026-01-01T00:00:01Z", "event": "Add", "resource": pod("waiting")},
        {"time": "2026-01-01T00:00:02Z", "event": "Update", "resource": moved},
        {"time": "2026-01-01T00:00:03Z", "event": "Delete", "resource": gone},
    ]

    state = state_of(b"\n".join(as_json(line, None) for line in record), tmp_path, "record.jsonl")

    assert state.kept == {"Node": 1, "Pod": 1}
    assert json.loads(state.rows["Pod"]["shop", "web"].object)["metadata"]["labels"] == {"moved": "yes"}


def test_newest_copy_of_an_object_is_kept(tmp_path: Path) -> None:
    def copy(version: str, uid: str, created: str) -> dict[str, object]:
        metadata = {"name": "web", "namespace": "shop", "uid": uid, "resourceVersion": version}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {**metadata, "creationTimestamp": created}}

    newest = copy("90", "second", "2026-01-02T00:00:00Z")
    others = [copy("100", "first", "2026-01-01T00:00:00Z"), copy("89", "second", "2026-01-02T00:00:00Z")]
    for objects in ([newest, *others], [*others, newest]):
        state = state_of(as_json(listed([node(), *objects])), tmp_path)
        assert json.loads(state.rows["Pod"]["shop", "web"].object)["metadata"]["resourceVersion"] == "90"
        assert state.skipped.total() == 2


def test_unknown_kinds_and_versions_are_counted(tmp_path: Path) -> None:
    items = [
        node(),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"password": "x"}},
        {"apiVersion": "example.com/v1", "kind": "Widget"},
        {"apiVersion": "example.com/v1", "kind": "Widget"},
        {"apiVersion": "extensions/v1beta1", "kind": "ReplicaSet", "metadata": {"name": "r"}},
    ]

    state = state_of(as_json(listed(items)), tmp_path)

    assert {(skipped_thing(why), count) for why, count in state.skipped.items()} == {
        ("ConfigMap", 1),
        ("Widget", 2),
        ("ReplicaSet (extensions/v1beta1)", 1),
    }
    assert (state.objects_read, state.objects_kept, state.objects_skipped) == (5, 1, 4)


def test_yaml_words_mean_what_kubectl_takes_them_for(tmp_path: Path) -> None:
    text = """
apiVersion: v1
kind: Pod
metadata: &metadata
  name: web
  creationTimestamp: 2026-01-01T00:00:00Z
  deletionTimestamp: null
  labels: {number: "012", truth: "yes", 5: five}
spec:
  priority: 0x10
  hostNetwork: on
  overhead: {cpu: 0.5, memory: 1e3, pods: 012}
  containers:
  - &container {name: a, image: "a:1"}
  - <<: *container
    name: b
---
apiVersion: v1
kind: Node
metadata: *metadata
"""
    good, bad = text.split("---\n")
    with pytest.raises(yaml.YAMLError):
        yaml.compose(bad)
    state = state_of(good.encode(), tmp_path, "pod.yaml")

    stored = json.loads(state.rows["Pod"]["default", "web"].object)
    assert stored["metadata"]["creationTimestamp"] == "2026-01-01T00:00:00Z"
    assert "deletionTimestamp" not in stored["metadata"]
    assert stored["metadata"]["labels"] == {"number": "012", "truth": "yes", "5": "five"}
    assert (stored["spec"]["priority"], stored["spec"]["hostNetwork"]) == (16, True)
    assert stored["spec"]["overhead"] == {"cpu": "0.5", "memory": "1000.0", "pods": "10"}
    assert [container["image"] for container in stored["spec"]["containers"]] == ["a:1", "a:1"]
