"""How the answers to a step are distributed: as bars with words, and as a table where more than one thing is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.wording.lessons import answers as answer_words
from clusters.wording.lessons import distributions
from clusters.wording.lessons import teaching as words
from dashboard.classrooms.presenters.answers import said
from dashboard.classrooms.presenters.bars import BarGroup, bar_group
from dashboard.classrooms.presenters.changes import change_groups
from dashboard.classrooms.presenters.matrices import AnswerMatrix, place_matrix, plugin_matrix
from dashboard.classrooms.presenters.numbers import histogram, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.lessons import RawAnswer, Situation
    from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers


@dataclass(frozen=True, slots=True)
class Distribution:
    """All answers to a step; ``sentence`` says the highest of the bars, ``note`` what is not counted.

    ``spread`` says how far numbers are apart, ``matrix`` counts answers that say more than one thing.
    """

    answers: int
    groups: tuple[BarGroup, ...]
    sentence: str
    note: str
    spread: str = ""
    matrix: AnswerMatrix | None = None


class _Tally(NamedTuple):
    """How many answers say what, by node and label, and what is told to be right; what is of no node has none."""

    numbers: dict[tuple[str, str], int]
    right: set[tuple[str, str]]


# Bars of these stand in the order of the question, all others by how many there are.
_IN_ORDER: Final = frozenset({"outcome", "eviction"})


def distribution(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> Distribution:
    """Present answers: before the reveal without anything that tells which of them are right."""
    answers = len(judged.answers)
    note = words.UNREADABLE(number=judged.unreadable) if judged.unreadable else ""
    tally = _tally(question, situation, judged, solution, is_revealed=is_revealed)
    match question.kind:
        case "manifest" | "rejections" if not answers:
            return Distribution(0, (), "", note)
        case "rejections" if not tally.numbers:
            # An answer that says nothing of any node is one, too.
            return Distribution(answers, (), "", note)
        case "manifest":
            return Distribution(answers, change_groups(question, judged, is_revealed=is_revealed), "", note)
        case "rejections":
            group = _by_plugin(tally, answers * len(situation.node_names))
            return Distribution(answers, (group,), "", note, matrix=plugin_matrix(situation, judged, *tally))
    numbers = {label: number for (_, label), number in tally.numbers.items()}
    sentence = _most_frequent(numbers, answers)
    if question.kind == "number" and answers:
        group = histogram(question, judged, solution, is_revealed=is_revealed)
        return Distribution(answers, (group,), sentence, note, spread=spread(question, judged))
    right = {label for _, label in tally.right}
    groups = (bar_group(numbers, answers, right, in_order=question.kind in _IN_ORDER),) if numbers else ()
    if question.kind == "order" and any(answer.given for answer in judged.answers):
        matrix = place_matrix(question, situation, judged, solution, is_revealed=is_revealed)
        return Distribution(answers, groups, sentence, note, matrix=matrix)
    return Distribution(answers, groups, sentence, note)


def _most_frequent(numbers: dict[str, int], answers: int) -> str:
    highest = max(numbers, key=lambda label: numbers[label], default="")
    return (
        words.MOST_FREQUENT(answer=highest, number=numbers[highest], answers=answers)
        if highest and numbers[highest]
        else ""
    )


def _by_plugin(tally: _Tally, of: int) -> BarGroup:
    """Present how often each plugin is named, ``of`` all nodes of all answers."""
    numbers: Counter[str] = Counter()
    for (_, label), number in tally.numbers.items():
        numbers[label] += number
    return bar_group(numbers, of, title=str(distributions.ALL_NODES))


def _tally(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> _Tally:
    numbers: Counter[tuple[str, str]] = Counter(dict.fromkeys(_offered(question), 0))
    right = set(_right_names(question, situation, solution)) if is_revealed else set()
    for answer in judged.answers:
        for node, label, is_right in _parts(question, answer):
            numbers[node, label] += 1
            if is_revealed and is_right:
                right.add((node, label))
    return _Tally({**numbers, **{each: numbers[each] for each in right}}, right)


def _parts(question: Any, answer: JudgedAnswer) -> Iterator[tuple[str, str, bool]]:
    """Yield each thing that an answer says, once: of which node, what, and whether it is right."""
    given = answer.given
    wrong = {mistake.subject for mistake in answer.mistakes}
    match question.kind:
        case "nodes" | "pods" if given:
            yield from (("", name, name not in wrong) for name in dict.fromkeys(given))
        case "rejections":
            for node, plugin in given.items():
                yield node, plugin or str(answer_words.FITS), node not in wrong
        case _whole:
            yield "", said(question, answer), answer.is_right


def _offered(question: Any) -> Iterator[tuple[str, str]]:
    """Yield what has a bar also where nobody says it."""
    match question.kind:
        case "outcome":
            yield from (("", str(label)) for label in answer_words.OUTCOMES.values())
        case "eviction":
            yield from (("", str(label)) for label in answer_words.EVICTIONS.values())


def _right_names(question: Any, situation: Situation, solution: RawAnswer) -> Iterable[tuple[str, str]]:
    """Return what is right and made of names, so that it has a bar after the reveal, named or not."""
    match question.kind:
        case "node":
            return [("", name) for name in question.acceptable(situation)] or [("", str(answer_words.NOWHERE))]
        case "nodes":
            return [("", name) for name in solution] or [("", str(answer_words.NOWHERE))]
        case "pods":
            sets = question.acceptable(situation)
            return [("", name) for names in sets for name in names or [str(answer_words.NO_POD)]]
        case "rejections":
            return [(node, plugin or str(answer_words.FITS)) for node, plugin in solution.items()]
        case "outcome":
            return [("", str(answer_words.OUTCOMES[solution]))]
        case "eviction":
            return [("", str(answer_words.EVICTIONS[solution]))]
        case _other:
            return []
