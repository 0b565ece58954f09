"""What a process keeps: bounded, computed once for all who ask at once, and no key waits for another."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from time import sleep, thread_time
from typing import TYPE_CHECKING

import pytest

from clusters.services.computing import Cache, OverTimeError, check, drop, start, stop
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable


class Slow:
    """A computation that another thread has begun, and that goes on until it is let go."""

    def __init__(self, answer: Callable[[], int]) -> None:
        self.begun, self.released, self.times = Event(), Event(), 0
        self._answer = answer

    def __call__(self) -> int:
        self.times += 1
        self.begun.set()
        assert self.released.wait(30)
        return self._answer()


def begun(pool: ThreadPoolExecutor, cache: Cache[str, int], key: str, slow: Slow, version: object = 1) -> Future[int]:
    future = pool.submit(cache.get, key, slow, version=version)
    assert slow.begun.wait(30)
    return future


def unwanted() -> int:
    raise AssertionError("this was to be found, not computed")


def wait_for(cache: Cache[str, int], number: int) -> None:
    """Wait until so many have asked; the moment after, they wait for the computation."""
    wait_until(lambda: cache._asked == number, seconds=30, otherwise="not everybody asked")
    sleep(0.05)


def test_a_result_is_computed_once_for_all_who_ask_at_once() -> None:
    cache: Cache[str, int] = Cache("test", 2)
    slow = Slow(lambda: 7)

    with ThreadPoolExecutor(4) as pool:
        asked = [begun(pool, cache, "a", slow), *(pool.submit(cache.get, "a", slow, version=1) for _ in range(3))]
        wait_for(cache, 4)
        slow.released.set()

    assert [each.result() for each in asked] == [7] * 4
    assert slow.times == 1


def test_a_slow_key_does_not_hold_another_one() -> None:
    cache: Cache[str, int] = Cache("test", 2)
    slow = Slow(lambda: 7)

    with ThreadPoolExecutor(2) as pool:
        first = begun(pool, cache, "a", slow)
        try:
            assert pool.submit(cache.get, "b", lambda: 8).result(30) == 8
            assert not first.done()
        finally:
            slow.released.set()


def test_an_error_reaches_all_who_wait_and_is_not_kept() -> None:
    cache: Cache[str, int] = Cache("test", 2)

    def fail() -> int:
        raise ValueError("no such thing")

    slow = Slow(fail)
    with ThreadPoolExecutor(3) as pool:
        asked = [begun(pool, cache, "a", slow), *(pool.submit(cache.get, "a", slow, version=1) for _ in range(2))]
        wait_for(cache, 3)
        slow.released.set()

    for each in asked:
        with pytest.raises(ValueError, match="no such thing"):
            each.result()
    assert slow.times == 1
    assert cache.get("a", lambda: 9, version=1) == 9


def test_whoever_asks_for_another_version_takes_neither_the_result_nor_the_error_of_this_one() -> None:
    cache: Cache[str, int] = Cache("test", 2)

    def fail() -> int:
        raise ValueError("of the old version")

    slow = Slow(fail)
    with ThreadPoolExecutor(2) as pool:
        old = begun(pool, cache, "a", slow, version="old")
        new = pool.submit(cache.get, "a", lambda: 2, version="new")
        wait_for(cache, 2)
        slow.released.set()

    assert new.result() == 2
    assert isinstance(old.exception(), ValueError)


def test_who_waited_for_an_interrupted_computation_computes() -> None:
    cache: Cache[str, int] = Cache("test", 2)

    def interrupt() -> int:
        raise KeyboardInterrupt

    slow = Slow(interrupt)
    with ThreadPoolExecutor(2) as pool:
        interrupted = begun(pool, cache, "a", slow)
        other = pool.submit(cache.get, "a", lambda: 3, version=1)
        wait_for(cache, 2)
        slow.released.set()

    assert other.result() == 3
    assert isinstance(interrupted.exception(), KeyboardInterrupt)


def test_waiting_ends_when_the_other_thread_computes_longer_than_this_question_may() -> None:
    cache: Cache[str, int] = Cache("test", 2)
    begins, gave_up = Event(), Event()

    def busy() -> int:
        begins.set()
        end = thread_time() + 60
        while not gave_up.is_set() and thread_time() < end:
            pass
        return 7

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(cache.get, "a", busy)
        assert begins.wait(30)
        start(0.2)
        try:
            with pytest.raises(OverTimeError):
                cache.get("a", unwanted)
        finally:
            stop()
            gave_up.set()

    assert first.result() == 7


def test_time_in_which_nobody_computes_is_not_counted() -> None:
    cache: Cache[str, int] = Cache("test", 2)
    slow = Slow(lambda: 7)

    def ask() -> int:
        start(0.2)
        return cache.get("a", unwanted, version=1)

    with ThreadPoolExecutor(2) as pool:
        begun(pool, cache, "a", slow)
        waiting = pool.submit(ask)
        sleep(0.6)
        assert not waiting.done()
        slow.released.set()

    assert waiting.result() == 7


def test_what_is_not_counted_takes_nothing_of_a_question() -> None:
    cache = Cache[str, int]("snapshots", 1, is_counted=False)

    def compute() -> int:
        end = thread_time() + 0.3
        while thread_time() < end:
            pass
        return 1

    start(0.2)
    try:
        assert cache.get("a", compute) == 1
        check()
        compute()
        with pytest.raises(OverTimeError):
            check()
    finally:
        stop()


def test_the_key_that_was_asked_for_longest_ago_makes_room() -> None:
    cache: Cache[str, int] = Cache("test", 2)
    cache.get("a", lambda: 1)
    cache.get("b", lambda: 2)
    cache.get("a", unwanted)

    cache.get("c", lambda: 3)

    assert (cache.latest("a"), cache.latest("b"), cache.latest("c")) == (1, None, 3)


def test_another_version_replaces_what_was_kept() -> None:
    cache: Cache[str, int] = Cache("test", 2)

    assert cache.get("a", lambda: 1, version="old") == 1
    assert cache.get("a", unwanted, version="old") == 1
    assert cache.get("a", lambda: 2, version="new") == 2
    assert cache.latest("a") == 2
    assert cache.get("a", lambda: 3, version="old") == 3


def test_what_has_an_outdated_part_is_dropped_and_nobody_counts_as_asking() -> None:
    cache: Cache[str, int] = Cache("test", 2)
    cache.get("a", lambda: 1, version=("old", 1))
    cache.get("b", lambda: 2, version=("new", 1))

    drop(lambda part: part == "older")
    assert (cache.latest("a"), cache.latest("b")) == (1, 2)
    cache.get("c", lambda: 3, version="old")
    assert cache.latest("a") is None

    drop(lambda part: part == "old")
    assert (cache.latest("b"), cache.latest("c")) == (2, None)


def test_what_was_computed_is_told_with_how_often_it_was_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    cache: Cache[str, int] = Cache("squares", 2)

    with caplog.at_level("DEBUG", logger="clusters.services.computing"):
        cache.get("a", lambda: 1)
        cache.get("a", unwanted)
        cache.get("b", lambda: 4)

    assert [record.message.partition(", ")[2] for record in caplog.records] == [
        "1 times of 1 asked",
        "2 times of 3 asked",
    ]
