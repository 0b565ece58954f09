"""The error shown instead of a page, a part of one or an answer of the API that could not be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.views import defaults

from clusters.services.computing import OverTimeError
from clusters.wording.lessons import refused
from dashboard.access.participants import SEAT
from dashboard.access.rights import rights_of
from dashboard.http import ApiError, PageRequest, wants_fragment

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

_LESSONS: Final = "/lessons/"
_CLASSROOMS: Final = "/classrooms/"
_SECONDS_BETWEEN_LOOKS: Final = 2
_JOINING: Final = ("/join/", f"/{SEAT}/")


class NotComputedMiddleware(MiddlewareMixin):
    """Answers in words where the engine fails; an error from anywhere else goes its way."""

    def process_exception(self, request: PageRequest, exception: Exception) -> HttpResponse | None:
        # Loaded when something failed: the words of problems reach all of Berth.
        from clusters.engine.scheduling import measure_of
        from clusters.services.decisions.explain import escaped
        from clusters.services.mirror.snapshots import BeingReadError
        from clusters.wording import api_answers as words
        from clusters.wording.failures import error_of
        from clusters.wording.problems import problem_sentence, remedy_sentence
        from clusters.wording.resources import limit_remedy
        from dashboard.api.answering import busy_answer, is_busy
        from dashboard.presenters.shared.page import failure_sentence

        if is_busy(exception):
            return busy_answer(request)
        if isinstance(exception, BeingReadError):
            context = {"done": exception.done, "total": exception.total}
            response = render(request, "failures/reading.html", context, status=202)
            response["Refresh"] = str(_SECONDS_BETWEEN_LOOKS)
            return response
        if isinstance(exception, OverTimeError):
            return _answer(request, problem_sentence(exception.problem), remedy_sentence(exception.problem))
        failure = escaped(exception)
        if failure is None:
            return None
        if request.path.startswith("/api/"):
            measure = measure_of(failure.reference)
            remedy = words.REPORT_DEFECT(reference=failure.reference) if measure is None else limit_remedy(measure)
            return _answer(request, words.NOT_COMPUTED(error=error_of(failure)), remedy)
        return _answer(request, failure_sentence(failure))


def _answer(request: PageRequest, problem: str, remedy: str = "") -> HttpResponse:
    if request.path.startswith("/api/"):
        return ApiError(409, what=problem, where=request.path, remedy=remedy).response()
    template = "failures/_part.html" if wants_fragment(request) else "failures/page.html"
    return render(request, template, {"problem": f"{problem} {remedy}".strip()})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer a request that cannot be read; where it is for a parameter, the page says which and why.

    Pages of lessons and classrooms say what to do about any other one, in their language.
    """
    from dashboard.http import BadParameterError

    if isinstance(exception, BadParameterError):
        problem = str(exception)
    elif way_back(request) is not None and not isinstance(exception, DisallowedHost):
        problem = str(refused.UNREADABLE)
    else:
        return defaults.bad_request(request, exception)
    return HttpResponse(render_to_string("400.html", {"problem": problem}, request), status=400)


class WayBack(NamedTuple):
    """What may have become of a page that is not there, and the page from which to start again."""

    missing: str
    address: str
    label: str


def way_back(request: HttpRequest) -> WayBack | None:
    """Return the way back from an address of lessons or classrooms; None for any other."""
    path = request.path
    if path.startswith(_JOINING):
        return WayBack(str(refused.NO_PLACE), reverse("join"), str(refused.TO_JOINING))
    # A request that is refused early has come to nobody who knows the user.
    user = getattr(request, "user", None)
    if path.startswith(_CLASSROOMS) and user is not None and rights_of(user).teaches:
        return WayBack(str(refused.NO_CLASSROOM), reverse("classrooms"), str(refused.TO_CLASSROOMS))
    if path.startswith((_LESSONS, _CLASSROOMS)):
        return WayBack(str(refused.NO_LESSON), reverse("lessons"), str(refused.TO_LESSONS))
    return None
