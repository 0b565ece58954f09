"""The arithmetic of a number that a question asked for, once its answer is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.lessons import NumberUnit, PluginScoreValue, as_text, fitting_row
from clusters.wording.amounts import localised
from clusters.wording.lessons import answers
from clusters.wording.lessons.working import SIGNS, operand_label
from dashboard.lessons.texts import sentence_as_html
from dashboard.presenters.decisions.arithmetic import Arithmetic, arithmetic

if TYPE_CHECKING:
    from fractions import Fraction

    from django.utils.safestring import SafeString

    from clusters.engine.lessons import Situation

_LABELLED: Final = (NumberUnit.COUNT, NumberUnit.POINTS, NumberUnit.PODS, NumberUnit.NODES)


@dataclass(frozen=True, slots=True)
class WorkingRow:
    """A step: what it does with what came before, a number, and what that is."""

    sign: str
    number: SafeString | str
    label: SafeString


@dataclass(frozen=True, slots=True)
class Working:
    """The steps to a number, and the number where they are several; of the score of a plugin the cell of the scores."""

    rows: tuple[WorkingRow, ...] = ()
    result: SafeString | str = ""
    cell: Arithmetic | None = None


def working_of(question: Any, situation: Situation) -> Working | None:
    """Return the arithmetic of a number; None for other questions, and where there is none."""
    if question.kind != "number":
        return None
    value = question.value
    if isinstance(value, PluginScoreValue):
        return Working(cell=arithmetic(*fitting_row(situation, value.node), value.plugin))
    steps = question.working(situation)
    rows = tuple(
        WorkingRow(
            SIGNS[step.sign] if number else "",
            _operand(step.number, step.unit or value.unit),
            sentence_as_html(operand_label(step)),
        )
        for number, step in enumerate(steps)
    )
    return Working(rows, _number(value.of(situation), value.unit) if len(rows) > 1 else "") if rows else None


def _operand(number: Fraction, unit: NumberUnit) -> SafeString | str:
    """Write a number beside its label, which says what is counted."""
    return localised(as_text(number, unit)) if unit in _LABELLED else _number(number, unit)


def _number(number: Fraction, unit: NumberUnit) -> SafeString:
    return sentence_as_html(answers.number(as_text(number, unit), unit))
