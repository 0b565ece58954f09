"""Counts the sentences that are still outside of the wording ring, or in it but not translatable.

``python -m tests.support.wording_left`` writes the counts anew, and says when there are more than before.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from tests.support.sentences import sentences_by_file

ROOT = Path(__file__).parent.parent.parent
LISTED = ROOT / "tests" / "data" / "wording_left.toml"


def listed() -> dict[str, int]:
    """Return the number of sentences by file, as it is written down."""
    return tomllib.loads(LISTED.read_text(encoding="utf-8"))


def _read_anyway() -> dict[str, int]:
    """Return what is written down also where a merge left lines twice or between marks of a conflict."""
    counts: dict[str, int] = {}
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        name, _, count = line.partition(" = ")
        if count.isdecimal():
            counts[name.strip('"')] = max(int(count), counts.get(name.strip('"'), 0))
    return counts


def main() -> None:
    """Write the counts down. Exits with an error where there are more than before."""
    before, after = _read_anyway(), sentences_by_file(ROOT)
    LISTED.write_text("".join(f'"{name}" = {count}\n' for name, count in after.items()), encoding="utf-8")
    risen = {name: count for name, count in after.items() if count > before.get(name, 0)}
    print(f"{sum(before.values())} sentences were left, {sum(after.values())} are.")
    if risen and sum(before.values()) < sum(after.values()):
        sys.exit(f"More than before: move the new ones of {', '.join(risen)} to clusters/wording.")


if __name__ == "__main__":
    main()
