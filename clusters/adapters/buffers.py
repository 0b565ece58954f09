"""Bytes of files and archives: read within limits, never unpacked to disk, in memory only where they are few."""

from __future__ import annotations

import codecs
import mmap
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, Protocol

from clusters.adapters.bad_input import MIB, BadInput, Limits, shown
from clusters.adapters.observed import Attempt, SchedulerLog, is_structured
from clusters.engine.problems import Empty, Malformed, NotUtf8, OverSetting, TooLarge
from clusters.problems.inputs import (
    DamagedArchive,
    EndsEarly,
    LeadsOutOfArchive,
    NotAPlainFile,
    NotASchedulerLog,
    OverlappingMember,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from _typeshed import WriteableBuffer


# Keeps count of what one source makes us read, and stops it where a limit is passed.


# Bytes of a file, in memory where they are few and mapped from a temporary file where they are many.


class Meter:
    """Counts files and bytes of one source; `bytes_read` is of the source as it is on disk."""

    def __init__(self, limits: Limits, *, bytes_total: int) -> None:
        self.limits = limits
        self.bytes_total = bytes_total
        self._finished = 0
        self._size = 0
        self._fraction = 0.0
        self._decompressed = 0
        self._files = 0
        if bytes_total > limits.source_bytes:
            raise BadInput(OverSetting("BERTH_UPLOAD_LIMIT_MIB", most_bytes=limits.source_bytes))

    @property
    def bytes_read(self) -> int:
        return min(self.bytes_total, self._finished + int(self._size * self._fraction))

    def at(self, fraction: float) -> None:
        """Note how much of the current file is behind us, from 0 to 1."""
        self._fraction = fraction

    def open_file(self, size: int = 0) -> None:
        """Count one file, which takes this many bytes of the source; the file before it is behind us."""
        self.pass_bytes(self._size)
        self._size = size
        self._fraction = 0.0
        self._files += 1
        if self._files > self.limits.files:
            raise BadInput(OverSetting("BERTH_FILES_LIMIT", self.limits.files))

    def pass_bytes(self, size: int) -> None:
        """Note that this many bytes of the source are behind us for good."""
        self._finished += size

    def take(self, size: int) -> None:
        """Count bytes that came out of a file, decompressed."""
        self._decompressed += size
        # Of an archive as a whole too: many members may each be small enough not to be judged.
        self.inflate(self.bytes_total, self._decompressed)
        if self._decompressed > self.limits.total_bytes:
            raise BadInput(OverSetting("BERTH_DECOMPRESSED_LIMIT_MIB", most_bytes=self.limits.total_bytes))

    def inflate(self, compressed: int, inflated: int) -> None:
        """Judge one compressed stream so far."""
        if inflated > self.limits.inflation_grace and inflated > compressed * self.limits.inflation:
            raise BadInput(OverSetting("BERTH_INFLATION_LIMIT", self.limits.inflation))


Buffer = bytes | mmap.mmap

GZIP = b"\x1f\x8b"
_IN_MEMORY = 8 * MIB
_CHUNK = MIB
_GZIP_FRAMING = 31
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class Readable(Protocol):
    """Something that gives bytes."""

    def read(self, size: int, /) -> bytes: ...


class Gunzip(RawIOBase):
    """A gzip stream, decompressed piece by piece, never more at once than was asked for."""

    def __init__(self, stream: Readable, meter: Meter) -> None:
        super().__init__()
        self._stream = stream
        self._meter = meter
        self._inflater = zlib.decompressobj(_GZIP_FRAMING)
        self._pending = b""
        self._compressed = 0
        self._inflated = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: WriteableBuffer, /) -> int:
        view = memoryview(target).cast("B")
        try:
            data = self._inflate(len(view))
        except zlib.error as error:
            raise BadInput(Malformed("gzip", str(error))) from None
        view[: len(data)] = data
        return len(data)

    def _inflate(self, size: int) -> bytes:
        while True:
            if self._inflater.eof:
                # A gzip file may be several streams in a row.
                self._pending = self._inflater.unused_data or self._more()
                if not self._pending:
                    return b""
                self._inflater = zlib.decompressobj(_GZIP_FRAMING)
            elif not self._pending:
                self._pending = self._more()
                if not self._pending:
                    raise BadInput(EndsEarly())
            data = self._inflater.decompress(self._pending, size)
            self._pending = self._inflater.unconsumed_tail
            self._inflated += len(data)
            self._meter.inflate(self._compressed, self._inflated)
            if data:
                return data

    def _more(self) -> bytes:
        data = self._stream.read(_CHUNK)
        self._compressed += len(data)
        return data


