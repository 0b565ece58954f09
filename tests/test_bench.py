"""What `make bench` offers before it measures anything."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from bench.__main__ import GROUPS
from bench.traces import longest_task


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "bench", *arguments], capture_output=True, text=True, check=False)


def test_help_lists_the_groups_and_measures_none() -> None:
    shown = bench("--help")

    assert shown.returncode == 0
    assert all(f"\n  {name} " in shown.stdout for name in GROUPS)
    assert "median" not in shown.stdout


def test_an_unknown_group_is_refused_with_those_that_there_are() -> None:
    refused = bench("speed")

    assert refused.returncode == 2
    assert all(name in refused.stderr for name in GROUPS)


@pytest.mark.parametrize("name", GROUPS)
def test_each_group_can_be_measured(name: str) -> None:
    assert callable(import_module(f"bench.{name}").run)


PAGE, ADDRESS_BAR, BLANK = 11, 12, 13


def main_thread(process: int) -> dict[str, Any]:
    return {"name": "thread_name", "ph": "M", "pid": process, "tid": 1, "args": {"name": "CrRendererMain"}}


def task(process: int, clock: int, cpu: int, *, thread: int = 1) -> dict[str, Any]:
    return {"name": "RunTask", "ph": "X", "pid": process, "tid": thread, "dur": clock, "tdur": cpu}


def committed(process: int) -> dict[str, Any]:
    return {"name": "FrameCommittedInBrowser", "ph": "I", "pid": 1, "tid": 1, "args": {"data": {"processId": process}}}


def test_the_longest_task_is_one_of_the_page_and_not_of_the_browsers_own_pages() -> None:
    events = [
        *(main_thread(process) for process in (PAGE, ADDRESS_BAR, BLANK)),
        committed(PAGE),
        task(PAGE, 40_000, 12_000),
        task(PAGE, 31_000, 22_000),
        task(PAGE, 90_000, 80_000, thread=2),
        task(ADDRESS_BAR, 120_000, 60_000),
        task(BLANK, 70_000, 70_000),
    ]

    assert longest_task(events) == (40.0, 22.0)


def test_a_trace_without_a_task_of_the_page_measures_nothing() -> None:
    assert longest_task([main_thread(ADDRESS_BAR), committed(PAGE), task(ADDRESS_BAR, 120_000, 60_000)]) is None
