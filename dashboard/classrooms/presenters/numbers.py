"""Numbers of a class as a histogram: from the smallest to the largest, and how far they are apart."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.wording.lessons import distributions as words
from dashboard.classrooms.presenters.answers import said
from dashboard.classrooms.presenters.bars import MOST_BARS, BarGroup, answer_bar
from dashboard.lessons.presenters.feedback import own_answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from clusters.engine.lessons import RawAnswer
    from dashboard.classrooms.judgements import JudgedAnswers


class _Column(NamedTuple):
    """A number that some answers say, in words; ``is_right`` only where that is told."""

    amount: Fraction
    label: str
    answers: int
    is_right: bool


def histogram(question: Any, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool) -> BarGroup:
    """Present numbers by size; of very many, neighbours share a bar, but for what is right once that is told."""
    columns = _columns(question, judged, solution, is_revealed=is_revealed)
    size = -(-len(columns) // MOST_BARS)
    bars = []
    for _, alike in groupby(columns, lambda each: each.is_right):
        run = list(alike)
        for first in range(0, len(run), size):
            some = run[first : first + size]
            label = words.NUMBER_RANGE(least=some[0].label, most=some[-1].label) if len(some) > 1 else some[0].label
            number = sum(each.answers for each in some)
            bars.append(answer_bar(label, number, len(judged.answers), is_right=some[0].is_right))
    return BarGroup("", tuple(bars))


def spread(question: Any, judged: JudgedAnswers) -> str:
    """Say from where to where numbers reach, and what the middle one is; nothing where all are the same."""
    columns = _columns(question, judged, None, is_revealed=False)
    if len(columns) < 2:
        return ""
    return words.NUMBER_SPREAD(least=columns[0].label, most=columns[-1].label, middle=_middle(columns))


def _middle(columns: Sequence[_Column]) -> str:
    every = list(_each(columns))
    return every[(len(every) - 1) // 2]


def _each(columns: Sequence[_Column]) -> Iterator[str]:
    for column in columns:
        yield from (column.label for _ in range(column.answers))


def _columns(question: Any, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool) -> list[_Column]:
    """Return each distinct number, the smallest first; once it is told also the right one that nobody said."""
    found: dict[Fraction, _Column] = {}
    for answer in judged.answers:
        amount = question.amount(answer.given)
        before = found.get(amount)
        number = 1 + (before.answers if before else 0)
        found[amount] = _Column(amount, said(question, answer), number, is_revealed and answer.is_right)
    if is_revealed and (amount := question.amount(solution)) not in found:
        found[amount] = _Column(amount, own_answer(question, solution), 0, is_right=True)
    return sorted(found.values())