def spooled(stream: Readable, meter: Meter) -> Buffer:
    """Read a stream to its end."""
    start = stream.read(_CHUNK)
    meter.take(len(start))
    parts = [start]
    size = len(start)
    while size < _IN_MEMORY and parts[-1]:
        parts.append(stream.read(_CHUNK))
        size += len(parts[-1])
        meter.take(len(parts[-1]))
    if not parts[-1]:
        return _in_utf_8(b"".join(parts))
    with tempfile.TemporaryFile() as file:
        file.writelines(parts)
        parts.clear()
        while chunk := stream.read(_CHUNK):
            meter.take(len(chunk))
            file.write(chunk)
        file.flush()
        return _in_utf_8(_mapped(file))


def opened(path: Path, meter: Meter) -> Buffer:
    """Map a file, decompressed where it is a gzip file."""
    with path.open("rb") as file:
        if file.read(2) == GZIP:
            file.seek(0)
            return spooled(Gunzip(file, meter), meter)
        size = file.seek(0, 2)
        meter.take(size)
        return _in_utf_8(_mapped(file) if size else b"")


def unzipped(stream: Readable, meter: Meter, *, is_gzip: bool) -> Buffer:
    """Read a member of an archive, decompressed where it is a gzip file itself."""
    return spooled(Gunzip(stream, meter), meter) if is_gzip else spooled(stream, meter)


def _mapped(file: IO[bytes]) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _in_utf_8(data: Buffer) -> Buffer:
    """Return text without a byte order mark; some shells write UTF-16 when output is redirected."""
    encoding = _UTF_16.get(data[:2])
    if encoding is not None:
        try:
            return data[:].decode(encoding).encode()
        except UnicodeError:
            raise BadInput(NotUtf8()) from None
    return data[len(_BYTE_ORDER_MARK) :] if data[:3] == _BYTE_ORDER_MARK else data


def check_utf_8(data: bytes) -> None:
    """Raise BadInput that names the place if bytes are not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise BadInput(NotUtf8(error.start + 1)) from None


# Archives, read member by member and never unpacked to disk.

TAR_MAGIC = b"ustar"
TAR_MAGIC_AT = 257
ZIP_MAGIC = b"PK\x03\x04"

_LONGEST_EXTENDED_HEADER = MIB
# Bytes before an entry's content in a zip archive, its name not counted.
_LOCAL_HEADER = 30
# What the standard library raises for archives that are not what they seem; it follows offsets wherever they point.
_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    ValueError,
)
_ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class _CheckedHeader(tarfile.TarInfo):
    """A member's header; tarfile reads extended ones into memory whole, whatever size they claim."""

    def _proc_member(self, archive: tarfile.TarFile) -> Any:
        if self.type in _EXTENDED_TYPES and self.size > _LONGEST_EXTENDED_HEADER:
            raise BadInput(TooLarge(_LONGEST_EXTENDED_HEADER))
        return super()._proc_member(archive)  # type: ignore[misc]


_EXTENDED_TYPES = {
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}


def tar_members(stream: Readable, meter: Meter) -> Iterator[tuple[str, Readable | None]]:
    """Yield the files of a tar archive, of links None; each must be read before the next is asked for."""
    try:
        with tarfile.open(fileobj=stream, mode="r|", bufsize=MIB, tarinfo=_CheckedHeader) as archive:  # type: ignore[call-overload]
            while (member := archive.next()) is not None:
                meter.open_file()
                _check_path(member.name)
                if member.isdir():
                    continue
                if member.issym() or member.islnk():
                    yield member.name, None
                    continue
                if not member.isreg() or member.issparse():
                    raise BadInput(NotAPlainFile(shown(member.name)))
                content = archive.extractfile(member)
                if content is not None:
                    yield member.name, _Member(content)
                # tarfile remembers all members; of a large archive that is a lot, and nobody asks for them again.
                archive.members.clear()
    except _DAMAGE as error:
        raise BadInput(DamagedArchive(str(error))) from None


