"""How operations answer: every error that is known in the one form, in JSON whatever the method."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import HttpError, ValidationError

from clusters.adapters.bad_input import BadInput
from clusters.engine.problems import Problem, Quoted
from clusters.services.reports import OrderError
from clusters.services.runs import SpecError
from clusters.wording.api import errors as words
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.errors import not_found
from dashboard.http import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http.response import HttpResponseBase
    from ninja import NinjaAPI

    View = Callable[..., HttpResponseBase]

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
        return ApiError(403, what=str(words.FORBIDDEN), where=request.path, remedy=str(words.ASK_PERMITTED))
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
    reason = str(first.get("msg", words.INVALID)).rstrip(".")
    what = words.invalid(field=where, reason=reason)
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
            _refuse_nul(request)
            response = view(request, *args, **values)
        except (ApiError, Http404, SuspiciousOperation) as error:
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
