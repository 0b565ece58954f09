"""The list of lessons by path, with how far somebody is with each, and what is wrong with a lesson."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from clusters.wording.lessons import player as words
from clusters.wording.problems import placed_sentence
from dashboard.lessons.languages import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.lessons import Lesson
    from clusters.services.lessons.reading import LessonFault
    from dashboard.models import LessonProgress

    Rows = Mapping[tuple[str, str], LessonProgress]


class LessonCard(Struct, frozen=True):
    """A lesson of the list; `share` is how much of it is done, in percent. Of an uploaded one less is known."""

    name: str
    title: str
    about: str
    minutes: str
    done: str
    share: int
    is_done: bool


class StepMark(Struct, frozen=True):
    """A step in the row of all steps of a lesson: its state in a word, and as a class of style sheets."""

    name: str
    title: str
    number: int
    state: str
    word: str
    is_current: bool


class PathView(Struct, frozen=True):
    """Lessons in the order in which one learns; `name` is empty for those that are in no path.

    `start` names the lesson to begin with, in the path for those who know nothing yet.
    """

    name: str
    title: str
    lessons: tuple[LessonCard, ...]
    start: str = ""


def paths(grouped: Iterable[tuple[str, Sequence[Lesson]]], rows: Rows) -> list[PathView]:
    """Present lessons path by path; a path's name is as the wording has it, or as it was written."""
    found = [
        PathView(name, words.path_title(name), tuple(card(lesson, rows) for lesson in lessons))
        for name, lessons in grouped
    ]
    if not found:
        return found
    # The paths begin with the one for those who know nothing yet.
    first = found[0]
    start = next((each.name for each in first.lessons if not each.is_done), "")
    return [replace(first, start=start), *found[1:]]


def card(lesson: Lesson, rows: Rows) -> LessonCard:
    """Present one lesson."""
    texts = texts_of(lesson)
    done = sum(_is_done(rows, lesson.name, step.name) for step in lesson.steps)
    return LessonCard(
        name=lesson.name,
        title=texts.title,
        about=texts.about,
        minutes=words.MINUTES(number=lesson.minutes),
        done=words.STEPS_DONE(done=done, steps=len(lesson.steps)),
        share=100 * done // len(lesson.steps),
        is_done=done == len(lesson.steps),
    )


def uploaded(rows_of_lessons: Iterable[tuple[str, str]], rows: Rows) -> tuple[LessonCard, ...]:
    """Present lessons that were uploaded by their names and titles; what is in them is read when one begins."""
    done = Counter(lesson for (lesson, _), row in rows.items() if row.is_done)
    return tuple(
        LessonCard(name, title, "", "", words.STEPS_DONE_SO_FAR(done=done[name]), 0, is_done=False)
        for name, title in rows_of_lessons
    )


def step_marks(lesson: Lesson, rows: Rows, current: str) -> list[StepMark]:
    """Present the steps of a lesson in their order."""
    texts = texts_of(lesson)
    found = []
    for number, step in enumerate(lesson.steps, 1):
        state, word = _state(rows.get((lesson.name, step.name)))
        title = texts.steps[step.name].title
        found.append(StepMark(step.name, title, number, state, str(word), step.name == current))
    return found


def next_step(lesson: Lesson, rows: Rows) -> str:
    """Return the first step that is not done, or the first one where all are."""
    names = [step.name for step in lesson.steps]
    return next((name for name in names if not _is_done(rows, lesson.name, name)), names[0])


def _is_done(rows: Rows, lesson: str, step: str) -> bool:
    row = rows.get((lesson, step))
    return row is not None and row.is_done


def _state(row: LessonProgress | None) -> tuple[str, object]:
    if row is None:
        return "new", words.NEW
    if row.is_right:
        return "done", words.DONE
    return ("shown", words.SHOWN_STEP) if row.is_revealed else ("begun", words.BEGUN)


def fault_sentences(faults: Iterable[LessonFault]) -> list[str]:
    """Say of each fault where it is, what is wrong, and what would be right."""
    return [placed_sentence(each.problem, each.file, each.field, line=each.line) for each in faults]
