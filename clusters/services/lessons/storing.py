"""Lessons that trainers upload, stored and deleted."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import IntegrityError, transaction

from clusters.adapters.bad_input import BadInput
from clusters.engine.problems import NameExists, ReservedName
from clusters.models import StoredLesson
from clusters.problems.lessons import ManyStoredLessons
from clusters.services.lessons.library import built_in_folders
from clusters.services.lessons.reading import (
    LANGUAGES,
    BadLesson,
    LessonFault,
    LessonFiles,
    check_lesson,
    read_archive,
    read_lesson,
)

if TYPE_CHECKING:
    from clusters.engine.lessons import Lesson

# With the bound on one, some tens of megabytes compressed.
MOST_STORED: Final = 200
# Addresses of pages begin so.
RESERVED_NAMES: Final = frozenset({"sandbox", "schemas", "upload"})


class StoredUpload(NamedTuple):
    """A lesson that was stored, and what its author is warned of."""

    lesson: StoredLesson
    warnings: tuple[LessonFault, ...]


def store_lesson(*, data: bytes, file_name: str, uploaded_by: str) -> StoredUpload:
    """Check an archive of a lesson and store it. Names are unique beside those of the lessons that come with Berth.

    Raises BadInput for what is no archive of a lesson, a name that is taken and one lesson too many, and BadLesson for
    a lesson that cannot be played.
    """
    name, files = read_archive(data, file_name)
    if name in RESERVED_NAMES:
        raise BadInput(ReservedName(name), file=file_name)
    if name in built_in_folders():
        raise BadInput(NameExists(name), file=file_name)
    faults = check_lesson(name, files)
    if any(not fault.is_warning for fault in faults):
        raise BadLesson(faults)
    _hold_within_bounds(file_name)
    try:
        return StoredUpload(_stored(name, files, uploaded_by), faults)
    except IntegrityError:
        raise BadInput(NameExists(name), file=file_name) from None


def store_made_lesson(*, files: LessonFiles, stem: str, uploaded_by: str) -> StoredLesson:
    """Store a lesson that was checked already, under the first name of this stem with a number that is free.

    Raises BadInput for one lesson too many.
    """
    _hold_within_bounds("")
    taken = {*StoredLesson.objects.values_list("name", flat=True), *built_in_folders()}
    for number in count(1):
        name = f"{stem}-{number}"
        if name in taken:
            continue
        try:
            return _stored(name, files, uploaded_by)
        except IntegrityError:
            # Somebody else took it meanwhile.
            continue
    raise AssertionError("numbers do not end")


def delete_lesson(*, name: str) -> bool:
    """Delete a lesson that was uploaded; say whether there was one."""
    deleted, _ = StoredLesson.objects.filter(name=name).delete()
    return bool(deleted)


def _hold_within_bounds(file_name: str) -> None:
    if StoredLesson.objects.count() >= MOST_STORED:
        raise BadInput(ManyStoredLessons(MOST_STORED), file=file_name)


def _stored(name: str, files: LessonFiles, uploaded_by: str) -> StoredLesson:
    row = StoredLesson(name=name, title=_title(read_lesson(name, files).lesson), uploaded_by=uploaded_by)
    row.files = dict(files)
    with transaction.atomic():
        row.save(force_insert=True)
    return row


def _title(lesson: Lesson) -> str:
    """Return the title in the first language of those in which lessons are shown, or else in any."""
    texts = lesson.texts
    return texts[next((language for language in LANGUAGES if language in texts), min(texts))].title
