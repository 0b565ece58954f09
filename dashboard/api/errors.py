"""Errors of the API: what is wrong, where, and what to do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template.loader import render_to_string

from clusters.wording.api import errors as words
from dashboard.access.participants import SEAT
from dashboard.http import ApiError

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

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
