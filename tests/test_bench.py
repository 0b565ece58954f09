"""What `make bench` offers before it measures anything."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bench import peer
from bench.__main__ import GROUPS
from bench.cluster import each_object
from bench.traces import longest_task
from bench.waits import growth, tree_mib
from tests.controlplane import build

if TYPE_CHECKING:
    from pathlib import Path


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "bench", *arguments], capture_output=True, text=True, check=False)


def test_help_lists_the_groups_and_measures_none() -> None:
    shown = bench("--help")

    assert shown.returncode == 0
    assert all(f"\n  {name} " in shown.stdout for name in GROUPS)
    assert "median" not in shown.stdout


@pytest.mark.parametrize("name", GROUPS)
def test_each_group_can_be_measured(name: str) -> None:
    assert callable(import_module(f"bench.{name}").run)


def test_without_go_the_peer_is_left_out_with_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build, "USUAL_PLACE", str(tmp_path / "go"))

    assert peer.run() == {}
    assert f"needs Go {[*build.GO_VERSIONS.values()][-1]} or newer" in capsys.readouterr().out


def test_pods_of_an_owned_cluster_have_owners_that_are_there() -> None:
    objects = list(each_object(10, 400, is_owned=True))
    uids = {(each["kind"], each["metadata"].get("uid")) for each in objects}
    owners = [owner for each in objects for owner in each["metadata"].get("ownerReferences", ())]

    assert len(owners) == 600
    assert {(owner["kind"], owner["uid"]) for owner in owners} <= uids


def test_growth_tells_from_all_rounds_what_is_not_linear(capsys: pytest.CaptureFixture[str]) -> None:
    small = {name: {"s": [1.0, 1.0]} for name in ("flat", "steep", "noisy", "of few nodes")}
    large = {"flat": {"s": [1.1, 0.9]}, "steep": {"s": [25.0, 26.0]}, "noisy": {"s": [4.0, 6.0]}}

    found = growth(small, large, "1 to 5", 5)

    assert [figure["ratio"] for figure in found.values()] == [0.2, 5.1, 1.0]
    faster, slower = capsys.readouterr().out.splitlines()
    assert faster == "From 1 to 5 (× 5), faster than linear: steep × 25.5."
    assert slower == "From 1 to 5 (× 5), slower than linear: flat × 1.0."


def test_memory_is_that_of_a_process_and_of_those_that_it_started() -> None:
    filled = "x = bytearray(b'1') * (50 << 20); print(flush=True); input()"
    code = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {filled!r}]).returncode)"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()

        assert 50 < tree_mib(process.pid) < 120
        process.communicate(b"\n")
    assert tree_mib(process.pid) == 0


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


def test_a_renderer_that_starts_after_the_page_was_committed_to_it_is_the_pages() -> None:
    # As Chromium's headless shell tells it where a page asks for a browsing context of its own.
    pending = {"name": "FrameCommittedInBrowser", "ph": "I", "pid": 1, "tid": 1, "args": {"data": {}}}
    ready = committed(PAGE) | {"name": "ProcessReadyInBrowser"}
    blank, page = task(BLANK, 70_000, 70_000), task(PAGE, 40_000, 12_000)

    assert longest_task([main_thread(BLANK), main_thread(PAGE), pending, ready, blank, page]) == (40.0, 12.0)


def test_a_trace_without_a_task_of_the_page_measures_nothing() -> None:
    assert longest_task([main_thread(ADDRESS_BAR), committed(PAGE), task(ADDRESS_BAR, 120_000, 60_000)]) is None
