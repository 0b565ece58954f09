"""Bars with words: how many of a class's answers say each thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.wording.lessons import distributions
from clusters.wording.lessons import teaching as words

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# Of one group; what is rarer is counted together.
MOST_BARS: Final = 12


@dataclass(frozen=True, slots=True)
class AnswerBar:
    """What some answers say: how many, in words too, ``fill`` percent of all; ``is_right`` only where that is told."""

    label: str
    number: int
    said: str
    fill: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class BarGroup:
    """Bars under a heading, which is empty where there is one group alone.

    ``more`` says how many answers are left out, ``more_right`` how much that is right.
    """

    title: str
    bars: tuple[AnswerBar, ...]
    more: str = ""
    more_right: str = ""


def answer_bar(label: str, number: int, answers: int, *, is_right: bool) -> AnswerBar:
    """Present how many of all answers say something."""
    return AnswerBar(
        label, number, words.OF_ANSWERS(number=number, answers=answers), 100 * number / max(1, answers), is_right
    )


def bar_group(
    numbers: Mapping[str, int], answers: int, right: Collection[str] = (), *, title: str = "", in_order: bool = False
) -> BarGroup:
    """Present what is said, the most frequent first unless it has an order of its own; ``right`` is told as such."""
    labels = list(numbers) if in_order else sorted(numbers, key=lambda label: (-numbers[label], label))
    shown, rest = labels[:MOST_BARS], labels[MOST_BARS:]
    # What is right is seen, however few say it; of very much as many as of what is said.
    unshown_right = [label for label in rest if label in right]
    shown += unshown_right[:MOST_BARS]
    others = sum(numbers[label] for label in rest if label not in shown)
    left = len(unshown_right[MOST_BARS:])
    return BarGroup(
        title,
        tuple(answer_bar(label, numbers[label], answers, is_right=label in right) for label in shown),
        words.OTHER_ANSWERS(number=others) if others else "",
        distributions.OTHER_RIGHT(number=left) if left else "",
    )
