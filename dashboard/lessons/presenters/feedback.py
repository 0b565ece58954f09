"""What comes of an answer: what is wrong with it, hints, and once it is shown what is right beside what was given."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.lessons import Goal, Mistake, MistakeKind, RawAnswer, Situation, StepTexts, UnreadableAnswerError
from clusters.wording.lessons import answers as answer_words
from clusters.wording.lessons import player as words
from clusters.wording.lessons.mistakes import mistake_sentence, unmet
from clusters.wording.lists import first_of
from dashboard.lessons.texts import as_html
from dashboard.pictures.verdict_map.spec import MapMark, MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.utils.safestring import SafeString


# Who reads what these are about knows the answer.
_UNNAMED: Final = frozenset({MistakeKind.MISSED, MistakeKind.GOAL})
# So many names stand in a sentence; a table or a list beside it has all.
_MOST_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint that is shown, and which one it is."""

    title: str
    text: SafeString


@dataclass(frozen=True, slots=True)
class MistakeView:
    """What is wrong, and with which nodes, pods or fields where saying so does not give the answer away."""

    subjects: str
    text: SafeString


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One thing that was asked about: what was answered of it, what is right, and whether both are the same."""

    subject: str
    given: str
    right: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was named in an answer, and what is right, where both are names of nodes or of pods."""

    given: frozenset[str]
    right: frozenset[str]
    # One of the right ones is enough.
    is_any: bool = False

    @property
    def kinds(self) -> dict[str, MarkKind]:
        """Each name that stands out, and how."""
        found: dict[str, MarkKind] = dict.fromkeys(self.given & self.right, "right")
        found |= dict.fromkeys(self.given - self.right, "wrong")
        if not (self.is_any and self.given & self.right):
            found |= dict.fromkeys(self.right - self.given, "missed")
        return found


def mistakes_said(mistakes: Sequence[Mistake], texts: StepTexts, goals: Sequence[Goal] = ()) -> list[MistakeView]:
    """Return what is wrong: the lesson's own hint for it where it has one, else a general sentence; each once."""
    own: dict[str, list[Mistake]] = {}
    rest = []
    for mistake in mistakes:
        hint = next((texts.mistakes[key] for key in mistake.keys if key in texts.mistakes), None)
        if hint is None:
            rest.append(mistake)
        else:
            own.setdefault(hint, []).append(mistake)
    # What somebody said comes before what is missing.
    own = dict(sorted(own.items(), key=lambda each: not _named(each[1])))
    not_met = {(each.given, each.subject) for each in rest if each.kind is MistakeKind.GOAL}
    said = [unmet(goal) for goal in goals if (goal.key, goal.subject) in not_met]
    rest = sorted((each for each in rest if each.kind is not MistakeKind.GOAL), key=lambda each: each.kind)
    said += [mistake_sentence(list(alike)) for _, alike in groupby(rest, lambda each: each.kind)]
    return [
        *(MistakeView(_heading(alike), as_html(hint)) for hint, alike in own.items()),
        *(MistakeView("", as_html(sentence)) for sentence in said),
    ]


def _named(mistakes: Sequence[Mistake]) -> list[str]:
    """Return what some mistakes are about, where that does not give the answer away."""
    return list(filter(None, dict.fromkeys(each.subject for each in mistakes if each.kind not in _UNNAMED)))


def _heading(mistakes: Sequence[Mistake]) -> str:
    if all(each.kind is MistakeKind.MISSED for each in mistakes):
        return str(words.LEFT_OUT)
    return first_of(_named(mistakes), most=_MOST_NAMED)


def hints_shown(texts: StepTexts, number: int) -> list[HintView]:
    """Return the first hints of a step."""
    return [
        HintView(words.HINT(number=place, hints=len(texts.hints)), as_html(text))
        for place, text in enumerate(texts.hints[:number], 1)
    ]


