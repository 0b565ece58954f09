"""Which plugin rejects the pod, node by node?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.lessons.answers import read_words_by
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.nodes import decider_on, deciders_on, rejecting_on
from clusters.engine.lessons.problems import OnePluginOffered, PluginDoesNotFilter
from clusters.engine.lessons.question import Judgement, Question, UnsolvableError
from clusters.engine.registry import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.explanation import Explanation
    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation

_OFFERS: Final = "offers"


@dataclass(frozen=True, slots=True)
class RejectionsQuestion(Question):
    """What kube-scheduler records for every node. The answer is a map from each node to a plugin, or to null (it fits).

    The plugin is the first one whose filter rejects the pod there. A node that is not in the map is a mistake.
    ``offers``: plugins that a learner can choose beside those that reject the pod somewhere; none for all that filter.
    """

    offers: tuple[str, ...] = ()

    kind: ClassVar[str] = "rejections"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.MISSED, MistakeKind.REJECTED, MistakeKind.OTHER_PLUGIN, MistakeKind.LATER_PLUGIN}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        return cls(arguments.fields(_OFFERS).plugins(_OFFERS))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PLUGINS)

    def check(self, situation: Situation) -> None:
        """Find out whether the question can be asked here, and whether what it offers leaves something to choose."""
        self.solution(situation)
        filters = situation.attempt().profile.filter
        for plugin in self.offers:
            if plugin not in filters:
                raise UnsolvableError(PluginDoesNotFilter(plugin, tuple(filters)))
        if self.offers and len(offered := self.offered(situation)) == 1:
            raise UnsolvableError(OnePluginOffered(*offered))

    def offered(self, situation: Situation) -> tuple[str, ...]:
        """Return the plugins of which a learner chooses, in the order in which they filter. Raises UnsolvableError."""
        attempt = situation.attempt()
        if not self.offers:
            return tuple(attempt.profile.filter)
        on_nodes = ((*deciders_on(attempt, node), *rejecting_on(attempt, node)) for node in situation.node_names)
        found = {*self.offers, *chain.from_iterable(on_nodes)}
        return tuple(plugin for plugin in attempt.profile.filter if plugin in found)

    def solution(self, situation: Situation) -> RawAnswer:
        attempt = situation.attempt()
        return {node: decider_on(attempt, node) or None for node in situation.node_names}

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        attempt, given = situation.attempt(), read_words_by(answer, situation.node_names, PLUGINS)
        found = []
        for node in situation.node_names:
            if node not in given:
                found.append(Mistake(MistakeKind.MISSED, node, decider_on(attempt, node)))
            elif (given[node] or "") not in (deciders_on(attempt, node) or ("",)):
                found.append(_mistake(attempt, node, given[node] or ""))
        return Judgement(tuple(found))


def _mistake(attempt: Explanation, node: str, given: str) -> Mistake:
    right = decider_on(attempt, node)
    if not given:
        kind = MistakeKind.REJECTED
    elif given in rejecting_on(attempt, node):
        kind = MistakeKind.LATER_PLUGIN
    else:
        kind = MistakeKind.OTHER_PLUGIN
    return Mistake(kind, node, right, given=given, expected=right)
