"""Holds what the tests reached against the floors in pyproject.toml: ``python -m tests.support.coverage_floor``.

Reads the data of the last run with ``--cov``. A floor only rises: where a run is a whole percent above one, the output
names the floor to write down.
"""

from __future__ import annotations

import io
import tomllib
from math import floor
from pathlib import Path

import coverage

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def verdict(pattern: str, reached: float, least: int) -> str:
    """Return what a run that reached so many percent of a floor's files means for the floor."""
    said = f"{pattern}: {reached:.2f} % of lines and branches, floor {least} %."
    if reached < least:
        return f"{said} Test what is new."
    if floor(reached) > least:
        return f"{said} Raise the floor in pyproject.toml to {floor(reached)}."
    return said


def main() -> int:
    """Print how much of each floor's files was reached; return 1 where that is less than the floor."""
    floors: dict[str, int] = tomllib.loads(_PROJECT.read_text())["tool"]["berth"]["coverage"]
    measured = coverage.Coverage(config_file=str(_PROJECT))
    measured.load()
    status = 0
    for pattern, least in floors.items():
        reached = measured.report(include=None if pattern == "*" else [pattern], file=io.StringIO())
        print(verdict(pattern, reached, least))
        status |= reached < least
    return status


if __name__ == "__main__":
    raise SystemExit(main())
