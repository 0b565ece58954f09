"""A scheduler's log on disk: told from a dump by its content, and read line by line, however long it is."""

from __future__ import annotations

import codecs
import zlib
from typing import IO, TYPE_CHECKING

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.files.buffers import GZIP, Gunzip, Readable
from clusters.adapters.limits import MIB
from clusters.adapters.observed.klog import is_structured
from clusters.adapters.observed.scheduler_log import SchedulerLog
from clusters.problems.files import EmptyLog, NoLineOfScheduler, NotASchedulerLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from clusters.adapters.files.meter import Meter
    from clusters.adapters.observed.attempt import Attempt

_CHUNK = MIB
_SAMPLE = 64 * 1024
# A failure that names thousands of distinct reasons stays below this.
_LONGEST_LINE = 256 * 1024
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GZIP_FRAMING = 31
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
    return "utf-16" if start.startswith(_UTF_16) else "utf-8-sig"


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
            return BadInput(NoLineOfScheduler(self.lines))
        return BadInput(NotASchedulerLog(self.lines, shown(self._first)) if self._first else EmptyLog())


class _Counted:
    """A file that tells the meter how much of it has been read."""

    def __init__(self, file: IO[bytes], meter: Meter) -> None:
        self._file = file
        self._meter = meter

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._meter.pass_bytes(len(data))
        return data
