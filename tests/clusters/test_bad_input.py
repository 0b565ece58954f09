"""Bad input is refused with the place, the fault and a remedy."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from clusters.wording.problems import problem_sentence, remedy_sentence
from tests.clusters.dumps import as_json, as_yaml, listed, node, pod, refusal, state_of, tar

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.adapters.bad_input import BadInput


def place(error: BadInput) -> tuple[str, int, str, str]:
    return error.file, error.document, error.subject, error.field


@pytest.mark.parametrize("indent", [None, 4])
def test_truncated_long_list_names_the_line(indent: int | None, tmp_path: Path) -> None:
    text = as_json(listed([node(f"n{index}") for index in range(2000)]), indent)
    assert len(text) > 1 << 18

    error = refusal(text[: len(text) * 2 // 3], tmp_path)

    assert "ends too early" in problem_sentence(error.problem)


def test_broken_item_of_a_long_list_names_its_line(tmp_path: Path) -> None:
    text = as_json(listed([node(f"n{index}") for index in range(2000)]))
    line = text[: text.index(b'"n1000"')].count(b"\n") + 1

    error = refusal(text.replace(b'"n1000"', b'"n1000', 1), tmp_path)

    assert f"at line {line}," in problem_sentence(error.problem)


def test_second_document_is_named(tmp_path: Path) -> None:
    error = refusal(as_json(node(), None) + b"\n" + as_json(node(), None)[:-9], tmp_path)

    assert place(error) == ("dump.json", 2, "", "")


def test_alias_bomb_is_defused(tmp_path: Path) -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    bomb = f"kind: Pod\napiVersion: v1\nl0: &l0 [lol]\n{levels}"

    error = refusal(bomb.encode(), tmp_path, "bomb.yaml")

    assert (error.file, error.document) == ("bomb.yaml", 1)
    assert error.field.startswith("l")
    assert "BERTH_YAML_EXPANSION_LIMIT" in problem_sentence(error.problem)


def test_alias_to_itself_is_refused(tmp_path: Path) -> None:
    error = refusal(b"kind: Pod\nmetadata: &m\n  labels: *m\n", tmp_path, "loop.yaml")

    assert "*m is not read" in problem_sentence(error.problem)
    assert error.field == "metadata.labels"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"kind: Pod\nkind: Node\n", "is there twice"),
        (b"kind: !!python/object/apply:os.system [id]\n", "is not read here"),
        (b"kind: !secret Pod\n", "is not read here"),
        (b"? [a]\n: b\n", "is not read here"),
        (b"a: &a {}\n? *a\n: b\n", "is not read here"),
        (b"kind: Pod\n<<: [text]\n", "is not read here"),
    ],
)
def test_yaml_that_kubernetes_does_not_know_is_refused(text: bytes, problem: str, tmp_path: Path) -> None:
    assert problem in problem_sentence(refusal(text, tmp_path, "dump.yaml").problem)


def nested(depth: int) -> dict[str, Any]:
    value: Any = "x"
    for _ in range(depth):
        value = {"a": value}
    return {**pod(), "deep": value}


@pytest.mark.parametrize("as_text", [as_json, as_yaml])
def test_deep_nesting_is_refused(as_text: Any, tmp_path: Path) -> None:
    error = refusal(as_text(nested(100)), tmp_path, "deep")

    assert (error.file, error.document) == ("deep", 1)
    assert error.field.startswith("deep.a.a")
    assert "nested too deeply" in problem_sentence(error.problem)
    assert state_of(as_text(nested(90)), tmp_path, "deep").kept == {"Pod": 1}


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_nesting_beyond_any_parser_is_refused(opening: bytes, tmp_path: Path) -> None:
    refusal(opening * 100_000, tmp_path)
    refusal(b"- " * 20_000, tmp_path, "deep.yaml")


def test_wrong_quantity_names_the_field(tmp_path: Path) -> None:
    broken = pod(containers=[{"name": "a", "resources": {"requests": {"memory": "1.5Gi "}}}])

    error = refusal(as_json(listed([broken])), tmp_path)

    assert place(error) == (
        "dump.json",
        1,
        "Pod shop/web",
        "items[0].spec.containers[0].resources.requests.memory",
    )
    assert "'1.5Gi '" in problem_sentence(error.problem)
    assert remedy_sentence(error.problem) == "Write 1.5Gi."


@pytest.mark.parametrize("amount", ["1.5Gi ", "1K", "NaN", "", "-1", "1_000", "١", True, [], "1" * 500])
@pytest.mark.parametrize("key", ["allocatable", "capacity"])
def test_wrong_quantities_are_refused(amount: object, key: str, tmp_path: Path) -> None:
    error = refusal(as_json(node(status={key: {"cpu": amount}})), tmp_path)

    assert error.field == f"status.{key}.cpu"


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [
        ("metadata", {"name": "web", "labels": ["app"]}, "metadata.labels"),
        ("metadata", {"name": "web", "labels": {"app": 1}}, "metadata.labels.app"),
        ("metadata", {"name": "web", "labels": {"app": "<b>"}}, "metadata.labels.app"),
        ("metadata", {"name": "web", "labels": {"<b>": "x"}}, "metadata.labels"),
        ("metadata", {"name": "web", "creationTimestamp": "yesterday"}, "metadata.creationTimestamp"),
        ("metadata", {"name": "web", "creationTimestamp": "2026-01-01T00:00:00"}, "metadata.creationTimestamp"),
        ("metadata", {"name": "<script>alert(1)</script>"}, "metadata.name"),
        ("metadata", {"name": "web", "namespace": "a/../b"}, "metadata.namespace"),
        ("metadata", {"name": "x" * 254}, "metadata.name"),
        ("metadata", {"name": "web", "uid": "\x1b[31m"}, "metadata.uid"),
        ("metadata", {"name": "web", "uid": 5}, "metadata.uid"),
        ("metadata", {"namespace": "shop"}, "metadata.name"),
        ("metadata", "web", "metadata"),
        ("spec", {"priority": "high"}, "spec.priority"),
        ("spec", {"priority": 2**40}, "spec.priority"),
        ("spec", {"tolerations": {"key": "a"}}, "spec.tolerations"),
        ("spec", {"tolerations": [{"tolerationSeconds": 1.5}]}, "spec.tolerations[0].tolerationSeconds"),
        ("spec", {"hostNetwork": "yes"}, "spec.hostNetwork"),
        ("spec", {"nodeName": "n" * 500}, "spec.nodeName"),
        ("status", {"conditions": [{"message": "half a \x00 message"}]}, "status.conditions[0].message"),
    ],
)
def test_wrong_values_name_the_field(field: str, value: object, path: str, tmp_path: Path) -> None:
    error = refusal(as_json({**pod(), field: value}), tmp_path)

    assert (error.file, error.document, error.field) == ("dump.json", 1, path)


def test_hostile_values_are_cut_in_messages(tmp_path: Path) -> None:
    error = refusal(as_json({**pod(), "metadata": {"name": "x" * 100_000}}), tmp_path)

    assert len(str(error)) < 1000


@pytest.mark.parametrize("name", ["dump.json", "dump.yaml"])
def test_bytes_that_are_not_utf_8_are_located(name: str, tmp_path: Path) -> None:
    text = (
        as_json(pod()).replace(b"web", b"w\xffb", 1)
        if name.endswith("json")
        else b"kind: Pod\nmetadata: {name: w\xffb}\n"
    )

    error = refusal(text, tmp_path, name)

    assert error.file == name
    assert f"Byte {text.index(0xFF) + 1:,} is not UTF-8." == problem_sentence(error.problem)


def test_half_a_surrogate_pair_is_refused(tmp_path: Path) -> None:
    refusal(
        b'{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "status": {"reason": "\\ud800"}}', tmp_path
    )
    refusal(b'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nstatus: {reason: "\\ud800"}\n', tmp_path, "dump.yaml")


@pytest.mark.parametrize(
    "content", [b"", b"  \n", b"---\n", b"null", b"5", b'"text"', b"[]", b"{}", b"PK", b"\x89PNG\r\n"]
)
def test_files_without_objects_are_refused(content: bytes, tmp_path: Path) -> None:
    if content == b"[]":
        assert state_of(content, tmp_path).kept == {}
        return
    assert refusal(content, tmp_path, "dump").file == "dump"


@pytest.mark.parametrize(
    "content",
    [b'{"kind": "Pod"}', b'{"apiVersion": "v1", "kind": 5}', b'{"kind": "List", "apiVersion": "v1", "items": {}}'],
)
def test_objects_without_a_type_are_refused(content: bytes, tmp_path: Path) -> None:
    assert refusal(content, tmp_path).field in {"apiVersion", "kind", "items"}


def link(kind: bytes, name: str = "pods.json", target: str = "/etc/passwd") -> bytes:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.addfile(member)
    return data.getvalue()


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_archived_devices_are_refused(kind: bytes, tmp_path: Path) -> None:
    error = refusal(link(kind), tmp_path, "dump.tar")

    assert "'pods.json' is not a plain file" in problem_sentence(error.problem)


@pytest.mark.parametrize("name", ["../pods.json", "/etc/pods.json", "a/../../pods.json", "..\\pods.json"])
def test_paths_that_lead_out_of_the_archive_are_refused(name: str, tmp_path: Path) -> None:
    for content in (tar({name: as_json(pod())}), gzip.compress(tar({name: as_json(pod())}))):
        assert "leads out of the archive" in problem_sentence(refusal(content, tmp_path, "dump.tar").problem)
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr(name, as_json(pod()))
    assert "leads out of the archive" in problem_sentence(refusal(zipped.getvalue(), tmp_path, "dump.zip").problem)


def test_gzip_bomb_is_stopped(tmp_path: Path) -> None:
    error = refusal(gzip.compress(b" " * (64 << 20)), tmp_path, "dump.json.gz")

    assert "BERTH_INFLATION_LIMIT" in problem_sentence(error.problem)


def test_gzip_bomb_within_an_archive_is_stopped(tmp_path: Path) -> None:
    bomb = gzip.compress(b" " * (64 << 20))
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pods.json", b" " * (64 << 20))
    for content in (
        tar({"pods.json.gz": bomb}),
        gzip.compress(tar({"pods.json": b" " * (64 << 20)})),
        zipped.getvalue(),
    ):
        assert "BERTH_INFLATION_LIMIT" in problem_sentence(refusal(content, tmp_path, "dump").problem)


MANY_FILES = {f"{index}.json": as_json(pod(f"web-{index}")) for index in range(9)}


@pytest.mark.parametrize(
    ("content", "bounds", "said"),
    [
        (tar(MANY_FILES, compressed=True), {"total_bytes": 2000}, "BERTH_DECOMPRESSED_LIMIT_MIB"),
        (as_json(pod()), {"source_bytes": 100}, "BERTH_UPLOAD_LIMIT_MIB"),
        (tar(MANY_FILES), {"files": 5}, "BERTH_FILES_LIMIT (5)"),
        (
            as_json(pod(tolerations=[{"key": f"key-{index}"} for index in range(1000)])),
            {"object_bytes": 1000},
            "more than 1000 B",
        ),
    ],
)
def test_sizes_are_limited(content: bytes, bounds: dict[str, int], said: str, tmp_path: Path) -> None:
    assert said in problem_sentence(refusal(content, tmp_path, "dump.json", **bounds).problem)


def test_number_of_objects_is_limited(tmp_path: Path) -> None:
    error = refusal(as_json(listed([pod(f"web-{index}") for index in range(9)])), tmp_path, objects=5)

    assert error.field == "items[5]"


def test_extended_header_cannot_claim_the_memory(tmp_path: Path) -> None:
    header = tarfile.TarInfo("pax")
    header.type = tarfile.XHDTYPE
    header.size = 1 << 31
    content = gzip.compress(header.tobuf() + bytes(1 << 16))

    assert "It has more than 1 MiB." in problem_sentence(refusal(content, tmp_path, "dump.tar.gz").problem)


@pytest.mark.parametrize("cut", [40, 700, 1500])
def test_truncated_archive_is_refused(cut: int, tmp_path: Path) -> None:
    content = tar({"a.json": as_json(pod()), "b.json": os.urandom(4000)}, compressed=True)

    refusal(content[:cut], tmp_path, "dump.tar.gz")


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pods.json", as_json(listed([pod()] * 50)))
    damaged = bytearray(zipped.getvalue())
    damaged[60:80] = bytes(20)

    refusal(bytes(damaged), tmp_path, "dump.zip")
    refusal(zipped.getvalue()[:-30], tmp_path, "dump.zip")
    compressed = bytearray(gzip.compress(as_json(pod())))
    compressed[20:40] = bytes(20)
    refusal(bytes(compressed), tmp_path, "dump.json.gz")
    refusal(gzip.compress(as_json(pod()))[:-20], tmp_path, "dump.json.gz")


@pytest.mark.parametrize("magic", [b"\xfd7zXZ\x00", b"BZh91AY", b"\x28\xb5\x2f\xfd"])
def test_other_compression_is_named(magic: bytes, tmp_path: Path) -> None:
    assert "compressed with" in problem_sentence(refusal(magic + bytes(300), tmp_path, "dump.json.xz").problem)


def test_gzip_within_gzip_is_named(tmp_path: Path) -> None:
    twice = gzip.compress(gzip.compress(as_json(pod())))

    assert "gzip × 2" in problem_sentence(refusal(twice, tmp_path, "dump.json.gz").problem)
