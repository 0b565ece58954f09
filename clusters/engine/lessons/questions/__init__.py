"""The kinds of questions, one module each, by the key under which the files of lessons have them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from clusters.engine.lessons.arguments import QuestionArguments, QuestionError
from clusters.engine.lessons.problems import NotOneKindOfQuestion
from clusters.engine.lessons.questions.eviction import EvictionQuestion
from clusters.engine.lessons.questions.manifest import ManifestQuestion
from clusters.engine.lessons.questions.node import NodeQuestion
from clusters.engine.lessons.questions.nodes import NodesQuestion
from clusters.engine.lessons.questions.number import NumberQuestion
from clusters.engine.lessons.questions.order import OrderQuestion
from clusters.engine.lessons.questions.outcome import OutcomeQuestion
from clusters.engine.lessons.questions.pods import PodsQuestion
from clusters.engine.lessons.questions.rejections import RejectionsQuestion
from clusters.engine.problems import NotAMap
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.errors import ChangeError

if TYPE_CHECKING:
    from clusters.engine.lessons.question import Question

__all__ = [
    "QUESTIONS",
    "EvictionQuestion",
    "ManifestQuestion",
    "NodeQuestion",
    "NodesQuestion",
    "NumberQuestion",
    "OrderQuestion",
    "OutcomeQuestion",
    "PodsQuestion",
    "RejectionsQuestion",
    "read_question",
]

QUESTIONS: Final[Mapping[str, type[Question]]] = MappingProxyType(
    {
        each.kind: each
        for each in (
            NodeQuestion,
            NodesQuestion,
            RejectionsQuestion,
            OutcomeQuestion,
            EvictionQuestion,
            PodsQuestion,
            OrderQuestion,
            NumberQuestion,
            ManifestQuestion,
        )
    }
)


def read_question(entry: object, path: str = "question") -> Question:
    """Read a question from a map of one key, its kind, to its arguments; ``path`` leads to it. Raises QuestionError."""
    if not isinstance(entry, Mapping):
        raise QuestionError(path, NotAMap(shown(entry), tuple(QUESTIONS)))
    found = tuple(str(kind)[:60] for kind in entry)
    if len(found) != 1 or found[0] not in QUESTIONS:
        raise QuestionError(path, NotOneKindOfQuestion(found[: len(QUESTIONS)], tuple(QUESTIONS)))
    try:
        return QUESTIONS[found[0]].read(QuestionArguments(entry[found[0]], f"{path}.{found[0]}"))
    except ChangeError as error:
        raise QuestionError(error.path, error.problem) from None
