"""The form of a capacity review: labels, hints and errors."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

ABOUT: Final = pgettext_lazy("label of a field", "About")
TITLE: Final = pgettext_lazy("label of a field", "Title")
PERIOD: Final = pgettext_lazy("label of a field", "Period")
PERIOD_HINT: Final = gettext_lazy("The period of the trend, the reasons of pending pods and the agreement.")
PERIODS: Final = (
    (7, gettext_lazy("the last 7 days")),
    (28, gettext_lazy("the last 28 days")),
    (91, gettext_lazy("the last 13 weeks")),
    (365, gettext_lazy("the last 365 days")),
)
START: Final = pgettext_lazy("label of a field", "Or from")
END: Final = pgettext_lazy("label of a field", "to")
SECTIONS: Final = pgettext_lazy("label of a field", "Sections")
SECTIONS_MISSING: Final = gettext_lazy("Tick at least one section.")
NOTES: Final = pgettext_lazy("label of a field", "Your notes")
NOTES_HINT: Final = gettext_lazy("Plain text, shown first. A blank line begins a new paragraph.")
SHAPES: Final = gettext_lazy("Shapes of pods for the headroom")
SHAPES_HINT: Final = gettext_lazy(
    "One a line: a name, a colon, and what one pod requests, such as “web: cpu=500m memory=1Gi nvidia.com/gpu=1”; or "
    "“web: like Deployment shop/web” for what a workload's pods request."
)
CURRENCY: Final = pgettext_lazy("label of a field", "Currency")
CURRENCY_HINT: Final = gettext_lazy("Three letters, such as EUR. With prices the review has a section on cost.")
CPU_HOUR: Final = gettext_lazy("A CPU for an hour")
MEMORY_HOUR: Final = gettext_lazy("A GiB of memory for an hour")
WEEKLY: Final = gettext_lazy("Write it again every week")
WEEKDAY: Final = pgettext_lazy("label of a field", "On")
HOUR: Final = pgettext_lazy("label of a field", "At")
KEEP_DAYS: Final = gettext_lazy("Days each is kept")
BOTH_DAYS: Final = gettext_lazy("Give both days, or neither.")
NOT_OF_A_SIMULATION: Final = gettext_lazy("A simulation does not change: choose the cluster, or write once.")
ENDS_WITH_THE_REVIEW: Final = gettext_lazy("A weekly review needs a period that ends with it.")
KEEP_DAYS_MISSING: Final = gettext_lazy("Give the number of days for which each is kept.")
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
THE_CLUSTER = message("%(cluster)s as it is when the review is written")


def a_run(number: int, title: str) -> str:
    """Offer a review of a simulation's end."""
    return _("run %(run)s: %(title)s") % {"run": str(number), "title": title}


ON_LINE = message("Line %(line)s: %(problem)s")
NOT_A_SHAPE = message("Line %(line)s: write a name, a colon, and what a pod requests.")
NOT_AN_AMOUNT = message("Line %(line)s: “%(found)s” is not an amount. Write it as in cpu=500m.")
