"""A meter: how much of an amount is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from clusters.wording.amounts import percent

if TYPE_CHECKING:
    from collections.abc import Callable

HIGH_PERCENT = 90


class Meter(Struct, frozen=True):
    """Words and bar of one amount; `fill` is 0 to 100, `level` is empty, `high` or `over`."""

    name: str
    used: str
    total: str
    percent: str
    fill: int
    level: str


def meter(name: str, used: int, total: int, write: Callable[[int], str]) -> Meter:
    """Compare used with total, both in the unit that `write` formats."""
    share = 100 * used / total if total > 0 else (100 if used else 0)
    level = "over" if share > 100 else "high" if share >= HIGH_PERCENT else ""
    return Meter(name, write(used), write(total), percent(used, total), min(100, round(share)), level)
