"""In which order?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.lessons import orders
from clusters.engine.lessons.answers import read_words
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.question import Judgement, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.orders import Rank
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation

_ON_NODES: Final = ("pressure", "oom")


@dataclass(frozen=True, slots=True)
class OrderQuestion(Question):
    """The order in which things come. The answer is the whole list; what comes at once may stand either way.

    Pods are ``namespace/name``. ``of`` is one of

    - ``victims``: the pods that preemption removes, the most important first;
    - ``pressure``: the pods of the node ``on`` as its kubelet evicts them when memory runs out, by the usage given;
    - ``oom``: the pods of the node ``on`` by oom_score_adj, the highest first;
    - ``search``: all nodes as the search visits them from the first;
    - ``queue``: the pending pods that are in the scheduling queue;
    - ``ranking``: the feasible nodes by total, the highest first.
    """

    of: str
    on: str = ""

    kind: ClassVar[str] = "order"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.MISSED, MistakeKind.EXTRA, MistakeKind.POSITION}
    )

    @property
    def is_of_nodes(self) -> bool:
        """Whether nodes are put in order, and not pods."""
        return self.of in ("search", "ranking")

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("of", "on")
        of = fields.choice("of", tuple(_RANKS))
        fields.only("of", *(("on",) if of in _ON_NODES else ()))
        return cls(of, fields.name("on") if of in _ON_NODES else "")

    def solution(self, situation: Situation) -> RawAnswer:
        ranks = self._ranks(situation)[0]
        return sorted(ranks, key=lambda item: (ranks[item], item))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        known = situation.node_names if self.is_of_nodes else situation.pods
        given = read_words(answer, known)
        return Judgement(min((_mistakes(ranks, given) for ranks in self._ranks(situation)), key=len))

    def places(self, situation: Situation) -> dict[str, frozenset[int]]:
        """Return at which places, counted from 0, each item stands in the orders that are right."""
        found: dict[str, set[int]] = {}
        for ranks in self._ranks(situation):
            in_order = sorted(ranks.values())
            for item, rank in ranks.items():
                alike = range(bisect_left(in_order, rank), bisect_right(in_order, rank))
                found.setdefault(item, set()).update(alike)
        return {item: frozenset(places) for item, places in found.items()}

    def _ranks(self, situation: Situation) -> list[dict[str, Rank]]:
        """Every ranking that is right, at least one."""
        return _RANKS[self.of](situation, self.on)


def _mistakes(ranks: Mapping[str, Rank], given: list[str]) -> tuple[Mistake, ...]:
    """What is missing, what does not belong there, and what stands directly before something that precedes it."""
    missed = (Mistake(MistakeKind.MISSED, item) for item in ranks if item not in given)
    extra = (Mistake(MistakeKind.EXTRA, item) for item in given if item not in ranks)
    placed = [item for item in given if item in ranks]
    wrong = (
        Mistake(MistakeKind.POSITION, item, given=item, expected=following)
        for item, following in pairwise(placed)
        if ranks[item] > ranks[following]
    )
    return (*missed, *extra, *wrong)


def _victims(situation: Situation, _: str) -> list[dict[str, Rank]]:
    found = situation.preemption()
    return [{}] if found is None else [orders.victim_ranks(situation, each) for each in found.choices]


_RANKS: Final[Mapping[str, Callable[[Situation, str], list[dict[str, Rank]]]]] = {
    "victims": _victims,
    "pressure": lambda situation, node: [orders.pressure_ranks(situation, node)],
    "oom": lambda situation, node: [orders.oom_ranks(situation, node)],
    "search": lambda situation, _: [orders.search_ranks(situation)],
    "queue": lambda situation, _: [orders.queue_ranks(situation)],
    "ranking": lambda situation, _: [orders.ranking(situation)],
}
