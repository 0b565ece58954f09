"""Free experiments: the objects of a situation changed one after another, and what would become of the pod then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.lessons import (
    Judgement,
    Lesson,
    LessonStep,
    Question,
    RawAnswer,
    Situation,
    SituationError,
    SituationParts,
    UnsolvableError,
    build_situation,
    object_name,
)
from clusters.engine.objects import Document, Pod
from clusters.problems.inputs import NotOneDocument
from clusters.problems.lessons import ManyInSituation
from clusters.services.computing import Cache
from clusters.services.lessons.reading import FILE, MOST_NODES, MOST_PODS, BadLesson, LessonFault, documents_in, written
from clusters.wording.lessons import player as words
from dashboard.lessons.progress import MOST_CHARACTERS, MOST_EDITS
from dashboard.lessons.shelves import find_lesson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.objects import Document

# What an edit is about that takes the place of all objects, and one that adds some.
WHOLE: Final = ""
NEW: Final = "new"
_BOUNDS: Final = {"Node": MOST_NODES, "Pod": MOST_PODS}


class Edit(Struct, frozen=True):
    """An object, by the name that lessons have for it, and the text in its place; an empty text takes it away."""

    name: str
    text: str


def edits_of(stored: Iterable[Sequence[str]]) -> list[Edit]:
    """Return edits as they are stored."""
    return [Edit(name, text) for name, text in stored]


def has_room(edits: Sequence[Edit], edit: Edit) -> bool:
    """Tell whether one more edit can be kept."""
    return len(edits) < MOST_EDITS and sum(len(each.text) for each in (*edits, edit)) <= MOST_CHARACTERS


def is_known(parts: SituationParts, edits: Iterable[Edit], edit: Edit) -> bool:
    """Tell whether what an edit is about is there after the ones before. Raises BadLesson."""
    there = {written(object_name(each)) for each in changed(parts, edits).objects}
    return edit.name in {WHOLE, NEW, *there}


def changed(parts: SituationParts, edits: Iterable[Edit]) -> SituationParts:
    """Return what a situation is made of after some edits. Raises BadLesson for a text that cannot be taken."""
    objects = {written(object_name(each)): each for each in parts.objects}
    for edit in edits:
        objects = {} if edit.name == WHOLE else {name: each for name, each in objects.items() if name != edit.name}
        found = documents_in(edit.text)
        if not found and (gone := edit.name.removeprefix("Node/")) != edit.name:
            # The pods of a node go with it.
            objects = {
                name: each
                for name, each in objects.items()
                if not (each.get("kind") == "Pod" and Pod(each).node_name == gone)
            }
        objects |= {written(object_name(each)): each for each in found}
    for kind, most in _BOUNDS.items():
        number = sum(each.get("kind") == kind for each in objects.values())
        if number > most:
            raise BadLesson([LessonFault(FILE, 0, "", ManyInSituation(kind, number, most))])
    # Who takes the pod in question away has no question any more, and may still look at the cluster.
    has_pod = f"Pod/{parts.pod}" in objects
    return replace(parts, objects=tuple(objects.values()), pod=parts.pod if has_pod else "")


def experiment(parts: SituationParts, edits: Sequence[Edit]) -> Situation:
    """Build the situation after some edits. Raises BadLesson, also where the cluster cannot be."""
    try:
        return build_situation(changed(parts, edits))
    except SituationError as error:
        name = "" if error.subject is None else written(error.subject)
        raise BadLesson([LessonFault(FILE, 0, " ".join(filter(None, (name, error.field))), error.problem)]) from None


# Steps that are played at the same time; the cluster of one is small.
_kept: Final[Cache[tuple[str, str], Situation]] = Cache("situations of lessons", 64)


class PlayedStep(Struct, frozen=True):
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


class _Parts(Struct, frozen=True):
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


def judged(question: Question, situation: Situation, given: RawAnswer) -> Judgement:
    """Judge an answer. Raises UnreadableAnswerError, UnsolvableError, and BadLesson for a manifest with mistakes."""
    return question.judge(situation, manifest_in(given) if question.kind == "manifest" else given)


def manifest_in(text: str) -> Document:
    """Return the one object of a text. Raises BadLesson."""
    found = documents_in(text)
    if len(found) != 1:
        raise BadLesson([LessonFault("", 0, "", NotOneDocument(len(found), "YAML"))])
    return found[0]


def solution_of(question: Question, situation: Situation) -> RawAnswer:
    """Return an answer that is right; of a manifest None where no change is known, though there may be some.

    Raises UnsolvableError where the question has no certain answer.
    """
    question.check(situation)
    try:
        return question.solution(situation)
    except UnsolvableError:
        if question.kind == "manifest":
            return None
        raise


def situation_to_show(question: Any, situation: Situation, given: RawAnswer, solution: RawAnswer) -> Situation:
    """Return the situation that an answer makes: of a changed manifest the one with it in it, else as it is."""
    if question.kind != "manifest":
        return situation
    try:
        document = manifest_in(given) if isinstance(given, str) else solution
        if document is not None and question.judge(situation, document).is_right:
            return situation.with_object(document)
    except (BadLesson, ValueError):
        # The lesson is another one since the answer was given.
        return situation
    return situation if solution is None else situation.with_object(solution)