def solution_words(question: Any, situation: Situation, solution: RawAnswer) -> str:
    """Say what is right, as the texts of lessons write names."""
    match question.kind:
        case "node":
            return answer_words.one_of(question.acceptable(situation))
        case "nodes":
            return answer_words.all_nodes(solution)
        case "pods":
            return answer_words.any_pods(question.acceptable(situation), _MOST_NAMED)
        case "rejections":
            return answer_words.by_node(solution)
        case "outcome":
            return str(answer_words.OUTCOMES[solution])
        case "eviction":
            return str(answer_words.EVICTIONS[solution])
        case "order":
            return answer_words.in_order(solution, _MOST_NAMED)
        case "number":
            return answer_words.number(solution, question.value.unit)
        case _manifest:
            return str(answer_words.MANIFEST) if solution else str(answer_words.ANY_CHANGE)


def reveal_text(texts: StepTexts, answer: str) -> SafeString:
    """Return what is to be learnt, with the answer in words where the text has a place for it."""
    return as_html(texts.reveal.replace("{answer}", answer))


def prediction(
    question: Any, situation: Situation, given: RawAnswer, solution: RawAnswer, *, is_given: bool
) -> Prediction | None:
    """Return what was named beside what is right; None where the answer is not made of names."""
    named = frozenset(given) if is_given and isinstance(given, list | dict) else frozenset()
    match question.kind:
        case "node":
            own = frozenset({given} if is_given and given else ())
            return Prediction(own, frozenset(question.acceptable(situation)), is_any=True)
        case "nodes":
            return Prediction(named, frozenset(solution))
        case "pods":
            rights = map(frozenset, question.acceptable(situation))
            return Prediction(named, min(rights, key=lambda right: len(right ^ named)))
        case "rejections" if is_given:
            # Of a node of which nothing was said, anything right is missing.
            right = {node for node in solution if node not in given or given[node] == solution[node]}
            return Prediction(named & frozenset(solution), frozenset(right))
        case _other:
            return None


def marks(found: Prediction, names: Sequence[str]) -> Iterator[MapMark]:
    """Yield a mark for each node of a map that the prediction is about."""
    labels = {"right": words.NAMED_RIGHTLY, "wrong": words.NAMED_WRONGLY, "missed": words.MISSED}
    place = {name: number for number, name in enumerate(names)}
    for name, kind in sorted(found.kinds.items()):
        if (number := place.get(name)) is not None:
            yield MapMark(kind, str(labels[kind]), number)


def compared(question: Any, given: RawAnswer, solution: RawAnswer) -> list[ComparedRow]:
    """Return an answer beside the right one, row by row; none where a sentence says it all."""
    match question.kind:
        case "rejections":
            said = given if isinstance(given, dict) else {}
            return [
                ComparedRow(node, _plugin(said, node), _plugin(solution, node), said.get(node, "") == plugin)
                for node, plugin in solution.items()
            ]
        case "order":
            own = list(given) if isinstance(given, list) else []
            length = max(len(own), len(solution))
            return [
                ComparedRow(f"{number + 1}", one, other, one == other)
                for number, (one, other) in enumerate(zip(_filled(own, length), _filled(solution, length), strict=True))
            ]
        case _other:
            return []


def own_answer(question: Any, given: RawAnswer) -> str:
    """Return an answer of which neither the map nor a table tells, in words; nothing for others."""
    match question.kind:
        case "number":
            try:
                return answer_words.number(question.written(given), question.value.unit).replace("`", "")
            except UnreadableAnswerError:
                # The lesson asks for something else since the answer was given.
                return ""
        case "outcome":
            return str(answer_words.OUTCOMES.get(str(given), ""))
        case "eviction":
            return str(answer_words.EVICTIONS.get(str(given), ""))
        case _other:
            return ""


def _plugin(said: dict[str, str | None], node: str) -> str:
    if node not in said:
        return "–"
    return said[node] or str(answer_words.FITS)


def _filled(names: Iterable[str], length: int) -> list[str]:
    found = list(names)
    return [*found, *["–"] * (length - len(found))]
