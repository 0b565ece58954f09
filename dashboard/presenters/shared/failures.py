"""The sentences about what could not be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.cost import measure_of
from clusters.wording.costs import limit_remedy, limit_sentence

if TYPE_CHECKING:
    from clusters.engine.failure import Failure

_DEFECT = "The other pods are not affected. This is a defect of Berth: report it with that error."
_NEXT = "The other pods are not affected. Try a what-if without what is unusual about this one, and report the error."

OVER_TIME = "Ask for less at once, or ask a simulation, which has no such limit."


def what(reference: str) -> str:
    """Say that an explanation failed, and where its traceback is; or that it was refused, and by which limit."""
    measure = measure_of(reference)
    if measure is not None:
        return limit_sentence(measure)
    return f"Could not be computed: Berth's log has the error under {reference}."


def remedy(reference: str) -> str:
    """Say what to do about it."""
    measure = measure_of(reference)
    return _DEFECT if measure is None else limit_remedy(measure)


def page(failure: Failure) -> str:
    """Say in the place of a whole explanation what to do without it."""
    measure = measure_of(failure.reference)
    if measure is not None:
        return f"{limit_sentence(measure)} Here, {failure.error}. {limit_remedy(measure)}"
    return f"{what(failure.reference)} {_NEXT}"