class _Member:
    """A member's content; a damaged one is said to be so wherever it is read."""

    def __init__(self, content: IO[bytes]) -> None:
        self._content = content

    def read(self, size: int, /) -> bytes:
        try:
            return self._content.read(size)
        except _DAMAGE as error:
            raise BadInput(DamagedArchive(str(error))) from None


def zip_members(stream: IO[bytes], meter: Meter) -> Iterator[tuple[str, Readable | None]]:
    """Yield the files of a zip archive, of links None."""
    try:
        with zipfile.ZipFile(stream) as archive:
            _refuse_overlap(archive)
            for member in archive.infolist():
                meter.open_file()
                _check_path(member.filename)
                if member.is_dir():
                    continue
                if stat.S_ISLNK(member.external_attr >> 16):
                    yield member.filename, None
                    continue
                if member.flag_bits & 1:
                    raise BadInput(NotAPlainFile(shown(member.filename)))
                if member.compress_type not in _ZIP_METHODS:
                    raise BadInput(NotAPlainFile(shown(member.filename)))
                with archive.open(member) as content:
                    yield member.filename, _Inflated(content, member, meter)
    except _DAMAGE as error:
        raise BadInput(DamagedArchive(str(error))) from None


def _refuse_overlap(archive: zipfile.ZipFile) -> None:
    """Refuse entries that share bytes: a few of those would be decompressed again and again."""
    taken = 0
    for member in sorted(archive.infolist(), key=lambda entry: entry.header_offset):
        if member.header_offset < taken:
            raise BadInput(OverlappingMember(shown(member.filename)))
        taken = member.header_offset + _LOCAL_HEADER + member.compress_size


class _Inflated(_Member):
    """A member of a zip archive, judged while it is decompressed."""

    def __init__(self, content: IO[bytes], member: zipfile.ZipInfo, meter: Meter) -> None:
        super().__init__(content)
        self._compressed = member.compress_size
        self._meter = meter
        self._size = 0

    def read(self, size: int, /) -> bytes:
        data = super().read(size)
        self._size += len(data)
        self._meter.inflate(self._compressed, self._size)
        return data


def _check_path(name: str) -> None:
    """Refuse names that lead out of the archive; nothing is unpacked, but nobody packs such names in good faith."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or "\x00" in name:
        raise BadInput(LeadsOutOfArchive(shown(name)))


# The files of an archive that is at hand as bytes, whatever sort of archive it is.

_TAR_END = TAR_MAGIC_AT + len(TAR_MAGIC)


def archive_files(data: bytes, meter: Meter) -> Iterator[tuple[str, bytes]]:
    """Yield each file of a zip archive or of a tar archive, compressed with gzip or not; nothing for anything else.

    Text in UTF-16 comes as UTF-8, without a byte order mark. Raises BadInput, which names the file.
    """
    if data.startswith(ZIP_MAGIC):
        yield from _contents(zip_members(BytesIO(data), meter), meter)
        return
    is_gzip = data.startswith(GZIP)
    start = BufferedReader(Gunzip(BytesIO(data), meter)).read(_TAR_END) if is_gzip else data[:_TAR_END]
    if start[TAR_MAGIC_AT:] == TAR_MAGIC:
        stream = Gunzip(BytesIO(data), meter) if is_gzip else BytesIO(data)
        yield from _contents(tar_members(stream, meter), meter)


def _contents(members: Iterator[tuple[str, Readable | None]], meter: Meter) -> Iterator[tuple[str, bytes]]:
    for name, content in members:
        if content is None:
            raise BadInput(NotAPlainFile(shown(name)))
        try:
            yield name, unzipped(content, meter, is_gzip=False)[:]
        except BadInput as error:
            raise error.at(file=name) from None


# A scheduler's log on disk: told from a dump by its content, and read line by line, however long it is.

_SAMPLE = 64 * 1024
# A failure that names thousands of distinct reasons stays below this.
_LONGEST_LINE = 256 * 1024
_LOG_FILES_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DOCUMENT_NAMES = (".yaml", ".yml")
_DOCUMENT_STARTS = ("{", "[", "---", "apiVersion:", "kind:", "items:", "metadata:", "#", "%YAML")


def is_log(start: bytes, name: str) -> bool:
    """Tell a component's log from a dump by the first bytes, and by its name where these do not tell."""
    lines = first_lines(start)
    if not lines or name.lower().removesuffix(".gz").endswith(_DOCUMENT_NAMES):
        return False
    # A dump may quote a log, but never begins with one; a log may begin with the rest of a line.
    if lines[0].lstrip().startswith(_DOCUMENT_STARTS):
        return is_structured(lines[0])
    return name.lower().removesuffix(".gz").endswith(".log") or any(map(is_structured, lines))


