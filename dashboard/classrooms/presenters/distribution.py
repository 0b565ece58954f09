"""How the answers to a step are distributed, as bars with words: by what is named, chosen, written, or met."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.wording.lessons import answers as answer_words
from clusters.wording.lessons import teaching as words
from clusters.wording.lessons.goals import goal_words
from dashboard.classrooms.presenters.answers import goals_met, said

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation
    from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers

# Of one group; what is rarer is counted together.
MOST_BARS: Final = 12


class _Said(NamedTuple):
    """What can be said, under the heading of ``group`` where there are several; and whether it is right."""

    group: str
    label: str
    is_right: bool


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
    """Bars under a heading, which is empty where there is one group alone; ``more`` says what is left out."""

    title: str
    bars: tuple[AnswerBar, ...]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Distribution:
    """All answers to a step as bars; ``sentence`` says the highest of them, ``note`` what is not counted."""

    answers: int
    groups: tuple[BarGroup, ...]
    sentence: str
    note: str


def distribution(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> Distribution:
    """Present answers: before the reveal without anything that tells which of them are right."""
    answers = len(judged.answers)
    counted: Counter[_Said] = Counter()
    for answer in judged.answers:
        counted.update(_parts(question, answer))
    offered = dict.fromkeys(_offered(question), 0)
    told: set[tuple[str, str]] = set()
    if is_revealed:
        right = list(_right_names(question, situation, solution))
        offered |= dict.fromkeys(right, 0)
        told = {(each.group, each.label) for each in counted if each.is_right} | set(right)
    numbers = {**offered, **_added(counted)}
    in_order = question.kind in _IN_ORDER
    groups = tuple(_group(title, found, answers, told, in_order=in_order) for title, found in _grouped(numbers))
    highest = max(numbers, key=lambda each: numbers[each], default=None)
    is_said = highest is not None and len(groups) == 1 and numbers[highest] > 0
    sentence = words.most_frequent(highest[1], numbers[highest], answers) if is_said and highest else ""
    return Distribution(answers, groups, sentence, words.unreadable(judged.unreadable) if judged.unreadable else "")


# Bars of these stand in the order of the question, all others by how many there are.
_IN_ORDER: Final = frozenset({"outcome", "eviction", "manifest"})


def _parts(question: Any, answer: JudgedAnswer) -> Iterator[_Said]:
    """Yield each thing that an answer says, once."""
    given = answer.given
    wrong = {mistake.subject for mistake in answer.mistakes}
    match question.kind:
        case "nodes" | "pods" if given:
            yield from (_Said("", name, name not in wrong) for name in dict.fromkeys(given))
        case "rejections":
            for node, plugin in given.items():
                yield _Said(node, plugin or str(answer_words.FITS), node not in wrong)
        case "manifest":
            yield from (_Said("", goal_words(question.goals[place]), False) for place in goals_met(question, answer))
        case _whole:
            yield _Said("", said(question, answer), answer.is_right)


def _offered(question: Any) -> Iterator[tuple[str, str]]:
    """Yield what has a bar also where nobody says it."""
    match question.kind:
        case "outcome":
            yield from (("", str(label)) for label in answer_words.OUTCOMES.values())
        case "eviction":
            yield from (("", str(label)) for label in answer_words.EVICTIONS.values())
        case "manifest":
            yield from (("", goal_words(goal)) for goal in question.goals)


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


def _added(counted: Mapping[_Said, int]) -> Counter[tuple[str, str]]:
    """Count what is said, whether it is right or not: a number is, and another time it is beyond the tolerance."""
    found: Counter[tuple[str, str]] = Counter()
    for each, number in counted.items():
        found[each.group, each.label] += number
    return found


def _grouped(numbers: Mapping[tuple[str, str], int]) -> Iterator[tuple[str, dict[str, int]]]:
    for title in sorted({group for group, _ in numbers}):
        yield title, {label: number for (group, label), number in numbers.items() if group == title}


def _group(
    title: str, numbers: Mapping[str, int], answers: int, right: Collection[tuple[str, str]], *, in_order: bool
) -> BarGroup:
    labels = list(numbers) if in_order else sorted(numbers, key=lambda label: (-numbers[label], label))
    shown, rest = labels[:MOST_BARS], labels[MOST_BARS:]
    # What is right is seen, however few say it.
    shown += [label for label in rest if (title, label) in right]
    others = sum(numbers[label] for label in rest if label not in shown)
    bars = tuple(
        AnswerBar(
            label,
            numbers[label],
            words.of_answers(numbers[label], answers),
            100 * numbers[label] / max(1, answers),
            (title, label) in right,
        )
        for label in shown
    )
    return BarGroup(title, bars, words.other_answers(others) if others else "")
