"""A lesson's files as an archive of its folder, which can be changed and uploaded again."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

if TYPE_CHECKING:
    from clusters.services.lessons.files import LessonFiles

# The same files make the same archive, whenever it is asked for.
_MADE_AT: Final = (2025, 1, 1, 0, 0, 0)
_READABLE: Final = 0o644 << 16


def archive_of(name: str, files: LessonFiles) -> bytes:
    """Return a zip of a folder of this name with the files in it."""
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        for path, text in files.items():
            entry = ZipInfo(f"{name}/{path}", _MADE_AT)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, _READABLE
            archive.writestr(entry, text)
    return data.getvalue()
