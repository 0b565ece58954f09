"""Words for work that is not put into the queue."""

from __future__ import annotations

from django.utils.translation import ngettext

from clusters.problems.orders import TooMuchQueued
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(TooMuchQueued)
def too_much_queued(problem: TooMuchQueued) -> Words:
    """Say how much of a user's work is not finished."""
    return Words(
        ngettext(
            "%(unfinished)s of your simulations, parts of studies and reviews is not finished.",
            "%(unfinished)s of your simulations, parts of studies and reviews are not finished.",
            problem.unfinished,
        )
        % {"unfinished": grouped(problem.unfinished)},
        ngettext(
            "Wait until fewer than %(most)s is unfinished, or cancel some.",
            "Wait until fewer than %(most)s are unfinished, or cancel some.",
            problem.most,
        )
        % {"most": grouped(problem.most)},
    )
