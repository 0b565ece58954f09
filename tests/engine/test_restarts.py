"""When containers are restarted, as the kubelet has it."""

from __future__ import annotations

import pytest

from clusters.engine.workloads.pods import CrashLoop, crash_loops, delay_before


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
