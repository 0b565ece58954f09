"""Whether a lesson can be played: its situations can be built, its questions have answers, its texts fit both."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.situation import build_situation
from clusters.problems.lessons import ImpossibleMistake, LanguageMissing
from clusters.services.computing import deadlines
from clusters.services.lessons.documents import LessonDocuments, joined
from clusters.services.lessons.faults import BadLesson
from clusters.services.lessons.files import LESSON_FILE
from clusters.services.lessons.reading import read_lesson
from clusters.services.lessons.texts import LANGUAGES, text_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.lessons.lesson import LessonStep, ObjectName
    from clusters.services.lessons.faults import LessonFault
    from clusters.services.lessons.files import LessonFiles
    from clusters.services.lessons.objects import PlacedObject
    from clusters.services.lessons.reading import ReadLesson


def check_lesson(name: str, files: LessonFiles, *, is_built_in: bool = False) -> tuple[LessonFault, ...]:
    """Return everything that is wrong with the files of a lesson, and what its author is warned of.

    A language without texts is wrong in a lesson that comes with Berth, and a warning in any other. Raises
    OverTimeError between two steps, where there is a deadline.
    """
    try:
        read = read_lesson(name, files)
    except BadLesson as error:
        return error.faults
    documents = LessonDocuments(files)
    documents.faults.extend(read.warnings)
    for number, step in enumerate(read.lesson.steps):
        deadlines.check()
        _check_step(documents, step, f"steps[{number}]", read.places[number])
        _check_hints(documents, read, step)
    for language in LANGUAGES:
        if language not in read.lesson.texts:
            documents.fault(text_file(language), "", LanguageMissing(language), is_warning=not is_built_in)
    return documents.sorted_faults


def _check_step(
    documents: LessonDocuments, step: LessonStep, path: str, places: Mapping[ObjectName, PlacedObject]
) -> None:
    try:
        situation = build_situation(step.situation)
    except SituationError as error:
        place = None if error.subject is None else places.get(error.subject)
        if place is None:
            documents.fault(LESSON_FILE, path, error.problem)
        else:
            field = joined(place.path, error.field)
            documents.fault(place.file, field, error.problem, document=place.number)
        return
    try:
        step.question.check(situation)
    except UnsolvableError as error:
        documents.fault(LESSON_FILE, f"{path}.question", error.problem)


def _check_hints(documents: LessonDocuments, read: ReadLesson, step: LessonStep) -> None:
    """Note the hints for mistakes that nobody can make."""
    known = step.question.keys
    for language, texts in read.lesson.texts.items():
        for key in texts.steps[step.name].mistakes:
            if key not in known:
                close = get_close_matches(key[:80], known, n=1)
                kinds = tuple(sorted(map(str, step.question.mistakes)))
                problem = ImpossibleMistake(key, kinds, close[0] if close else "")
                documents.fault(text_file(language), f"steps.{step.name}.mistakes.{key}", problem)
