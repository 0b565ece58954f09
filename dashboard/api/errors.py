"""Errors of the API: what is wrong, where, and what to do."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import HttpError, ValidationError

from clusters.adapters.bad_input import BadInput, printable
from clusters.services.reports import OrderError
from clusters.services.runs import SpecError
from clusters.wording.problems import problem_sentence, remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from ninja import NinjaAPI

    View = Callable[..., HttpResponseBase]

_REFERENCE = "/api/v1/docs says what is taken."
_LONGEST = 1_000
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
# After an even number of backslashes: an odd one would be a backslash that somebody wrote.
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class ApiError(Exception):
    """An answer other than a success."""

    def __init__(self, status: int, *, what: str, where: str, remedy: str) -> None:
        super().__init__(what)
        self.status = status
        self.what = what
        self.where = where
        self.remedy = remedy

    def response(self) -> JsonResponse:
        """Return the answer."""
        error = {"what": self.what, "where": self.where, "remedy": self.remedy}
        return answer({"error": {part: printable(text)[:_LONGEST] for part, text in error.items()}}, self.status)


def answer(data: Any, status: int = 200) -> JsonResponse:
    """Return an answer of the API."""
    return JsonResponse(data, status=status)


def not_found(request: HttpRequest, what: str) -> ApiError:
    """Return the error for an address that leads to nothing."""
    return ApiError(
        404, what=what, where=request.path, remedy="docs/api.md lists the addresses, /api/v1/clusters/ the clusters."
    )


def api_error(request: HttpRequest, error: Exception) -> ApiError:
    """Return how the API says what a service or the framework raised. Raises what it does not know again."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, SpecError):
        what, remedy = problem_sentence(error.problem, line=error.line), remedy_sentence(error.problem)
        return ApiError(400, what=what, where=error.field or "body", remedy=remedy)
    if isinstance(error, OrderError):
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        return ApiError(400, what=what, where=error.field or "body", remedy=remedy)
    if isinstance(error, BadInput):
        return ApiError(400, what=error.problem, where=error.field or error.file or "file", remedy=error.remedy)
    if isinstance(error, ValidationError):
        return _invalid(error)
    if isinstance(error, Http404):
        return not_found(request, str(error))
    if isinstance(error, PermissionDenied):
        return ApiError(
            403,
            what="You may not do that.",
            where=request.path,
            remedy="Ask somebody who may change clusters, or who ordered it.",
        )
    if isinstance(error, HttpError):
        return _of_framework(request, error)
    if isinstance(error, RequestDataTooBig):
        return ApiError(
            413, what="The body is too large.", where="body", remedy="Send at most 5 MiB, and dumps as a file."
        )
    if isinstance(error, SuspiciousOperation | MultiPartParserError):
        return ApiError(400, what="The body cannot be read.", where="body", remedy=_REFERENCE)
    raise error


def _invalid(error: ValidationError) -> ApiError:
    first = error.errors[0]
    loc = [str(part) for part in first.get("loc", ())]
    # Where it was looked for, and what the operation calls the body, mean nothing to the sender.
    where = ".".join(loc[1:]) or "body"
    words = str(first.get("msg", "It cannot be understood")).rstrip(".")
    return ApiError(400, what=f"{where}: {words}.", where=where, remedy=_REFERENCE)


def _of_framework(request: HttpRequest, error: HttpError) -> ApiError:
    if error.status_code == 401:
        return ApiError(401, what="Nobody is signed in.", where=request.path, remedy="Send a token as a Bearer.")
    if error.status_code == 403:
        remedy = "Send a token as a Bearer, or with the session the header X-CSRFToken."
        return ApiError(403, what="It may come from a foreign page.", where="X-CSRFToken", remedy=remedy)
    return ApiError(error.status_code, what="The body cannot be read.", where="body", remedy=_REFERENCE)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a failure of our own: to programs in JSON, to people with the page that says so."""
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    return ApiError(
        500, what="Something broke on our side.", where=request.path, remedy="Ask again; the server's log says why."
    ).response()


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
        raise ApiError(
            400,
            what="Some text holds a NUL character.",
            where="body",
            remedy="Remove it: no name or value in Kubernetes has one.",
        )


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
            what=f"{request.method} is not allowed here.",
            where=request.path,
            remedy=f"Use {allowed}.",
        ).response()
        refused["Allow"] = allowed
        return refused

    return answering
