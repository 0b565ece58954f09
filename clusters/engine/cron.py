"""The schedules of CronJobs: when they start next after a moment, and whether they start then."""

from __future__ import annotations

import enum
import re
from typing import Final

from msgspec import Struct

from clusters.engine.configuration.reading import ConfigurationError, ConfigurationFields

# The schedules of CronJobs: when they start next after a moment.
#
# Upstream: ``ParseStandard`` and ``SpecSchedule.Next`` of ``github.com/robfig/cron/v3`` (v3.0.1), which
# ``pkg/controller/cronjob`` of Kubernetes v1.34.1 uses. Moments are whole seconds of the wall clock of the schedule's
# time zone, counted from 1970; whoever asks converts them, so that hours which a zone leaves out are not known here.

MINUTE, HOUR, DAY = 60, 3600, 86_400
# So many years ahead a start is looked for, as upstream does.
_YEARS: Final = 5
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_BOUNDS: Final = ((0, 59, ()), (0, 23, ()), (1, 31, ()), (1, 12, _MONTHS), (0, 6, _WEEKDAYS))
_DESCRIBED: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
# A duration of Go follows.
_EVERY: Final = "@every "
# Before a schedule, with a space behind: not supported officially, and read all the same.
_ZONED: Final = re.compile(r"(?:CRON_)?TZ=(?P<zone>\S*) (?P<schedule>.*)", re.DOTALL)


def zoned(text: str, zone: str) -> tuple[str, str]:
    """Return a schedule without the time zone that it may begin with, and the one that counts: ``zone`` else."""
    match = _ZONED.match(text)
    return (text, zone) if match is None else (match["schedule"], match["zone"])


class ScheduleError(ValueError):
    """A schedule that cannot be read."""


class CronSchedule(Struct, frozen=True):
    """The minutes, hours, days of the month, months and weekdays (0: Sunday) of starts, or ``every`` so many seconds.

    ``is_any_day``: the day of the month, or the weekday, is left open, so that the other alone decides.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    is_any_day: bool
    every: int = 0

    @classmethod
    def of(cls, text: str) -> CronSchedule:
        """Read a schedule. Raises ScheduleError."""
        text = text.strip()
        if text.startswith(_EVERY):
            return cls._repeated(text)
        if text.startswith("@"):
            described = _DESCRIBED.get(text)
            if described is None:
                raise ScheduleError(text)
            text = described
        parts = text.split()
        if len(parts) != len(_BOUNDS):
            raise ScheduleError(text)
        read = (_field(part, *bounds) for part, bounds in zip(parts, _BOUNDS, strict=True))
        (minutes, _), (hours, _), (days, is_any_day), (months, _), (weekdays, is_any_weekday) = read
        return cls(minutes, hours, days, months, weekdays, is_any_day or is_any_weekday)

    @classmethod
    def _repeated(cls, text: str) -> CronSchedule:
        given = ConfigurationFields({_EVERY: text.removeprefix(_EVERY)}, "", (_EVERY,))
        try:
            every = int(given.seconds(_EVERY) or 0)
        except ConfigurationError:
            raise ScheduleError(text) from None
        none: frozenset[int] = frozenset()
        # Less than a second is taken for one.
        return cls(none, none, none, none, none, is_any_day=True, every=max(1, every))

    def next(self, after: int) -> int | None:
        """Return the first start after a moment, None where there is none in five years."""
        if self.every:
            return after + self.every
        moment = after // MINUTE * MINUTE + MINUTE
        first = moment // DAY
        for day in range(first, first + _YEARS * 366):
            if not self._is_on(day):
                continue
            earliest = moment - day * DAY if day == first else 0
            for hour in sorted(self.hours):
                for minute in sorted(self.minutes):
                    if (at := hour * HOUR + minute * MINUTE) >= earliest:
                        return day * DAY + at
        return None

    def _is_on(self, day: int) -> bool:
        month, number = _date(day)
        # The first day of 1970 was a Thursday.
        of_month, of_week = number in self.days, (day + 4) % 7 in self.weekdays
        is_day = of_month and of_week if self.is_any_day else of_month or of_week
        return month in self.months and is_day


def _date(day: int) -> tuple[int, int]:
    """Return the month and its day of the ``day``-th day from 1970 on."""
    year = 1970
    while day >= (length := 366 if _is_leap(year) else 365):
        day, year = day - length, year + 1
    for month, usual in enumerate((31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), 1):
        length = usual + (month == 2 and _is_leap(year))
        if day < length:
            return month, day + 1
        day -= length
    raise AssertionError("a year has no more months")


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _field(text: str, lowest: int, highest: int, names: tuple[str, ...]) -> tuple[frozenset[int], bool]:
    """Read one field: its numbers, and whether any of its parts leaves it open."""
    numbers: set[int] = set()
    is_open = False
    for part in text.split(","):
        bounds, slash, step_text = part.partition("/")
        step = _number(step_text, ()) if slash else 1
        if bounds in ("*", "?"):
            start, end, is_open = lowest, highest, is_open or step == 1
        else:
            first, dash, last = bounds.partition("-")
            start = _number(first, names) + (names is _MONTHS and first.lower() in names)
            end = start
            if dash:
                end = _number(last, names) + (names is _MONTHS and last.lower() in names)
            elif slash:
                end = highest
        if not (lowest <= start <= end <= highest) or step < 1:
            raise ScheduleError(text)
        numbers.update(range(start, end + 1, step))
    return frozenset(numbers), is_open


def _number(text: str, names: tuple[str, ...]) -> int:
    if text.lower() in names:
        return names.index(text.lower())
    if not (text.isascii() and text.isdigit()):
        raise ScheduleError(text)
    return int(text)


# Whether a CronJob's controller starts a Job at a moment, and how many starts it has missed.
#
# Upstream (v1.34.1): ``syncCronJob`` of ``pkg/controller/cronjob/cronjob_controllerv2.go`` and
# ``mostRecentScheduleTime`` and ``nextScheduleTime`` of ``utils.go`` there. After more than 100 missed starts the
# controller warns, and starts the latest one all the same; that of v1.18 started none, as older documentation has it.

# Beyond so many missed starts the controller writes the event TooManyMissedTimes.
MANY: Final = 100


class StartKind(enum.StrEnum):
    """What the controller does at a moment."""

    SUSPENDED = "suspended"
    NOT_DUE = "not-due"
    STARTS = "starts"
    ALREADY_ACTIVE = "already-active"
    NEVER = "never"


class CronStart(Struct, frozen=True):
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
