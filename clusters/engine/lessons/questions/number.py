"""Which number?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from string import ascii_letters
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.problems import WrongSuffix
from clusters.engine.lessons.question import Judgement, Question, UnreadableAnswerError
from clusters.engine.lessons.values import VALUES
from clusters.engine.lessons.values.value import NumberUnit
from clusters.engine.lessons.values.working import outcome
from clusters.engine.problems import NotAnAmount, NotAText
from clusters.engine.resources.quantity import NANO, QuantityError, QuantityFormat, canonical_text, parsed
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.lessons.values import NumberValue
    from clusters.engine.lessons.values.working import Operand


_SUFFIX: Final = f"{ascii_letters}% "
_NO_SUFFIX: Final = frozenset({""})
_SUFFIXES: Final = {
    NumberUnit.CPU: frozenset({"", "n", "u", "m", "k"}),
    NumberUnit.BYTES: frozenset({"", *"kMGTPE", *(f"{each}i" for each in "KMGTPE")}),
}
# As pages and people write units.
_SPOKEN: Final = {
    NumberUnit.CPU: {"cpu": "", "cpus": "", "core": "", "cores": ""},
    NumberUnit.BYTES: {"b": "", "byte": "", "bytes": "", **{f"{each}ib": f"{each.upper()}i" for each in "kmgtpe"}},
    NumberUnit.PERCENT: {"%": ""},
    NumberUnit.SECONDS: {"s": ""},
}


@dataclass(frozen=True, slots=True)
class NumberQuestion(Question):
    """A number of the situation: ``value`` is the name of one of VALUES, beside its own arguments.

    The answer is a number, or a text as Kubernetes writes quantities (``1500m``, ``2Gi``): whole CPUs, bytes, seconds.
    ``tolerance``: by how much an answer may differ, written likewise; without it the number has to be exact.
    """

    value: NumberValue
    tolerance: Fraction = Fraction(0)

    kind: ClassVar[str] = "number"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.TOO_SMALL, MistakeKind.TOO_LARGE})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        known = sorted({name for value in VALUES.values() for name in value.arguments})
        fields = arguments.fields("value", "tolerance", *known)
        value = VALUES[fields.choice("value", tuple(VALUES))]
        fields.only("value", "tolerance", *value.arguments)
        tolerance = fields.given("tolerance")
        read = value.read(fields)
        if tolerance is None:
            return cls(read)
        try:
            return cls(read, abs(_number(tolerance, read.unit)))
        except UnreadableAnswerError as error:
            raise fields.bad("tolerance", error.problem) from None

    def solution(self, situation: Situation) -> RawAnswer:
        return as_text(self.value.of(situation), self.value.unit)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        """Return the arithmetic of the number; nothing where it does not come to exactly that."""
        steps = self.value.working(situation)
        return steps if outcome(steps) == self.value.of(situation) else ()

    def amount(self, answer: RawAnswer) -> Fraction:
        """Return the number that an answer says. Raises UnreadableAnswerError."""
        return _number(answer, self.value.unit)

    def written(self, answer: RawAnswer) -> str:
        """Write an answer so that equal numbers look alike. Raises UnreadableAnswerError."""
        return as_text(_number(answer, self.value.unit), self.value.unit)

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.value.of(situation), _number(answer, self.value.unit)
        if abs(right - given) <= self.tolerance:
            return Judgement()
        kind = MistakeKind.TOO_SMALL if given < right else MistakeKind.TOO_LARGE
        unit = self.value.unit
        return Judgement((Mistake(kind, given=as_text(given, unit), expected=as_text(right, unit)),))


def as_text(number: Fraction, unit: NumberUnit) -> str:
    """A number as a learner writes it: amounts as quantities, others with the decimals that they have, at most nine."""
    nanos = round(number * 10**NANO)
    written = QuantityFormat.BINARY_SI if unit is NumberUnit.BYTES else QuantityFormat.DECIMAL_SI
    if unit.is_amount:
        return canonical_text(nanos, written)
    whole, rest = divmod(abs(nanos), 10**NANO)
    decimals = f"{rest:0{NANO}d}".rstrip("0")
    return f"{'-' if nanos < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"


def _number(answer: RawAnswer, unit: NumberUnit) -> Fraction:
    """A number or quantity, also with the unit as pages write it. Raises UnreadableAnswerError."""
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        raise UnreadableAnswerError(NotAText(shown(answer)))
    try:
        if isinstance(answer, str):
            answer = _without_unit(answer.strip(), unit)
        return Fraction(parsed(answer).nano_units, 10**NANO)
    except QuantityError:
        raise UnreadableAnswerError(NotAnAmount(shown(answer))) from None


def _without_unit(text: str, unit: NumberUnit) -> str:
    """Return a number with the suffix of a quantity alone. Raises UnreadableAnswerError for one of another unit."""
    number = text.rstrip(_SUFFIX)
    suffix = text[len(number) :].strip()
    suffix = _SPOKEN.get(unit, {}).get(suffix.lower(), suffix)
    if number and suffix not in _SUFFIXES.get(unit, _NO_SUFFIX):
        raise UnreadableAnswerError(WrongSuffix(shown(suffix), str(unit)))
    return f"{number}{suffix}"
