"""The map of a situation by how often participants name each node."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from clusters.wording.lessons import teaching as words
from dashboard.lessons.presenters.situation_map import situation_map
from dashboard.pictures.verdict_map.spec import SHADES, MapKey, MapMark

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation
    from dashboard.classrooms.judgements import JudgedAnswers
    from dashboard.pictures.verdict_map.spec import VerdictMap

_NAMED, _NOT_NAMED = "verdict-chosen-solid", "verdict-unknown-solid"
# Questions that are answered by nodes of the map.
BY_NODES: Final = frozenset({"node", "nodes"})


def heat_map(situation: Situation, judged: JudgedAnswers, right: Collection[str]) -> VerdictMap:
    """Present each node by the share of the answers that name it; those that are ``right`` have a ring."""
    named, answers = named_nodes(judged), len(judged.answers)
    base = situation_map(situation)
    numbers = [named[name] for name in base.names]
    marks = tuple(
        MapMark("right", str(words.RIGHT_NODE), place) for place, name in enumerate(base.names) if name in right
    )
    return replace(
        base,
        sentence=words.heat_summary(len(base.names), answers),
        keys=(
            MapKey(str(words.NOT_NAMED), "", _NOT_NAMED, "", numbers.count(0), is_faint=True),
            MapKey(str(words.NAMED), "", _NAMED, "", len(numbers) - numbers.count(0), is_shaded=True),
        ),
        key_of=tuple(int(number > 0) for number in numbers),
        shade_of=tuple(_shade(number, answers) for number in numbers),
        loads=(),
        loads_caption="",
        lines=tuple(words.node_heat(name, number, answers) for name, number in zip(base.names, numbers, strict=True)),
        figures=tuple(str(number) if number else "" for number in numbers),
        marks=marks,
    )


def right_nodes(question: Any, situation: Situation, solution: RawAnswer) -> frozenset[str]:
    """Return the nodes that a right answer names."""
    return frozenset(question.acceptable(situation) if question.kind == "node" else solution)


def named_nodes(judged: JudgedAnswers) -> Counter[str]:
    """Count in how many answers each node is named, of a question that is answered by nodes."""
    found: Counter[str] = Counter()
    for answer in judged.answers:
        given = answer.given if isinstance(answer.given, list) else [answer.given]
        found.update(set(given) - {None})
    return found


def _shade(number: int, answers: int) -> int:
    """Return the shade of a share: the weakest for one of many, the strongest for all."""
    return 1 + round((SHADES - 1) * number / answers) if number else 0
