"""The sentences about what could not be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.problems import Problem
from clusters.engine.scheduling import measure_of
from clusters.wording import failures as words
from clusters.wording.costs import limit_remedy, limit_sentence

if TYPE_CHECKING:
    from clusters.engine.scheduling import Failure


def what(reference: str) -> str:
    """Say that an explanation failed, and where its traceback is; or that it was refused, and by which limit."""
    measure = measure_of(reference)
    if measure is not None:
        return limit_sentence(measure)
    return words.NOT_COMPUTED(reference=reference)


def remedy(reference: str) -> str:
    """Say what to do about it."""
    measure = measure_of(reference)
    return str(words.DEFECT) if measure is None else limit_remedy(measure)


def unanswered(error: Exception) -> str:
    """Say why there is no answer: what an error that carries a problem tells, and what to do about it."""
    # The words of problems reach all of Berth, and every page may fail.
    from clusters.wording.problems import placed_sentence

    problem = getattr(error, "problem", None)
    return placed_sentence(problem, getattr(error, "path", "")) if isinstance(problem, Problem) else str(error)


def page(failure: Failure) -> str:
    """Say in the place of a whole explanation what to do without it."""
    if failure.excess is not None:
        return f"{words.error_of(failure)} {limit_remedy(failure.excess.measure)}"
    return f"{what(failure.reference)} {words.TRY_WHAT_IF}"
