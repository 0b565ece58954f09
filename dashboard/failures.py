"""The error shown instead of a page, a part of one or an answer of the API that could not be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from clusters.services.computing import OverTimeError
from dashboard.api.errors import ApiError, busy_answer, is_busy
from dashboard.http import wants_fragment

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest


class NotComputedMiddleware(MiddlewareMixin):
    """Answers in words where the engine fails; an error from anywhere else goes its way."""

    def process_exception(self, request: PageRequest, exception: Exception) -> HttpResponse | None:
        if is_busy(exception):
            return busy_answer(request)
        # Loaded when something failed: the words of problems reach all of Berth.
        from clusters.engine.scheduling import measure_of
        from clusters.services.decisions.explain import escaped
        from clusters.wording.api import errors as words
        from clusters.wording.costs import limit_remedy
        from clusters.wording.failures import error_of
        from clusters.wording.problems import problem_sentence, remedy_sentence
        from dashboard.presenters.shared import failures

        if isinstance(exception, OverTimeError):
            return _answer(request, problem_sentence(exception.problem), remedy_sentence(exception.problem))
        failure = escaped(exception)
        if failure is None:
            return None
        if request.path.startswith("/api/"):
            measure = measure_of(failure.reference)
            remedy = words.REPORT_DEFECT(reference=failure.reference) if measure is None else limit_remedy(measure)
            return _answer(request, words.NOT_COMPUTED(error=error_of(failure)), remedy)
        return _answer(request, failures.page(failure))


def _answer(request: PageRequest, problem: str, remedy: str = "") -> HttpResponse:
    if request.path.startswith("/api/"):
        return ApiError(409, what=problem, where=request.path, remedy=remedy).response()
    template = "failures/_part.html" if wants_fragment(request) else "failures/page.html"
    return render(request, template, {"problem": f"{problem} {remedy}".strip()})
