"""How a question is answered, and what comes of it: hints, the arithmetic, and what is right beside what was given."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct

from clusters.engine.lessons import (
    Goal,
    Mistake,
    MistakeKind,
    NumberUnit,
    PluginScoreValue,
    RawAnswer,
    Situation,
    StepTexts,
    UnreadableAnswerError,
    UnsolvableError,
    as_text,
    fitting_row,
)
from clusters.engine.objects import Pod
from clusters.services.decisions.explain import as_text as yaml_text
from clusters.services.lessons.reading import written
from clusters.wording.amounts import localised
from clusters.wording.lessons import (
    answers,
    answers as answer_words,
    answers as answers_words,
    player as player_words,
    situation as situation_words,
)
from clusters.wording.lessons.goals import goal_words
from clusters.wording.lessons.working import SIGNS, mistake_sentence, operand_label, unmet
from clusters.wording.lists import first_of
from dashboard.lessons.case import as_html, sentence_as_html
from dashboard.lessons.presenters.situation import authored, workload_name
from dashboard.pictures.verdict_map.spec import MapMark, MarkKind
from dashboard.presenters.decisions.nodes import Arithmetic, arithmetic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from django.utils.safestring import SafeString


def moved(names: Sequence[str], how: str) -> list[str]:
    """Return the names after a move, which is written `up:NAME`, `down:NAME`, `in:NAME` or `out:NAME`."""
    act, _, name = how.partition(":")
    found = [each for each in names if each != name]
    at = list(names).index(name) if name in names else len(found)
    match act:
        case "up":
            found.insert(max(0, at - 1), name)
        case "down":
            found.insert(at + 1, name)
        case "in":
            found.append(name)
        case "out":
            return found
        case _other:
            return list(names)
    return found


Widget = Literal["one", "many", "each", "order", "number", "manifest"]

# No name of Kubernetes has these in it.
NO_NODE: Final = "~none"
FITS: Final = "~fits"
# So many pods stand there at once; more of them are folded, place by place.
MOST_CHOICES: Final = 24
# What is asked about in these orders has a place in them, all of it.
_ALL_ORDERED: Final = frozenset({"search", "pressure", "oom"})


class AnswerChoice(Struct, frozen=True):
    """One thing that can be chosen, and whether it is; `note` tells it from others, `place` is where a pod is found."""

    value: str
    label: str
    note: str = ""
    is_chosen: bool = False
    place: str = ""


class ChoiceGroup(Struct, frozen=True):
    """Pods of one place, and how many they are; what is no pod, or are few of them, is one group without a title."""

    title: str
    choices: tuple[AnswerChoice, ...]

    @property
    def is_open(self) -> bool:
        """Whether something of it is chosen."""
        return any(each.is_chosen for each in self.choices)


class AskView(Struct, frozen=True):
    """A question as a form: which widget, and what it offers. `takes_nodes`: a node of the map is an answer.

    `rows` are nodes, each with what was chosen for it. `ordered` are the things that have their place, `others` those
    that may get one. `text` is what was typed. Of a manifest `label` names the object, `goals` say what is to be
    achieved, `kept` which fields are to stay.
    """

    widget: Widget
    takes_nodes: bool = False
    choices: tuple[AnswerChoice, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    ordered: tuple[AnswerChoice, ...] = ()
    others: tuple[AnswerChoice, ...] = ()
    text: str = ""
    unit: str = ""
    words: frozenset[str] = frozenset()
    label: str = ""
    goals: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def choice_groups(self) -> tuple[ChoiceGroup, ...]:
        """Return what there is to choose."""
        return _grouped(self.choices)

    @property
    def other_groups(self) -> tuple[ChoiceGroup, ...]:
        """Return what has no place in the order."""
        return _grouped(self.others)


def _grouped(choices: Sequence[AnswerChoice]) -> tuple[ChoiceGroup, ...]:
    """Group many pods by their places; names of nodes are short, and all stand there."""
    if len(choices) <= MOST_CHOICES or not all(each.place for each in choices):
        return (ChoiceGroup("", tuple(choices)),) if choices else ()
    found: dict[str, list[AnswerChoice]] = {}
    for each in choices:
        found.setdefault(each.place, []).append(each)
    return tuple(
        ChoiceGroup(situation_words.PODS_OF(name=place, number=len(own)), tuple(own))
        for place, own in sorted(found.items())
    )


def asked(question: Any, situation: Situation, given: RawAnswer, *, is_given: bool) -> AskView:
    """Present a question with an answer, or without one yet."""
    match question.kind:
        case "node":
            chosen = {NO_NODE if given is None else str(given)} if is_given else set()
            nowhere = AnswerChoice(NO_NODE, str(answers_words.NOWHERE), "", NO_NODE in chosen)
            return AskView("one", takes_nodes=True, choices=(*_nodes(situation, chosen), nowhere))
        case "nodes":
            return AskView("many", takes_nodes=True, choices=_nodes(situation, _texts(given)))
        case "pods":
            return AskView("many", choices=_pods(question, situation, _texts(given)))
        case "rejections":
            return _each(question, situation, given if isinstance(given, dict) else {})
        case "outcome":
            return _one_of(answers_words.OUTCOMES, given)
        case "eviction":
            return _one_of(answers_words.EVICTIONS, given)
        case "order":
            return _order(question, situation, list(map(str, given)) if isinstance(given, list) else None)
        case "number":
            unit = question.value.unit
            return AskView(
                "number",
                text=localised(str(given or "")),
                unit=str(answers_words.UNITS[unit]),
                words=answers_words.unit_words(unit),
            )
        case _other:
            return _manifest(question, situation, given)


def _manifest(question: Any, situation: Situation, given: RawAnswer) -> AskView:
    text = given if isinstance(given, str) else yaml_text(authored(situation.written(question.name)))
    return AskView(
        "manifest",
        text=text,
        label=written(question.name),
        goals=tuple(map(goal_words, question.goals)),
        kept=tuple(path.text for path in question.keep),
    )


def _order(question: Any, situation: Situation, given: list[str] | None) -> AskView:
    """Offer everything that may have a place; what surely has one begins there, in the order of the names."""
    known = _ordered_things(question, situation)
    ordered = (sorted(known) if question.of in _ALL_ORDERED else []) if given is None else given
    return AskView(
        "order",
        ordered=tuple(known[name] for name in dict.fromkeys(ordered) if name in known),
        others=tuple(known[name] for name in sorted(known) if name not in ordered),
    )


def _ordered_things(question: Any, situation: Situation) -> dict[str, AnswerChoice]:
    """Return the nodes or pods that may have a place in the order."""
    if question.is_of_nodes:
        return {name: AnswerChoice(name, name) for name in situation.node_names}
    pods = map(Pod, situation.pods.values())
    if question.on:
        return {pod.key: AnswerChoice(pod.key, pod.key) for pod in pods if pod.node_name == question.on}
    is_of_queue = question.of == "queue"
    return {pod.key: _pod_choice(pod) for pod in pods if bool(pod.node_name) != is_of_queue}


def _pod_choice(pod: Pod, *, is_chosen: bool = False) -> AnswerChoice:
    """Present a pod, which is found on its node, or else with what it belongs to."""
    if pod.node_name:
        return AnswerChoice(pod.key, pod.key, situation_words.ON_NODE(node=pod.node_name), is_chosen, pod.node_name)
    return AnswerChoice(pod.key, pod.key, "", is_chosen, workload_name(pod))


def _texts(given: RawAnswer) -> set[str]:
    return set(map(str, given)) if isinstance(given, list) else set()


def _one_of(labels: Mapping[str, object], given: RawAnswer) -> AskView:
    return AskView(
        "one", choices=tuple(AnswerChoice(value, str(label), "", value == given) for value, label in labels.items())
    )


def _nodes(situation: Situation, chosen: set[str]) -> tuple[AnswerChoice, ...]:
    return tuple(AnswerChoice(name, name, "", name in chosen) for name in situation.node_names)


def _pods(question: Any, situation: Situation, chosen: set[str]) -> tuple[AnswerChoice, ...]:
    """Offer the pods that have a node; of the nodes that the question is about, where it is about some."""
    asked_of = {question.on, *question.drain} - {""}
    return tuple(
        _pod_choice(pod, is_chosen=pod.key in chosen)
        for _, document in sorted(situation.pods.items())
        if (pod := Pod(document)).node_name and (not asked_of or pod.node_name in asked_of)
    )


def _each(question: Any, situation: Situation, given: Mapping[str, str | None]) -> AskView:
    rows = tuple((name, (given[name] or FITS) if name in given else "") for name in situation.node_names)
    options = (AnswerChoice("", str(answers_words.NOT_CHOSEN)), AnswerChoice(FITS, str(answers_words.FITS)))
    try:
        offered = question.offered(situation)
    except UnsolvableError:
        # The step says that it cannot be judged.
        offered = ()
    plugins = tuple(AnswerChoice(name, name) for name in offered)
    return AskView("each", rows=rows, choices=(*options, *plugins))


_LABELLED: Final = (NumberUnit.COUNT, NumberUnit.POINTS, NumberUnit.PODS, NumberUnit.NODES)


class Working(Struct, frozen=True):
    """The steps to a number, and the number where they are several; of the score of a plugin the cell of the scores.

    A step is what it does with what came before, a number, and what that is.
    """

    rows: tuple[tuple[str, SafeString | str, SafeString], ...] = ()
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
        (
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


# Who reads what these are about knows the answer.
_UNNAMED: Final = frozenset({MistakeKind.MISSED, MistakeKind.GOAL})
# So many names stand in a sentence; a table or a list beside it has all.
_MOST_NAMED: Final = 20


class MistakeView(Struct, frozen=True):
    """What is wrong, and with which nodes, pods or fields where saying so does not give the answer away."""

    subjects: str
    text: SafeString


class ComparedRow(Struct, frozen=True):
    """One thing that was asked about: what was answered of it, what is right, and whether both are the same."""

    subject: str
    given: str
    right: str
    is_right: bool


class Prediction(Struct, frozen=True):
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
        return str(player_words.LEFT_OUT)
    return first_of(_named(mistakes), most=_MOST_NAMED)


def hints_shown(texts: StepTexts, number: int) -> list[tuple[str, SafeString]]:
    """Return the first hints of a step, each with its title."""
    return [
        (player_words.HINT(number=place, hints=len(texts.hints)), as_html(text))
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
    labels = {"right": player_words.NAMED_RIGHTLY, "wrong": player_words.NAMED_WRONGLY, "missed": player_words.MISSED}
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
