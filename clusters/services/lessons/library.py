"""The lessons that come with Berth, and the paths that lead through them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.adapters.bad_input import shown
from clusters.documents.lessons import LibraryPaths
from clusters.problems.lessons import UnknownLessonOfPath
from clusters.services.lessons.documents import LessonDocuments
from clusters.services.lessons.files import NamedFiles, read_folder
from clusters.services.lessons.reading import read_lesson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.lessons.lesson import Lesson

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
                documents.fault(PATHS_FILE, f"{path}[{number}]", UnknownLessonOfPath(shown(lesson)))
    documents.raise_errors()
    return tuple(LearningPath(name, lessons) for name, lessons in paths.items())
