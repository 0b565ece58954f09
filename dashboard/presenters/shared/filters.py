"""What a list shows and what its filters hide, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.amounts import counted, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Counted:
    """The line above a list's rows; `hidden` is empty when no filter is set."""

    sentence: str
    hidden: str


def count_line(*, shown: int, total: int, one: str, many: str, conditions: Sequence[str]) -> Counted:
    """Say how many rows match, how many the filters hide and which filters those are."""
    if not conditions:
        return Counted(f"{counted(total, one, many)}.", "")
    return Counted(
        f"{grouped(shown)} of {counted(total, one, many)} shown.",
        f"{grouped(total - shown)} hidden by: {'; '.join(conditions)}.",
    )
