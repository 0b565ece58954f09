"""Archives, read member by member and never unpacked to disk."""

from __future__ import annotations

import stat
import struct
import tarfile
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.limits import MIB
from clusters.problems.files import (
    DamagedArchive,
    DeviceInArchive,
    EncryptedMember,
    LargeArchiveHeader,
    LeadsOutOfArchive,
    NotAPlainFile,
    OverlappingMember,
    UnusualCompression,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.files.buffers import Readable
    from clusters.adapters.files.meter import Meter

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
            raise BadInput(LargeArchiveHeader(self.size))
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
                    name = shown(member.name)
                    raise BadInput(DeviceInArchive(name) if member.isdev() else NotAPlainFile(name))
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
                    raise BadInput(EncryptedMember(shown(member.filename)))
                if member.compress_type not in _ZIP_METHODS:
                    raise BadInput(UnusualCompression(shown(member.filename)))
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
