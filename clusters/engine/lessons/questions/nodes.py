"""Which nodes pass, are rejected, or score highest?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.lessons.answers import read_words
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.nodes import decider_on, deciders_on, total_on
from clusters.engine.lessons.question import Judgement, Question
from clusters.engine.registry import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.explanation import Explanation
    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation

_FEASIBLE, _REJECTED, _BEST = _WHICH = ("feasible", "rejected", "best")
_REJECTED_BY: Final = "rejectedBy"


@dataclass(frozen=True, slots=True)
class NodesQuestion(Question):
    """All nodes of a sort. The answer is a list of names in any order, which may be empty.

    ``which``: ``feasible`` (those that pass every filter), ``rejected``, or ``best`` (those with the highest total, all
    that tie). ``plugin`` (``which: {rejectedBy: PLUGIN}``): those for which kube-scheduler records that plugin, which
    is the first whose filter rejects the pod there.
    """

    which: str
    plugin: str = ""

    kind: ClassVar[str] = "nodes"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.MISSED, MistakeKind.EXTRA, MistakeKind.LOWER_SCORE}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("which")
        if isinstance(fields.given("which"), Mapping):
            inner = fields.inner("which", _REJECTED_BY)
            return cls(_REJECTED_BY, inner.plugin(_REJECTED_BY))
        return cls(fields.choice("which", _WHICH))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PLUGINS) if kind in (MistakeKind.MISSED, MistakeKind.EXTRA) else ()

    def solution(self, situation: Situation) -> RawAnswer:
        attempt = situation.attempt()
        if self.which == _FEASIBLE:
            return attempt.feasible
        if self.which == _BEST:
            return attempt.best
        names = situation.node_names
        if self.which == _REJECTED:
            return [name for name in names if deciders_on(attempt, name)]
        return [name for name in names if self.plugin in deciders_on(attempt, name)]

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.solution(situation), read_words(answer, situation.node_names)
        attempt = situation.attempt()
        missed = (Mistake(MistakeKind.MISSED, node, decider_on(attempt, node)) for node in right if node not in given)
        extra = (self._extra(attempt, node, right) for node in given if node not in right)
        return Judgement((*missed, *extra))

    def _extra(self, attempt: Explanation, node: str, right: list[str]) -> Mistake:
        total = total_on(attempt, node)
        if self.which == _BEST and total is not None and right:
            return Mistake(MistakeKind.LOWER_SCORE, node, given=str(total), expected=str(total_on(attempt, right[0])))
        return Mistake(MistakeKind.EXTRA, node, decider_on(attempt, node))
