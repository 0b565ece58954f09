"""When a CronJob starts its next Job, and which starts it has missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.cron import CronStart, StartKind
from clusters.wording.amounts import grouped
from clusters.wording.messages import message

if TYPE_CHECKING:
    from datetime import datetime


UNREADABLE = message("The schedule %(schedule)s cannot be read, so that no Job is started.")


def scheduled(*, schedule: str, zone: str) -> str:
    """Name the schedule and its time zone, empty where the controller's own is meant."""
    if zone:
        return _("Schedule %(schedule)s in time zone %(zone)s.") % {"schedule": schedule, "zone": zone}
    return _(
        "Schedule %(schedule)s in the time zone of kube-controller-manager, which is not known here and taken for UTC."
    ) % {"schedule": schedule}


def start(found: CronStart, *, due: datetime | None, following: datetime | None) -> str:
    """Say what the controller does now; ``due`` and ``following`` are the moments of ``found``."""
    match found.kind:
        case StartKind.SUSPENDED:
            return _("Suspended: no Job is started until spec.suspend is false.")
        case StartKind.NEVER:
            return _("No start lies within five years.")
        case StartKind.NOT_DUE:
            return _("The next start is at %(following)s.") % {"following": _written(following)}
        case StartKind.ALREADY_ACTIVE:
            return _(
                "The start at %(due)s is put off: concurrencyPolicy is Forbid, and a Job is active. The next is at "
                "%(following)s."
            ) % {"due": _written(due), "following": _written(following)}
        case _starts:
            return _("The start at %(due)s is due: the controller creates its Job. The next is at %(following)s.") % {
                "due": _written(due),
                "following": _written(following),
            }


def missed(found: CronStart) -> str:
    """Say how many starts were missed; empty where none but the one that is due was."""
    if found.missed < 2:
        return ""
    if found.kind is StartKind.SUSPENDED:
        return ngettext(
            "%(starts)s start was missed meanwhile; the latest is made up for when resumed.",
            "%(starts)s starts were missed meanwhile; the latest is made up for when resumed.",
            found.missed,
        ) % {"starts": grouped(found.missed)}
    if found.warns:
        return _(
            "%(starts)s starts were missed, more than 100: the controller warns with the event "
            "TooManyMissedTimes, and makes up for the latest alone. Check that kube-controller-manager runs "
            "and clocks agree."
        ) % {"starts": grouped(found.missed)}
    return ngettext(
        "%(starts)s start was missed, of which the latest alone is made up for.",
        "%(starts)s starts were missed, of which the latest alone is made up for.",
        found.missed,
    ) % {"starts": grouped(found.missed)}


def _written(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M:%S %Z}"
