"""Answers of a class as a table of shaded cells: which plugin for which node, which thing at which place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.registry import PLUGINS
from clusters.wording.amounts import grouped
from clusters.wording.lessons import answers as answer_words
from clusters.wording.lessons import distributions as words
from dashboard.classrooms.presenters.shades import share_shade

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clusters.engine.lessons import RawAnswer, Situation
    from dashboard.classrooms.judgements import JudgedAnswers

MOST_ROWS: Final = 20
# Of an order; what stands further back is one column.
MOST_PLACES: Final = 12


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """How many answers say it, ``shade`` by their share of all; ``is_right`` only where that is told."""

    number: int
    shade: int
    is_right: bool


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What answers say of one node or pod, column by column."""

    label: str
    cells: tuple[AnswerCell, ...]


@dataclass(frozen=True, slots=True)
class AnswerMatrix:
    """What answers say of each row; ``subject`` is the head of the first column, ``more`` says what is left out."""

    caption: str
    subject: str
    columns: tuple[str, ...]
    rows: tuple[AnswerRow, ...]
    more: str = ""

    @property
    def has_right(self) -> bool:
        """Whether it is told which cells are right."""
        return any(cell.is_right for row in self.rows for cell in row.cells)


def plugin_matrix(
    situation: Situation,
    judged: JudgedAnswers,
    numbers: Mapping[tuple[str, str], int],
    right: Collection[tuple[str, str]],
) -> AnswerMatrix:
    """Present how many answers name each plugin for each node; ``numbers`` and ``right`` are by both of them."""
    said = {label for _, label in numbers}
    columns = [label for label in (str(answer_words.FITS), *PLUGINS) if label in said]
    # Of many nodes those about which answers differ most.
    names = sorted(situation.node_names, key=lambda node: (max(numbers.get((node, each), 0) for each in columns), node))
    rows = [
        AnswerRow(
            node, tuple(_cell(numbers.get((node, each), 0), judged, is_right=(node, each) in right) for each in columns)
        )
        for node in sorted(names[:MOST_ROWS])
    ]
    return _matrix(str(words.BY_PLUGIN), str(words.NODE), columns, rows, len(names))


def place_matrix(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> AnswerMatrix:
    """Present how many answers have each thing at which place: the class's order, once told the right one."""
    orders = [list(dict.fromkeys(answer.given)) for answer in judged.answers]
    right: dict[str, frozenset[int]] = question.places(situation) if is_revealed else {}
    names = _in_order_of(orders)
    if is_revealed:
        names = list(dict.fromkeys([*solution, *right, *names]))
    said = Counter((name, place) for order in orders for place, name in enumerate(order))
    columns = _columns(max(place for _, place in [*said, *((name, max(places)) for name, places in right.items())]) + 1)
    rows = [
        AnswerRow(
            name,
            tuple(
                _cell(
                    sum(said[name, place] for place in places),
                    judged,
                    is_right=not right.get(name, frozenset()).isdisjoint(places),
                )
                for places in columns.values()
            ),
        )
        for name in names[:MOST_ROWS]
    ]
    subject = words.NODE if question.is_of_nodes else words.POD
    return _matrix(str(words.BY_PLACE), str(subject), list(columns), rows, len(names))


def _in_order_of(orders: Iterable[Sequence[str]]) -> list[str]:
    """Return everything that has a place in some order, by its place on average."""
    places: dict[str, list[int]] = {}
    for order in orders:
        for place, name in enumerate(order):
            places.setdefault(name, []).append(place)
    return sorted(places, key=lambda name: (sum(places[name]) / len(places[name]), name))


def _columns(places: int) -> dict[str, range]:
    """Return the heads of the columns for so many places, and which places each has."""
    found = {grouped(place + 1): range(place, place + 1) for place in range(min(places, MOST_PLACES))}
    return found | (
        {words.LATER_PLACES(first=MOST_PLACES + 1): range(MOST_PLACES, places)} if places > MOST_PLACES else {}
    )


def _cell(number: int, judged: JudgedAnswers, *, is_right: bool) -> AnswerCell:
    return AnswerCell(number, share_shade(number, len(judged.answers)), is_right)


def _matrix(caption: str, subject: str, columns: Sequence[str], rows: Sequence[AnswerRow], every: int) -> AnswerMatrix:
    left = every - len(rows)
    return AnswerMatrix(caption, subject, tuple(columns), tuple(rows), words.OTHER_ROWS(number=left) if left else "")
