"""Whether a CronJob's controller starts a Job at a moment, and how many starts it has missed.

Upstream (v1.34.1): ``syncCronJob`` of ``pkg/controller/cronjob/cronjob_controllerv2.go`` and ``mostRecentScheduleTime``
and ``nextScheduleTime`` of ``utils.go`` there. After more than 100 missed starts the controller warns, and starts the
latest one all the same; that of v1.18 started none, as older documentation has it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from clusters.engine.workloads.cron_schedule import CronSchedule

# Beyond so many missed starts the controller writes the event TooManyMissedTimes.
MANY: Final = 100


class StartKind(enum.StrEnum):
    """What the controller does at a moment."""

    SUSPENDED = "suspended"
    NOT_DUE = "not-due"
    STARTS = "starts"
    ALREADY_ACTIVE = "already-active"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class CronStart:
    """What the controller does: ``due`` is the start that it is about, ``following`` the next one after the moment.

    ``missed``: how many starts lie between the earliest that counts and the moment, roughly where they are irregular;
    ``earliest``: that one, None where none is missed.
    Moments are as those of the schedule, None where there is none.
    """

    kind: StartKind
    due: int | None
    following: int | None
    missed: int
    earliest: int | None

    @property
    def warns(self) -> bool:
        """Whether the controller writes the event TooManyMissedTimes."""
        return self.missed > MANY


def cron_start(
    schedule: CronSchedule,
    *,
    last: int,
    now: int,
    deadline: int | None = None,
    is_suspended: bool = False,
    forbids_another: bool = False,
) -> CronStart:
    """Return what the controller does ``now``; ``last``: the last start, or when the CronJob was created.

    ``deadline``: startingDeadlineSeconds; what lies further back does not count. ``forbids_another``: a Job of it is
    active and concurrencyPolicy is Forbid.
    """
    following = schedule.next(now)
    due, missed, earliest = _most_recent(schedule, last if deadline is None else max(last, now - deadline), now)
    if is_suspended:
        return CronStart(StartKind.SUSPENDED, None, following, missed, earliest)
    if due is None:
        kind = StartKind.NEVER if following is None else StartKind.NOT_DUE
    elif forbids_another:
        kind = StartKind.ALREADY_ACTIVE
    else:
        kind = StartKind.STARTS
    return CronStart(kind, due, following, missed, earliest)


def _most_recent(schedule: CronSchedule, earliest: int, now: int) -> tuple[int | None, int, int | None]:
    """Return the latest start up to a moment, how many there were, by the time between the first two, and the first.

    Upstream looks for the latest near where it would be if all starts were as far apart, so that it finds none of a
    schedule that has paused since.
    """
    first = schedule.next(earliest) if earliest < now else None
    if first is None or now < first:
        return None, 0, None
    second = schedule.next(first)
    if second is None or now < second:
        return first, 1, first
    between = second - first
    missed = (now - first) // between + 1
    # One of them is left out of the reckoning, so that none is passed over where the schedule is irregular.
    at, recent = schedule.next(first + (missed - 2) * between), None
    while at is not None and at <= now:
        recent, at = at, schedule.next(at)
    return recent, missed, first
