"""A source on disk, whatever it is: from a path to the state that it tells."""

from __future__ import annotations

import os
import zlib
from functools import partial
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from clusters.adapters.bad_input import BadInput
from clusters.adapters.files import archives
from clusters.adapters.files.buffers import GZIP, Buffer, Gunzip, Readable, opened, unzipped
from clusters.adapters.files.documents import read_documents
from clusters.adapters.files.forms import refuse_other_forms
from clusters.adapters.files.json_text import json_documents
from clusters.adapters.files.log_blocks import without_logs
from clusters.adapters.files.yaml_text import yaml_documents
from clusters.problems.files import (
    DamagedArchive,
    DecompressionBomb,
    ForeignCompression,
    GzipTwice,
    LargeOnceDecompressed,
    ManyFiles,
)
from clusters.problems.objects import ManyObjects
from clusters.problems.skips import ContainerLogs, LinksInArchive, LogsAndAudits, OtherFileName
from clusters.problems.texts import AliasBomb, LargeInMemory, NestingLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusters.adapters.files.documents import Document
    from clusters.adapters.files.meter import Meter
    from clusters.adapters.state import ClusterState

_SAMPLE = 64 * 1024
_GZIP_FRAMING = 31
_YAML = frozenset({".yaml", ".yml"})
_DOCUMENTS = frozenset({".json", ".jsonl", ".ndjson", *_YAML})
# Of must-gather: who did what to the API server and what the machines logged, of no use here and often personal.
_PASSED_OVER = frozenset({"audit_logs", "audit-logs", "host_service_logs"})
# What ends a source of many files: it is damaged as a whole, or beyond a limit.
_ENDS = (
    AliasBomb,
    DamagedArchive,
    DecompressionBomb,
    LargeInMemory,
    LargeOnceDecompressed,
    ManyFiles,
    ManyObjects,
    NestingLimit,
)
_FOREIGN = {b"\xfd7zXZ": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7-Zip", b"Rar!": "RAR"}


def size_of(path: Path) -> int:
    """Return how many bytes a file has, or all files of a directory together; links are not followed."""
    if not path.is_dir():
        return path.stat().st_size
    return sum(file.stat().st_size for file in _files(path))


def is_archive(path: Path) -> bool:
    """Say whether a source may hold several files; one that cannot be read holds none."""
    if path.is_dir():
        return True
    try:
        with path.open("rb") as file:
            start = file.read(_SAMPLE)
    except OSError:
        return False
    end = archives.TAR_MAGIC_AT + len(archives.TAR_MAGIC)
    if start.startswith(GZIP):
        try:
            start = zlib.decompressobj(_GZIP_FRAMING).decompress(start, end)
        except zlib.error:
            return False
    return start.startswith(archives.ZIP_MAGIC) or start[archives.TAR_MAGIC_AT : end] == archives.TAR_MAGIC


def read_source(path: Path, state: ClusterState, meter: Meter, *, name: str) -> Iterator[None]:
    """Read a file, a directory or an archive into `state`; yield often, so that the caller may report progress.

    `name` is what the source is called in messages. Raises BadInput.
    """
    try:
        if path.is_dir():
            yield from _directory(path, state, meter)
        else:
            yield from _file(path, state, meter, name)
        state.refuse_unreadable()
    except BadInput as error:
        raise error.at(file=name) from None


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _directory(folder: Path, state: ClusterState, meter: Meter) -> Iterator[None]:
    for path in _files(folder):
        meter.open_file(path.stat().st_size)
        relative = path.relative_to(folder).as_posix()
        if _is_wanted(relative, state):
            yield from _one_of_many(partial(opened, path, meter), relative, state, meter)


def _file(path: Path, state: ClusterState, meter: Meter, name: str) -> Iterator[None]:
    with path.open("rb") as file:
        start = file.read(archives.TAR_MAGIC_AT + len(archives.TAR_MAGIC))
        file.seek(0)
        if start.startswith(archives.ZIP_MAGIC):
            yield from _members(archives.zip_members(file, meter), state, meter)
            return
        if start.startswith(GZIP):
            # Buffered, because the first of several streams in a row may hold less than is asked for.
            start = BufferedReader(Gunzip(file, meter)).read(archives.TAR_MAGIC_AT + len(archives.TAR_MAGIC))
            file.seek(0)
            if start.startswith(GZIP):
                raise BadInput(GzipTwice())
        if start[archives.TAR_MAGIC_AT :] == archives.TAR_MAGIC:
            yield from _tar(file, state, meter)
            return
    for magic, format_name in _FOREIGN.items():
        if start.startswith(magic):
            raise BadInput(ForeignCompression(format_name))
    meter.open_file(meter.bytes_total)
    data = opened(path, meter)
    refuse_other_forms(data[:_SAMPLE])
    yield from _read(data, name, state, meter, is_alone=True)


def _tar(file: IO[bytes], state: ClusterState, meter: Meter) -> Iterator[None]:
    is_gzip = file.read(len(GZIP)) == GZIP
    file.seek(0)
    counted = _Counted(file, meter)
    if is_gzip:
        with Gunzip(counted, meter) as inflated:
            yield from _members(archives.tar_members(inflated, meter), state, meter)
    else:
        yield from _members(archives.tar_members(counted, meter), state, meter)


def _members(members: Iterator[tuple[str, Readable | None]], state: ClusterState, meter: Meter) -> Iterator[None]:
    for name, content in members:
        if content is None:
            state.skip(LinksInArchive())
        elif _is_wanted(name, state):
            is_gzip = name.lower().endswith(".gz")
            yield from _one_of_many(partial(unzipped, content, meter, is_gzip=is_gzip), name, state, meter)


def _one_of_many(read: Callable[[], Buffer], name: str, state: ClusterState, meter: Meter) -> Iterator[None]:
    """Read one file among many; one that cannot be read is left out."""
    try:
        yield from _read(read(), name, state, meter, is_alone=False)
    except BadInput as error:
        placed = error.at(file=name)
        if isinstance(error.problem, _ENDS):
            raise placed from None
        state.leave_out(placed)


def _is_wanted(name: str, state: ClusterState) -> bool:
    """Say whether a file among many is a document; count it as skipped otherwise."""
    path = PurePosixPath(name)
    suffix = _suffix(name)
    if not _PASSED_OVER.isdisjoint(path.parts):
        state.skip(LogsAndAudits())
    elif suffix in _DOCUMENTS:
        return True
    else:
        state.skip(OtherFileName(suffix))
    return False


def _suffix(name: str) -> str:
    return PurePosixPath(name.lower().removesuffix(".gz")).suffix[:16]


def _read(data: Buffer, name: str, state: ClusterState, meter: Meter, *, is_alone: bool) -> Iterator[None]:
    """Read one file of documents."""
    text, blocks = without_logs(data)
    if blocks:
        state.skip(ContainerLogs(), blocks)
    start = text[:4096].lstrip()
    if not start and not text[:].strip():
        documents: Iterator[Document] = iter(())
    elif start[:1] in {b"{", b"["} and _suffix(name) not in _YAML:
        documents = json_documents(text, meter)
    else:
        documents = yaml_documents(text, meter)
    yield from read_documents(documents, name, state, is_alone=is_alone)


class _Counted:
    """A file that tells the meter how much of it has been read."""

    def __init__(self, file: IO[bytes], meter: Meter) -> None:
        self._file = file
        self._meter = meter

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._meter.pass_bytes(len(data))
        return data
