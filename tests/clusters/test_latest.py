"""Results about whole clusters: computed once, and no cluster waits for another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from time import sleep

from clusters.engine import Snapshot
from clusters.services.mirror.latest import Latest


def test_a_result_is_computed_once_for_all_who_ask_at_once() -> None:
    latest: Latest[int] = Latest()
    snapshot = Snapshot.from_objects([])
    everybody = Barrier(4)
    computed = []

    def compute() -> int:
        computed.append(1)
        sleep(0.05)
        return 7

    def ask() -> int:
        everybody.wait(10)
        return latest.get(1, snapshot, None, compute)

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(ask) for _ in range(4)]

    assert [answer.result() for answer in answers] == [7] * 4
    assert computed == [1]


def test_one_cluster_does_not_wait_for_another() -> None:
    latest: Latest[str] = Latest()
    other_is_done = Event()

    def slowly() -> str:
        return "in time" if other_is_done.wait(5) else "the other one waited"

    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(latest.get, 1, Snapshot.from_objects([]), None, slowly)
        sleep(0.05)
        pool.submit(latest.get, 2, Snapshot.from_objects([]), None, lambda: "quick").result(10)
        other_is_done.set()

    assert slow.result() == "in time"


def test_a_newer_state_or_another_setting_is_computed_anew() -> None:
    latest: Latest[int] = Latest()
    old, new = Snapshot.from_objects([]), Snapshot.from_objects([])

    assert latest.get(1, old, "a", lambda: 1) == 1
    assert latest.get(1, old, "a", lambda: 2) == 1
    assert latest.get(1, old, "b", lambda: 3) == 3
    assert latest.get(1, new, "b", lambda: 4) == 4
