"""The list of a cluster's reviews and schedules, and what is said of one review."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives
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


def writing(section: str, *, number: int, sections: int) -> str:
    """Say which section of a review is being written."""
    return _("The review is being written: section %(number)s of %(sections)s, %(section)s.") % {
        "number": grouped(number),
        "sections": grouped(sections),
        "section": section,
    }


def kept(reviews: int) -> str:
    """Say how many reviews are kept."""
    return ngettext("%(reviews)s review is kept.", "%(reviews)s reviews are kept.", reviews) % {
        "reviews": grouped(reviews)
    }


def next_scheduled(at: str, title: str) -> str:
    """Say when the next scheduled review is written."""
    return _("The next is scheduled for %(at)s: %(title)s.") % {"at": at, "title": title}


def every_week(weekday: int, hour: int, zone: str) -> str:
    """Say when a schedule writes a review; Monday is 0."""
    return _("every %(weekday)s at %(hour)s:00 %(zone)s") % {
        "weekday": WEEKDAYS[weekday],
        "hour": f"{hour:02d}",
        "zone": zone,
    }


def kept_for(days: int) -> str:
    """Say for how long each review of a schedule is kept."""
    return ngettext("%(days)s day each", "%(days)s days each", days) % {"days": grouped(days)}


def last_days(days: int) -> str:
    """Say that a period is the last days."""
    return ngettext("the last %(days)s day", "the last %(days)s days", days) % {"days": grouped(days)}


def from_to(start: str, end: str) -> str:
    """Say from when to when a period is."""
    return _("%(start)s to %(end)s") % {"start": start, "end": end}


def no_review(number: int) -> str:
    """Say that there is no review of a number."""
    return _("There is no review %(number)s.") % {"number": str(number)}


def no_form(form: str) -> str:
    """Say that reviews have no such form."""
    return _("A review has no form %(form)s.") % {"form": form}


def one_of_forms(forms: tuple[str, ...]) -> str:
    """Say which forms a review has."""
    return _("Ask for %(forms)s.") % {"forms": alternatives(forms)}


def again_every_week(title: str) -> str:
    """Confirm a schedule."""
    return _("“%(title)s” is written again every week.") % {"title": title}


def deleted(title: str) -> str:
    """Confirm that a review is deleted."""
    return _("“%(title)s” is deleted.") % {"title": title}


def not_written_again(title: str) -> str:
    """Confirm that a schedule is removed."""
    return _("“%(title)s” is not written again.") % {"title": title}


def cannot_write(path: str, error: str) -> str:
    """Say that a file cannot be written, and what helps."""
    return _("%(path)s cannot be written: %(error)s. Name another --output.") % {"path": path, "error": error}
