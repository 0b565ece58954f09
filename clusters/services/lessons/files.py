"""The files of a lesson as text: from a folder, or from an archive of one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.files.buffers import check_utf_8
from clusters.adapters.files.members import archive_files
from clusters.adapters.files.meter import Meter
from clusters.adapters.limits import MIB, limits
from clusters.documents.lessons import LESSON_NAME
from clusters.problems.files import (
    DecompressionBomb,
    LargeFile,
    LargeOnceDecompressed,
    ManyFiles,
    UnreadableFile,
)
from clusters.problems.lessons import (
    LargeLesson,
    ManyLessonFiles,
    NeitherFolderNorArchive,
    NotALesson,
    NotALessonName,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.problems import Problem

# The text of each file by its path within the lesson, sorted by path.
LessonFiles: TypeAlias = Mapping[str, str]

LESSON_FILE: Final = "lesson.yaml"
MOST_FILES: Final = 100
MOST_BYTES: Final = MIB
_DOCUMENTS: Final = frozenset({".yaml", ".yml", ".json"})
# What archivers of other systems add to what somebody packs.
_PACKED_ALONG: Final = "__MACOSX"
_ARCHIVE_ENDINGS: Final = (".zip", ".tar.gz", ".tgz", ".tar")


class NamedFiles(NamedTuple):
    """The files of a lesson, and its name."""

    name: str
    files: LessonFiles


def read_folder(path: Path) -> NamedFiles:
    """Read a folder; its name is the lesson's. Raises BadInput."""
    return NamedFiles(_checked_name(path.resolve().name), _lesson(_files_below(path)))


def read_archive(data: bytes, file_name: str) -> NamedFiles:
    """Read an archive of a lesson's folder or of what is in it. Raises BadInput.

    The lesson has the folder's name, or else the archive's without its ending.
    """
    if len(data) > MOST_BYTES:
        raise BadInput(LargeLesson(MOST_BYTES), file=file_name)
    bounds = replace(limits(), files=MOST_FILES, total_bytes=MOST_BYTES)
    try:
        found = list(archive_files(data, Meter(bounds, bytes_total=len(data))))
    except BadInput as error:
        raise BadInput(_of_a_lesson(error.problem), file=error.file or file_name) from None
    if not found:
        raise BadInput(NeitherFolderNorArchive(), file=file_name)
    files = {path: data for name, data in found if _is_wanted(path := PurePosixPath(name.replace("\\", "/")))}
    folders = {path.parts[0] for path in files}
    if len(folders) == 1 and all(len(path.parts) > 1 for path in files):
        name = folders.pop()
        files = {path.relative_to(name): data for path, data in files.items()}
    else:
        name = _stem(file_name)
    return NamedFiles(_checked_name(name), _lesson((path.as_posix(), data) for path, data in files.items()))


def read_lesson_files(path: Path) -> NamedFiles:
    """Read a folder or an archive on disk. Raises BadInput."""
    if path.is_dir():
        return read_folder(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(UnreadableFile(error.strerror or str(error)), file=path.name) from error
    return read_archive(data, path.name)


def _files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    left = MOST_BYTES
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            relative = path.relative_to(folder)
            if not _is_wanted(PurePosixPath(relative.as_posix())) or path.is_symlink() or not path.is_file():
                continue
            try:
                with path.open("rb") as file:
                    data = file.read(left + 1)
            except OSError as error:
                raise BadInput(UnreadableFile(error.strerror or str(error)), file=relative.as_posix()) from error
            left -= len(data)
            if left < 0:
                raise BadInput(LargeLesson(MOST_BYTES), file=folder.name)
            yield relative.as_posix(), data


def _is_wanted(path: PurePosixPath) -> bool:
    """Say whether a file can be part of a lesson; a note or a licence beside them is nobody's mistake."""
    is_hidden = any(part.startswith(".") for part in path.parts)
    return not is_hidden and _PACKED_ALONG not in path.parts and path.suffix.lower() in _DOCUMENTS


def _lesson(found: Iterable[tuple[str, bytes]]) -> LessonFiles:
    files: dict[str, str] = {}
    for name, data in found:
        try:
            check_utf_8(data)
        except BadInput as error:
            raise error.at(file=name) from None
        files[name] = data.decode()
        if len(files) > MOST_FILES:
            raise BadInput(ManyLessonFiles(MOST_FILES))
    if LESSON_FILE not in files:
        raise BadInput(NotALesson(LESSON_FILE))
    return dict(sorted(files.items()))


def _stem(file_name: str) -> str:
    name = PurePosixPath(file_name.replace("\\", "/")).name
    return next((name[: -len(each)] for each in _ARCHIVE_ENDINGS if name.lower().endswith(each)), name)


def _checked_name(name: str) -> str:
    if re.search(LESSON_NAME, name) is None:
        raise BadInput(NotALessonName(shown(name)))
    return name


def _of_a_lesson(problem: Problem) -> Problem:
    """Return a limit that was passed as that of lessons, which no setting raises."""
    if isinstance(problem, ManyFiles):
        return ManyLessonFiles(MOST_FILES)
    if isinstance(problem, DecompressionBomb | LargeFile | LargeOnceDecompressed):
        return LargeLesson(MOST_BYTES)
    return problem
