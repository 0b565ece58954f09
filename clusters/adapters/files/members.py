"""The files of an archive that is at hand as bytes, whatever sort of archive it is."""

from __future__ import annotations

from io import BufferedReader, BytesIO
from typing import TYPE_CHECKING

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.files import archives
from clusters.adapters.files.buffers import GZIP, Gunzip, unzipped
from clusters.problems.files import LinkInArchive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.files.buffers import Readable
    from clusters.adapters.files.meter import Meter

_TAR_END = archives.TAR_MAGIC_AT + len(archives.TAR_MAGIC)


def archive_files(data: bytes, meter: Meter) -> Iterator[tuple[str, bytes]]:
    """Yield each file of a zip archive or of a tar archive, compressed with gzip or not; nothing for anything else.

    Text in UTF-16 comes as UTF-8, without a byte order mark. Raises BadInput, which names the file.
    """
    if data.startswith(archives.ZIP_MAGIC):
        yield from _contents(archives.zip_members(BytesIO(data), meter), meter)
        return
    is_gzip = data.startswith(GZIP)
    start = BufferedReader(Gunzip(BytesIO(data), meter)).read(_TAR_END) if is_gzip else data[:_TAR_END]
    if start[archives.TAR_MAGIC_AT :] == archives.TAR_MAGIC:
        stream = Gunzip(BytesIO(data), meter) if is_gzip else BytesIO(data)
        yield from _contents(archives.tar_members(stream, meter), meter)


def _contents(members: Iterator[tuple[str, Readable | None]], meter: Meter) -> Iterator[tuple[str, bytes]]:
    for name, content in members:
        if content is None:
            raise BadInput(LinkInArchive(shown(name)))
        try:
            yield name, unzipped(content, meter, is_gzip=False)[:]
        except BadInput as error:
            raise error.at(file=name) from None
