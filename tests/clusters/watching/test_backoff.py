"""How long the watcher waits between attempts."""

from __future__ import annotations

from clusters.services.watching.watcher import Backoff


def test_waits_grow_to_the_limit() -> None:
    backoff = Backoff(longest=15.0)
    waits = [backoff.next() for _ in range(10)]

    assert 0.25 <= waits[0] <= 0.5
    assert all(7.5 <= wait <= 15.0 for wait in waits[5:])


def test_what_fails_for_days_is_asked_as_often_as_before() -> None:
    """As a kind does that stays forbidden, or an API server that is away over a weekend."""
    backoff = Backoff(longest=30.0)
    waits = [backoff.next() for _ in range(5_000)]

    assert all(15.0 <= wait <= 30.0 for wait in waits[-100:])
