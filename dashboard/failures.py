"""What stands in the place of a page, a part of one or an answer of the API that could not be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from clusters.services.failures import escaped
from dashboard.api.errors import ApiError
from dashboard.http import wants_fragment
from dashboard.presenters import failures

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.engine.failure import Failure
    from dashboard.http import PageRequest


class NotComputedMiddleware(MiddlewareMixin):
    """Answers in words where the engine fails; an error from anywhere else goes its way."""

    def process_exception(self, request: PageRequest, exception: Exception) -> HttpResponse | None:
        failure = escaped(exception)
        if failure is None:
            return None
        if request.path.startswith("/api/"):
            return _error(request, failure).response()
        template = "failures/_part.html" if wants_fragment(request) else "failures/page.html"
        return render(request, template, {"problem": failures.page(failure.reference)})


def _error(request: PageRequest, failure: Failure) -> ApiError:
    return ApiError(
        409,
        what=f"The answer could not be computed: {failure.error}",
        where=request.path,
        remedy=f"Ask about other pods; Berth's log has the error under {failure.reference}. Report it: it is a defect.",
    )
