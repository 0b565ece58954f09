"""Keeps count of what one source makes us read, and stops it where a limit is passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.adapters.bad_input import BadInput
from clusters.problems.files import DecompressionBomb, LargeFile, LargeOnceDecompressed, ManyFiles

if TYPE_CHECKING:
    from clusters.adapters.limits import Limits


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
            raise BadInput(LargeFile(bytes_total, limits.source_bytes))

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
            raise BadInput(ManyFiles(self.limits.files))

    def pass_bytes(self, size: int) -> None:
        """Note that this many bytes of the source are behind us for good."""
        self._finished += size

    def take(self, size: int) -> None:
        """Count bytes that came out of a file, decompressed."""
        self._decompressed += size
        # Of an archive as a whole too: many members may each be small enough not to be judged.
        self.inflate(self.bytes_total, self._decompressed)
        if self._decompressed > self.limits.total_bytes:
            raise BadInput(LargeOnceDecompressed(self.limits.total_bytes))

    def inflate(self, compressed: int, inflated: int) -> None:
        """Judge one compressed stream so far."""
        if inflated > self.limits.inflation_grace and inflated > compressed * self.limits.inflation:
            raise BadInput(DecompressionBomb(self.limits.inflation))
