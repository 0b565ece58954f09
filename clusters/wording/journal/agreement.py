"""How often Berth agrees with the scheduler: never a percentage where nothing was judged."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped, rate

# By the names of the windows in clusters.services.journal.agreement.
WINDOWS: Final = {
    "1h": gettext_lazy("in 1 h"),
    "24h": gettext_lazy("in 24 h"),
    "all": gettext_lazy("in the journal"),
}


def rate_sentence(window: str, *, agreeing: int, judged: int, others: int) -> str:
    """Say how often Berth agrees in a window; ``others`` were observed and not judged."""
    if judged:
        return ngettext(
            "Agrees with the scheduler: %(rate)s of %(decisions)s decision %(window)s.",
            "Agrees with the scheduler: %(rate)s of %(decisions)s decisions %(window)s.",
            judged,
        ) % {"rate": rate(agreeing, judged), "decisions": grouped(judged), "window": WINDOWS[window]}
    if others:
        return ngettext(
            "No decision was judged %(window)s, so there is no rate: %(decisions)s decision was observed and not "
            "judged.",
            "No decision was judged %(window)s, so there is no rate: %(decisions)s decisions were observed and not "
            "judged.",
            others,
        ) % {"window": WINDOWS[window], "decisions": grouped(others)}
    return _("No decision of the scheduler was observed %(window)s, so there is no rate.") % {"window": WINDOWS[window]}


def with_share(number: int, whole: int) -> str:
    """Write a number with its share of a whole."""
    return _("%(number)s (%(share)s)") % {"number": grouped(number), "share": rate(number, whole)}
