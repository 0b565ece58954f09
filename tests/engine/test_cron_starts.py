"""When CronJobs start Jobs, also after their controller was away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.cron import CronSchedule, CronStart, ScheduleError, StartKind, cron_start

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EVERY_MINUTE = CronSchedule.of("* * * * *")


def at(text: str) -> int:
    moment = datetime.fromisoformat(text if "T" in text else f"2026-03-02T{text}").replace(tzinfo=UTC)
    return int((moment - EPOCH).total_seconds())


def written(moment: int | None) -> str:
    return "" if moment is None else (EPOCH + timedelta(seconds=moment)).isoformat().removesuffix("+00:00")


def test_e69_more_than_100_missed_starts_are_warned_of_and_the_latest_one_is_made_up_for() -> None:
    """Older documentation has no Job started then; v1.34 writes the event TooManyMissedTimes, and starts one."""
    start = cron_start(EVERY_MINUTE, last=at("08:29:00"), now=at("10:21:00"))
    assert start == CronStart(StartKind.STARTS, at("10:21:00"), at("10:22:00"), 112, at("08:30:00"))
    assert start.warns


def test_e69_a_starting_deadline_narrows_what_counts() -> None:
    start = cron_start(EVERY_MINUTE, last=at("08:29:00"), now=at("10:21:00"), deadline=200)
    assert (start.kind, start.due, start.missed) == (StartKind.STARTS, at("10:21:00"), 4)
    assert not start.warns
    # A few seconds later it is three, as the documentation counts.
    assert cron_start(EVERY_MINUTE, last=at("08:29:00"), now=at("10:21:30"), deadline=180).missed == 3


def test_exactly_100_missed_starts_are_not_warned_of() -> None:
    assert not cron_start(EVERY_MINUTE, last=at("08:29:00"), now=at("10:09:00")).warns
    assert cron_start(EVERY_MINUTE, last=at("08:29:00"), now=at("10:10:00")).warns


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({}, StartKind.STARTS),
        ({"is_suspended": True}, StartKind.SUSPENDED),
        ({"forbids_another": True}, StartKind.ALREADY_ACTIVE),
        # The last start up to now lies further back than the deadline, so that none counts.
        ({"deadline": 60}, StartKind.NOT_DUE),
        ({"deadline": 1_800}, StartKind.STARTS),
    ],
)
def test_what_becomes_of_a_start_that_is_due(options: dict[str, int], kind: StartKind) -> None:
    hourly = CronSchedule.of("0 * * * *")
    start = cron_start(hourly, last=at("07:00:00"), now=at("09:20:00"), **options)  # type: ignore[arg-type]
    assert start.kind is kind
    assert start.following == at("10:00:00")


def test_nothing_is_due_before_the_first_start() -> None:
    start = cron_start(CronSchedule.of("0 12 * * *"), last=at("09:00:00"), now=at("10:00:00"))
    assert start == CronStart(StartKind.NOT_DUE, None, at("12:00:00"), 0, None)
    never = cron_start(CronSchedule.of("0 0 31 2 *"), last=at("09:00:00"), now=at("10:00:00"))
    assert never == CronStart(StartKind.NEVER, None, None, 0, None)


@pytest.mark.parametrize(
    ("schedule", "after", "expected"),
    [
        ("*/15 * * * *", "2026-03-02T08:15:00", "2026-03-02T08:30:00"),
        ("*/15 * * * *", "2026-03-02T08:59:59", "2026-03-02T09:00:00"),
        ("5/20 * * * *", "2026-03-02T08:25:00", "2026-03-02T08:45:00"),
        ("0 6-16/4 * * 1-5", "2026-03-06T14:00:00", "2026-03-09T06:00:00"),
        ("30 4 1,15 * FRI", "2026-03-02T00:00:00", "2026-03-06T04:30:00"),
        ("30 4 1,15 * *", "2026-03-02T00:00:00", "2026-03-15T04:30:00"),
        ("0 0 29 feb *", "2026-03-02T00:00:00", "2028-02-29T00:00:00"),
        ("0 0 * jan-MAR sun", "2026-03-29T00:00:00", "2027-01-03T00:00:00"),
        ("0 0 1 */6 ?", "2026-03-02T00:00:00", "2026-07-01T00:00:00"),
        ("@daily", "2026-12-31T23:59:00", "2027-01-01T00:00:00"),
        ("@weekly", "2026-03-02T00:00:00", "2026-03-08T00:00:00"),
        ("@hourly", "2026-03-02T00:00:00", "2026-03-02T01:00:00"),
        ("@every 1h30m", "2026-03-02T00:00:10", "2026-03-02T01:30:10"),
        ("@every 1.5h", "2026-03-02T00:00:10", "2026-03-02T01:30:10"),
        ("@every 2500ms", "2026-03-02T00:00:10", "2026-03-02T00:00:12"),
        ("@every -5m", "2026-03-02T00:00:10", "2026-03-02T00:00:11"),
    ],
)
def test_the_next_start(schedule: str, after: str, expected: str) -> None:
    assert written(CronSchedule.of(schedule).next(at(after))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 7",
        "5-1 * * * *",
        "*/0 * * * *",
        "a * * * *",
        "@sometimes",
        "@every",
        "@every soon",
        "@every 9999999h",
        "1- * * * *",
        "\u0661 * * * *",
    ],
)
def test_what_is_no_schedule(text: str) -> None:
    with pytest.raises(ScheduleError):
        CronSchedule.of(text)


FIELDS = st.tuples(
    st.sampled_from(["*", "0", "*/7", "10-20", "3,33"]),
    st.sampled_from(["*", "0", "*/5", "22,23"]),
    st.sampled_from(["*", "1", "28-31", "*/10"]),
    st.sampled_from(["*", "2", "feb-apr"]),
    st.sampled_from(["*", "0", "mon-fri", "6"]),
)


@given(FIELDS, st.integers(0, 3 * 366 * 1440))
def test_no_minute_before_the_next_start_matches(fields: tuple[str, ...], minute: int) -> None:
    schedule = CronSchedule.of(" ".join(fields))
    after = EPOCH + timedelta(days=20_000, minutes=minute)
    found = schedule.next(int((after - EPOCH).total_seconds()))
    assert found is not None

    def matches(moment: datetime) -> bool:
        of_month, of_week = moment.day in schedule.days, (moment.weekday() + 1) % 7 in schedule.weekdays
        is_day = of_month and of_week if fields[2] == "*" or fields[4] == "*" else of_month or of_week
        is_time = moment.minute in schedule.minutes and moment.hour in schedule.hours
        return is_time and is_day and moment.month in schedule.months

    next_start = EPOCH + timedelta(seconds=found)
    assert next_start > after
    assert matches(next_start)
    moment, looked = after + timedelta(minutes=1), 0
    while moment < next_start and looked < 3_000:
        assert not matches(moment)
        moment, looked = moment + timedelta(minutes=1), looked + 1


EVEN = st.sampled_from(["* * * * *", "*/20 * * * *", "@hourly", "0 */6 * * *", "0 0 * * 1"])


@given(EVEN, st.integers(0, 40_000), st.integers(0, 9_000))
def test_the_start_that_is_made_up_for_is_the_latest(text: str, last: int, minutes: int) -> None:
    schedule, earliest = CronSchedule.of(text), at("08:29:00") + last
    now = earliest + minutes * 60
    start = cron_start(schedule, last=earliest, now=now)
    starts = []
    moment = schedule.next(earliest)
    while moment is not None and moment <= now:
        starts.append(moment)
        moment = schedule.next(moment)
    assert start.due == (starts[-1] if starts else None)
    assert start.following == moment
    assert start.earliest == (starts[0] if starts else None)


def test_of_a_schedule_that_has_paused_since_upstream_finds_no_start() -> None:
    mornings = CronSchedule.of("*/7 3-5 * * *")
    start = cron_start(mornings, last=at("2026-03-01T08:29:00"), now=at("06:09:00"))
    assert start == CronStart(StartKind.NOT_DUE, None, at("2026-03-03T03:00:00"), 28, at("2026-03-02T03:00:00"))
    # A while before it was still found.
    start = cron_start(mornings, last=at("2026-03-01T08:29:00"), now=at("05:57:00"))
    assert (start.kind, start.due) == (StartKind.STARTS, at("05:56:00"))
