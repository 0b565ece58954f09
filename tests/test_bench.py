"""What `make bench` offers before it measures anything."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from bench.__main__ import GROUPS


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
