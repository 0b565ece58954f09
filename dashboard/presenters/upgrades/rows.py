"""How many rows the tables of an upgrade's page have at first, and on request."""

from __future__ import annotations

from typing import Final

from clusters.wording.upgrades import differences as words

FIRST_ROWS: Final = 20
# The terminal and the API have all, however many.
MOST_ROWS: Final = 1000


def rows_left(number: int, most: int) -> str:
    """Count the rows beyond the first `most`; empty where there are none."""
    return words.MORE(number=number - most) if number > most else ""
