"""The map of a situation by how often the answers of a class are about each node."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import Pod
from clusters.wording.lessons import distributions as words
from dashboard.classrooms.presenters.shades import share_shade
from dashboard.lessons.presenters.situation_map import situation_map
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.pictures.verdict_map.spec import MapKey, MapMark, VerdictMap

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from clusters.engine.lessons import RawAnswer, Situation
    from dashboard.classrooms.judgements import JudgedAnswers

_NAMED, _NOT_NAMED = "verdict-chosen-solid", "verdict-unknown-solid"
# What the answers to these questions name of the map's nodes; other questions are not about nodes.
_NAMES: Final[Mapping[str, str]] = {"node": "nodes", "nodes": "nodes", "rejections": "rejections", "pods": "pods"}


@dataclass(frozen=True, slots=True)
class NodeHeat:
    """A map on which nodes stand out that more answers are about; ``about`` says what its numbers mean."""

    title: str
    about: str
    drawn: DrawnMap


def node_heat(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> NodeHeat | None:
    """Draw answers that are about nodes, or about what nodes run; None where a map tells nothing of them."""
    kind = _NAMES.get(question.kind)
    if kind is None or not judged.answers or not situation.node_names:
        return None
    if kind == "pods" and (question.on or len({*_node_of_pods(situation).values()} - {""}) < 2):
        # No more than one node has pods that can be named.
        return None
    right = right_nodes(question, situation, solution) if is_revealed else ()
    found = heat_map(question, situation, judged, right)
    return NodeHeat(str(words.HEAT_TITLES[kind]), str(words.HEAT_NUMBERS[kind]), DrawnMap(id="heat", found=found))


def heat_map(question: Any, situation: Situation, judged: JudgedAnswers, right: Collection[str]) -> VerdictMap:
    """Present each node by the share of the answers that are about it; those that are ``right`` have a ring."""
    kind = _NAMES[question.kind]
    named, answers = named_nodes(question, situation, judged), len(judged.answers)
    base = situation_map(situation)
    numbers = [named[name] for name in base.names]
    marks = tuple(
        MapMark("right", str(words.RIGHT_NODE), place) for place, name in enumerate(base.names) if name in right
    )
    none, some = str(words.IN_NO_ANSWER[kind]), str(words.IN_ANSWERS[kind])
    lines = (words.node_heat(kind, name, number, answers) for name, number in zip(base.names, numbers, strict=True))
    return replace(
        base,
        sentence=words.HEAT_SUMMARY(nodes=len(base.names), answers=answers),
        keys=(
            MapKey(none, "", _NOT_NAMED, "", numbers.count(0), is_faint=True),
            MapKey(some, "", _NAMED, "", len(numbers) - numbers.count(0), is_shaded=True),
        ),
        key_of=tuple(int(number > 0) for number in numbers),
        shade_of=tuple(share_shade(number, answers) for number in numbers),
        loads=(),
        loads_caption="",
        lines=tuple(lines),
        figures=tuple(str(number) if number else "" for number in numbers),
        marks=marks,
    )


def right_nodes(question: Any, situation: Situation, solution: RawAnswer) -> frozenset[str]:
    """Return the nodes that a right answer is about."""
    match question.kind:
        case "node":
            return frozenset(question.acceptable(situation))
        case "rejections":
            return frozenset(node for node, plugin in solution.items() if plugin)
        case "pods":
            node_of = _node_of_pods(situation)
            return frozenset(node_of[pod] for pods in question.acceptable(situation) for pod in pods if node_of[pod])
        case _nodes:
            return frozenset(solution)


def named_nodes(question: Any, situation: Situation, judged: JudgedAnswers) -> Counter[str]:
    """Count how many answers are about each node."""
    found: Counter[str] = Counter()
    node_of = _node_of_pods(situation) if question.kind == "pods" else {}
    for answer in judged.answers:
        match question.kind:
            case "rejections":
                found.update(node for node, plugin in answer.given.items() if plugin)
            case "pods":
                found.update({node_of[pod] for pod in answer.given} - {""})
            case "nodes":
                found.update(set(answer.given))
            case _node:
                found.update({answer.given} - {None})
    return found


def _node_of_pods(situation: Situation) -> dict[str, str]:
    """Return the node of each pod; one without has an empty name."""
    return {key: Pod(pod).node_name for key, pod in situation.pods.items()}
