"""Errors of the API: what is wrong, where, and what to do."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from django.http import Http404, JsonResponse
from django.views.decorators.csrf import csrf_exempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

    from dashboard.http import PageRequest

    View = Callable[..., HttpResponse]


class ApiError(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, *, what: str, where: str, remedy: str) -> None:
        super().__init__(what)
        self.status = status
        self.what = what
        self.where = where
        self.remedy = remedy

    def response(self) -> JsonResponse:
        """Return the answer."""
        return JsonResponse(
            {"error": {"what": self.what, "where": self.where, "remedy": self.remedy}}, status=self.status
        )


def answers_json(view: View) -> View:
    """Let a view answer GET and HEAD, and all its errors as JSON.

    What changes nothing needs no token against forged requests, whose lack would be answered with a page.
    """

    @csrf_exempt
    @wraps(view)
    def answering(request: PageRequest, **values: Any) -> HttpResponse:
        try:
            if request.method not in ("GET", "HEAD"):
                raise ApiError(
                    405,
                    what=f"{request.method} is not allowed here.",
                    where=request.path,
                    remedy="The API only reads: use GET.",
                )
            return view(request, **values)
        except ApiError as error:
            return error.response()
        except Http404 as error:
            return not_found(request, str(error)).response()

    return answering


def not_found(request: PageRequest, what: str) -> ApiError:
    """Return the error for an address that leads to nothing."""
    return ApiError(
        404, what=what, where=request.path, remedy="docs/api.md lists the addresses, /api/v1/clusters/ the clusters."
    )
