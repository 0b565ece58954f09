"""How much of the processors one user, or one classroom, has: seconds of computing in each minute, and seconds for each
request.
"""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from clusters.models import Report, SimulationRun, StudyPart
from clusters.problems.orders import TooMuchQueued
from clusters.services.computing import start, stop
from clusters.wording import limits as words
from dashboard.access.participants import share_of
from dashboard.http import ApiError, PageRequest, wants_fragment
from dashboard.limits import windows

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from dashboard.models import Participant


# Of one request, in a web process.
MOST_SECONDS: Final = 10.0
_WHAT: Final = "computing-milliseconds"
# Of each participant's minute; what goes beyond is taken from the share of the class, so that few cannot stop all.
_OWN_MILLISECONDS: Final = 1_000


class ComputingLimitsMiddleware(MiddlewareMixin):
    """Charges each request's computing to whoever sent it, and refuses the next one when the minute's share is used up.

    What waits (for a run to end, for an upload to arrive, for another request) costs nothing.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        share = _share(request)
        if share is None:
            return None
        most = settings.BERTH_COMPUTING_SECONDS
        own = windows.add(_WHAT, share, 0)
        if own.number > most * 1000:
            return refusal(request, words.COMPUTING_A_MINUTE(seconds=most), own.seconds_left)
        if (room := _room(request)) is not None and own.number > _OWN_MILLISECONDS:
            shared = windows.add(_WHAT, room, 0)
            if shared.number > most * 1000:
                return refusal(request, words.COMPUTING_A_MINUTE(seconds=most), shared.seconds_left)
        request.computing_since = thread_time()  # type: ignore[attr-defined]
        start(MOST_SECONDS, waits=not _is_page(cast("PageRequest", request)))
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        since = getattr(request, "computing_since", None)
        if since is None:
            return response
        stop()
        # Who signed out with this request has no share any more.
        if (share := _share(request)) is not None:
            used = max(0, round((thread_time() - since) * 1000))
            own = windows.add(_WHAT, share, used)
            if (room := _room(request)) is not None and own.number > _OWN_MILLISECONDS:
                windows.add(_WHAT, room, min(used, own.number - _OWN_MILLISECONDS))
        return response


def _is_page(request: PageRequest) -> bool:
    """Tell whether a browser shows the answer to somebody, who did not ask for all at once."""
    is_shown = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    # Addresses of files and of the API end otherwise.
    return is_shown and request.path.endswith("/") and not (wants_fragment(request) or "now" in request.GET)


def _room(request: HttpRequest) -> str | None:
    """Name the share that all participants of a classroom have together."""
    participant: Participant | None = getattr(request, "participant", None)
    return None if participant is None else f"classroom-{participant.classroom_id}"


def _share(request: HttpRequest) -> str | None:
    participant: Participant | None = getattr(request, "participant", None)
    if participant is None and not request.user.is_authenticated:
        return None
    return share_of(cast("User", request.user), participant)


def refusal(request: HttpRequest, problem: str, seconds: int) -> HttpResponse:
    """Return the answer to a user who is to ask again after some seconds."""
    remedy = words.ASK_AGAIN(seconds=max(1, seconds))
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = ApiError(429, what=problem, where="Authorization", remedy=remedy).response()
    else:
        template = "failures/_slower.html" if wants_fragment(cast("PageRequest", request)) else "failures/slower.html"
        response = render(request, template, {"problem": f"{problem} {remedy}"}, status=429)
    response["Retry-After"] = str(seconds)
    return response


MOST_WAITING: Final = 100


def refuse_too_much(user: User) -> None:
    """Raise SpecError for a user of whom the workers have enough to do already."""
    # With all that reads runs, which a web process does without until somebody orders one.
    from clusters.services.runs.spec import SpecError

    run, part, review = SimulationRun.State, StudyPart.State, Report.State
    runs = SimulationRun.objects.filter(created_by=user, state__in=(run.QUEUED, run.RUNNING))
    parts = StudyPart.objects.filter(study__created_by=user, state__in=(part.QUEUED, part.RUNNING))
    reviews = Report.objects.filter(created_by=user, state__in=(review.QUEUED, review.RUNNING))
    waiting = runs.count() + parts.count() + reviews.count()
    if waiting >= MOST_WAITING:
        raise SpecError("", TooMuchQueued(waiting, MOST_WAITING))
