"""Errors of the API: what is wrong, where, and what to do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.db import OperationalError
from django.http import HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string

from clusters.adapters.bad_input import printable
from clusters.wording.api import errors as words
from dashboard.lessons.learners import SEAT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

_LONGEST = 1_000
_RETRY_SECONDS = 5

# What a status means where the error says nothing finer: the reasons of Kubernetes' own API.
_CODES: Mapping[int, str] = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    409: "Conflict",
    413: "RequestEntityTooLarge",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
}


class ApiError(Exception):
    """An answer other than a success: a code that stays the same for programs, and sentences for people."""

    def __init__(self, status: int, *, what: str, where: str, remedy: str, code: str = "") -> None:
        super().__init__(what)
        self.status = status
        self.code = code or _CODES.get(status, "BadRequest")
        self.what = what
        self.where = where
        self.remedy = remedy

    def response(self) -> JsonResponse:
        """Return the answer."""
        error = {"code": self.code, "what": self.what, "where": self.where, "remedy": self.remedy}
        return answer({"error": {part: printable(text)[:_LONGEST] for part, text in error.items()}}, self.status)


def answer(data: Any, status: int = 200) -> JsonResponse:
    """Return an answer of the API."""
    return JsonResponse(data, status=status)


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
