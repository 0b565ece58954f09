"""Lessons as plain text: what is wrong with one, and which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.management.terminal.layout import table, wrapped
from clusters.wording.amounts import grouped
from clusters.wording.problems import placed_sentence
from clusters.wording.terminal import lessons as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.lessons import Lesson
    from clusters.services.lessons.library import LearningPath
    from clusters.services.lessons.reading import LessonFault

# Of the texts of a lesson the list shows these, or else the first ones that there are.
_SHOWN = "en"


def fault_lines(lesson: str, faults: Iterable[LessonFault], width: int) -> Iterator[str]:
    """Yield a paragraph for each fault, with its file, line and field."""
    for fault in faults:
        said = placed_sentence(fault.problem, f"{lesson}/{fault.file}", fault.field, line=fault.line)
        yield from wrapped(words.WARNING(sentence=said) if fault.is_warning else said, width, indent="  ", first="")


def lesson_lines(lessons: Iterable[Lesson], paths: Iterable[LearningPath], width: int) -> Iterator[str]:
    """Yield a table of lessons, and the paths that lead through them."""
    yield from table(words.lesson_columns(), map(_cells, lessons), width, right=(1, 2), indent="")
    yield ""
    for path in paths:
        yield from wrapped(
            words.learning_path(name=path.name, lessons=list(path.lessons)), width, indent="  ", first=""
        )


def _cells(lesson: Lesson) -> tuple[str, str, str, str, str]:
    texts = lesson.texts.get(_SHOWN) or next(iter(lesson.texts.values()))
    languages = " ".join(sorted(lesson.texts))
    return lesson.name, grouped(lesson.minutes), grouped(len(lesson.steps)), languages, texts.title
