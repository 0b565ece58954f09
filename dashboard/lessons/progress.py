"""How far somebody is with the lessons: read and written here alone, each learner's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F

from dashboard.models import Classroom, LessonProgress, Participant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.lessons import RawAnswer
    from dashboard.lessons.learners import Learner

# Far more than all lessons together have; who goes beyond it loses what was touched longest ago.
MOST_STEPS: Final = 2_000
# Of one step's experiment: so many changes, and so many characters of all their texts.
MOST_EDITS: Final = 40
MOST_CHARACTERS: Final = 400_000
_MOST_COUNTED: Final = 1_000_000


def of_step(learner: Learner, lesson: str, step: str) -> LessonProgress:
    """Return how far a learner is with a step; a row that is not stored where the learner has not begun it."""
    found = LessonProgress.objects.filter(**learner.owner, lesson=lesson, step=step).first()
    return found or LessonProgress(**learner.owner, lesson=lesson, step=step)


def of_lessons(learner: Learner, lesson: str = "") -> dict[tuple[str, str], LessonProgress]:
    """Return what a learner did, by lesson and step: of all lessons, or of one."""
    rows = LessonProgress.objects.filter(**learner.owner, **({"lesson": lesson} if lesson else {}))
    # Answers and experiments may be long, and who asks for many steps asks how far they are.
    found = rows.defer("answer", "edits")[:MOST_STEPS]
    return {(each.lesson, each.step): each for each in found}


@transaction.atomic
def answered(learner: Learner, lesson: str, step: str, answer: RawAnswer, *, is_right: bool) -> bool:
    """Store an answer, which takes the place of the one before; say whether it was taken.

    In a led class none is once the trainer has shown the answer or gone on, however long it took to judge it.
    """
    if not _is_awaited(learner, lesson, step):
        return False
    row = _begun(learner, lesson, step)
    row.answer, row.is_right = answer, is_right
    row.tries = min(row.tries + 1, _MOST_COUNTED)
    row.save(update_fields=["answer", "is_right", "tries", "changed_at"])
    return True


@transaction.atomic
def hinted(learner: Learner, lesson: str, step: str, hints: int) -> None:
    """Store that one more hint was shown, of so many that there are."""
    if _is_there(learner):
        _begun(learner, lesson, step)
        rows = LessonProgress.objects.filter(**learner.owner, lesson=lesson, step=step, hints__lt=hints)
        rows.update(hints=F("hints") + 1)


@transaction.atomic
def revealed(learner: Learner, lesson: str, step: str) -> None:
    """Store that the answer was shown."""
    if _is_there(learner):
        row = _begun(learner, lesson, step)
        row.is_revealed = True
        row.save(update_fields=["is_revealed", "changed_at"])


@transaction.atomic
def begun_again(learner: Learner, lesson: str, step: str) -> None:
    """Forget the answer and the hints of a step; its experiment stays."""
    if _is_there(learner):
        row = _begun(learner, lesson, step)
        row.answer, row.tries, row.hints, row.is_right, row.is_revealed = None, 0, 0, False, False
        row.save(update_fields=["answer", "tries", "hints", "is_right", "is_revealed", "changed_at"])


@transaction.atomic
def experimented(learner: Learner, lesson: str, step: str, edits: Sequence[tuple[str, str]]) -> None:
    """Store the changes of an experiment, in the order in which they were made."""
    if _is_there(learner):
        row = _begun(learner, lesson, step)
        row.experiments = min(row.experiments + (len(edits) > len(row.edits)), _MOST_COUNTED)
        row.edits = [list(edit) for edit in edits]
        row.save(update_fields=["edits", "experiments", "changed_at"])


def _is_awaited(learner: Learner, lesson: str, step: str) -> bool:
    """Tell whether an answer to a step is taken now; the trainer does not go on before it is stored."""
    if not _is_there(learner):
        return False
    if learner.classroom is None:
        return True
    classroom = Classroom.objects.get(pk=learner.classroom.pk)
    return not classroom.is_led or (classroom.place == {"lesson": lesson, "step": step} and not classroom.is_revealed)


def _is_there(learner: Learner) -> bool:
    """Tell whether there is somebody whose progress is kept, until the transaction ends.

    A participant may have left in another window, and the classroom may have ended since the page was asked for.
    """
    participant = learner.participant
    if participant is None:
        return True
    return (
        Classroom.locked(participant.classroom_id) is not None
        and Participant.objects.filter(pk=participant.pk).exists()
    )


def _begun(learner: Learner, lesson: str, step: str) -> LessonProgress:
    """Return the stored row of a step; a new one may push out the oldest."""
    row, is_new = LessonProgress.objects.get_or_create(**learner.owner, lesson=lesson, step=step)
    if is_new:
        rows = LessonProgress.objects.filter(**learner.owner)
        rows.exclude(pk__in=list(rows.values_list("pk", flat=True)[:MOST_STEPS])).delete()
    return row
