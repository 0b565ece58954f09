"""Lessons that trainers uploaded, and any lesson by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.models import StoredLesson
from clusters.services.computing.caches import Cache
from clusters.services.lessons.library import built_in_lessons
from clusters.services.lessons.reading import read_lesson

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.engine.lessons.lesson import Lesson

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
