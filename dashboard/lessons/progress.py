"""How far somebody is with the lessons: read and written here alone, each user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F

from dashboard.models import LessonProgress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import User

    from clusters.engine.lessons.question import RawAnswer

# Far more than all lessons together have; who goes beyond it loses what was touched longest ago.
MOST_STEPS: Final = 2_000
# Of one step's experiment: so many changes, and so many characters of all their texts.
MOST_EDITS: Final = 40
MOST_CHARACTERS: Final = 400_000
_MOST_COUNTED: Final = 1_000_000


def of_step(user: User, lesson: str, step: str) -> LessonProgress:
    """Return how far a user is with a step; a row that is not stored where the user has not begun it."""
    found = LessonProgress.objects.filter(user=user, lesson=lesson, step=step).first()
    return found or LessonProgress(user=user, lesson=lesson, step=step)


def of_lessons(user: User, lesson: str = "") -> dict[tuple[str, str], LessonProgress]:
    """Return what a user did, by lesson and step: of all lessons, or of one."""
    rows = LessonProgress.objects.filter(user=user, **({"lesson": lesson} if lesson else {}))
    # Answers and experiments may be long, and who asks for many steps asks how far they are.
    found = rows.defer("answer", "edits")[:MOST_STEPS]
    return {(each.lesson, each.step): each for each in found}


def answered(user: User, lesson: str, step: str, answer: RawAnswer, *, is_right: bool) -> None:
    """Store an answer, which takes the place of the one before."""
    row = _begun(user, lesson, step)
    row.answer, row.is_right = answer, is_right
    row.tries = min(row.tries + 1, _MOST_COUNTED)
    row.save(update_fields=["answer", "is_right", "tries", "changed_at"])


def hinted(user: User, lesson: str, step: str, hints: int) -> None:
    """Store that one more hint was shown, of so many that there are."""
    _begun(user, lesson, step)
    LessonProgress.objects.filter(user=user, lesson=lesson, step=step, hints__lt=hints).update(hints=F("hints") + 1)


def revealed(user: User, lesson: str, step: str) -> None:
    """Store that the answer was shown."""
    row = _begun(user, lesson, step)
    row.is_revealed = True
    row.save(update_fields=["is_revealed", "changed_at"])


def begun_again(user: User, lesson: str, step: str) -> None:
    """Forget the answer and the hints of a step; its experiment stays."""
    row = _begun(user, lesson, step)
    row.answer, row.tries, row.hints, row.is_right, row.is_revealed = None, 0, 0, False, False
    row.save(update_fields=["answer", "tries", "hints", "is_right", "is_revealed", "changed_at"])


def experimented(user: User, lesson: str, step: str, edits: Sequence[tuple[str, str]]) -> None:
    """Store the changes of an experiment, in the order in which they were made."""
    row = _begun(user, lesson, step)
    row.experiments = min(row.experiments + (len(edits) > len(row.edits)), _MOST_COUNTED)
    row.edits = [list(edit) for edit in edits]
    row.save(update_fields=["edits", "experiments", "changed_at"])


@transaction.atomic
def _begun(user: User, lesson: str, step: str) -> LessonProgress:
    """Return the stored row of a step; a new one may push out the oldest."""
    row, is_new = LessonProgress.objects.get_or_create(user=user, lesson=lesson, step=step)
    if is_new:
        kept = LessonProgress.objects.filter(user=user).values("pk")[:MOST_STEPS]
        LessonProgress.objects.filter(user=user).exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()
    return row