def start_of(path: Path) -> bytes:
    """Return the first bytes of a file; none of a directory."""
    if path.is_dir():
        return b""
    with path.open("rb") as file:
        return file.read(_SAMPLE)


def first_lines(start: bytes) -> list[str]:
    """Return the first lines of a text that are not blank, decompressed; none of what is no text."""
    if start.startswith(GZIP):
        try:
            start = zlib.decompressobj(_GZIP_FRAMING).decompress(start, _SAMPLE)
        except zlib.error:
            return []
    encoding = _encoding(start)
    if b"\0" in start and encoding != "utf-16":
        return []
    return [line for line in start.decode(encoding, "replace").splitlines() if line.strip()]


def _encoding(start: bytes) -> str:
    return "utf-16" if start.startswith(_LOG_FILES_UTF_16) else "utf-8-sig"


class LogFile:
    """A log that is being read: what has come out of it so far."""

    def __init__(self, path: Path, meter: Meter, *, name: str, now: datetime) -> None:
        self._path = path
        self._meter = meter
        self._name = name
        self._log = SchedulerLog(now=now)
        self._first = ""
        self._is_structured = False
        self.lines = 0
        self.too_long = 0

    @property
    def understood(self) -> int:
        return self._log.understood

    @property
    def unreadable(self) -> int:
        return self._log.unreadable

    def attempts(self) -> Iterator[Attempt | None]:
        """Yield the attempts of the log as they end, and None now and then. Raises BadInput."""
        try:
            with self._path.open("rb") as file:
                counted = _Counted(file, self._meter)
                is_gzip = file.read(len(GZIP)) == GZIP
                file.seek(0)
                for lines in self._batches(Gunzip(counted, self._meter) if is_gzip else counted):
                    for line in lines:
                        yield from self._line(line)
                    yield None
            yield from self._log.end()
            if not self._log.understood:
                raise self._refusal()
        except BadInput as error:
            raise error.at(file=self._name) from None

    def _line(self, line: str) -> Iterator[Attempt]:
        self.lines += 1
        if len(line) > _LONGEST_LINE:
            self.too_long += 1
            return
        line = line.removesuffix("\r")
        if not self._log.understood:
            self._first = self._first or line.strip()
            self._is_structured = self._is_structured or is_structured(line)
        yield from self._log.take(line)

    def _batches(self, stream: Readable) -> Iterator[list[str]]:
        """Yield whole lines, many at a time; of one without an end no more than its beginning is held."""
        rest = ""
        decoder = None
        while chunk := stream.read(_CHUNK):
            self._meter.take(len(chunk))
            decoder = decoder or codecs.getincrementaldecoder(_encoding(chunk))("replace")
            *lines, rest = (rest + decoder.decode(chunk)).split("\n")
            # Over the limit by one, so that the whole line is known to be too long.
            rest = rest[: _LONGEST_LINE + 1]
            yield lines
        if rest:
            yield [rest]

    def _refusal(self) -> BadInput:
        if self._is_structured:
            return BadInput(NotASchedulerLog(self.lines))
        return BadInput(NotASchedulerLog(self.lines) if self._first else Empty())


class _Counted:
    """A file that tells the meter how much of it has been read."""

    def __init__(self, file: IO[bytes], meter: Meter) -> None:
        self._file = file
        self._meter = meter

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._meter.pass_bytes(len(data))
        return data
