"""A text over several lines of a log that does not end."""

from __future__ import annotations

from datetime import UTC, datetime

from clusters.adapters.observed import SchedulerLog

_HEADER = "I0101 00:00:0{second}.000000       1 schedule_one.go:1] "


def line(second: int, message: str, values: str) -> str:
    return f'{_HEADER.format(second=second)}"{message}" pod="shop/web" {values}'


def read(*lines: str) -> list[dict[str, object]]:
    log = SchedulerLog(now=datetime(2026, 1, 2, tzinfo=UTC))
    return [attempt.document for each in lines for attempt in log.take(each)]


def test_a_text_that_does_not_end_does_not_swallow_the_log() -> None:
    beginning = line(1, "Unable to schedule pod; no fit; waiting", "err=<")
    bound = line(2, "Successfully bound pod to node", 'node="n1"')

    assert read(beginning, *["\t" + "x" * 200_000] * 10, bound)[-1:] == [{"selectedNode": "n1"}]
