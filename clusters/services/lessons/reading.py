"""From the files of a lesson to the lesson, or to everything that is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from clusters.adapters.bad_input import shown
from clusters.documents.lessons import LessonManifest
from clusters.engine.lessons.arguments import QuestionError
from clusters.engine.lessons.lesson import Lesson, LessonStep
from clusters.engine.lessons.questions import read_question
from clusters.engine.problems import NotOneOf
from clusters.engine.versions import NEWEST, RELEASES, Known, match_release
from clusters.problems.lessons import StepNamedTwice, UnusedLessonFile
from clusters.services.lessons.documents import LessonDocuments
from clusters.services.lessons.faults import BadLesson
from clusters.services.lessons.files import LESSON_FILE
from clusters.services.lessons.objects import LessonObjects
from clusters.services.lessons.situations import SituationReader
from clusters.services.lessons.texts import is_text_file, read_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.documents.lessons import StepManifest
    from clusters.engine.lessons.lesson import ObjectName
    from clusters.engine.lessons.question import Question
    from clusters.services.lessons.faults import LessonFault
    from clusters.services.lessons.files import LessonFiles
    from clusters.services.lessons.objects import PlacedObject


class ReadLesson(NamedTuple):
    """A lesson, what its author may want to know of its files, and where the objects of each step are written."""

    lesson: Lesson
    warnings: tuple[LessonFault, ...]
    places: tuple[Mapping[ObjectName, PlacedObject], ...]


def read_lesson(name: str, files: LessonFiles) -> ReadLesson:
    """Read the files of a lesson; nothing is computed yet. Raises BadLesson, which names all that is wrong."""
    documents = LessonDocuments(files)
    manifest = documents.struct_in(LESSON_FILE, LessonManifest)
    if manifest is None:
        raise BadLesson(documents.faults)
    kubernetes = "" if manifest.kubernetes is UNSET else manifest.kubernetes
    match = match_release(kubernetes)
    if kubernetes and match.known is not Known.EXACT:
        documents.fault(LESSON_FILE, "kubernetes", NotOneOf(shown(kubernetes), tuple(RELEASES)))
    reader = SituationReader(documents, LessonObjects(documents), kubernetes, match.release if kubernetes else NEWEST)
    steps: list[LessonStep] = []
    places: list[Mapping[ObjectName, PlacedObject]] = []
    for number, each in enumerate(manifest.steps):
        parts = reader.parts(each, f"steps[{number}]")
        question = _read_question(documents, each, f"steps[{number}].question")
        if question is not None:
            steps.append(LessonStep(each.name, parts, question, each.shows == "decision", each.terms))
            places.append(reader.objects)
    _hold_names_apart(documents, manifest)
    texts = read_texts(documents, [each.name for each in manifest.steps])
    for file in files:
        if file != LESSON_FILE and not is_text_file(file) and file not in reader.files_read:
            documents.fault(file, "", UnusedLessonFile(), is_warning=True)
    documents.raise_errors()
    return ReadLesson(Lesson(name, manifest.minutes, tuple(steps), texts), tuple(documents.faults), tuple(places))


def _read_question(documents: LessonDocuments, step: StepManifest, path: str) -> Question | None:
    try:
        return read_question(step.question, path)
    except QuestionError as error:
        documents.fault(LESSON_FILE, error.path, error.problem)
        return None


def _hold_names_apart(documents: LessonDocuments, manifest: LessonManifest) -> None:
    seen: set[str] = set()
    for number, step in enumerate(manifest.steps):
        if step.name in seen:
            documents.fault(LESSON_FILE, f"steps[{number}].name", StepNamedTwice(shown(step.name)))
        seen.add(step.name)
