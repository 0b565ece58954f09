"""How operations answer: every error that is known in the one form, in JSON whatever the method."""

from __future__ import annotations

import re
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import HttpError, ValidationError

from clusters.adapters.bad_input import BadInput
from clusters.engine.problems import Problem, Quoted
from clusters.services.reports import OrderError
from clusters.services.runs import SpecError
from clusters.wording import api_answers as words
from clusters.wording.api_answers import NO_ADDRESS
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.access.participants import SEAT
from dashboard.access.rules import SAFE_METHODS, check
from dashboard.http import ApiError, PageRequest
from dashboard.limits import computing as ordering

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http.response import HttpResponseBase
    from ninja import NinjaAPI

    View = Callable[..., HttpResponseBase]


_RETRY_SECONDS = 5


def not_found(request: HttpRequest, what: str) -> ApiError:
    """Return the error for an address that leads to nothing."""
    return ApiError(404, what=what, where=request.path, remedy=str(words.FIND_ADDRESS))


def is_busy(error: BaseException | None) -> bool:
    """Tell whether a database did not let somebody write, because others write, for as long as a page may wait."""
    return isinstance(error, OperationalError) and ("locked" in str(error) or "lock timeout" in str(error))


def busy_answer(request: HttpRequest) -> HttpResponse:
    """Ask to try again, as nothing was written."""
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = ApiError(503, what=str(words.BUSY), where=request.path, remedy=str(words.TRY_AGAIN)).response()
    else:
        response = HttpResponse(_frameless(request, is_busy=True), status=503)
    response["Retry-After"] = str(_RETRY_SECONDS)
    return response


def _frameless(request: HttpRequest, *, is_busy: bool) -> str:
    """Render a failure without the frame, which may be what failed."""
    is_seat = request.path.startswith(f"/{SEAT}/")
    return render_to_string("500.html", {"is_seat": is_seat, "is_busy": is_busy, "address": request.get_full_path()})


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a failure of our own: to programs in JSON, to people with the page that says so."""
    if is_busy(sys.exception()):
        return busy_answer(request)
    if not request.path.startswith("/api/"):
        return HttpResponseServerError(_frameless(request, is_busy=False))
    return ApiError(500, what=str(words.INTERNAL), where=request.path, remedy=str(words.SEE_LOG)).response()


_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
# After an even number of backslashes: an odd one would be a backslash that somebody wrote.
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_INVALID = "Invalid"


def code_of(problem: Problem) -> str:
    """Return the code of an answer about a problem: its kind; words that are only quoted have none."""
    return _INVALID if isinstance(problem, Quoted) else problem.kind


def api_error(request: HttpRequest, error: Exception) -> ApiError:
    """Return how the API says what a service or the framework raised. Raises what it does not know again."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, SpecError):
        what, remedy = problem_sentence(error.problem, line=error.line), remedy_sentence(error.problem)
        return ApiError(400, code=code_of(error.problem), what=what, where=error.field or "body", remedy=remedy)
    if isinstance(error, OrderError):
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        return ApiError(400, code=code_of(error.problem), what=what, where=error.field or "body", remedy=remedy)
    if isinstance(error, BadInput):
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        where = error.field or error.file or "file"
        return ApiError(400, code=code_of(error.problem), what=what, where=where, remedy=remedy)
    if isinstance(error, ValidationError):
        return _invalid(error)
    if isinstance(error, Http404):
        return not_found(request, str(error))
    if isinstance(error, PermissionDenied):
        what = str(error) or str(words.FORBIDDEN)
        return ApiError(403, what=what, where=request.path, remedy=str(words.ASK_PERMITTED))
    if isinstance(error, HttpError):
        return _of_framework(request, error)
    if isinstance(error, RequestDataTooBig):
        return ApiError(413, what=str(words.TOO_LARGE), where="body", remedy=str(words.SEND_LESS))
    if isinstance(error, SuspiciousOperation | MultiPartParserError):
        return _unreadable(400)
    raise error


def _invalid(error: ValidationError) -> ApiError:
    first = error.errors[0]
    loc = [str(part) for part in first.get("loc", ())]
    # Where it was looked for, and what the operation calls the body, mean nothing to the sender.
    where = ".".join(loc[1:]) or "body"
    what = words.invalid(field=where, reason=str(first.get("msg", words.INVALID)).rstrip("."))
    return ApiError(400, code=_INVALID, what=what, where=where, remedy=str(words.READ_REFERENCE))


def _unreadable(status: int) -> ApiError:
    return ApiError(status, what=str(words.UNREADABLE), where="body", remedy=str(words.READ_REFERENCE))


def _of_framework(request: HttpRequest, error: HttpError) -> ApiError:
    if error.status_code == 401:
        return ApiError(401, what=str(words.NOT_SIGNED_IN), where=request.path, remedy=str(words.SEND_TOKEN))
    if error.status_code == 403:
        return ApiError(403, code="CSRF", what=str(words.CSRF), where="X-CSRFToken", remedy=str(words.SEND_CSRF))
    return _unreadable(error.status_code)


def handles_errors(api: NinjaAPI) -> None:
    """Let an API answer all errors that are known in the one form."""

    def handled(request: HttpRequest, error: Any) -> JsonResponse:
        return api_error(request, error).response()

    known = (ApiError, SpecError, OrderError, BadInput, ValidationError, Http404, PermissionDenied, HttpError)
    for kind in (*known, SuspiciousOperation, MultiPartParserError):
        api.add_exception_handler(kind, handled)


def _refuse_nul(request: HttpRequest) -> None:
    """Raise ApiError for a JSON body with a NUL in some text, which no database takes."""
    # Whatever is no form is read as JSON.
    if request.content_type not in _FORMS and _ESCAPED_NUL.search(request.body):
        raise ApiError(400, code=_INVALID, what=str(words.NUL), where="body", remedy=str(words.REMOVE_NUL))


def speaks_json(view: View) -> View:
    """Let a view answer HEAD as GET without a body, and a method that it does not take, in JSON."""

    @csrf_exempt
    @wraps(view)
    def answering(request: HttpRequest, *args: Any, **values: Any) -> HttpResponseBase:
        if request.method == "HEAD":
            # The server leaves the body out.
            request.method = "GET"
        try:
            if request.resolver_match is not None:
                check(request.resolver_match, request.user, acts=request.method not in SAFE_METHODS)
            _refuse_nul(request)
            response = view(request, *args, **values)
        except (ApiError, Http404, PermissionDenied, SuspiciousOperation) as error:
            return api_error(request, error).response()
        if response.status_code != 405:
            return response
        allowed = response.headers.get("Allow", "GET")
        refused = ApiError(
            405,
            what=words.NOT_ALLOWED(method=request.method or ""),
            where=request.path,
            remedy=words.USE_METHODS(allowed=allowed),
        ).response()
        refused["Allow"] = allowed
        return refused

    return answering


def refuse_too_much(request: PageRequest) -> None:
    """Raise ApiError for a user of whom the workers have enough to do already."""
    try:
        ordering.refuse_too_much(request.user)
    except SpecError as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(429, code=code_of(error.problem), what=what, where="Authorization", remedy=remedy) from None


@speaks_json
def unknown(request: HttpRequest, rest: str) -> HttpResponse:
    """Say so in JSON."""
    raise not_found(request, str(NO_ADDRESS))
