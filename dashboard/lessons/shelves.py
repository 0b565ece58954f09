"""Which lessons there are, and in which paths they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.services.lessons.library import built_in_lessons, learning_paths, lesson_named
from clusters.services.lessons.reading import BadLesson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.lessons import Lesson


def find_lesson(name: str) -> Lesson | None:
    """Return a lesson that comes with Berth or was uploaded; None where there is none that can be played."""
    try:
        return lesson_named(name)
    except BadLesson:
        return None


def lessons_by_path() -> list[tuple[str, list[Lesson]]]:
    """Return the lessons of each path in their order, and at last those of no path under an empty name."""
    known = built_in_lessons()
    paths = [(path.name, [known[name] for name in path.lessons if name in known]) for path in learning_paths()]
    in_paths = {lesson.name for _, lessons in paths for lesson in lessons}
    others = [lesson for name, lesson in known.items() if name not in in_paths]
    return [(name, lessons) for name, lessons in [*paths, ("", others)] if lessons]


def lesson_after(name: str, chosen: Sequence[str] | None) -> Lesson | None:
    """Return the lesson that follows one: among those that were chosen, else in the first path that has it."""
    rows = [chosen] if chosen is not None else [[lesson.name for lesson in path] for _, path in lessons_by_path()]
    for names in rows:
        if name in names:
            following = names[names.index(name) + 1 :]
            return find_lesson(following[0]) if following else None
    return None
