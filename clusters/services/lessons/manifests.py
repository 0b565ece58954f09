"""Manifests that a learner writes, checked as those of a lesson are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.problems.texts import ManyBytes
from clusters.services.decisions.what_if import MOST_BYTES
from clusters.services.lessons.documents import LessonDocuments
from clusters.services.lessons.faults import BadLesson, LessonFault
from clusters.services.lessons.objects import LessonObjects

if TYPE_CHECKING:
    from clusters.engine.objects import Document

# The name of the text in what is wrong with it, which is nowhere shown.
FILE: Final = "edit.yaml"


def documents_in(text: str, *, most_bytes: int = MOST_BYTES) -> list[Document]:
    """Return the objects of a text of at most so many bytes. Raises BadLesson."""
    size = len(text.encode())
    if size > most_bytes:
        raise BadLesson([LessonFault(FILE, 0, "", ManyBytes(size, most_bytes))])
    if not text.strip():
        return []
    documents = LessonDocuments({FILE: text})
    found = [each.object for each in LessonObjects(documents).objects_in(FILE).values()]
    documents.raise_errors()
    return found
