"""The lessons that come with Berth, and the paths that lead through them."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from clusters.adapters.bad_input import shown
from clusters.documents.lessons import LibraryPaths
from clusters.engine.problems import NoSuchName
from clusters.models import StoredLesson
from clusters.services.computing import Cache
from clusters.services.lessons.reading import LessonDocuments, LessonFiles, NamedFiles, read_folder, read_lesson

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.engine.lessons import Lesson

FOLDER: Final = Path(__file__).parents[2] / "lessons"
PATHS_FILE: Final = "paths.yaml"


class LearningPath(NamedTuple):
    """Lessons in the order in which somebody learns them; ``name`` says who."""

    name: str
    lessons: tuple[str, ...]


def built_in_folders() -> dict[str, Path]:
    """Return the folders of the lessons that come with Berth by their names, sorted."""
    return {path.name: path for path in sorted(FOLDER.iterdir()) if path.is_dir()}


@cache
def built_in_files() -> Mapping[str, NamedFiles]:
    """Return the files of the lessons that come with Berth, by their names."""
    return MappingProxyType({name: read_folder(path) for name, path in built_in_folders().items()})


@cache
def built_in_lessons() -> Mapping[str, Lesson]:
    """Return the lessons that come with Berth by their names; they are read once per process. Raises BadLesson."""
    return MappingProxyType({name: read_lesson(name, files).lesson for name, files in built_in_files().values()})


@cache
def learning_paths() -> tuple[LearningPath, ...]:
    """Return the paths through the lessons that come with Berth. Raises BadLesson."""
    documents = LessonDocuments({PATHS_FILE: (FOLDER / PATHS_FILE).read_text(encoding="utf-8")})
    written = documents.only_in(PATHS_FILE, PATHS_FILE)
    paths = documents.struct(written, LibraryPaths, PATHS_FILE) or {}
    known = built_in_folders()
    for path, lessons in paths.items():
        for number, lesson in enumerate(lessons):
            if lesson not in known:
                documents.fault(PATHS_FILE, f"{path}[{number}]", NoSuchName(shown(lesson)))
    documents.raise_errors()
    return tuple(LearningPath(name, lessons) for name, lessons in paths.items())


# Lessons that trainers uploaded, and any lesson by its name.

# Those that a class of learners is in the middle of.
_MOST_KEPT: Final = 32
_READ: Final[Cache[str, Lesson]] = Cache("stored lessons", _MOST_KEPT)


def stored_lessons() -> QuerySet[StoredLesson]:
    """Return the lessons that trainers uploaded, by name; their files are loaded only when they are asked for."""
    return StoredLesson.objects.defer("packed_files")


def stored_lesson(name: str) -> Lesson | None:
    """Return a lesson that a trainer uploaded; None where there is none.

    Raises BadLesson for one that this version of Berth no longer reads.
    """
    row = stored_lessons().filter(name=name).first()
    if row is None:
        return None
    version: tuple[int, datetime] = (row.pk, row.created_at)
    return _READ.get(name, lambda: read_lesson(name, row.files).lesson, version=version)


def lesson_named(name: str) -> Lesson | None:
    """Return a lesson that comes with Berth or was uploaded; None where there is none."""
    return built_in_lessons().get(name) or stored_lesson(name)


# A lesson's files as an archive of its folder, which can be changed and uploaded again.

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
