"""What can be wrong with a file or an archive that somebody sends."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class UnreadableFile(Problem):
    """The operating system refuses to read a file; ``reason`` is its own word."""

    reason: str


@dataclass(frozen=True, slots=True)
class LargeFile(Problem):
    """A file of more bytes than are taken."""

    found_bytes: int
    most_bytes: int


@dataclass(frozen=True, slots=True)
class ManyFiles(Problem):
    """An archive or a directory of more files than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class LargeOnceDecompressed(Problem):
    """More bytes come out of a file than are taken."""

    most_bytes: int


@dataclass(frozen=True, slots=True)
class DecompressionBomb(Problem):
    """More than so many times the compressed size comes out of a file."""

    times: int


@dataclass(frozen=True, slots=True)
class LargeArchiveHeader(Problem):
    """A header in an archive claims so many bytes."""

    claimed: int


@dataclass(frozen=True, slots=True)
class LinkInArchive(Problem):
    """A member of an archive is a link."""

    found: str


@dataclass(frozen=True, slots=True)
class DeviceInArchive(Problem):
    """A member of an archive is a device or a pipe."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAPlainFile(Problem):
    """A member of an archive is something else than a file, a directory, a link or a device."""

    found: str


@dataclass(frozen=True, slots=True)
class DamagedArchive(Problem):
    """An archive cannot be read; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class EncryptedMember(Problem):
    """A member of an archive needs a password."""

    found: str


@dataclass(frozen=True, slots=True)
class UnusualCompression(Problem):
    """A member of a zip archive is compressed in a way that is not read."""

    found: str


@dataclass(frozen=True, slots=True)
class OverlappingMember(Problem):
    """Two members of a zip archive share bytes."""

    found: str


@dataclass(frozen=True, slots=True)
class LeadsOutOfArchive(Problem):
    """The name of a member leads out of its archive."""

    found: str


@dataclass(frozen=True, slots=True)
class DamagedGzip(Problem):
    """A gzip stream cannot be decompressed; ``reason`` is the word of the library."""

    reason: str


@dataclass(frozen=True, slots=True)
class GzipEndsEarly(Problem):
    """A gzip stream lacks its end."""


@dataclass(frozen=True, slots=True)
class GzipTwice(Problem):
    """A gzip file is in a gzip file."""


@dataclass(frozen=True, slots=True)
class ForeignCompression(Problem):
    """A file is compressed in a format that is not read."""

    format_name: str


@dataclass(frozen=True, slots=True)
class ByteNotUtf8(Problem):
    """A byte, counted from 1, that no UTF-8 has there."""

    byte: int


@dataclass(frozen=True, slots=True)
class NotUtf16(Problem):
    """A file that begins as UTF-16 and does not go on so."""


@dataclass(frozen=True, slots=True)
class EmptyFile(Problem):
    """A file without any document."""


class FileForm(enum.StrEnum):
    """What people send by mistake."""

    IMAGE = "image"
    PDF = "pdf"
    PROGRAM = "program"
    DATABASE = "database"
    HTML = "html"
    XML = "xml"
    KUBECTL_TABLE = "kubectl-table"
    KUBECTL_DESCRIBE = "kubectl-describe"
    KUBECTL_MESSAGE = "kubectl-message"
    LOG = "log"
    BINARY = "binary"


@dataclass(frozen=True, slots=True)
class OtherForm(Problem):
    """A file that is something else than JSON or YAML."""

    form: FileForm


@dataclass(frozen=True, slots=True)
class NotADump(Problem):
    """A document that is no Kubernetes object, alone in its file."""

    found: str


@dataclass(frozen=True, slots=True)
class NotASchedulerLog(Problem):
    """None of the lines of a file is of a scheduler; ``first`` is the beginning of its first line."""

    lines: int
    first: str


@dataclass(frozen=True, slots=True)
class NoLineOfScheduler(Problem):
    """A component wrote the lines of a log, and none is one of kube-scheduler about a pod."""

    lines: int


@dataclass(frozen=True, slots=True)
class EmptyLog(Problem):
    """A log without a line."""
