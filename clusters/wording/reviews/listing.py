"""The list of a cluster's reviews and schedules, and what is said of one review."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.lists import alternatives
from clusters.wording.messages import message, plural
from clusters.wording.reviews.form import WEEKDAYS

# By the state that a row stores.
STATES: Final = {
    "queued": pgettext_lazy("state of a review", "Queued"),
    "running": pgettext_lazy("state of a review", "Running"),
    "done": pgettext_lazy("state of a review", "Done"),
    "failed": pgettext_lazy("state of a review", "Failed"),
}
PROGRESS: Final = {
    "queued": gettext_lazy("The review is queued: it waits for a worker."),
    "running": gettext_lazy("The review is being written."),
    "done": gettext_lazy("The review is written."),
    "failed": gettext_lazy("The review could not be written."),
}
NONE_KEPT: Final = gettext_lazy("No review is kept.")
NONE_SCHEDULED: Final = gettext_lazy("None is scheduled.")
THE_CLUSTER: Final = gettext_lazy("the cluster")
REMOVED_USER: Final = gettext_lazy("removed user")
TERMINAL_OR_REMOVED_USER: Final = gettext_lazy("terminal or removed user")
ASK_WHEN_DONE: Final = gettext_lazy("Ask again when it is done.")
NUMBER_OF_ORDER: Final = gettext_lazy("Use the id that the answer to the order has.")
NO_SUCH_FILE: Final = gettext_lazy("There is no such file of this review.")
NO_SUCH_TREND: Final = gettext_lazy("The review has no such trend.")


WRITING = message("The review is being written: section %(number)s of %(sections)s, %(section)s.")
KEPT = plural("%(reviews)s review is kept.", "%(reviews)s reviews are kept.", by="reviews")
NEXT_SCHEDULED = message("The next is scheduled for %(at)s: %(title)s.")


def every_week(weekday: int, hour: int, zone: str) -> str:
    """Say when a schedule writes a review; Monday is 0."""
    return _("every %(weekday)s at %(hour)s:00 %(zone)s") % {
        "weekday": WEEKDAYS[weekday],
        "hour": f"{hour:02d}",
        "zone": zone,
    }


KEPT_FOR = plural("%(days)s day each", "%(days)s days each", by="days")
LAST_DAYS = plural("the last %(days)s day", "the last %(days)s days", by="days")
FROM_TO = message("%(start)s to %(end)s")


def no_review(number: int) -> str:
    """Say that there is no review of a number."""
    return _("There is no review %(number)s.") % {"number": str(number)}


NO_FORM = message("A review has no form %(form)s.")


def one_of_forms(forms: tuple[str, ...]) -> str:
    """Say which forms a review has."""
    return _("Ask for %(forms)s.") % {"forms": alternatives(forms)}


AGAIN_EVERY_WEEK = message("“%(title)s” is written again every week.")
DELETED = message("“%(title)s” is deleted.")
NOT_WRITTEN_AGAIN = message("“%(title)s” is not written again.")
CANNOT_WRITE = message("%(path)s cannot be written: %(error)s. Name another --output.")
