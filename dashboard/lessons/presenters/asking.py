"""How a question is answered: what there is to choose, to order, to fill in, and what was given so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.objects import Pod
from clusters.wording.lessons import answers as words
from clusters.wording.lessons import situation as situation_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.lessons.question import Question, RawAnswer
    from clusters.engine.lessons.situation import Situation

Widget = Literal["one", "many", "each", "order", "number", "manifest"]

# No name of Kubernetes has these in it.
NO_NODE: Final = "~none"
FITS: Final = "~fits"


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """One thing that can be chosen; `note` tells it from others, and `is_chosen` says whether it is."""

    value: str
    label: str
    note: str = ""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class EachRow:
    """One node, and what was chosen for it."""

    subject: str
    chosen: str


@dataclass(frozen=True, slots=True)
class AskView:
    """A question as a form: which widget, and what it offers. `takes_nodes`: a node of the map is an answer.

    `ordered` are the things that have their place, `others` those that may get one. `text` is what was typed.
    """

    widget: Widget
    takes_nodes: bool = False
    choices: tuple[AnswerChoice, ...] = ()
    rows: tuple[EachRow, ...] = ()
    ordered: tuple[AnswerChoice, ...] = ()
    others: tuple[AnswerChoice, ...] = ()
    text: str = ""
    unit: str = ""
    problems: tuple[str, ...] = field(default=())


def asked(question: Question, situation: Situation, given: RawAnswer, *, is_given: bool) -> AskView:
    """Present a question with an answer, or without one yet."""
    match question.kind:
        case "node":
            chosen = {NO_NODE if given is None else str(given)} if is_given else set()
            nowhere = AnswerChoice(NO_NODE, str(words.NOWHERE), "", NO_NODE in chosen)
            return AskView("one", takes_nodes=True, choices=(*_nodes(situation, chosen), nowhere))
        case "nodes":
            return AskView("many", takes_nodes=True, choices=_nodes(situation, _texts(given)))
        case "pods":
            return AskView("many", choices=_pods(situation, _texts(given)))
        case "rejections":
            return _each(situation, given if isinstance(given, dict) else {})
        case "outcome":
            return _one_of(words.OUTCOMES, given)
        case "eviction":
            return _one_of(words.EVICTIONS, given)
        case _other:
            raise NotImplementedError(question.kind)


def _texts(given: RawAnswer) -> set[str]:
    return set(map(str, given)) if isinstance(given, list) else set()


def _one_of(labels: Mapping[str, object], given: RawAnswer) -> AskView:
    return AskView(
        "one", choices=tuple(AnswerChoice(value, str(label), "", value == given) for value, label in labels.items())
    )


def _nodes(situation: Situation, chosen: set[str]) -> tuple[AnswerChoice, ...]:
    return tuple(AnswerChoice(name, name, "", name in chosen) for name in situation.node_names)


def _pods(situation: Situation, chosen: set[str]) -> tuple[AnswerChoice, ...]:
    return tuple(
        AnswerChoice(key, key, situation_words.on_node(Pod(pod).node_name), key in chosen)
        for key, pod in sorted(situation.pods.items())
        if Pod(pod).node_name
    )


def _each(situation: Situation, given: Mapping[str, str | None]) -> AskView:
    rows = tuple(EachRow(name, (given[name] or FITS) if name in given else "") for name in situation.node_names)
    options = (AnswerChoice("", str(words.NOT_CHOSEN)), AnswerChoice(FITS, str(words.FITS)))
    plugins = tuple(AnswerChoice(name, name) for name in filters_of(situation))
    return AskView("each", rows=rows, choices=(*options, *plugins))


def filters_of(situation: Situation) -> Sequence[str]:
    """Return the plugins that may reject the pod in question, in the order in which they filter."""
    try:
        return situation.explanation.profile.filter
    except UnsolvableError:
        return ()
