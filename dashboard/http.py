"""Requests as the pages see them: signed in, and perhaps asking for a fragment only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from clusters.adapters.bad_input import printable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.contrib.auth.models import User
    from django_htmx.middleware import HtmxDetails


class BadParameterError(BadRequest):
    """An address holds something that its page cannot read; the message says what would be right."""


class PageRequest(HttpRequest):
    """A request that passed the sign-in gate and the htmx middleware."""

    user: User
    htmx: HtmxDetails
    # The cluster in whose frame a page stands whose address names none.
    framed_cluster: str
    # The page in whose section such a page stands, where its address does not tell.
    framed_section: str
    # Whether the view heeds the moment that the address asks about.
    heeds_moment: bool
    # The moment that the page is of, whatever its address asks about.
    own_moment: datetime


def wants_fragment(request: PageRequest) -> bool:
    """Tell whether htmx will put the answer into a page that stands already."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def render_page(request: PageRequest, page: str, fragment: str, context: dict[str, Any]) -> HttpResponse:
    """Render the whole page, or only the fragment that htmx asked for; caches must keep the two apart."""
    response = render(request, fragment if wants_fragment(request) else page, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


_LONGEST = 1_000


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
