"""The form of a capacity review: labels, hints and errors."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

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
SHAPES_HINT: Final = gettext_lazy(
    "One a line: “web: cpu=500m memory=1Gi nvidia.com/gpu=1”, or “web: like Deployment shop/web”."
)
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


ON_LINE = message("Line %(line)s: %(problem)s")
NOT_A_SHAPE = message("Line %(line)s: write name: requests.")
NOT_AN_AMOUNT = message("Line %(line)s: “%(found)s” is not like cpu=500m.")
