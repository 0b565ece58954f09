"""How nodes differ from the one that is taken: a bar of differences for each, one colour and pattern a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.decisions import scores as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import DifferenceRow, DifferencesSpec
from dashboard.pictures.tokens import plugin_key

if TYPE_CHECKING:
    from dashboard.presenters.decisions.scores import ScoreTable


def scores(table: ScoreTable) -> Figure | None:
    """Draw a bar for each row of the table, which is the page's own; None where no plugin tells its nodes apart."""
    rows = [*table.rows, *([table.own] if table.own else [])]
    made = [number for number in range(len(table.columns)) if any(row.differences[number] for row in rows)]
    if not made:
        return None
    return Figure(
        id="scores",
        title=words.DIFFERENCES_TITLE(node=table.reference),
        summary=words.DIFFERENCES_SUMMARY(node=table.reference),
        spec=DifferencesSpec(
            keys=tuple(plugin_key(table.columns[number].plugin) for number in made),
            rows=tuple(
                DifferenceRow(
                    label=row.node,
                    values=tuple(row.differences[number] for number in made),
                    words=tuple(words.signed(row.differences[number]) for number in made),
                    text=row.beside,
                )
                for row in rows
            ),
        ),
    )
