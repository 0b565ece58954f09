"""How far Jobs are from their end, as the Job controller has it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine.cron import CronSchedule, CronStart, ScheduleError, StartKind, cron_start
from clusters.engine.workloads import (
    FailureAction,
    Indexes,
    IndexGroup,
    IndexProgress,
    IndexState,
    JobEnding,
    SuccessRule,
    has_ended,
    job_progress,
)
from clusters.engine.workloads.jobs import (
    INDEX,
    DisruptedPods,
    MatchedRule,
    disrupted_pods,
    index_progress,
    matched_rule,
)
from tests.support.answers import known


def a_job(status: dict[str, Any] | None = None, policy: str = "Never", **spec: Any) -> dict[str, Any]:
    return {
        "kind": "Job",
        "metadata": {"name": "import"},
        "spec": {"template": {"spec": {"restartPolicy": policy}}, **spec},
        "status": status or {},
    }


def ended(phase: str, at: str) -> dict[str, Any]:
    terminated = {"exitCode": int(phase == "Failed"), "finishedAt": f"2026-01-01T00:{at}Z"}
    return {
        "metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"},
        "status": {"phase": phase, "containerStatuses": [{"name": "main", "state": {"terminated": terminated}}]},
    }


def running(*restarts: int) -> dict[str, Any]:
    return {"status": {"phase": "Running", "containerStatuses": [{"restartCount": each} for each in restarts]}}


@pytest.mark.parametrize(
    ("limit", "restarts", "left"), [(6, (2, 1), 3), (0, (), 1), (0, (1,), 0), (1, (), 1), (2, (5,), 0)]
)
def test_restarts_count_where_containers_are_restarted(limit: int, restarts: tuple[int, ...], left: int) -> None:
    pods = [running(*restarts), {**ended("Failed", "01:00")}]
    assert job_progress(a_job({"failed": 0}, "OnFailure", backoffLimit=limit), pods).restarts_left == left


def test_failures_after_the_last_success_count() -> None:
    pods = [ended("Failed", "01:00"), ended("Succeeded", "02:00"), ended("Failed", "05:00"), ended("Failed", "03:00")]
    progress = job_progress(a_job(), [*pods, running(0)])
    assert (progress.in_a_row, progress.delay, progress.last_failed) == (2, 20, "2026-01-01T00:05:00Z")
    progress = job_progress(a_job(), [*pods, ended("Succeeded", "09:00")])
    assert (progress.in_a_row, progress.delay, progress.last_failed) == (0, 0, "")
    assert job_progress(a_job(), []).in_a_row == 0


def test_a_pod_whose_containers_do_not_tell_when_they_ended() -> None:
    unready = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:07:00Z"}
    created = {"creationTimestamp": "2026-01-01T00:04:00Z"}
    evicted = {"metadata": created, "status": {"phase": "Failed", "conditions": [unready]}}
    assert job_progress(a_job(), [evicted]).last_failed == "2026-01-01T00:07:00Z"
    assert job_progress(a_job(), [{"metadata": created, "status": {"phase": "Failed"}}]).last_failed == (
        "2026-01-01T00:04:00Z"
    )


@pytest.mark.parametrize(
    ("kind", "status", "over"),
    [("Complete", "True", True), ("Failed", "True", True), ("Failed", "False", False), ("Suspended", "True", False)],
)
def test_whether_it_has_ended(kind: str, status: str, over: bool) -> None:
    assert has_ended(a_job({"conditions": [{"type": kind, "status": status}]})) is over
    assert not has_ended(a_job())


COUNT, IGNORED = "batch.kubernetes.io/job-index-failure-count", "batch.kubernetes.io/job-index-ignored-failure-count"
SOME = st.frozensets(st.integers(0, 30))


def indexed_job(status: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    spec = {"completionMode": "Indexed", "completions": 10, "parallelism": 3, **spec}
    return {"kind": "Job", "metadata": {"name": "import"}, "spec": spec, "status": status or {}}


def of_index(index: int, pod: dict[str, Any], failures: int = 0, ignored: int = 0, **fields: Any) -> dict[str, Any]:
    annotations = {INDEX: str(index), COUNT: str(failures), IGNORED: str(ignored)}
    return {**pod, "metadata": {**pod.get("metadata", {}), "annotations": annotations, **fields}}


def progress(job: dict[str, Any], *pods: dict[str, Any]) -> IndexProgress:
    return index_progress(job, pods)


def shown(found: IndexProgress) -> list[tuple[str, str]]:
    return [(group.state.value, str(group.indexes)) for group in found.groups]


# -- sets of indexes ---------------------------------------------------------------------------------------------------


@given(SOME, SOME, st.integers(1, 31))
def test_sets_of_indexes_are_sets(one: frozenset[int], other: frozenset[int], completions: int) -> None:
    below = frozenset(range(completions))
    first, second = Indexes.of(one & below), Indexes.of(other & below)

    assert Indexes.parse(str(first), completions) == first
    assert {number for number in below if number in first} == one & below
    assert first.count == len(one & below)
    assert first | second == Indexes.of((one | other) & below)
    assert first.common(second) == len(one & other & below)
    assert first.others(completions) == Indexes.of(below - one)
    assert first.without(second, completions) == Indexes.of((one - other) & below)
    assert first.first(3) == sorted(one & below)[:3]


# -- which pods come next ----------------------------------------------------------------------------------------------


def test_the_lowest_free_indexes_get_the_next_pods() -> None:
    job = indexed_job({"completedIndexes": "0,1"})

    found = progress(job, of_index(3, running(0)), of_index(5, ended("Succeeded", "01:00")))

    assert shown(found) == [("completed", "0,1,5"), ("active", "3"), ("next", "2,4"), ("later", "6-9")]
    assert {group.failures for group in found.groups} == {None}


def test_a_pod_that_terminates_keeps_its_index_where_only_ended_pods_are_replaced() -> None:
    leaving = of_index(0, running(0), deletionTimestamp="2026-01-01T00:00:00Z")

    assert shown(progress(indexed_job(parallelism=1), leaving))[0] == ("next", "0")
    assert shown(progress(indexed_job(parallelism=1, podReplacementPolicy="Failed"), leaving)) == [
        ("terminating", "0"),
        ("later", "1-9"),
    ]


def test_each_index_has_failures_and_a_delay_of_its_own() -> None:
    found = progress(
        indexed_job({"failedIndexes": "9"}, backoffLimitPerIndex=2, parallelism=4),
        of_index(0, running(0), failures=1),
        of_index(1, ended("Failed", "01:00"), failures=0),
        of_index(2, ended("Failed", "02:00"), failures=1, ignored=1),
        of_index(4, ended("Failed", "03:00"), failures=2),
    )

    assert (found.limit, found.failed, found.most_failed) == (2, 2, None)
    assert found.groups == (
        IndexGroup(IndexState.FAILED, Indexes.of([4, 9])),
        IndexGroup(IndexState.ACTIVE, Indexes.of([0]), 1, 1),
        IndexGroup(IndexState.NEXT, Indexes.of([3]), 0, 2),
        IndexGroup(IndexState.NEXT, Indexes.of([1]), 1, 1, "2026-01-01T00:01:00Z", 10),
        IndexGroup(IndexState.NEXT, Indexes.of([2]), 2, 0, "2026-01-01T00:02:00Z", 40),
        IndexGroup(IndexState.LATER, Indexes.of([5, 6, 7, 8]), 0, 2),
    )


def test_of_several_failed_pods_the_one_that_failed_last_counts() -> None:
    pods = [of_index(0, ended("Failed", f"0{number + 1}:00"), failures=number) for number in (1, 0)]

    (coming, _) = progress(indexed_job(backoffLimitPerIndex=3, parallelism=1), *pods).groups

    assert (coming.failures, coming.left, coming.last_failed) == (2, 1, "2026-01-01T00:02:00Z")


def test_of_pods_that_are_not_all_known_nothing_is_concluded() -> None:
    found = index_progress(indexed_job({"completedIndexes": "0-3"}), None)

    assert (shown(found), found.is_whole) == ([("completed", "0-3")], False)


def test_what_a_success_policy_requires() -> None:
    rules = [{"succeededIndexes": "0-3"}, {"succeededIndexes": "2-5", "succeededCount": 2}, {"succeededCount": 4},
             {"succeededIndexes": "70"}]  # fmt: skip

    assert progress(indexed_job({"completedIndexes": "1-3"}, successPolicy={"rules": rules})).success == (
        SuccessRule(Indexes.of(range(4)), None, 3),
        SuccessRule(Indexes.of(range(2, 6)), 2, 2),
        SuccessRule(None, 4, 3),
    )


@given(
    st.integers(1, 12), st.integers(0, 6), st.frozensets(st.integers(0, 11)), st.frozensets(st.integers(0, 11)),
    st.frozensets(st.integers(0, 11)), st.one_of(st.none(), st.integers(0, 2)),
)  # fmt: skip
def test_every_index_is_in_one_group(
    completions: int,
    parallelism: int,
    completed: frozenset[int],
    failing: frozenset[int],
    active: frozenset[int],
    limit: int | None,
) -> None:
    spec: dict[str, Any] = {} if limit is None else {"backoffLimitPerIndex": limit}
    job = indexed_job(
        {"completedIndexes": str(Indexes.of(completed))}, completions=completions, parallelism=parallelism, **spec
    )
    pods = [of_index(index, ended("Failed", "01:00"), failures=index % 3) for index in failing - completed]
    pods += [of_index(index, running(0), failures=index % 3) for index in active - completed - failing]

    found = progress(job, *pods)

    numbers = [number for group in found.groups for number in group.indexes.first(completions)]
    assert sorted(numbers) == list(range(completions))
    running_now = {index for index in active - completed - failing if index < completions}
    coming = sum(group.indexes.count for group in found.groups if group.state is IndexState.NEXT)
    assert coming <= max(0, min(parallelism, completions) - len(running_now))
    later = any(group.state is IndexState.LATER for group in found.groups)
    done = sum(index < completions for index in completed)
    if later:
        assert coming == max(0, min(parallelism, completions - done) - len(running_now))


# -- failed pods -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("required", "matches"),
    [
        ({"operator": "In", "values": [1, 2]}, True),
        ({"operator": "In", "values": [2]}, False),
        ({"operator": "NotIn", "values": [2]}, True),
        ({"operator": "NotIn", "values": [1]}, False),
        ({"operator": "In", "values": [1], "containerName": "other"}, False),
        ({"operator": "In", "values": [1], "containerName": "main"}, True),
    ],
)
def test_a_rule_matches_the_exit_code_of_a_container_that_failed(required: dict[str, Any], matches: bool) -> None:
    spec = {"podFailurePolicy": {"rules": [{"action": "FailJob", "onExitCodes": required}]}}
    expected = MatchedRule(FailureAction.FAIL_JOB, 0) if matches else MatchedRule(FailureAction.COUNT, None)

    assert matched_rule(ended("Failed", "01:00"), spec) == expected
    assert matched_rule(ended("Succeeded", "01:00"), spec).rule is None


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ([], DisruptedPods(FailureAction.COUNT, False)),
        ([("Ignore", None)], DisruptedPods(FailureAction.IGNORE, False)),
        ([("FailJob", [42]), ("Ignore", None)], DisruptedPods(FailureAction.IGNORE, True)),
        ([("Count", None), ("Ignore", None)], DisruptedPods(FailureAction.COUNT, False)),
    ],
)
def test_what_becomes_of_pods_that_are_evicted(rules: list[tuple[str, Any]], found: DisruptedPods) -> None:
    written = [
        {"action": action, "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
        if values is None
        else {"action": action, "onExitCodes": {"operator": "In", "values": values}}
        for action, values in rules
    ]
    assert disrupted_pods({"podFailurePolicy": {"rules": written}}) == found


def test_a_policy_says_which_failures_do_not_count_and_which_ends_the_job() -> None:
    rules = [
        {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}},
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
    ]
    disrupted = {"status": {"phase": "Failed", "conditions": [{"type": "DisruptionTarget", "status": "True"}]}}
    failing = {**ended("Failed", "01:00"), "metadata": {"name": "import-x"}}

    policy = known(job_progress(indexed_job(podFailurePolicy={"rules": rules}), [disrupted, disrupted, failing]).policy)

    assert (policy.rules, policy.ignored, policy.fails_job) == (2, 2, ("import-x", 0))
    assert job_progress(indexed_job(), [disrupted]).policy is None


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("SuccessCriteriaMet", JobEnding(True, "x")), ("FailureTarget", JobEnding(False, "x")), ("Suspended", None)],
)
def test_what_the_controller_has_decided_already(kind: str, ending: JobEnding | None) -> None:
    status = {"conditions": [{"type": kind, "status": "True", "reason": "x"}]}
    assert job_progress(indexed_job(status), []).ending == ending


@pytest.mark.parametrize(("given_limit", "limit"), [(None, None), (2**31 - 1, None), (4, 4)])
def test_both_limits_count_where_both_are_set(given_limit: int | None, limit: int | None) -> None:
    spec: dict[str, Any] = {"backoffLimitPerIndex": 1, **({} if given_limit is None else {"backoffLimit": given_limit})}
    assert job_progress(indexed_job(**spec), []).limit == limit


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
    found = known(schedule.next(int((after - EPOCH).total_seconds())))

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


@settings(max_examples=40)
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


@pytest.mark.parametrize(("limit", "failed", "left"), [(None, 0, 6), (6, 2, 4), (0, 0, 0), (2, 5, 0)])
def test_what_is_left_of_the_limit(limit: int | None, failed: int, left: int) -> None:
    spec: dict[str, Any] = {} if limit is None else {"backoffLimit": limit}
    progress = job_progress(a_job({"failed": failed}, **spec), [])
    assert (progress.left, progress.restarts_left) == (left, None)
