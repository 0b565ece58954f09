"""The list of a cluster's reviews and schedules, and what is said of one review."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# By the state that a row stores.
STATES: Final = {
    "queued": pgettext_lazy("state of a review", "Queued"),
    "running": pgettext_lazy("state of a review", "Running"),
    "done": pgettext_lazy("state of a review", "Done"),
    "failed": pgettext_lazy("state of a review", "Failed"),
}
PROGRESS: Final = {
    "queued": gettext_lazy("It waits for a worker."),
    "running": gettext_lazy("It is being written."),
    "done": gettext_lazy("It is written."),
    "failed": gettext_lazy("It could not be written."),
}
NONE_KEPT: Final = gettext_lazy("No review is kept.")
NONE_SCHEDULED: Final = gettext_lazy("None is scheduled.")
THE_CLUSTER: Final = gettext_lazy("the cluster")
REMOVED_USER: Final = gettext_lazy("removed user")
TERMINAL_OR_REMOVED_USER: Final = gettext_lazy("terminal or removed user")
ASK_WHEN_DONE: Final = gettext_lazy("Ask again when it is done.")
NUMBER_OF_ORDER: Final = gettext_lazy("Use the id of the answer to the order.")
NO_SUCH_FILE: Final = gettext_lazy("No such file of this review.")
NO_SUCH_TREND: Final = gettext_lazy("No such trend.")


WRITING = message("Section %(number)s of %(sections)s: %(section)s.")
KEPT = plural("%(reviews)s review is kept.", "%(reviews)s reviews are kept.", by="reviews")
NEXT_SCHEDULED = message("Next: %(at)s, %(title)s.")


EVERY_WEEK = message("every %(weekday)s at %(hour)s:00 %(zone)s")
KEPT_FOR = plural("%(days)s day each", "%(days)s days each", by="days")
LAST_DAYS = plural("the last %(days)s day", "the last %(days)s days", by="days")
FROM_TO = message("%(start)s to %(end)s")


NO_REVIEW = message("There is no review %(number)s.")
NO_FORM = message("A review has no form %(form)s.")
ONE_OF_FORMS = message("Ask for %(forms)s.")
AGAIN_EVERY_WEEK = message("“%(title)s” is written every week.")
DELETED = message("“%(title)s” is deleted.")
NOT_WRITTEN_AGAIN = message("“%(title)s” is stopped.")
CANNOT_WRITE = message("%(path)s cannot be written: %(error)s. Name another --output.")
