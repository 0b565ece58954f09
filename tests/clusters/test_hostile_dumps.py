"""Small uploads that would fill the memory, or keep a worker busy for long, are refused with the limit named."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.bad_input import MIB, Limits
from clusters.adapters.buffers import Meter
from clusters.adapters.files import _memory_of, _parsed
from clusters.wording.problems import problem_sentence
from tests.clusters.dumps import as_json, as_yaml, listed, node, pod, refusal, small_cluster, state_of

if TYPE_CHECKING:
    from pathlib import Path

# So much memory may a document of the cases below take that is parsed in one piece.
_LIMIT = 8 * MIB
_MANY = 200_000


def overlapping(copies: int) -> bytes:
    """Return a zip archive whose directory names the same bytes again and again."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.json", as_json(pod()))
        (first,) = archive.filelist
        for index in range(1, copies):
            entry = zipfile.ZipInfo(f"{index}.json")
            for name in ("header_offset", "compress_size", "file_size", "CRC", "compress_type", "flag_bits"):
                setattr(entry, name, getattr(first, name))
            archive.filelist.append(entry)
            archive.NameToInfo[entry.filename] = entry
    return target.getvalue()


def test_entries_that_share_bytes_are_refused(tmp_path: Path) -> None:
    assert "overlaps another entry" in problem_sentence(refusal(overlapping(3), tmp_path, "dump.zip").problem)


def test_archive_of_many_small_bombs_is_stopped(tmp_path: Path) -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for index in range(6):
            # Each by itself too small to be judged.
            archive.writestr(f"{index}.json", b" " * (8 * MIB))

    assert "BERTH_INFLATION_LIMIT" in problem_sentence(refusal(zipped.getvalue(), tmp_path, "dump.zip").problem)


def _shapes() -> dict[str, bytes]:
    many = b",".join([b'{"a":[]}'] * _MANY)
    whole = json.dumps(listed(small_cluster())).encode()
    return {
        "an array": b"[" + many + b"]",
        "an export of a simulator": b'{"nodes":[],"pods":[' + many + b"]}",
        "a list whose items are no objects": b'{"kind":"List","apiVersion":"v1","items":[[],' + many + b"]}",
        "one object": b'{"kind":"Pod","apiVersion":"v1","spec":{"containers":[' + many + b"]}}",
        "one item": b'{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","spec":[' + many + b"]}]}",
        "what follows the items": whole[:-1]
        + b',"more":{'
        + many.replace(b"{", b'"b":{').replace(b"[]", b"{}")
        + b"}}",
        "one text": b'{"kind":"' + b"a" * _LIMIT + b'"}',
    }


@pytest.mark.parametrize("shape", _shapes())
def test_documents_that_are_parsed_whole_are_bounded(shape: str, tmp_path: Path) -> None:
    error = refusal(_shapes()[shape], tmp_path, document_bytes=_LIMIT)

    assert "(8 MiB)" in problem_sentence(error.problem)
    assert "BERTH_DOCUMENT_MEMORY_MIB" in problem_sentence(error.problem)
    assert error.document == 1


@pytest.mark.parametrize("shape", ["an array", "an export of a simulator", "one object", "one text"])
def test_yaml_documents_are_bounded_too(shape: str, tmp_path: Path) -> None:
    error = refusal(_shapes()[shape].replace(b",", b", "), tmp_path, "dump.yaml", document_bytes=_LIMIT)

    assert "(8 MiB)" in problem_sentence(error.problem)


def test_items_behind_an_anchor_count(tmp_path: Path) -> None:
    items = b"".join(b"- &a%d {kind: Pod, apiVersion: v1}\n" % index for index in range(20_000))

    error = refusal(b"kind: List\napiVersion: v1\nitems:\n" + items, tmp_path, "dump.yaml", document_bytes=_LIMIT)

    assert "(8 MiB)" in problem_sentence(error.problem) or "name" in error.field


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_long_lists_are_not_bounded_so(form: str, tmp_path: Path) -> None:
    cluster = listed([node(), *(pod(f"web-{index}") for index in range(600))])
    content = as_json(cluster) if form == "json" else as_yaml(cluster)

    state = state_of(content, tmp_path, f"dump.{form}", document_bytes=MIB // 4)

    assert len(state.rows["Pod"]) == 600


def test_large_dump_that_was_cut_off_is_said_to_be_so(tmp_path: Path) -> None:
    content = as_json(listed([pod(f"web-{index}") for index in range(600)]))

    error = refusal(content[: len(content) // 2], tmp_path, document_bytes=MIB // 4)

    assert "ends too early" in problem_sentence(error.problem)


@pytest.mark.parametrize(
    "unit", [b"{}", b'{"a":1}', b"[]", b"[[[[]]]]", b'"ab"', b"1.5", "'é€'".replace("'", '"').encode()]
)
def test_memory_is_not_underestimated(unit: bytes) -> None:
    text = b"[" + b",".join([unit] * 30_000) + b"]"

    tracemalloc.start()
    _parsed(text, Meter(Limits(), bytes_total=0))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak + len(text) <= _memory_of(text) <= 8 * (peak + len(text))
