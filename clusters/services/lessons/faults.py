"""What is wrong with a lesson, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.problems import Problem


class LessonFault(NamedTuple):
    """What is wrong in a file of a lesson: the line from 1 (0 where none is to blame), the field, and the problem.

    A lesson with warnings alone can be played.
    """

    file: str
    line: int
    field: str
    problem: Problem
    is_warning: bool = False


class BadLesson(Exception):  # noqa: N818 - it is the lesson that is bad, and its author is told why
    """Files that are no lesson yet."""

    def __init__(self, faults: Sequence[LessonFault]) -> None:
        super().__init__(repr(faults[0]))
        self.faults = tuple(faults)
