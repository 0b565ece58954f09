"""Who plays a lesson: a user, or a participant of a classroom; and what either may see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.urls import reverse
from msgspec import Struct

from clusters.wording.lessons import classroom as words
from dashboard.access.participants import SEAT, share_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import User

    from dashboard.http import PageRequest
    from dashboard.models import Classroom, LessonProgress, Participant

# The player has two places: below the lessons, for users, and at the seats of classrooms.
LESSONS: Final = "player"


class Learner(Struct, frozen=True):
    """Who plays; one of the two is there."""

    user: User | None = None
    participant: Participant | None = None

    @property
    def owner(self) -> dict[str, Any]:
        """Return whose progress is read and written, as fields of its rows."""
        if self.participant is not None:
            return {"participant": self.participant}
        assert self.user is not None  # noqa: S101 - the gate lets nobody else through
        return {"user": self.user}

    @property
    def share(self) -> str:
        """Name whose share of the processors is used."""
        return share_of(self.user, self.participant)

    @property
    def classroom(self) -> Classroom | None:
        """Return the classroom that the learner is in."""
        return None if self.participant is None else self.participant.classroom

    @property
    def is_led(self) -> bool:
        """Whether a trainer decides when answers are judged and shown."""
        return self.classroom is not None and self.classroom.is_led

    def sees_answer(self, row: LessonProgress) -> bool:
        """Tell whether a step's answer is shown: in a led class when the trainer shows it, else to who is done."""
        classroom = self.classroom
        if classroom is None or not classroom.is_led:
            return row.is_done
        return classroom.is_revealed and {"lesson": row.lesson, "step": row.step} == classroom.place

    def sees_experiment(self, row: LessonProgress) -> bool:
        """Tell whether an experiment shows what becomes of the pod: in a classroom not before the answer is shown, as a
        change that changes nothing would show the answer.
        """
        return self.sees_answer(row) or (self.participant is None and bool(row.edits))

    def may_experiment(self, row: LessonProgress) -> bool:
        """Tell whether a step's cluster may be changed: in a led class with the answer, as what the API server refuses
        and what nodes have left would tell it.
        """
        return not self.is_led or self.sees_answer(row)

    def led_to(self, step: Mapping[str, str]) -> str | None:
        """Return where the trainer has led the class, for a step that is somewhere else; None where nobody is led."""
        classroom = self.classroom
        if classroom is None or not classroom.is_led or step == classroom.place:
            return None
        return self.address("step", classroom.place)

    def check(self, lesson: str) -> None:
        """Raise Http404 for a lesson that is not one of the classroom's."""
        if self.classroom is not None and lesson not in self.classroom.lessons:
            raise Http404(words.NOT_IN_CLASSROOM)

    @property
    def home(self) -> str:
        """Return where all lessons are that the learner may play."""
        return reverse("lessons") if self.participant is None else reverse("seat")

    def address(self, name: str, path: Mapping[str, object]) -> str:
        """Return where a page of the player is for this learner, by its name after ``lesson-``; a lesson has none."""
        return reverse(
            f"player:lesson-{name}" if name else "player:lesson",
            kwargs=dict(path),
            current_app=SEAT if self.participant is not None else LESSONS,
        )


def learner_of(request: PageRequest) -> Learner:
    """Return who plays: who is let in as a participant plays as one, whoever is signed in besides."""
    participant: Participant | None = getattr(request, "participant", None)
    return Learner(participant=participant) if participant is not None else Learner(user=request.user)
