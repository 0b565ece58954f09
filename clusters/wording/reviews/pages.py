"""The form and the lists of capacity reviews: labels, hints, states and errors."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

ABOUT: Final = pgettext_lazy("field", "About")
TITLE: Final = pgettext_lazy("field", "Title")
PERIOD: Final = pgettext_lazy("field", "Period")
PERIOD_HINT: Final = gettext_lazy("Of the trend, earlier pending pods and the agreement.")
PERIODS: Final = (
    (7, gettext_lazy("the last 7 days")),
    (28, gettext_lazy("the last 28 days")),
    (91, gettext_lazy("the last 13 weeks")),
    (365, gettext_lazy("the last 365 days")),
)
START: Final = pgettext_lazy("field", "Or from")
END: Final = pgettext_lazy("field", "to")
SECTIONS: Final = pgettext_lazy("field", "Sections")
SECTIONS_MISSING: Final = gettext_lazy("Choose at least one section.")
NOTES: Final = pgettext_lazy("field", "Your notes")
NOTES_HINT: Final = gettext_lazy("Shown first; a blank line begins a paragraph.")
SHAPES: Final = gettext_lazy("Shapes of pods for headroom")
SHAPES_HINT = message("One a line: “web: cpu=500m memory=1Gi nvidia.com/gpu=1”, or “web: like %(workload)s”.")
CURRENCY: Final = pgettext_lazy("field", "Currency")
CURRENCY_HINT: Final = gettext_lazy("Such as EUR. Prices add a section on cost.")
CPU_HOUR: Final = gettext_lazy("A CPU for an hour")
MEMORY_HOUR: Final = gettext_lazy("A GiB of memory for an hour")
WEEKLY: Final = gettext_lazy("Write it every week")
WEEKDAY: Final = pgettext_lazy("field", "On")
HOUR: Final = pgettext_lazy("field", "At")
KEEP_DAYS: Final = gettext_lazy("Days each is kept")
BOTH_DAYS: Final = gettext_lazy("Give both days, or neither.")
NOT_OF_A_SIMULATION: Final = gettext_lazy("Of a simulation only once, not every week.")
ENDS_WITH_THE_REVIEW: Final = gettext_lazy("The period must end with the review.")
KEEP_DAYS_MISSING: Final = gettext_lazy("Give the days each is kept.")
WEEKDAYS: Final = (
    gettext_lazy("Monday"),
    gettext_lazy("Tuesday"),
    gettext_lazy("Wednesday"),
    gettext_lazy("Thursday"),
    gettext_lazy("Friday"),
    gettext_lazy("Saturday"),
    gettext_lazy("Sunday"),
)


HOUR_IN = message("At (%(zone)s)")
TITLE_OF = message("Capacity review of %(cluster)s")
THE_CLUSTER = message("%(cluster)s as it is then")


A_RUN = message("run %(run)s: %(title)s")


NOT_A_SHAPE = message("Line %(line)s: write name: requests.")
NOT_AN_AMOUNT = message("Line %(line)s: “%(found)s” is not like cpu=500m.")


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
LISTING_THE_CLUSTER: Final = gettext_lazy("the cluster")
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


NO_FORM = message("A review has no form %(form)s.")
ONE_OF_FORMS = message("Ask for %(forms)s.")
AGAIN_EVERY_WEEK = message("“%(title)s” is written every week.")
NOT_WRITTEN_AGAIN = message("“%(title)s” is stopped.")
CANNOT_WRITE = message("%(path)s cannot be written: %(error)s. Name another --output.")
