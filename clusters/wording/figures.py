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


def decisions_until(*, count: int, hours: int, end: datetime | None, by_verdict: Sequence[str]) -> str:
    """Sum up the hours before a moment; where ``end`` is None, the time that was asked for."""
    if not count:
        return _("No decisions.")
    values = {"count": grouped(count), "hours": grouped(hours), "verdicts": listed(by_verdict)}
    if end is None:
        return ngettext("%(count)s decision: %(verdicts)s.", "%(count)s decisions: %(verdicts)s.", count) % {
            "count": values["count"],
            "verdicts": values["verdicts"],
        }
    return ngettext(
        "%(count)s decision in the %(hours)s hours before %(end)s: %(verdicts)s.",
        "%(count)s decisions in the %(hours)s hours before %(end)s: %(verdicts)s.",
        count,
    ) % {**values, "end": end.strftime("%H:%M:%S %Z")}


def count_of_verdict(*, count: int, value: str) -> str:
    """Count decisions of a verdict, in a list."""
    return _("%(count)s %(verdict)s") % {"count": grouped(count), "verdict": verdict(value)}
