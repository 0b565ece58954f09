"""Lessons and the situations of their steps, built once for all who are at the same step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.http import Http404

from clusters.engine.lessons import Lesson, LessonStep, Situation, SituationParts, UnsolvableError, build_situation
from clusters.services.computing import Cache
from clusters.wording.lessons import player as words
from dashboard.lessons.shelves import find_lesson

if TYPE_CHECKING:
    from clusters.engine import Explanation

# Steps that are played at the same time; the cluster of one is small.
_kept: Final[Cache[tuple[str, str], Situation]] = Cache("situations of lessons", 64)


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A step of a lesson with its place among the others."""

    lesson: Lesson
    step: LessonStep
    number: int

    @property
    def situation(self) -> Situation:
        """The cluster that the step shows. Raises SituationError."""
        parts = self.step.situation
        return _kept.get((self.lesson.name, self.step.name), lambda: build_situation(parts), version=_Parts(parts))

    @property
    def following(self) -> LessonStep | None:
        """The step after it; None after the last one."""
        return next(iter(self.lesson.steps[self.number + 1 :]), None)

    @property
    def address(self) -> dict[str, str]:
        """What leads to the step in an address."""
        return {"lesson": self.lesson.name, "step": self.step.name}


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a situation was built of: another lesson of the same name, or a newer one, has others."""

    parts: SituationParts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Parts) and (self.parts is other.parts or self.parts == other.parts)

    def __hash__(self) -> int:
        return hash(self.parts.pod)


def lesson_of(name: str) -> Lesson:
    """Return a lesson. Raises Http404."""
    found = find_lesson(name)
    if found is None:
        raise Http404(words.NO_LESSON)
    return found


def played_step(lesson: str, step: str) -> PlayedStep:
    """Return a step of a lesson. Raises Http404."""
    found = lesson_of(lesson)
    for number, each in enumerate(found.steps):
        if each.name == step:
            return PlayedStep(found, each, number)
    raise Http404(words.NO_STEP)


def explanation_of(situation: Situation) -> Explanation | None:
    """Return the explanation of the pod in question; None where there is no such pod, or nobody schedules it."""
    try:
        return situation.explanation
    except UnsolvableError:
        return None
