"""A trainer's classrooms: the list, opening one, changing and removing it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import Count
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clusters.services.lessons.library import stored_lessons
from clusters.wording.lessons import player as player_words, teaching as words
from dashboard.access import audit
from dashboard.classrooms import leading
from dashboard.classrooms.forms import MOST_LESSONS, HoursForm, OpeningForm
from dashboard.classrooms.presenters.rooms import classroom_row, lesson_choice, offers
from dashboard.classrooms.rooms import classroom_of, classrooms_of
from dashboard.lessons.languages import choices, texts_of
from dashboard.lessons.presenters.questions import AskView, moved
from dashboard.lessons.shelves import find_lesson, lessons_by_path
from dashboard.models import Classroom

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from clusters.engine.lessons import Lesson
    from dashboard.http import PageRequest


@require_safe
def classrooms(request: PageRequest) -> HttpResponse:
    """List the trainer's classrooms."""
    found = classrooms_of(request.user).annotate(seats=Count("participants"))
    rows = [classroom_row(each, each.seats) for each in found]
    return render(request, "classrooms/list.html", {"rows": rows, "languages": choices()})


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PageRequest) -> HttpResponse:
    """Ask for a new classroom's lessons and everything else, and open it."""
    if request.method != "POST":
        path = request.GET.get("path", "")
        of_path = dict(lessons_by_path()).get(path, []) if path else []
        chosen = [*of_path, *_known(request.GET.getlist("lesson"))]
        title = player_words.path_title(path) if of_path else texts_of(chosen[0]).title if chosen else ""
        return _opening_page(
            request,
            OpeningForm(
                initial={
                    "title": title[:100],
                    "pace": Classroom.Pace.LED,
                    "language": translation.get_language(),
                    "hours": settings.BERTH_CLASSROOM_HOURS,
                }
            ),
            chosen,
        )
    chosen = _known(request.POST.getlist("answer"))
    act = request.POST.get("act", "open")
    match act.partition(":"):
        case ("open", _, _):
            return _opened(request, chosen)
        case ("move", _, how):
            names = [name for name in moved([each.name for each in chosen], how) if name]
            chosen = _known(names)
        case ("path", _, path):
            chosen = _unique([*chosen, *dict(lessons_by_path()).get(path, [])])
        case _other:
            raise BadRequest
    initial = {name: request.POST.get(name, "") for name in OpeningForm.field_order}
    return _opening_page(request, OpeningForm(initial=initial), chosen)


def _known(names: Iterable[str]) -> list[Lesson]:
    """Return the lessons of some names, each once; names of none are left out."""
    wanted = list(dict.fromkeys(names))[: MOST_LESSONS + 1]
    return [lesson for name in wanted if (lesson := find_lesson(name)) is not None]


def _unique(lessons: Iterable[Lesson]) -> list[Lesson]:
    return list({lesson.name: lesson for lesson in lessons}.values())


def _opened(request: PageRequest, chosen: list[Lesson]) -> HttpResponse:
    form = OpeningForm(request.POST)
    problem = ""
    if not chosen:
        problem = str(words.NO_LESSONS)
    elif len(chosen) > MOST_LESSONS:
        problem = words.MANY_LESSONS(most=MOST_LESSONS)
    if problem or not form.is_valid():
        return _opening_page(request, form, chosen, problem, status=400)
    values = form.cleaned_data
    try:
        opened = leading.open_classroom(
            trainer=request.user,
            title=" ".join(values["title"].split()),
            lessons=chosen,
            language=values["language"],
            pace=values["pace"],
            lifetime=timedelta(hours=values["hours"]),
        )
    except leading.ManyClassroomsError:
        problem = words.MANY_CLASSROOMS(most=leading.MOST_CLASSROOMS)
        return _opening_page(request, form, chosen, problem, status=409)
    audit.note(request, audit.Action.CLASSROOM_OPENED, subject=opened.title)
    return redirect("classroom", pk=opened.pk)


def _opening_page(
    request: PageRequest, form: OpeningForm, chosen: list[Lesson], problem: str = "", status: int = 200
) -> HttpResponse:
    names = [each.name for each in chosen]
    context = {
        "form": form,
        "problem": problem,
        "ask": AskView("order", ordered=tuple(map(lesson_choice, chosen))),
        "offers": offers(lessons_by_path(), stored_lessons().values_list("name", "title"), names),
        "languages": choices(),
    }
    return render(request, "classrooms/new.html", context, status=status)


@require_POST
def change(request: PageRequest, pk: int) -> HttpResponse:
    """Change a classroom's pace or end, close it to others, or let others join again."""
    classroom = classroom_of(request.user, pk)
    match request.POST.get("act", "").partition(":"):
        case ("pace", _, pace) if pace in Classroom.Pace.values:
            leading.set_pace(classroom, pace)
        case ("close" | "reopen" as act, _, _):
            leading.set_closed(classroom, is_closed=act == "close")
        case ("keep", _, _):
            form = HoursForm(request.POST)
            if form.is_valid():
                leading.end_at(classroom, timezone.now() + timedelta(hours=form.cleaned_data["hours"]))
            else:
                messages.error(request, words.BAD_HOURS(most=settings.BERTH_CLASSROOM_MOST_HOURS))
        case _other:
            raise BadRequest
    return redirect("classroom", pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: PageRequest, pk: int) -> HttpResponse:
    """Ask once, then remove a classroom with its participants and all answers."""
    classroom = classroom_of(request.user, pk)
    if request.method != "POST":
        context = {"classroom": classroom, "participants": words.PARTICIPANTS(number=classroom.participants.count())}
        return render(request, "classrooms/remove.html", context)
    leading.remove(classroom)
    messages.success(request, words.REMOVED(title=classroom.title))
    return redirect("classrooms")
