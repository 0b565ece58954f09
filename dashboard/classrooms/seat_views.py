"""How participants join a classroom, where they find its lessons, and how they leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.http import require_http_methods, require_safe

from clusters.wording.lessons import classroom as words
from clusters.wording.limits import ASK_AGAIN
from dashboard.access import participants
from dashboard.access.throttle import address_of
from dashboard.classrooms import seats
from dashboard.classrooms.forms import JoinForm, TurnParameters
from dashboard.classrooms.seats import code_in, shown
from dashboard.classrooms.turns import Reader, messages
from dashboard.lessons import presence, progress
from dashboard.lessons.languages import choices, names_language, remember
from dashboard.lessons.learners import Learner, learner_of
from dashboard.lessons.presenters import shelf
from dashboard.lessons.shelves import find_lesson
from dashboard.limits import windows

if TYPE_CHECKING:
    from dashboard.http import PageRequest
    from dashboard.models import Participant

_WRONG: Final = "wrong codes"
# Wrong codes from one address, which several classes may share.
_TRIES_PER_MINUTE: Final = 120
# From all addresses together: guessing so often finds one of ten open classrooms after 60 years, on average.
_ALL_TRIES_PER_MINUTE: Final = 1_000


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: PageRequest, code: str = "") -> HttpResponse:
    """Ask for a code and a name, and give whoever knows the code a seat."""
    if request.method != "POST":
        return _join_page(request, JoinForm(initial={"code": shown(code_in(code)) if code_in(code) else ""}))
    if "language" in request.POST:
        return _in_language(request, request.POST["language"])
    form = JoinForm(request.POST)
    seconds_left = _wait(request, 0)
    if seconds_left:
        form.add_error(None, f"{words.MANY_TRIES} {ASK_AGAIN(seconds=seconds_left)}")
        response = _join_page(request, form, status=429)
        response["Retry-After"] = str(seconds_left)
        return response
    if not form.is_valid():
        return _join_page(request, form, status=400)
    code, name = form.cleaned_data["code"], form.cleaned_data["name"]
    classroom = seats.open_classrooms().filter(code=code).first()
    if classroom is None:
        _wait(request, 1)
        return _refused(request, form, "code", str(words.NO_CLASSROOM), status=404)
    present = participants.participant_with(request.COOKIES)
    if present is not None and present.classroom == classroom and present.name.lower() == name.lower():
        # The button was pressed twice, or the page sent again.
        return redirect("seat")
    try:
        token = seats.join(classroom, name)
    except seats.ClassroomGoneError:
        return _refused(request, form, "code", str(words.NO_CLASSROOM), status=404)
    except seats.NameTakenError:
        return _refused(request, form, "name", str(words.NAME_TAKEN), status=409)
    except seats.ClassroomFullError:
        return _refused(request, form, None, words.FULL(most=seats.MOST_PARTICIPANTS), status=409)
    response = redirect("seat")
    seats.give_seat(response, classroom, token)
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES and not names_language(request):
        remember(response, classroom.language)
    return response


def _in_language(request: PageRequest, language: str) -> HttpResponse:
    """Show the page in the language that somebody chooses, with what is filled in, and have the browser remember it."""
    if language not in dict(settings.LANGUAGES):
        raise BadRequest
    translation.activate(language)
    filled_in = {name: request.POST.get(name, "") for name in JoinForm.base_fields}
    response = _join_page(request, JoinForm(initial=filled_in))
    remember(response, language)
    return response


def _refused(request: PageRequest, form: JoinForm, field: str | None, problem: str, *, status: int) -> HttpResponse:
    form.add_error(field, problem)
    return _join_page(request, form, status=status)


def _wait(request: PageRequest, wrong: int) -> int:
    """Count wrong codes; return for how many seconds no code is taken any more, 0 where it is."""
    own = windows.add(_WRONG, address_of(request) or "unknown", wrong)
    every = windows.add(_WRONG, "all", wrong)
    waits = [own.seconds_left] if own.number >= _TRIES_PER_MINUTE else []
    waits += [every.seconds_left] if every.number >= _ALL_TRIES_PER_MINUTE else []
    return max(waits, default=0)


def _join_page(request: PageRequest, form: JoinForm, status: int = 200) -> HttpResponse:
    participant = participants.participant_with(request.COOKIES)
    context = {
        "form": form,
        "present": participant,
        "back": "" if participant is None else _last(participant),
        "has_ended": participant is None and participants.COOKIE in request.COOKIES,
        "languages": choices(),
    }
    return render(request, "classrooms/join.html", context, status=status)


def _last(participant: Participant) -> str:
    """Return where a participant was: in a led class where it is now, else the step looked at last, or the lessons."""
    learner, classroom = Learner(participant=participant), participant.classroom
    if classroom.is_led:
        return learner.address("step", classroom.place)
    if participant.lesson in classroom.lessons:
        return learner.address("step", {"lesson": participant.lesson, "step": participant.step})
    return learner.home


@require_safe
def seat(request: PageRequest) -> HttpResponse:
    """Show a classroom's lessons; lead to where a led class is, and who opens the address anew to where they were."""
    learner = learner_of(request)
    participant = learner.participant
    assert participant is not None  # noqa: S101 - the gate lets only participants through
    classroom, last = participant.classroom, _last(participant)
    # What a browser says of an address that was typed in, or is of a tab that is opened again.
    is_opened = request.headers.get("Sec-Fetch-Site") == "none"
    if classroom.is_led or (is_opened and last != learner.home):
        return redirect(last)
    rows = progress.of_lessons(learner)
    lessons = [found for name in classroom.lessons if (found := find_lesson(name)) is not None]
    context = {
        "lessons": [shelf.card(lesson, rows) for lesson in lessons],
        "last": last if last != learner.home else "",
    }
    return render(request, "classrooms/seat.html", context)


@require_safe
def turn(request: PageRequest) -> HttpResponse:
    """Tell a page without a websocket where its class is; nothing where it shows the latest turn."""
    participant = learner_of(request).participant
    assert participant is not None  # noqa: S101 - the gate lets only participants through
    asked = TurnParameters.read(request.GET)
    presence.seen(participant)
    if asked["turn"] == participant.classroom.turn:
        return HttpResponse(status=204)
    reader = Reader(participant.pk, translation.get_language() or "", has_step=bool(asked["step"]))
    (message,) = messages(participant.classroom, [reader])
    if participant.classroom.is_led and reader.has_step:
        presence.all_at_step(participant.classroom, [participant.pk])
    return HttpResponse(message, content_type="application/json")


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: PageRequest) -> HttpResponse:
    """Ask whether a participant wants to leave; then remove them with all answers, and the token from the browser."""
    participant = learner_of(request).participant
    assert participant is not None  # noqa: S101 - the gate lets only participants through
    if request.method != "POST":
        context = {"name": participant.name, "classroom": participant.classroom.title}
        return render(request, "classrooms/leave.html", context)
    seats.leave(participant)
    response = redirect("join")
    response.delete_cookie(participants.COOKIE)
    return response
