"""Titles, legends and sentences of figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


# -- decisions over time ----------------------------------------------------------------------------------------------


def decisions_over_time(*, unit: str) -> str:
    """Name the columns of decisions; `unit` is minute, hour or day."""
    return {
        "minute": _("Decisions by verdict and minute"),
        "hour": _("Decisions by verdict and hour"),
        "day": _("Decisions by verdict and day"),
    }[unit]


def unit_of_time(unit: str) -> str:
    """Head the column of a table that says when."""
    return {"minute": _("Minute"), "hour": _("Hour"), "day": _("Day")}[unit]


def verdict(value: str) -> str:
    """Name a verdict of the journal's judge in a legend."""
    return {
        "agrees": _("agreed with"),
        "sampled": _("agreed with within sampling"),
        "disagrees": _("disagreed with"),
        "unjudged": _("not judged"),
        "waiting": _("not judged yet"),
    }[value]


def decisions_in_the_time_asked_for(*, count: int, by_verdict: Sequence[str]) -> str:
    """Sum up a stretch of time whose beginning was given."""
    if not count:
        return _("No decisions in the time asked for.")
    return ngettext(
        "%(count)s decision in the time asked for: %(verdicts)s.",
        "%(count)s decisions in the time asked for: %(verdicts)s.",
        count,
    ) % {"count": grouped(count), "verdicts": listed(by_verdict)}


def decisions_before(*, count: int, hours: int, end: datetime | None, by_verdict: Sequence[str]) -> str:
    """Sum up the hours before a moment; None is the end that was asked for."""
    values = {
        "count": grouped(count),
        "hours": grouped(hours),
        "end": "" if end is None else end.strftime("%H:%M:%S %Z"),
        "verdicts": listed(by_verdict),
    }
    if not count:
        if end is None:
            return _("No decisions in the %(hours)s hours before that.") % values
        return _("No decisions in the %(hours)s hours before %(end)s.") % values
    if end is None:
        return (
            ngettext(
                "%(count)s decision in the %(hours)s hours before that: %(verdicts)s.",
                "%(count)s decisions in the %(hours)s hours before that: %(verdicts)s.",
                count,
            )
            % values
        )
    return (
        ngettext(
            "%(count)s decision in the %(hours)s hours before %(end)s: %(verdicts)s.",
            "%(count)s decisions in the %(hours)s hours before %(end)s: %(verdicts)s.",
            count,
        )
        % values
    )


def count_of_verdict(*, count: int, value: str) -> str:
    """Count decisions of a verdict, in a list."""
    return _("%(count)s %(verdict)s") % {"count": grouped(count), "verdict": verdict(value)}
