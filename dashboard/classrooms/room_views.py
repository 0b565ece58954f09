"""The page on which a trainer leads a classroom, its projector, and what came of it."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe

from clusters.wording.lessons import teaching as words
from dashboard.classrooms import leading
from dashboard.classrooms.forms import HoursForm
from dashboard.classrooms.presenters.rooms import participant_results, result_rows, step_results
from dashboard.classrooms.rooms import classroom_of, projector_context, projector_html, room_context, room_html
from dashboard.classrooms.stage import lessons_of
from dashboard.lessons.languages import choices
from dashboard.lists.files import csv_file
from dashboard.models import Classroom, LessonProgress

if TYPE_CHECKING:
    from dashboard.http import PageRequest


def _origin(request: PageRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


@require_safe
def room(request: PageRequest, pk: int) -> HttpResponse:
    """Show a classroom with its step, its answers and its participants."""
    classroom = classroom_of(request.user, pk)
    context = {
        **room_context(classroom, _origin(request)),
        "hours_form": HoursForm(initial={"hours": settings.BERTH_CLASSROOM_HOURS}),
        "language": translation.get_language(),
        "languages": choices(),
    }
    return render(request, "classrooms/room.html", context)


@require_safe
def live(request: PageRequest, pk: int) -> HttpResponse:
    """Answer with the live part of the trainer's page, where no websocket gets through."""
    return HttpResponse(room_html(classroom_of(request.user, pk), _origin(request)))


@require_safe
def projector(request: PageRequest, pk: int) -> HttpResponse:
    """Show a classroom in large type, in its own language and without names."""
    classroom = classroom_of(request.user, pk)
    with translation.override(classroom.language):
        return render(request, "classrooms/projector.html", projector_context(classroom, _origin(request)))


@require_safe
def projected(request: PageRequest, pk: int) -> HttpResponse:
    """Answer with the live part of the projector, where no websocket gets through."""
    return HttpResponse(projector_html(classroom_of(request.user, pk), _origin(request)))


@require_POST
def lead(request: PageRequest, pk: int) -> HttpResponse:
    """Lead the class to a step, or show the answer of the step at which the button stood."""
    classroom = classroom_of(request.user, pk)
    act, _, place = request.POST.get("act", "").partition(":")
    lesson, _, step = place.partition(":")
    if act == "step" and any(each.name == lesson and each.step(step) is not None for each in lessons_of(classroom)):
        leading.lead_to(classroom, lesson, step)
    elif act == "reveal" and classroom.place == {"lesson": lesson, "step": step}:
        leading.reveal(classroom)
    elif act != "reveal":
        raise BadRequest
    return redirect("classroom", pk=pk)


@require_safe
def summary(request: PageRequest, pk: int) -> HttpResponse:
    """Show what was answered to each step, and how far each participant came."""
    classroom = classroom_of(request.user, pk)
    lessons, progress = lessons_of(classroom), _progress(classroom)
    participants = list(classroom.participants.all())
    context = {
        "classroom": classroom,
        "counted": words.PARTICIPANTS(number=len(participants)),
        "steps": step_results(lessons, progress),
        "rows": participant_results(participants, lessons, progress),
        "languages": choices(),
    }
    return render(request, "classrooms/summary.html", context)


@require_safe
def results(request: PageRequest, pk: int) -> HttpResponse:
    """Return every answer as a row of a file."""
    classroom = classroom_of(request.user, pk)
    rows = result_rows(classroom.participants.all(), lessons_of(classroom), _progress(classroom))
    file = csv_file(f"classroom-{pk}", words.COLUMNS, rows)
    # Spreadsheets take a file without the mark for one of the system's own encoding, and names are of every writing.
    file.content = BOM_UTF8 + file.content
    return file


def _progress(classroom: Classroom) -> list[LessonProgress]:
    """Return how far all participants are, without what they experimented with."""
    return list(LessonProgress.objects.filter(participant__classroom=classroom).defer("edits").order_by("pk"))
