"""The live parts of the trainer's page and of the projector, rendered alike for page, polling and websocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils import timezone, translation

from clusters.wording.lessons import teaching as words
from dashboard.classrooms.presenters.rooms import StepProgress, participant_rows, step_rows, step_titles
from dashboard.classrooms.seats import join_link
from dashboard.classrooms.stage import choices_of, lessons_of, played_in, stage_context
from dashboard.models import Classroom, LessonProgress

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet


def room_context(classroom: Classroom, origin: str) -> dict[str, Any]:
    """Return what the trainer's page shows: the step, and who is where."""
    lessons = lessons_of(classroom)
    participants = list(classroom.participants.all())
    progress = _progress(classroom)
    rows = participant_rows(
        classroom,
        participants,
        {each[:3]: each for each in progress},
        step_titles(lessons),
        now=timezone.now(),
    )
    connected = sum(row.is_connected for row in rows)
    context = {
        **stage_context(classroom, played_in(classroom, lessons), len(participants)),
        **choices_of(classroom, lessons),
        "join": join_link(classroom, origin),
        "rows": rows,
        "connected": words.connected(connected, len(rows)),
    }
    if not classroom.is_led:
        context["steps"] = step_rows(lessons, progress, (classroom.lesson, classroom.step))
    return context


def projector_context(classroom: Classroom, origin: str) -> dict[str, Any]:
    """Return what the projector shows: nothing of single participants, and what is right only after the reveal."""
    played = played_in(classroom, lessons_of(classroom))
    return {
        **stage_context(classroom, played, classroom.participants.count()),
        "join": join_link(classroom, origin),
    }


def room_html(classroom: Classroom, origin: str) -> str:
    """Render the live part of the trainer's page."""
    return render_to_string("classrooms/_room.html", room_context(classroom, origin))


def projector_html(classroom: Classroom, origin: str) -> str:
    """Render the live part of the projector, in the language of the classroom."""
    with translation.override(classroom.language):
        return render_to_string("classrooms/_projected.html", projector_context(classroom, origin))


def _progress(classroom: Classroom) -> list[StepProgress]:
    """Return how far the participants are: in a led class with the step where it is, else with all."""
    rows = LessonProgress.objects.filter(participant__classroom=classroom)
    if classroom.is_led:
        rows = rows.filter(lesson=classroom.lesson, step=classroom.step)
    fields = ("participant_id", "lesson", "step", "tries", "is_right", "is_revealed")
    return [StepProgress(*each) for each in rows.order_by("pk").values_list(*fields)]


def classrooms_of(trainer: User) -> QuerySet[Classroom]:
    """Return the classrooms of a trainer that have not expired, the latest first."""
    return Classroom.objects.filter(trainer=trainer, expires_at__gt=timezone.now())


def classroom_of(trainer: User, pk: int) -> Classroom:
    """Return a classroom of a trainer. Raises Http404, for those of others too."""
    return get_object_or_404(classrooms_of(trainer), pk=pk)
