"""How a question is answered: what there is to choose, to order, to fill in, and what was given so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from clusters.engine.lessons import RawAnswer, Situation, UnsolvableError
from clusters.engine.objects import Pod
from clusters.services.decisions.what_if import as_text
from clusters.services.lessons.reading import written
from clusters.wording.amounts import localised
from clusters.wording.lessons import answers as words
from clusters.wording.lessons import situation as situation_words
from clusters.wording.lessons.goals import goal_words
from dashboard.lessons.presenters.cluster import authored
from dashboard.lessons.presenters.pod_lines import workload_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


Widget = Literal["one", "many", "each", "order", "number", "manifest"]

# No name of Kubernetes has these in it.
NO_NODE: Final = "~none"
FITS: Final = "~fits"
# So many pods stand there at once; more of them are folded, place by place.
MOST_CHOICES: Final = 24
# What is asked about in these orders has a place in them, all of it.
_ALL_ORDERED: Final = frozenset({"search", "pressure", "oom"})


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """One thing that can be chosen, and whether it is; `note` tells it from others, `place` is where a pod is found."""

    value: str
    label: str
    note: str = ""
    is_chosen: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Pods of one place, and how many they are; what is no pod, or are few of them, is one group without a title."""

    title: str
    choices: tuple[AnswerChoice, ...]

    @property
    def is_open(self) -> bool:
        """Whether something of it is chosen."""
        return any(each.is_chosen for each in self.choices)


@dataclass(frozen=True, slots=True)
class EachRow:
    """One node, and what was chosen for it."""

    subject: str
    chosen: str


@dataclass(frozen=True, slots=True)
class AskView:
    """A question as a form: which widget, and what it offers. `takes_nodes`: a node of the map is an answer.

    `ordered` are the things that have their place, `others` those that may get one. `text` is what was typed. Of a
    manifest `label` names the object, `goals` say what is to be achieved, `kept` which fields are to stay.
    """

    widget: Widget
    takes_nodes: bool = False
    choices: tuple[AnswerChoice, ...] = ()
    rows: tuple[EachRow, ...] = ()
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
            nowhere = AnswerChoice(NO_NODE, str(words.NOWHERE), "", NO_NODE in chosen)
            return AskView("one", takes_nodes=True, choices=(*_nodes(situation, chosen), nowhere))
        case "nodes":
            return AskView("many", takes_nodes=True, choices=_nodes(situation, _texts(given)))
        case "pods":
            return AskView("many", choices=_pods(question, situation, _texts(given)))
        case "rejections":
            return _each(question, situation, given if isinstance(given, dict) else {})
        case "outcome":
            return _one_of(words.OUTCOMES, given)
        case "eviction":
            return _one_of(words.EVICTIONS, given)
        case "order":
            return _order(question, situation, list(map(str, given)) if isinstance(given, list) else None)
        case "number":
            unit = question.value.unit
            return AskView(
                "number", text=localised(str(given or "")), unit=str(words.UNITS[unit]), words=words.unit_words(unit)
            )
        case _other:
            return _manifest(question, situation, given)


def _manifest(question: Any, situation: Situation, given: RawAnswer) -> AskView:
    text = given if isinstance(given, str) else as_text(authored(situation.written(question.name)))
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
    rows = tuple(EachRow(name, (given[name] or FITS) if name in given else "") for name in situation.node_names)
    options = (AnswerChoice("", str(words.NOT_CHOSEN)), AnswerChoice(FITS, str(words.FITS)))
    try:
        offered = question.offered(situation)
    except UnsolvableError:
        # The step says that it cannot be judged.
        offered = ()
    plugins = tuple(AnswerChoice(name, name) for name in offered)
    return AskView("each", rows=rows, choices=(*options, *plugins))
