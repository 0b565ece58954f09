"""The bound on what one user has in the queue, as the API tells of it."""

from __future__ import annotations

from clusters.services.runs.spec import SpecError
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.answering import code_of
from dashboard.http import ApiError, PageRequest
from dashboard.limits import queued_work as ordering


def refuse_too_much(request: PageRequest) -> None:
    """Raise ApiError for a user of whom the workers have enough to do already."""
    try:
        ordering.refuse_too_much(request.user)
    except SpecError as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(429, code=code_of(error.problem), what=what, where="Authorization", remedy=remedy) from None
