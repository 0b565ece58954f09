"""When containers are restarted, and the phase of their pod, as the kubelet has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.workloads import CrashLoop, crash_loops
from clusters.engine.workloads.pods import delay_before, is_restarted, phase_of


@pytest.mark.parametrize(
    ("policy", "exit_code", "restarted", "phase"),
    [
        ("Always", 0, True, "Running"),
        ("OnFailure", 0, False, "Succeeded"),
        ("Never", 0, False, "Succeeded"),
        ("Always", 1, True, "Running"),
        ("OnFailure", 1, True, "Running"),
        ("Never", 1, False, "Failed"),
        # Out of memory is a failure like any other.
        ("OnFailure", 137, True, "Running"),
        ("Never", 137, False, "Failed"),
    ],
)
def test_e64_restart_policy_and_exit_of_the_only_container(
    policy: str, exit_code: int, restarted: bool, phase: str
) -> None:
    assert is_restarted(policy, exit_code) is restarted
    assert phase_of(policy, [exit_code]) == phase


def test_e64_of_two_containers_the_first_fails_and_then_the_second_ends() -> None:
    assert phase_of("Never", [1, None]) == "Running"
    assert phase_of("Never", [1, 0]) == "Failed"
    assert phase_of("OnFailure", [1, None]) == phase_of("Always", [1, None]) == "Running"
    assert phase_of("OnFailure", [0, 0]) == "Succeeded"


@given(st.sampled_from(["Always", "OnFailure", "Never"]), st.lists(st.none() | st.integers(0, 255), min_size=1))
def test_a_pod_has_ended_once_no_container_runs_or_is_restarted(policy: str, codes: list[int | None]) -> None:
    goes_on = any(code is None or policy == "Always" or (policy == "OnFailure" and code > 0) for code in codes)
    assert (phase_of(policy, codes) == "Running") is goes_on
    if not goes_on:
        assert (phase_of(policy, codes) == "Succeeded") is all(code == 0 for code in codes)


def test_each_restart_waits_twice_as_long_up_to_five_minutes() -> None:
    assert [delay_before(restart) for restart in range(1, 10)] == [0, 10, 20, 40, 80, 160, 300, 300, 300]
    assert delay_before(10**9) == 300


def a_status(name: str, restarts: int, message: str = "", last: dict[str, object] | None = None) -> dict[str, object]:
    waiting = {"reason": "CrashLoopBackOff"} | ({"message": message} if message else {})
    ended = {"lastState": {"terminated": last}} if last else {}
    return {"name": name, "restartCount": restarts, "state": {"waiting": waiting}, **ended}


@pytest.mark.parametrize(
    ("told", "seconds"), [("10s", 10), ("1m20s", 80), ("5m0s", 300), ("1h0m0s", 3600), ("1.5s", 1)]
)
def test_what_the_kubelet_tells_counts(told: str, seconds: int) -> None:
    pod = {"status": {"containerStatuses": [a_status("main", 3, f"back-off {told} restarting failed container")]}}
    (loop,) = crash_loops(pod)
    assert (loop.restart, loop.delay, loop.is_told) == (4, seconds, True)


def test_containers_that_wait_to_be_restarted_are_found() -> None:
    ready = {"name": "side", "restartCount": 9, "state": {"running": {}}}
    pulling = {"name": "late", "restartCount": 0, "state": {"waiting": {"reason": "ImagePullBackOff"}}}
    last: dict[str, object] = {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-01-01T00:00:10Z"}
    pod = {
        "status": {
            "initContainerStatuses": [a_status("first", 1)],
            "containerStatuses": [ready, pulling, a_status("main", 6, last=last)],
        }
    }
    assert list(crash_loops(pod)) == [
        CrashLoop("first", 2, 10, False, "", "", None),
        CrashLoop("main", 7, 300, False, "2026-01-01T00:00:10Z", "OOMKilled", 137),
    ]
    assert list(crash_loops({})) == []
