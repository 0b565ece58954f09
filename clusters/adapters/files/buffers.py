"""Bytes of a file, in memory where they are few and mapped from a temporary file where they are many."""

from __future__ import annotations

import mmap
import tempfile
import zlib
from io import RawIOBase
from typing import IO, TYPE_CHECKING, Protocol

from clusters.adapters.bad_input import BadInput
from clusters.adapters.limits import MIB
from clusters.problems.files import ByteNotUtf8, DamagedGzip, GzipEndsEarly, NotUtf16

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import WriteableBuffer

    from clusters.adapters.files.meter import Meter

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
            raise BadInput(DamagedGzip(str(error))) from None
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
                    raise BadInput(GzipEndsEarly())
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
            raise BadInput(NotUtf16()) from None
    return data[len(_BYTE_ORDER_MARK) :] if data[:3] == _BYTE_ORDER_MARK else data


def check_utf_8(data: bytes) -> None:
    """Raise BadInput that names the place if bytes are not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise BadInput(ByteNotUtf8(error.start + 1)) from None
