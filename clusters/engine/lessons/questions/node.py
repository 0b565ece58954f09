"""Which node does kube-scheduler take?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.lessons.answers import read_word
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.nodes import decider_on, total_on
from clusters.engine.lessons.question import Judgement, Question
from clusters.engine.registry import PLUGINS
from clusters.engine.ties import likely_row

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation


@dataclass(frozen=True, slots=True)
class NodeQuestion(Question):
    """The node that the pod in question is scheduled to. The answer is the name of a node, or null for none.

    Any node is right that kube-scheduler may take: of several with the highest total each, also where it nearly always
    takes the first. None is right where no node passes the filters, and for a pod that is gated or that the API server
    refuses. ``nominated`` (``nominated: true``): where preemption makes room, the node that the pod is nominated for is
    right instead of none.
    """

    nominated: bool = False

    kind: ClassVar[str] = "node"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.REJECTED, MistakeKind.LOWER_SCORE, MistakeKind.NOWHERE, MistakeKind.SOMEWHERE}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        return cls(arguments.fields("nominated").flag("nominated"))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PLUGINS) if kind in (MistakeKind.REJECTED, MistakeKind.SOMEWHERE) else ()

    def solution(self, situation: Situation) -> RawAnswer:
        right = self.acceptable(situation)
        likely = likely_row(situation.attempt()) if len(right) > 1 and situation.attempt().fits else None
        return next(iter(right), None) if likely is None else situation.node_names[likely]

    def acceptable(self, situation: Situation) -> list[str]:
        """Every node that is right, in order of name; empty where none is. Raises UnsolvableError."""
        if not situation.is_tried:
            return []
        attempt = situation.attempt()
        if attempt.fits:
            return attempt.choices
        preemption = situation.preemption() if self.nominated else None
        return [] if preemption is None else sorted(each.node for each in preemption.choices)

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right = self.acceptable(situation)
        if answer is None:
            return Judgement((Mistake(MistakeKind.NOWHERE, expected=right[0]),) if right else ())
        node = read_word(answer, situation.node_names)
        return Judgement() if node in right else Judgement((self._mistake(situation, node, right),))

    def _mistake(self, situation: Situation, node: str, right: list[str]) -> Mistake:
        plugin = decider_on(situation.explanation, node) if situation.is_tried else ""
        if not right:
            return Mistake(MistakeKind.SOMEWHERE, node, plugin, given=node)
        given, best = (total_on(situation.explanation, each) for each in (node, right[0]))
        if plugin or given is None:
            return Mistake(MistakeKind.REJECTED, node, plugin, given=node, expected=right[0])
        return Mistake(MistakeKind.LOWER_SCORE, node, given=str(given), expected=str(best))
