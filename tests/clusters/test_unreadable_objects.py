"""What cannot be read is left out and told, and the rest is read; what a refused file is, is said."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from clusters.documents.problems import WordedGap, worded_gap
from clusters.problems.inputs import OtherGap
from clusters.problems.skips import LinksInArchive, OtherKind, Unreadable, WithoutKind
from clusters.wording.problems import problem_sentence, skipped_thing
from tests.clusters.dumps import (
    as_json,
    as_yaml,
    listed,
    node,
    pod,
    refusal,
    small_cluster,
    state_of,
    state_of_path,
    tar,
    unpack,
)
from tests.support.answers import known

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.adapters.state import ClusterState

KEPT = {"Namespace": 1, "Node": 2, "Pod": 2}


def unreadable_in(state: ClusterState) -> WordedGap | None:
    worded = [worded_gap(gap.as_dict()) for gap in state.gaps(state.pods()) if gap.kind == OtherGap.UNREADABLE]
    return worded[0] if worded else None


def event(name: str, **fields: Any) -> dict[str, Any]:
    about = {"kind": "Pod", "namespace": "shop", "name": "web"}
    metadata = {"name": name, "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "Event", "metadata": metadata, "involvedObject": about, **fields}


def budget(name: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "shop"}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata, "spec": {"minAvailable": 1}}


def test_one_bad_object_is_a_gap_and_not_the_end(tmp_path: Path) -> None:
    broken = pod("broken", containers=[{"name": "a", "resources": {"requests": {"memory": "1.5Gi "}}}])
    second = pod("second", priority="high")

    state = state_of(as_json(listed([*small_cluster(), broken, second])), tmp_path)

    gap = known(unreadable_in(state))
    assert state.kept == KEPT
    assert gap.felt
    assert "2 could not be read, such as" in gap.why
    assert "Pod shop/broken, items[5].spec.containers[0].resources.requests.memory" in gap.why
    assert "'1.5Gi '" in gap.why
    assert [(skipped_thing(why), count) for why, count in state.skipped.items()] == [("Pod", 1), ("Pod", 1)]


def test_second_object_with_the_same_uid_is_left_out(tmp_path: Path) -> None:
    twin = {**pod("other"), "metadata": {**pod("other")["metadata"], "uid": "pod-shop-web"}}

    state = state_of(as_json(listed([node(), pod("web"), twin])), tmp_path)

    gap = known(unreadable_in(state))
    assert state.kept == {"Node": 1, "Pod": 1}
    assert "Pod shop/other, items[2].metadata.uid" in gap.why
    assert "Pod shop/web" in gap.why


@pytest.mark.parametrize("name", [".1697c16e501a4ae4", "Some Pod.17a", "node_1.17a", "x" * 253])
def test_events_and_budgets_have_the_names_that_the_api_server_takes(name: str, tmp_path: Path) -> None:
    state = state_of(as_json(listed([*small_cluster(), event(name), budget(name)])), tmp_path)

    assert state.kept == {**KEPT, "Event": 1, "PodDisruptionBudget": 1}
    assert unreadable_in(state) is None


@pytest.mark.parametrize("name", [".", "..", "a/b", "a%2f", "x" * 254, "a\nb", ""])
def test_no_object_has_a_name_that_is_no_part_of_a_path(name: str, tmp_path: Path) -> None:
    state = state_of(as_json(listed([*small_cluster(), event(name), budget(name)])), tmp_path)

    assert state.kept == KEPT


def test_event_that_cannot_be_read_makes_no_answer_uncertain(tmp_path: Path) -> None:
    state = state_of(as_json(listed([*small_cluster(), event("e", count="many")])), tmp_path)

    assert unreadable_in(state) is None
    assert [skipped_thing(why) for why in state.skipped] == ["Event"]


@pytest.mark.parametrize("broken", [b"{", b"kind: [\n", b"\xff\xfe\xff", as_json({"kind": "PodList", "items": []})])
def test_broken_file_among_many_is_left_out(broken: bytes, tmp_path: Path) -> None:
    files = {"a/all.json": as_json(listed(small_cluster())), "b/pods.yaml": broken, "c/n3.json": as_json(node("n3"))}

    for state in (state_of(tar(files), tmp_path, "dump.tar"), state_of_path(unpack(files, tmp_path / "folder"))):
        gap = known(unreadable_in(state))
        assert state.kept == {**KEPT, "Node": 3}
        assert "b/pods.yaml" in gap.why
        assert isinstance(next(iter(state.skipped)), Unreadable)


def archive_with_link(target: str, kind: bytes) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        content = as_json(listed(small_cluster()))
        member = tarfile.TarInfo("bundle/cluster.json")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("bundle/more.json")
        link.type, link.linkname = kind, target
        archive.addfile(link)
    return data.getvalue()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_in_an_archive_are_counted_and_never_followed(kind: bytes, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_bytes(as_json(node("outside")))

    for target in ("bundle/cluster.json", str(outside), "../../outside.json"):
        state = state_of(archive_with_link(target, kind), tmp_path, "bundle.tar")
        assert state.kept == KEPT
        assert dict(state.skipped) == {LinksInArchive(): 1}


def test_links_in_a_zip_archive_are_counted(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("cluster.json", as_json(listed(small_cluster())))
        link = zipfile.ZipInfo("link.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")

    state = state_of(data.getvalue(), tmp_path, "bundle.zip")

    assert state.kept == KEPT
    assert dict(state.skipped) == {LinksInArchive(): 1}


def test_discovery_documents_are_skipped(tmp_path: Path) -> None:
    resources = [
        {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1", "resources": []},
        {"kind": "APIResourceList", "groupVersion": "apps/v1", "resources": []},
        {"kind": "APIGroup", "name": "apps"},
    ]
    files = {
        "cluster-resources/all.json": as_json(listed(small_cluster())),
        "cluster-resources/resources.json": as_json(resources),
        "cluster-resources/groups.json": as_json({"kind": "APIGroupList", "groups": []}),
        "cluster-resources/pods-errors.json": as_json(["pods is forbidden"]),
        "notes.json": as_json({"kind": 5}),
    }

    state = state_of(tar(files), tmp_path, "bundle.tar")

    assert state.kept == KEPT
    assert unreadable_in(state) is None
    assert dict(state.skipped) == {
        OtherKind("APIResourceList"): 2,
        OtherKind("APIGroup"): 1,
        OtherKind("APIGroupList"): 1,
        WithoutKind(): 2,
    }


def test_objects_without_kind_are_what_their_file_is_called_after(tmp_path: Path) -> None:
    bare = [{key: item[key] for key in item.keys() - {"kind", "apiVersion"}} for item in small_cluster()]
    volume, claim = {"metadata": {"name": "pv-1"}}, {"metadata": {"name": "data", "namespace": "shop"}}
    files = {
        "bundle/cluster-resources/namespaces.json": as_json(bare[:1]),
        "bundle/cluster-resources/nodes.json": as_json({"metadata": {}, "items": bare[1:2]}),
        "results/resources/cluster/core_v1_nodes.json": as_json(bare[2:3]),
        "bundle/cluster-resources/pods/shop.json": as_json(bare[3:]),
        "bundle/cluster-resources/pvs.json": as_json([volume]),
        "bundle/cluster-resources/pvcs/shop.json": as_json([claim]),
        "bundle/cluster-resources/pod-disruption-budgets/shop.json": as_json([]),
        "bundle/versions/nodes.json": as_json({"kubelet": "v1.34.0"}),
    }

    state = state_of(tar(files), tmp_path, "bundle.tar")

    assert state.kept == {**KEPT, "PersistentVolume": 1, "PersistentVolumeClaim": 1}
    assert json.loads(state.rows["Pod"]["shop", "web"].object)["apiVersion"] == "v1"


def test_lists_within_arrays_and_lists_are_opened(tmp_path: Path) -> None:
    whole = listed(small_cluster())

    for document in ([whole], listed([whole]), [listed([whole])]):
        assert state_of(as_json(document), tmp_path).kept == KEPT


def test_objects_with_generate_name_get_names_of_their_own(tmp_path: Path) -> None:
    made = {**pod(), "metadata": {"generateName": "batch-", "namespace": "shop"}}

    state = state_of(b"---\n".join(map(as_yaml, [*small_cluster(), made, made])), tmp_path, "dump.yaml")

    names = sorted(name for _, name in state.rows["Pod"] if name.startswith("batch-"))
    assert len(names) == 2
    assert all(len(name) == len("batch-") + 5 for name in names)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "image"),
        (b"%PDF-1.7\n", "pdf"),
        (b"SQLite format 3\x00", "database"),
        (b"\x01\x02\x00\x03", "binary"),
        (b"<!DOCTYPE html>\n<html>", "html"),
        (
            b"NAME    READY   STATUS    AGE\nweb-1   1/1     Running   1d\n",
            "kubectl-table",
        ),
        (b"NAMESPACE   NAME   READY\nshop        web-1   1/1\n", "kubectl-table"),
        (b"Name:             web-1\nNamespace:        shop\nPriority:         0\n", "kubectl-describe"),
        (b'I0101 12:00:00.000000       1 schedule_one.go:314] "Bound" pod="shop/a"\n', "log"),
        (b"Error from server (Forbidden): pods is forbidden\n", "kubectl-message"),
        (b"The connection to the server localhost:8080 was refused\n", "kubectl-message"),
    ],
)
def test_refusal_says_what_a_file_is(content: bytes, said: str, tmp_path: Path) -> None:
    assert said in problem_sentence(refusal(content, tmp_path, "dump").problem)


@pytest.mark.parametrize("fill", [b"A", b"NAME A(", b"\n", b" ", b"Name:  a\n"])
def test_what_a_file_is_is_told_at_once(fill: bytes, tmp_path: Path) -> None:
    """Whatever it begins with, in time that grows with what is looked at."""
    refusal(b"NAME " + fill * 100_000 + b"{", tmp_path, "dump")
