"""Check lessons in the terminal, store those of trainers, and print what their files may hold."""

from __future__ import annotations

from getpass import getuser
from typing import TYPE_CHECKING, Any

import orjson

from clusters.adapters.bad_input import BadInput
from clusters.documents.lessons import lesson_schema
from clusters.management.terminal.output import BAD_INPUT, AnsweringCommand, table, terminal_width, wrapped
from clusters.problems.inputs import UnreadableFile
from clusters.services.lessons.library import FOLDER, built_in_folders, built_in_lessons, learning_paths
from clusters.services.lessons.reading import BadLesson, LessonFault, check_lesson, read_lesson, read_lesson_files
from clusters.services.lessons.storing import delete_lesson, store_lesson
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.problems import input_sentence, placed_sentence
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from clusters.engine.lessons import Lesson
    from clusters.services.lessons.library import LearningPath


# Of the texts of a lesson the list shows these, or else the first ones that there are.
_SHOWN = "en"


def fault_lines(lesson: str, faults: Iterable[LessonFault], width: int) -> Iterator[str]:
    """Yield a paragraph for each fault, with its file, line and field."""
    for fault in faults:
        said = placed_sentence(fault.problem, f"{lesson}/{fault.file}", fault.field, line=fault.line)
        yield from wrapped(words.WARNING(sentence=said) if fault.is_warning else said, width, indent="  ", first="")


def lesson_lines(lessons: Iterable[Lesson], paths: Iterable[LearningPath], width: int) -> Iterator[str]:
    """Yield a table of lessons, and the paths that lead through them."""
    yield from table(words.LESSON_COLUMNS, map(_cells, lessons), width, right=(1, 2), indent="")
    yield ""
    for path in paths:
        yield from wrapped(
            words.LEARNING_PATH(name=path.name, lessons=listed(list(path.lessons))), width, indent="  ", first=""
        )


def _cells(lesson: Lesson) -> tuple[str, str, str, str, str]:
    texts = lesson.texts.get(_SHOWN) or next(iter(lesson.texts.values()))
    languages = " ".join(sorted(lesson.texts))
    return lesson.name, grouped(lesson.minutes), grouped(len(lesson.steps)), languages, texts.title


_PLAYABLE, _FAULTY = 0, 1


class CheckingLessons(AnsweringCommand):
    """manage.py lessons check [PATH…], add ARCHIVE, remove NAME, list, or schema NAME."""

    def answer(self, options: dict[str, Any]) -> int:
        if options["asked"] == "list":
            for line in lesson_lines(built_in_lessons().values(), learning_paths(), terminal_width()):
                self.stdout.write(line)
            return _PLAYABLE
        if options["asked"] == "schema":
            self.stdout.write(orjson.dumps(lesson_schema(options["name"]), option=orjson.OPT_INDENT_2).decode())
            return _PLAYABLE
        if options["asked"] == "add":
            return self._add(options["archive"])
        if options["asked"] == "remove":
            return self._remove(options["name"])
        if options["paths"]:
            return max(map(self._check, options["paths"]))
        return max(self._check_paths_through_lessons(), *map(self._check, built_in_folders().values()))

    def _check_paths_through_lessons(self) -> int:
        """Print what is wrong with the paths through the lessons that come with Berth; return the exit status."""
        try:
            learning_paths()
        except BadLesson as error:
            self._print(FOLDER.name, error.faults)
            return _FAULTY
        return _PLAYABLE

    def _check(self, path: Path) -> int:
        """Print what is wrong with a lesson; return the exit status that it has."""
        try:
            name, files = read_lesson_files(path)
        except BadInput as error:
            said = input_sentence(error.problem, **error.at(file=path.name).place)
            self.stderr.write(self.style.ERROR(said))
            return BAD_INPUT
        faults = check_lesson(name, files, is_built_in=path.resolve().parent == FOLDER.resolve())
        self._print(name, faults)
        if any(not fault.is_warning for fault in faults):
            return _FAULTY
        steps = len(read_lesson(name, files).lesson.steps)
        self.stdout.write(words.NOTHING_WRONG(lesson=name, steps=steps))
        return _PLAYABLE

    def _add(self, archive: Path) -> int:
        """Store a lesson, or print what is wrong with it; return the exit status."""
        try:
            stored = store_lesson(data=archive.read_bytes(), file_name=archive.name, uploaded_by=getuser())
        except BadLesson as error:
            self._print(archive.name, error.faults)
            return _FAULTY
        except (BadInput, OSError) as error:
            found = error if isinstance(error, BadInput) else BadInput(UnreadableFile(error.strerror or str(error)))
            self.stderr.write(self.style.ERROR(input_sentence(found.problem, **found.at(file=archive.name).place)))
            return BAD_INPUT
        self._print(stored.lesson.name, stored.warnings)
        self.stdout.write(words.STORED(lesson=stored.lesson.name))
        return _PLAYABLE

    def _remove(self, name: str) -> int:
        """Delete a lesson that was stored; return the exit status."""
        if not delete_lesson(name=name):
            self.stderr.write(self.style.ERROR(words.NO_SUCH_LESSON(lesson=name)))
            return BAD_INPUT
        self.stdout.write(words.REMOVED(lesson=name))
        return _PLAYABLE

    def _print(self, name: str, faults: Iterable[LessonFault]) -> None:
        for line in fault_lines(name, faults, terminal_width()):
            self.stdout.write(line)
