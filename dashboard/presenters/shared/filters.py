"""What a list shows and what its filters hide, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording import filters as words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Counted:
    """The line above a list's rows; `hidden` is empty when no filter is set."""

    sentence: str
    hidden: str


def count_line(*, shown: int, total: int, noun: Callable[[int], str], conditions: Sequence[str]) -> Counted:
    """Say how many rows match, how many the filters hide and which filters those are.

    ``noun`` writes a number of rows with what they are, as those of `clusters.wording.counts` do.
    """
    if not conditions:
        return Counted(f"{noun(total)}.", "")
    return Counted(words.SHOWN(rows=shown, every=noun(total)), words.hidden(total - shown, conditions))
