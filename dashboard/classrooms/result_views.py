"""What came of a classroom: a summary to print, and all answers as a file."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from clusters.wording.lessons import teaching as words
from dashboard.access.permissions import teaches
from dashboard.classrooms.presenters.rooms import participant_results, result_rows, step_results
from dashboard.classrooms.rooms import classroom_of
from dashboard.classrooms.stage import lessons_of
from dashboard.lessons.languages import choices
from dashboard.lists.files import csv_file
from dashboard.models import Classroom, LessonProgress

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest


@require_safe
@teaches
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
@teaches
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
