"""How often Berth agrees with the scheduler: never a percentage where nothing was judged.

``hours`` are those of a window before now; None stands for the whole journal.
"""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped, rate


def window_heading(hours: int | None) -> str:
    """Head a column of numbers that are counted over a window."""
    return _("In the journal") if hours is None else _("In %(hours)s h") % {"hours": grouped(hours)}


def agrees_heading(hours: int | None) -> str:
    """Head how often Berth agreed in a window."""
    return _("Agrees in the journal") if hours is None else _("Agrees in %(hours)s h") % {"hours": grouped(hours)}


def judged_heading(hours: int | None) -> str:
    """Head how many decisions of a window were judged."""
    return _("Judged in the journal") if hours is None else _("Judged in %(hours)s h") % {"hours": grouped(hours)}


def judged_sentence(hours: int | None, *, judged: int) -> str:
    """Say how many decisions of a window were judged."""
    if hours is None:
        return _("Judged in the journal: %(decisions)s") % {"decisions": grouped(judged)}
    return _("Judged in %(hours)s h: %(decisions)s") % {"hours": grouped(hours), "decisions": grouped(judged)}


def rate_sentence(hours: int | None, *, agreeing: int, judged: int, others: int) -> str:
    """Say how often Berth agrees in a window; ``others`` were observed and not judged."""
    if not judged:
        return _no_rate(hours, others)
    if hours is None:
        return ngettext(
            "Agrees with the scheduler: %(rate)s of %(decisions)s decision in the journal.",
            "Agrees with the scheduler: %(rate)s of %(decisions)s decisions in the journal.",
            judged,
        ) % {"rate": rate(agreeing, judged), "decisions": grouped(judged)}
    return ngettext(
        "Agrees with the scheduler: %(rate)s of %(decisions)s decision in %(hours)s h.",
        "Agrees with the scheduler: %(rate)s of %(decisions)s decisions in %(hours)s h.",
        judged,
    ) % {"rate": rate(agreeing, judged), "decisions": grouped(judged), "hours": grouped(hours)}


def _no_rate(hours: int | None, others: int) -> str:
    if not others:
        return _none_observed(hours)
    if hours is None:
        return ngettext(
            "No decision in the journal is judged, so there is no rate: %(decisions)s decision was observed and not "
            "judged.",
            "No decision in the journal is judged, so there is no rate: %(decisions)s decisions were observed and not "
            "judged.",
            others,
        ) % {"decisions": grouped(others)}
    return ngettext(
        "No decision was judged in %(hours)s h, so there is no rate: %(decisions)s decision was observed and not "
        "judged.",
        "No decision was judged in %(hours)s h, so there is no rate: %(decisions)s decisions were observed and not "
        "judged.",
        others,
    ) % {"hours": grouped(hours), "decisions": grouped(others)}


def _none_observed(hours: int | None) -> str:
    if hours is None:
        return _("No decision is in the journal, so there is no rate.")
    return _("No decision in %(hours)s h, so there is no rate.") % {"hours": grouped(hours)}


def places_sentence(*, decisions: int, middle: float) -> str:
    """Say how narrow the searches of the latest decisions were that agree by where their search began."""
    return ngettext(
        "Of the latest %(decisions)s decision that agrees by where its search began, half had at most %(share)s of all "
        "places left in which it can have begun.",
        "Of the latest %(decisions)s decisions that agree by where their search began, half had at most %(share)s of "
        "all places left in which it can have begun.",
        decisions,
    ) % {"decisions": grouped(decisions), "share": rate(round(10_000 * middle), 10_000)}


def with_share(number: int, whole: int) -> str:
    """Write a number with its share of a whole."""
    return _("%(number)s (%(share)s)") % {"number": grouped(number), "share": rate(number, whole)}
