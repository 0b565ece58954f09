"""Indexed Jobs: sets of indexes, failures of each, and which pods come next, as the Job controller has it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.workloads import (
    FailureAction,
    Indexes,
    IndexGroup,
    IndexProgress,
    IndexState,
    JobEnding,
    SuccessRule,
    job_progress,
)
from clusters.engine.workloads.jobs import (
    INDEX,
    DisruptedPods,
    MatchedRule,
    disrupted_pods,
    index_of,
    index_progress,
    is_failed,
    matched_rule,
)
from tests.engine.test_job_progress import ended, running

COUNT, IGNORED = "batch.kubernetes.io/job-index-failure-count", "batch.kubernetes.io/job-index-ignored-failure-count"
SOME = st.frozensets(st.integers(0, 30))


def a_job(status: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
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


@pytest.mark.parametrize(
    ("text", "read"),
    [("", ""), ("0", "0"), ("0-2,5", "0-2,5"), ("1,2", "1,2"), ("1-2", "1,2"), ("0-3,4-6", "0-6"), ("2-99,120", "2-9"),
     ("a,1-b,3", "3"), ("10", "")],
)  # fmt: skip
def test_a_text_of_indexes_is_read_as_the_controller_reads_it(text: str, read: str) -> None:
    assert str(Indexes.parse(text, 10)) == read


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


def test_a_pod_has_its_index_by_annotation_or_label() -> None:
    assert index_of({"metadata": {"annotations": {INDEX: "3"}}}, 10) == 3
    assert index_of({"metadata": {"labels": {INDEX: "3"}}}, 10) == 3
    assert [index_of({"metadata": {"annotations": {INDEX: each}}}, 3) for each in ("3", "-1", "x", "")] == [None] * 4
    assert index_of({"metadata": {}}, 3) is None


# -- which pods come next ----------------------------------------------------------------------------------------------


def test_the_lowest_free_indexes_get_the_next_pods() -> None:
    job = a_job({"completedIndexes": "0,1"})

    found = progress(job, of_index(3, running(0)), of_index(5, ended("Succeeded", "01:00")))

    assert shown(found) == [("completed", "0,1,5"), ("active", "3"), ("next", "2,4"), ("later", "6-9")]
    assert {group.failures for group in found.groups} == {None}


def test_no_more_pods_than_completions_that_are_missing() -> None:
    assert shown(progress(a_job({"completedIndexes": "0-8"}, parallelism=5))) == [("completed", "0-8"), ("next", "9")]
    assert shown(progress(a_job({"completedIndexes": "0-8"}, suspend=True))) == [("completed", "0-8"), ("later", "9")]


def test_a_pod_that_terminates_keeps_its_index_where_only_ended_pods_are_replaced() -> None:
    leaving = of_index(0, running(0), deletionTimestamp="2026-01-01T00:00:00Z")

    assert shown(progress(a_job(parallelism=1), leaving))[0] == ("next", "0")
    assert shown(progress(a_job(parallelism=1, podReplacementPolicy="Failed"), leaving)) == [
        ("terminating", "0"),
        ("later", "1-9"),
    ]


def test_each_index_has_failures_and_a_delay_of_its_own() -> None:
    job = a_job({"failedIndexes": "9"}, backoffLimitPerIndex=2, parallelism=4)

    found = progress(
        job,
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

    (coming, _) = progress(a_job(backoffLimitPerIndex=3, parallelism=1), *pods).groups

    assert (coming.failures, coming.left, coming.last_failed) == (2, 1, "2026-01-01T00:02:00Z")


def test_a_rule_ignores_a_failure_or_fails_the_index_at_once() -> None:
    rules = [
        {"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [1]}},
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
    ]
    job = a_job(backoffLimitPerIndex=1, parallelism=1, podFailurePolicy={"rules": rules})
    disrupted = {"status": {"phase": "Failed", "conditions": [{"type": "DisruptionTarget", "status": "True"}]}}

    found = progress(job, of_index(0, ended("Failed", "01:00")), of_index(1, disrupted, failures=1, ignored=4))

    assert shown(found) == [("failed", "0"), ("next", "1"), ("later", "2-9")]
    assert (found.groups[1].failures, found.groups[1].left, found.groups[1].delay) == (1, 0, 320)


def test_of_pods_that_are_not_all_known_nothing_is_concluded() -> None:
    found = index_progress(a_job({"completedIndexes": "0-3"}), None)

    assert (shown(found), found.is_whole) == ([("completed", "0-3")], False)


def test_what_a_success_policy_requires() -> None:
    rules = [{"succeededIndexes": "0-3"}, {"succeededIndexes": "2-5", "succeededCount": 2}, {"succeededCount": 4},
             {"succeededIndexes": "70"}]  # fmt: skip
    found = progress(a_job({"completedIndexes": "1-3"}, successPolicy={"rules": rules}))

    assert found.success == (
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
    job = a_job(
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


def test_a_pod_that_is_being_deleted_failed_unless_only_ended_ones_are_replaced() -> None:
    leaving = {**running(0), "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}}
    done = {**leaving, "status": {"phase": "Succeeded"}}

    assert [is_failed(pod, {}) for pod in (leaving, done, running(0), ended("Failed", "01:00"))] == [
        True,
        False,
        False,
        True,
    ]
    specs: list[dict[str, Any]] = [{"podReplacementPolicy": "Failed"}, {"podFailurePolicy": {"rules": []}}]
    for spec in specs:
        assert [is_failed(pod, spec) for pod in (leaving, ended("Failed", "01:00"))] == [False, True]
    assert is_failed(leaving, {"podReplacementPolicy": "TerminatingOrFailed"})


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

    policy = job_progress(a_job(podFailurePolicy={"rules": rules}), [disrupted, disrupted, failing]).policy

    assert policy is not None
    assert (policy.rules, policy.ignored, policy.fails_job) == (2, 2, ("import-x", 0))
    assert job_progress(a_job(), [disrupted]).policy is None


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("SuccessCriteriaMet", JobEnding(True, "x")), ("FailureTarget", JobEnding(False, "x")), ("Suspended", None)],
)
def test_what_the_controller_has_decided_already(kind: str, ending: JobEnding | None) -> None:
    status = {"conditions": [{"type": kind, "status": "True", "reason": "x"}]}
    assert job_progress(a_job(status), []).ending == ending


@pytest.mark.parametrize(("given_limit", "limit"), [(None, None), (2**31 - 1, None), (4, 4)])
def test_both_limits_count_where_both_are_set(given_limit: int | None, limit: int | None) -> None:
    spec: dict[str, Any] = {"backoffLimitPerIndex": 1, **({} if given_limit is None else {"backoffLimit": given_limit})}
    assert job_progress(a_job(**spec), []).limit == limit


def test_numbers_that_no_index_has_are_none() -> None:
    number = "9" * 5000
    pod = {"metadata": {"annotations": {"batch.kubernetes.io/job-completion-index": number}}}

    assert Indexes.parse(f"1,{number},3-{number}", 5) == Indexes(((1, 1),))
    assert index_of(pod, 5) is None
